import re

import pytest

from results.kinds.commands.disks import DiskNameError, whole_disk
from results.kinds.free_disk import System


def test_whole_disk_is_accepted_with_or_without_dev(subtests):
    for system, text, name in [
        ("freebsd", "/dev/nvd0", "nvd0"),
        ("freebsd", " da24 ", "da24"),
        ("freebsd", "pmem0", "pmem0"),
        ("linux", "/dev/nvme0n1", "nvme0n1"),
        ("linux", "sdaa", "sdaa"),
        ("linux", "pmem1\n", "pmem1"),
    ]:
        with subtests.test(system=system, text=text):
            assert whole_disk(System(system), text) == name


def test_other_names_are_refused_with_what_they_are(subtests):
    for system, text, message in [
        ("freebsd", "", "Name the disk. A disk of FreeBSD is named like nvd0"),
        (
            "freebsd",
            "nvd0p2",
            "“nvd0p2” is a partition: the test needs a whole disk without partitions, such as nvd0.",
        ),
        ("freebsd", "ada1s1a", "such as ada1."),
        ("freebsd", "nvme0n1", "is what Linux calls a disk"),
        ("linux", "/dev/sdb1", "such as sdb."),
        ("linux", "nvme0n1p3", "such as nvme0n1."),
        ("linux", "nvme0", "“nvme0” is an NVMe controller: its disk is named like nvme0n1."),
        ("linux", "/dev/disk/by-id/ata-SAMPLE", "hold the serial number"),
        ("linux", "da0", "is what FreeBSD calls a disk"),
        ("linux", "md0", "“md0” is not the name of a whole disk"),
        ("linux", "zd16", "is not the name of a whole disk"),
    ]:
        with subtests.test(system=system, text=text), pytest.raises(DiskNameError, match=re.escape(message)):
            whole_disk(System(system), text)


def test_no_other_text_gets_into_a_command(subtests):
    for system in list(System):
        for text in [
            "sda; reboot",
            "da0 && rm -rf /",
            "da0\nreboot",
            "$(reboot)",
            "`reboot`",
            "../sda",
            "/dev//sda",
            "sda|tee",
            "ｓｄａ",
            "da٣",
            "nvme0n1'",
            "-rf",
            "\x00sda",
            "sd" + "a" * 10_000,
        ]:
            with subtests.test(system=system, text=text):
                with pytest.raises(DiskNameError) as caught:
                    whole_disk(system, text)
                assert len(str(caught.value)) < 200
