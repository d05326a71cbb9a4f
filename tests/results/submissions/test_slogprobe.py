"""The program that measures one synchronous write: on a file, in memory, on a loop device where there can be one."""

import ast
import os
import re
import signal
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

from results.submissions import slogprobe
from tests.patience import PATIENCE_S

PROGRAM = Path(slogprobe.__file__)
SHORT = ("--seconds", 0.05, 0.05, 0.02)
FIGURES = r"mean [\d.]+, p50 [\d.]+, p99 [\d.]+, p99\.9 [\d.]+, max [\d.]+ us"
LOSETUP = "/usr/sbin/losetup"


def run(*arguments):
    command = [sys.executable, str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.fixture
def loop(tmp_path):
    """A loop device, empty where there can be none."""
    image = tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(32 << 20)
    done = subprocess.run([LOSETUP, "--find", "--show", image], capture_output=True, text=True)
    yield done.stdout.strip()
    if done.returncode == 0:
        subprocess.run([LOSETUP, "--detach", done.stdout.strip()], check=True)


def test_a_new_file_is_measured_at_each_size_and_removed(tmp_path):
    done = run(*SHORT, tmp_path / "probe")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "slogprobe 1"
    assert re.fullmatch(r"target: a file on \S+, 268435456 bytes", lines[2])
    rows = [re.fullmatch(rf"(\d+) KiB: (\d+) writes, {FIGURES}", line) for line in lines]
    assert [row[1] for row in rows if row] == ["4", "8", "16", "32", "64", "128"]
    flushes = re.fullmatch(r"flushes: (\d+ completed|not counted) for (\d+) writes", lines[-1])
    assert int(flushes[2]) > sum(int(row[2]) for row in rows if row)  # those of the warm-up as well
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_exists_is_not_touched(tmp_path):
    path = tmp_path / "letters"
    path.write_text("dear aunt")
    done = run(*SHORT, path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "exists: name a new file, or overwrite this one with --overwrite" in done.stderr
    assert path.read_text() == "dear aunt"


def test_a_file_in_memory_is_refused():
    path = Path("/dev/shm/slogprobe-test")  # noqa: S108 - a file system in memory is what this is about
    done = run(*SHORT, path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "slogprobe: tmpfs is memory, where nothing is durable: name a file on a disk\n"
    assert not path.exists()


def test_a_file_system_without_o_direct_is_refused_and_nothing_left(tmp_path, monkeypatch):
    def refuse(descriptor, command, flags):
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(slogprobe.fcntl, "fcntl", refuse)
    with pytest.raises(SystemExit, match="has no O_DIRECT, so this would measure its page cache"):
        slogprobe.open_target(tmp_path / "probe", overwrite=False, is_buffered=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("target", ["/dev/null", "/"])
def test_what_is_neither_disk_nor_file_is_refused(target):
    done = run(*SHORT, "--overwrite", target)
    assert done.returncode == 1
    assert f"{target} is neither a disk nor a partition nor a file" in done.stderr


def test_a_folder_that_is_missing_is_named(tmp_path):
    done = run(*SHORT, tmp_path / "missing" / "probe")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_when_it_is_stopped_the_file_is_removed(tmp_path):
    path = tmp_path / "probe"
    with subprocess.Popen([sys.executable, PROGRAM, path], stdout=subprocess.PIPE, text=True) as process:
        assert any(line.startswith("warm-up: 60 s") for line in process.stdout)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 1
    assert list(tmp_path.iterdir()) == []


def test_each_write_is_followed_by_one_flush_and_lies_within_the_target(tmp_path, monkeypatch):
    calls = []
    path = tmp_path / "target"
    path.write_bytes(bytes(1 << 20))
    monkeypatch.setattr(os, "pwrite", lambda _disk, data, at: calls.append((len(data), at)) or len(data))
    with path.open("r+b") as file:
        data = memoryview(bytes(1 << 20))
        times = slogprobe.measure(file.fileno(), lambda _disk: calls.append("flush"), data, 8192, 0.02)
    writes, flushes = calls[::2], calls[1::2]
    assert set(flushes) == {"flush"}
    assert len(writes) == len(flushes) == len(times)
    assert all(size == 8192 and at % 8192 == 0 and at + size <= 1 << 20 for size, at in writes)
    assert len({at for _, at in writes}) > 1


def test_a_disk_of_freebsd_is_flushed_by_its_ioctl(tmp_path, monkeypatch, capsys):
    calls = []
    monkeypatch.setattr(slogprobe.platform, "system", lambda: "FreeBSD")
    monkeypatch.setattr(slogprobe.platform, "release", lambda: "14.1-RELEASE-p3")
    monkeypatch.setattr(slogprobe.fcntl, "ioctl", lambda _disk, command: calls.append(command))
    path = tmp_path / "da9"
    path.write_bytes(bytes(1 << 20))
    with path.open("r+b") as file:
        slogprobe.probe(file.fileno(), "/dev/da9", memoryview(bytes(1 << 20)), [0.01, 0.01, 0.01])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == ["system: FreeBSD 14.1", "target: /dev/da9, 1048576 bytes"]
    assert "flush: DIOCGFLUSH" in lines
    assert set(calls) == {0x20006487}
    assert lines[-1].endswith(f" for {len(calls)} writes")


def test_figures_are_those_of_the_times():
    times = array("Q", [microseconds * 1000 for microseconds in range(1000, 0, -1)])
    expected = "4 KiB: 1000 writes, mean 500.50, p50 500.00, p99 990.00, p99.9 999.00, max 1000.00 us"
    assert slogprobe.row(4, times) == expected


def test_a_disk_is_overwritten_only_if_told_so_and_if_nothing_holds_it(loop):
    if not loop:
        return  # a machine without loop devices can't show it
    assert "exists" in run(*SHORT, loop).stderr
    held = os.open(loop, os.O_RDWR | os.O_EXCL)
    try:
        assert "Device or resource busy" in run(*SHORT, "--overwrite", loop).stderr
    finally:
        os.close(held)
    done = run(*SHORT, "--overwrite", loop)
    assert done.returncode == 0, done.stderr
    assert f"target: {loop}, {32 << 20} bytes\n" in done.stdout
    flushes = re.search(r"^flushes: (\d+) completed for (\d+) writes$", done.stdout, re.MULTILINE)
    assert int(flushes[1]) >= int(flushes[2])


def files(folder, texts):
    """A folder of the kernel's with these files."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{text}\n")
    return folder


STAT = " ".join(map(str, range(1, 18)))
ONE_PATH = {
    "stat": STAT,
    "mq/0/cpu_list": "0",
    "device/hwmon3/temp1_input": "38850",
    "device/device/current_link_speed": "8.0 GT/s PCIe",
    "device/device/current_link_width": "4",
}
SEVERAL_PATHS = {
    "stat": STAT,
    "device/nvme1/hwmon3/temp1_input": "38850",
    "device/nvme1/device/current_link_speed": "8.0 GT/s PCIe",
    "device/nvme1/device/current_link_width": "4",
}
SCSI = {"stat": STAT, "mq/0/cpu_list": "0", "device/hwmon/hwmon3/temp1_input": "38850"}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (ONE_PATH, (16, "38 C", "8.0 GT/s PCIe x4")),
        (SEVERAL_PATHS, (-1, "38 C", "8.0 GT/s PCIe x4")),
        (SCSI, (16, "38 C", "not stated")),
        (SCSI | {"stat": STAT.rpartition(" 12 ")[0]}, (-1, "38 C", "not stated")),
        ({}, (-1, "not stated", "not stated")),
    ],
    ids=["NVMe", "NVMe of several paths", "SCSI", "before Linux 5.5", "not Linux"],
)
def test_what_the_kernel_says_of_a_disk(tmp_path, texts, expected):
    disk = files(tmp_path, texts)
    assert (slogprobe.flushes(disk), slogprobe.temperature(disk), slogprobe.link(disk)) == expected


def test_it_runs_on_python_38():
    ast.parse(PROGRAM.read_text(), feature_version=(3, 8))
