"""What a file is on, as commands that print mount points state it."""

import pytest

from tests.growth import SIZE, is_linear, repeated
from tests.parsers.samples import only

RUN = (
    "$ pg_test_fsync -f {}\nCompare file sync methods using one 8kB write:\n"
    "  fsync   2500.000 ops/sec   400 usecs/op\n"
)


def layer_of(text, path="/srv/wal/x"):
    reading = only(f"{text}\n{RUN.format(path)}")
    return reading.layer


def test_the_file_system_is_that_of_the_mount_point(subtests):
    for line, layer in [
        ("/dev/sdq2      ext4  102626232 31415926  65954004  33% /srv", "ext4"),
        ("/dev/sdq2      xfs   98G  30G  63G  33% /srv/wal", "xfs"),
        ("/dev/sdq2 on /srv type xfs (rw,relatime,attr2)", "xfs"),
        ("pool/wal on /srv/wal (zfs, local, noatime, nfsv4acls)", "zfs"),
        ("/dev/ada0p2 on / (ufs, local, journaled soft-updates)", "ufs"),
        ("├─/srv /dev/sdq2 btrfs rw,relatime,ssd", "btrfs"),
        ("/dev/mapper/vg-root /srv ext4 rw,relatime 0 0", "ext4"),
        ("/dev/sdq2 on /srv/walnut type xfs (rw)", None),
        ("/dev/sdq2 on /home type xfs (rw)", None),
        ("We use ext4 on /srv, and zfs elsewhere.", None),
    ]:
        with subtests.test(line=line):
            assert layer_of(line) == layer


def test_the_deepest_mount_point_counts():
    assert (
        layer_of("/dev/a on / type ext4 (rw)\n/dev/b on /srv/wal type xfs (rw)\n/dev/c on /srv type jfs (rw)")
        == "xfs"
    )


def test_a_device_states_its_layer_by_its_name():
    layers = {"/dev/zvol/tank/x": "zvol", "/dev/vda3": "guest", "/dev/sdq": None, "wal/x": None, "": None}
    for path, layer in layers.items():
        assert layer_of("/dev/a on / type ext4 (rw)", path) == layer, path


def test_pveperf_states_a_data_set():
    reading = only("HD SIZE: 94.00 GB (rpool/ROOT/pve-1)\n")
    assert (reading.layer, reading.source) == ("zfs", "rpool/ROOT/pve-1")


@pytest.mark.parametrize(
    "piece", ["a on /b type ext4 (\n", "/ext4 ", "a ext4 1 1 1 1% /b\n", "├─/ a zfs rw\n"]
)
def test_parsing_is_linear(piece):
    assert is_linear(layer_of, repeated(piece, SIZE // 4), repeated(piece, SIZE))
