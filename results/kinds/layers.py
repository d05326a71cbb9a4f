"""What sync writes are measured through (a file system, a volume, or nothing but the device), and by which tools."""

PG_TEST_FSYNC, PVEPERF, FIO, DISKINFO = "pg_test_fsync", "pveperf", "fio_file", "diskinfo_volume"
SLOGPROBE = "slogprobe_file"
IOPING, SCRIPT = "ioping", "fsync_script"  # only of published figures: no parser reads them
METHODS = {
    PG_TEST_FSYNC: "pg_test_fsync",
    PVEPERF: "pveperf",
    FIO: "fio on a file or volume",
    DISKINFO: "diskinfo -wS on a volume",
    SLOGPROBE: "slogprobe on a file or volume",
    IOPING: "ioping",
    SCRIPT: "a script of writes and syncs",
}
DEVICE_ITSELF = "device"  # by a tool whose figures aren't ranked
LAYERS = {
    "ext4": "ext4",
    "xfs": "XFS",
    "btrfs": "Btrfs",
    "ufs": "UFS",
    "zfs": "ZFS",
    "zvol": "a zvol",
    "lvm": "a logical volume",
    "md": "an md device",
    "apfs": "APFS",
    "ntfs": "NTFS",
    "guest": "a virtual machine",
    DEVICE_ITSELF: "the device itself",
}


def layer_label(layer: str) -> str:
    """What was written through, in words: "ext4", "a file system"."""
    return LAYERS.get(layer, layer) or "a file system (type not stated)"


def where_written(layer: str) -> str:
    """The same in a sentence: "through ext4", "to the device itself"."""
    return f"{'to' if layer == DEVICE_ITSELF else 'through'} {layer_label(layer)}"
