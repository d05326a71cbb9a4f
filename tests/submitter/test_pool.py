"""--pool: a scratch dataset is made, measured in and destroyed, and the text needs no questions."""

import pytest

from parsers.paste import parse_paste
from results.kinds.registry import find_runs
from tests.submitter.machines import in_turn

FIO = """
for word; do case $word in
--rw=*) rw=${word#--rw=} ;; --bs=*) bs=${word#--bs=} ;; --numjobs=*) jobs=${word#--numjobs=} ;;
esac; done
size="$(( ${bs%k} * 1024 ))B"
echo "slogdb: (g=0): rw=$rw, bs=(R) $size-$size, (W) $size-$size, (T) $size-$size, ioengine=psync, iodepth=1"
echo "fio-3.33"
echo "Starting $jobs processes"
echo
echo "slogdb: (groupid=0, jobs=$jobs): err= 0: pid=12: Thu Nov 26 11:19:46 2026"
echo "  write: IOPS=1000, BW=3906KiB/s (4000kB/s)(117MiB/30001msec); 0 zone resets"
echo "     lat (usec): min=16, max=2094, avg=53.69, stdev=39.19"
echo "  cpu          : usr=2.50%, sys=7.70%, ctx=6442, majf=0, minf=16"
"""


@pytest.fixture
def pooled(machine_with_pool):
    return machine_with_pool.tool("fio", FIO)


def test_a_pool_is_measured_in_a_data_set_of_its_own(pooled, tmp_path):
    done = pooled.run(
        "--pool", "zwerg.1", "--yes-scratch", "--yes", "--dry-run", "--server", "https://slogs.example"
    )
    assert done.status == 0, done.err
    assert "zfs create" not in pooled.calls
    done = pooled.run("--pool", "zwerg.1", "--yes-scratch", "--server", "https://slogs.example")
    assert "zfs create -o compression=off -o atime=off zwerg.1/slogdb-test" in pooled.calls
    assert "zfs destroy zwerg.1/slogdb-test" in pooled.calls
    assert not (tmp_path / "made").exists()
    assert "zwerg" not in done.sent_text
    found = find_runs(parse_paste(done.sent_text, unit_key=b"a key of 32 characters, for tests"))
    assert len(found.runs) == 18
    assert {(run.payload["log"], run.payload["sync_mode"]) for run in found.runs} == {
        ("device", mode) for mode in ("standard", "always", "disabled")
    }
    assert {run.writers for run in found.runs} == {None, 4, 16}
    assert {run.payload["log_name"] for run in found.runs} == {"INTEL SSDSC2BA400G3"}


@in_turn("typed", ["", "tank\n", "yes\n"])
def test_nothing_is_made_unless_the_pools_name_is_typed(pooled, typed):
    done = pooled.run("--pool", "zwerg.1", "--server", "https://slogs.example", types=typed or "\n")
    assert done.status == 4
    assert "zfs create" not in pooled.calls


def test_the_data_set_is_destroyed_when_fio_fails(pooled, tmp_path):
    pooled.tool("fio", "echo fio: out of space; exit 1")
    done = pooled.run("--pool", "zwerg.1", "--yes-scratch", "--server", "https://slogs.example")
    assert done.status == 3
    assert not (tmp_path / "made").exists()


@in_turn(
    "change,reason",
    [
        ({"pool": "-rf"}, "not the name of a pool"),
        ({"pool": "a/b"}, "not the name of a pool"),
        ({"zpool": "exit 1"}, "there is no pool"),
        ({"zpool": "echo DEGRADED"}, "the pool is DEGRADED"),
        ({"made": "yes"}, "already exists"),
    ],
)
def test_a_pool_that_cannot_be_measured_is_refused(pooled, tmp_path, change, reason):
    if "zpool" in change:
        pooled.tool("zpool", change["zpool"])
    if "made" in change:
        (tmp_path / "made").touch()
    done = pooled.run(
        "--pool", change.get("pool", "zwerg.1"), "--yes-scratch", "--server", "https://slogs.example"
    )
    assert (done.status, reason in done.err) == (1, True), done.err
    assert "zfs create" not in pooled.calls
    assert "zfs destroy" not in pooled.calls


@in_turn(
    "mountpoint,mounted,reason",
    [
        ("none", "no", "is not mounted"),
        ("legacy", "yes", "is not mounted"),
        ("", "no", "is not mounted"),  # its folder is there, in the data set above
        ("/mnt/x --filename=/dev/sda", "yes", "can't take the name"),
    ],
)
def test_nothing_is_written_where_the_data_set_is_not_mounted(pooled, tmp_path, mountpoint, mounted, reason):
    theirs = tmp_path / "scratch" / "slogdb.0.0"
    theirs.write_text("mine")
    if mountpoint:
        (tmp_path / "mountpoint").write_text(f"{mountpoint}\n")
    (tmp_path / "mounted").write_text(f"{mounted}\n")
    done = pooled.run("--pool", "zwerg.1", "--yes-scratch", "--server", "https://slogs.example")
    assert (done.status, reason in done.err) == (3, True), done.err
    assert "fio " not in pooled.calls
    assert "zfs destroy zwerg.1/slogdb-test" in pooled.calls
    assert theirs.read_text() == "mine"
