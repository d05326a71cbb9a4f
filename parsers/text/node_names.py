"""Whether a text may name device nodes, whose names hold serial numbers and may be broken by a terminal."""

WORDS = (
    "disk/by-",
    "diskid/",
    "gptid/",
    "ata-",
    "nvme-",
    "scsi-",
    "usb-",
    "sas-",
    "mmc-",
    "wwn-0x",
    "virtio-",
)


def may_name_nodes(text: str) -> bool:
    """Whether a text may name a node under /dev/disk, or list some."""
    return any(word in text for word in WORDS)
