"""--quick: what the log adds, measured in a scratch dataset that is always destroyed, and nothing else touched."""

import re
import shutil
import signal
import subprocess
import time

import pytest

from tests.patience import PATIENCE_S
from tests.submitter.machines import AWKS, SCRIPT, STATUS_OF_POOL, in_turn

IOSTAT = "zwerg.1\t99\t99\t{}\t{}\t0\t0"
ZIL = """13 1 0x01 17 4624 4503 900
name                            type data
zil_commit_count                4    {commits}
zil_itx_metaslab_normal_count   4    {normal}
zil_itx_metaslab_slog_count     4    {slog}
"""
# writes, their ms, flushes, their ms
STAT = "0 0 0 0 {} 0 0 {} 0 0 0 0 0 0 0 {} {}"
PYTHON = """
case $1 in -c) exit 0 ;; esac
for last; do :; done
test -s "$last" || exit 9
case $(tail -n 1 "{settings}") in
sync=always) mean=152.30; touch "{always}" ;;
*) mean=12.30 ;;
esac
echo "8 KiB: 40000 writes, mean $mean, p50 10.00, p99 20.00, p99.9 30.00, max 40.00 us"
"""
SERVER = ("--server", "https://slogs.example")


@pytest.fixture
def pooled(machine_with_pool, tmp_path):
    """The pool is quiet, and its counters have grown once the second writes are done."""
    answers, settings, always = (tmp_path / name for name in ("answers", "settings", "always"))
    settings.write_text("")
    (answers / "iostat").write_text(f"{IOSTAT.format(900, 900)}\n{IOSTAT.format(3, 20)}\n")
    (answers / "zil-before").write_text(ZIL.format(commits=10, normal=5, slog=1000))
    (answers / "zil-after").write_text(ZIL.format(commits=50010, normal=5, slog=51000))
    (answers / "stat-before").write_text(STAT.format(100, 10, 50, 5))
    (answers / "stat-after").write_text(STAT.format(50100, 3010, 50050, 1255))
    grown = f'test -e "{always}" && when=after || when=before'
    machine_with_pool.tool(
        "cat",
        f"""{grown}
case $1 in
/proc/spl/kstat/zfs/zil) exec {shutil.which("cat")} "{answers}/zil-$when" ;;
/sys/block/nvme0n1/stat) exec {shutil.which("cat")} "{answers}/stat-$when" ;;
*) exec {shutil.which("cat")} "$@" ;;
esac""",
    )
    return machine_with_pool.tool("python3", PYTHON.format(settings=settings, always=always))


def lines_of(out):
    return dict(re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in out.splitlines()[1:])


def test_it_says_what_the_log_adds_and_what_its_drive_took(pooled, tmp_path):
    done = pooled.run("--quick", "zwerg.1", "--yes-scratch")
    assert done.status == 0, done.err
    assert done.out.startswith("Pool zwerg.1, 8 KiB writes, one at a time; log: /dev/nvme0n1")
    assert lines_of(done.out) == {
        "with sync=disabled": "12.3 us",
        "with sync=always": "152.3 us",
        "the log adds": "140.0 us",
        # 3,000 ms of 50,000 writes and 1,250 ms of 50,000 flushes
        "/dev/nvme0n1 itself took": "85.0 us: 60.0 us the write, 25.0 us the flush",
        "written to the log device": "100 % of 50000 records",
    }
    created = "-o sync=disabled -o logbias=latency -o recordsize=8k -o compression=off -o atime=off"
    assert f"zfs create {created} zwerg.1/slogdb-test" in pooled.calls
    assert pooled.calls.count("zfs destroy") == 1
    assert "zfs destroy zwerg.1/slogdb-test" in pooled.calls
    assert not (tmp_path / "made").exists()
    assert list(pooled.temporary.iterdir()) == []
    assert not any(f"{tool} " in pooled.calls for tool in ("fio", "diskinfo", "curl", "wipefs"))


@pytest.mark.parametrize("awk", AWKS.values(), ids=AWKS)
@pytest.mark.parametrize("linux_machine", ["dash"], indirect=True)
def test_every_awk_says_the_same(pooled, awk):
    (pooled.bin / "awk").symlink_to(shutil.which(awk) or awk)
    found = lines_of(pooled.run("--quick", "zwerg.1", "--yes-scratch").out)
    assert found["/dev/nvme0n1 itself took"] == "85.0 us: 60.0 us the write, 25.0 us the flush"
    assert found["written to the log device"] == "100 % of 50000 records"


def test_what_was_not_counted_is_not_stated(pooled, tmp_path):
    pooled.tool("cat", f'case $1 in /proc/*|/sys/*) exit 1 ;; *) exec {shutil.which("cat")} "$@" ;; esac')
    done = pooled.run("--quick", "zwerg.1", "--yes-scratch")
    assert done.status == 0, done.err
    found = lines_of(done.out)
    assert found["the log adds"] == "140.0 us"
    assert found["written to the log device"] == "not stated by the counters of ZFS"
    assert "/dev/nvme0n1 itself took" not in found


@pytest.mark.parametrize(
    ("name", "text", "line", "expected"),
    [
        (
            "stat-after",
            STAT.format(50, 5, 20, 2),
            "/dev/nvme0n1 itself took",
            "not stated: it counted no write",
        ),
        (
            "stat-after",
            STAT.format(50100, 3010, 50, 5),
            "/dev/nvme0n1 itself took",
            "60.0 us: 60.0 us the write, and no flush was sent",
        ),
        (
            "zil-after",
            ZIL.format(commits=1, normal=1, slog=1),
            "written to the log device",
            "not stated by the counters of ZFS",
        ),
        (
            "zil-after",
            ZIL.format(commits=9, normal=45_005, slog=6_000),
            "written to the log device",
            "10 % of 50000 records",
        ),
    ],
    ids=[
        "counters of the disk that went back",
        "no flush",
        "counters of ZFS that went back",
        "mostly not the log",
    ],
)
def test_counters_are_taken_as_they_are(pooled, tmp_path, name, text, line, expected):
    (tmp_path / "answers" / name).write_text(text)
    assert lines_of(pooled.run("--quick", "zwerg.1", "--yes-scratch").out)[line] == expected


@in_turn("typed", ["\n", "tank\n", "yes\n"])
def test_nothing_is_made_unless_the_pools_name_is_typed(pooled, typed):
    done = pooled.run("--quick", "zwerg.1", types=typed)
    assert (done.status, "zfs create" in pooled.calls) == (4, False)


def test_a_dry_run_makes_nothing(pooled):
    done = pooled.run("--quick", "zwerg.1", "--yes-scratch", "--dry-run")
    assert (done.status, "zfs create" in pooled.calls, done.out) == (0, False, "")


@in_turn(
    "change,status,reason",
    [
        ({"pool": "a/b"}, 1, "not the name of a pool"),
        ({"zpool": "echo DEGRADED"}, 1, "the pool is DEGRADED"),
        ({"made": ""}, 1, "already exists"),
        (
            {"answers/iostat": f"{IOSTAT.format(1, 1)}\n{IOSTAT.format(40, 70)}\n"},
            1,
            "the pool is busy, with 110",
        ),
        ({"answers/iostat": ""}, 3, "does not say how busy"),
        (
            {"answers/status-of-pool": f"{STATUS_OF_POOL}  scan: resilver in progress since Monday\n"},
            1,
            "resilvered",
        ),
        ({"avail": "1073741824"}, 1, "1024 MiB must be free, but only 1024 are"),
        ({"python": "exit 1"}, 3, "needs Python 3.8"),
        ({"option": "--json"}, 2, "has no answer for --json"),
    ],
)
def test_what_should_not_be_measured_is_refused(pooled, tmp_path, change, status, reason):
    for name, value in change.items():
        if name == "zpool":
            pooled.tool("zpool", value)
        elif name == "python":
            for each in ("python3", *(f"python3.{minor}" for minor in range(8, 15))):
                pooled.tool(each, value)
        elif name == "avail":
            tool = pooled.bin / "zfs"
            tool.write_text(tool.read_text().replace("99999999999999", value))
        elif "/" in name or name == "made":
            (tmp_path / name).write_text(value)
    options = [change["option"]] if "option" in change else []
    done = pooled.run("--quick", change.get("pool", "zwerg.1"), "--yes-scratch", *options, *SERVER)
    assert (done.status, reason in done.err) == (status, True), done.err
    assert "zfs create" not in pooled.calls
    assert "zfs destroy" not in pooled.calls


@pytest.mark.parametrize(
    "tool",
    [("python3", "case $1 in -c) exit 0 ;; esac; echo 'slogprobe: no space'; exit 1"), ("dd", "exit 1")],
    ids=["the program", "dd"],
)
def test_the_data_set_is_destroyed_when_something_fails(pooled, tmp_path, tool):
    done = pooled.tool(*tool).run("--quick", "zwerg.1", "--yes-scratch")
    assert (done.status, done.out) == (3, "")
    assert "zfs create" in pooled.calls
    assert not (tmp_path / "made").exists()


def test_the_data_set_is_destroyed_when_it_is_stopped(pooled, tmp_path):
    pooled.tool("python3", "case $1 in -c) exit 0 ;; esac; exec /bin/sleep 60")
    environment = {"PATH": f"{pooled.bin}:/usr/bin:/bin:/usr/sbin:/sbin", "TMPDIR": str(pooled.temporary)}
    command = [*pooled.shell, str(SCRIPT), "--quick", "zwerg.1", "--yes-scratch"]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE_S
    while "--unflushed" not in pooled.calls and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 143, err
    assert not (tmp_path / "made").exists()
