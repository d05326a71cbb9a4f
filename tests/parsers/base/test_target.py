"""What a path says was measured."""

from parsers.base.target import Target, is_same_disk, node_of, target_of

PATHS = {
    Target.DEVICE: [
        None, "", "/dev/nvd0", "nvd0", "/dev/nda0", "/dev/da12", "da12", "/dev/ada7", "/dev/nvme0", "/dev/nvme0ns1",
        "/dev/nvme0n1", "/dev/nvme0c0n1", "/dev/sda", "/dev/sdaa", "/dev/vdb", "/dev/mmcblk0", "/dev/pmem0",
        "/dev/pmem0s",         "/dev/multipath/disk1", "/dev/mapper/mpatha", "/dev/mapper/[wwn-1]",
        "/dev/disk/by-id/nvme-EXAMPLE_NV400_[serial-1]",
        "/dev/disk/by-id/nvme-eui.[wwn-1]", "/dev/disk/by-path/pci-0000:00:1f.2-ata-1", "/dev/diskid/DISK-[serial-1]",
        "/dev/label/slog0", "/dev/rdsk/c1t0d0p0", "/dev/dsk/c0t[wwn-1]d0", "/dev/disk2", r"\\.\PhysicalDrive1",
        "/dev/EMPTY_DISK", "/dev/sda:/dev/sdb", "/dev/cciss/c0d0", "'/dev/sda'",
    ],
    Target.PARTITION: [
        "/dev/nvme0n1p1", "/dev/sda1", "/dev/sdab12", "/dev/mmcblk0p2", "/dev/pmem0p1", "/dev/gpt/slog0",
        "/dev/gptid/0f1e2d3c", "/dev/disk/by-partuuid/0f1e2d3c", "/dev/disk/by-uuid/0f1e2d3c",
        "/dev/disk/by-id/nvme-EXAMPLE_NV400_[serial-1]-part1", "/dev/disk/by-path/pci-0000:00:1f.2-ata-1-part3",
        "/dev/mapper/mpatha-part1", "/dev/gpt/slog0.eli", "/dev/sda:/dev/sdb2", r"\\.\C:",
    ],
    Target.SLICE: [
        "/dev/ada7p2", "ada7p2", "/dev/da3s1", "/dev/da3s1a", "/dev/nvd0p1", "/dev/nda0p3", "/dev/da0a",
        "/dev/ada1p2.eli",
        "/dev/diskid/DISK-[serial-1]p1", "/dev/diskid/DISK-[serial-1]s1a", "/dev/rdsk/c0t0d0s0", "/dev/disk0s2",
        "/dev/multipath/disk1p2",
    ],
    Target.MD: ["/dev/md0", "/dev/md127p1", "/dev/md/slog", "/dev/mirror/gm0", "/dev/raid/r0", "/dev/ram0"],
    Target.LVM: ["/dev/mapper/vg-lv", "/dev/dm-3", "/dev/vg/lv", "/dev/mapper/sda_crypt", "/dev/ada0.eli"],
    Target.ZVOL: ["/dev/zvol/tank/vol", "/dev/zvol/[pool-1]/vol", "/dev/zd0", "/dev/zd16p1"],
    Target.FILE: ["/mnt/tank/test.bin", "test.bin", "./test", "~/test", "/dev/loop3", "/mnt/sda"],
}  # fmt: skip


def test_a_path_says_what_was_measured(subtests):
    for target, paths in PATHS.items():
        for path in paths:
            with subtests.test(path=path):
                assert target_of(path) is target


def test_names_of_one_disk_and_of_two():
    for path, other, same in (
        ("/dev/nvme0n1", "/dev/nvme0", True),
        ("/dev/nvme0n1p2", "/dev/nvme0n2", True),
        ("/dev/sda1", "/dev/sda", True),
        ("ada0p2", "/dev/ada0", True),
        ("/dev/nda1", "/dev/nvme1ns1", True),
        ("/dev/rdsk/c1t0d0s0", "/dev/dsk/c1t0d0", True),
        ("/dev/sdb", r"\\.\PhysicalDrive1", True),
        ("/dev/pd1", r"\\.\PHYSICALDRIVE1", True),
        ("/dev/sda", "nvme0", False),
        ("/dev/nvme0n1", "/dev/nvme1", False),
        ("/dev/sda", "/dev/sdaa", False),
        ("ada0", "da0", False),
        ("/dev/sda", r"\\.\PhysicalDrive1", False),
        ("/dev/nvd0", "/dev/nvme1", None),
        ("/dev/sda", "ada0", None),
        *((name, "/dev/sda", None) for name in ("/dev/pass3", "/dev/sg2", "/dev/bus/0", "/dev/mfi0", "/dev/dm-0",
          "/dev/disk/by-id/ata-EXAMPLE", "/dev/gptid/1-2", "/mnt/file", "slog.bin", None)),
    ):  # fmt: skip
        assert is_same_disk(node_of(path), node_of(other)) is same, (path, other)
        assert is_same_disk(node_of(other), node_of(path)) is same, (path, other)
