"""The check in front of commands that overwrite a disk: on real loop devices, and on what tools print elsewhere."""

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from parsers.paste import parse_paste
from results.kinds.commands.disks import commands_for, hour_command
from results.kinds.free_disk import System, check_of, if_free
from tests import pastes

SHELLS = [[name] for name in ("dash", "bash", "zsh", "tcsh") if shutil.which(name)] + [["busybox", "sh"]]
SYSTEM_FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
IMAGE_BYTES = 64 * 1024 * 1024
SECTOR = 512
LINUX_PARTITION = 0x83


def writes(folder: Path, system: System, disk: str, path: str, shell: list[str]) -> bool:
    """Whether the command behind the check runs; if not, the check has said why."""
    written = folder / "written"
    run = subprocess.run(
        [*shell, "-c", if_free(system, disk, f"touch {written}")],
        env={"PATH": path},
        capture_output=True,
        text=True,
    )
    assert written.exists() == (run.returncode == 0)
    assert written.exists() or "Nothing written" in run.stderr
    return written.exists()


# A disk of Linux as far as this machine lets us have one


def call(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, env={"PATH": SYSTEM_FOLDERS})


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[str]:
    image = tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(IMAGE_BYTES)
    losetup = shutil.which("losetup", path=SYSTEM_FOLDERS)
    made = subprocess.run([losetup or "false", "--find", "--show", image], capture_output=True, text=True)
    if made.returncode:
        pytest.skip("no loop device can be made here: that takes root and losetup")
    name = made.stdout.strip()
    yield name
    partx = shutil.which("partx", path=SYSTEM_FOLDERS)
    subprocess.run([partx or "false", "--delete", name], check=False, capture_output=True)
    call("losetup", "--detach", name)


def partition(loop: str) -> str:
    """Make a partition table with one partition, as fdisk writes it."""
    entry = struct.pack("<B3sB3sII", 0, b"\0\2\0", LINUX_PARTITION, b"\0\2\0", 2048, 40_000)
    with Path(loop).open("r+b") as disk:
        disk.write((b"\0" * 446 + entry).ljust(SECTOR - 2, b"\0") + b"\x55\xaa")
    call("partx", "--add", loop)
    return f"{loop}p1"


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "mounted"
    folder.mkdir()
    yield folder
    subprocess.run([shutil.which("umount") or "", folder], check=False, capture_output=True)


def is_written(tmp_path: Path, loop: str) -> bool:
    return writes(tmp_path, System.LINUX, loop.removeprefix("/dev/"), SYSTEM_FOLDERS, ["sh"])


def test_an_empty_disk_is_written(tmp_path: Path, loop: str):
    assert is_written(tmp_path, loop)


def test_a_file_system_is_not_overwritten(tmp_path: Path, loop: str, mounted: Path):
    call("mkfs.ext4", "-q", loop)
    assert not is_written(tmp_path, loop)
    call("mount", loop, str(mounted))
    assert not is_written(tmp_path, loop)


def test_a_disk_with_a_partition_is_not_overwritten(tmp_path: Path, loop: str, mounted: Path):
    """fio compares names: it would write to the disk of a mounted partition."""
    part = partition(loop)
    assert not is_written(tmp_path, loop)
    call("mkfs.ext4", "-q", part)
    call("mount", part, str(mounted))
    assert not is_written(tmp_path, loop)


def test_a_partition_that_the_kernel_has_not_read_is_seen(tmp_path: Path, loop: str):
    call("partx", "--delete", partition(loop).removesuffix("p1"))
    assert not is_written(tmp_path, loop)


def test_swap_is_not_overwritten(tmp_path: Path, loop: str):
    call("mkswap", loop)
    assert not is_written(tmp_path, loop)
    call("swapon", loop)
    try:
        assert not is_written(tmp_path, loop)
    finally:
        call("swapoff", loop)


def test_a_disk_that_anything_holds_is_not_overwritten(tmp_path: Path, loop: str):
    """As md, LVM, dm-crypt, swap and ZFS hold theirs."""
    held = os.open(loop, os.O_RDWR | os.O_EXCL)
    try:
        assert not is_written(tmp_path, loop)
    finally:
        os.close(held)
    assert is_written(tmp_path, loop)


# What tools print of disks that a test can't have

BUSY = "echo 'wipefs: error: /dev/sdb: probing initialization failed: Device or resource busy' >&2; exit 1"


def signature(kind: str) -> str:
    return f"echo '/dev/sdb: 8 bytes were erased at offset 0x00000218 ({kind}): 4c 56 4d 32 20 30 30 31'"


# By case, what the tools do; without one, that of the free disk
LINUX_FREE = {"lsblk": "echo sdb", "wipefs": "exit 0"}
LINUX = {
    "partition": {"lsblk": "printf 'sdb\\nsdb1\\n'"},
    "LVM": {"lsblk": "printf 'sdb\\nvg-data\\n'", "wipefs": BUSY},
    "LVM on a partition": {"lsblk": "printf 'sdb\\nsdb1\\nvg-data\\n'", "wipefs": BUSY},
    "LVM that isn't active": {"wipefs": signature("LVM2_member")},
    "md": {"lsblk": "printf 'sdb\\nmd127\\n'", "wipefs": BUSY},
    "md that isn't active": {"wipefs": signature("linux_raid_member")},
    "dm-crypt": {"lsblk": "printf 'sdb\\nluks-data\\n'", "wipefs": BUSY},
    "plain dm-crypt": {"lsblk": "printf 'sdb\\ncrypt\\n'"},
    "locked dm-crypt": {"wipefs": signature("crypto_LUKS")},
    "multipath": {"lsblk": "printf 'sdb\\nmpatha\\n'", "wipefs": BUSY},
    "swap": {"wipefs": BUSY},
    "ZFS on the disk": {"lsblk": "printf 'sdb\\nsdb1\\nsdb9\\n'", "wipefs": BUSY},
    "a pool that isn't imported": {"wipefs": signature("zfs_member")},
    "no such disk": {"lsblk": "echo 'lsblk: /dev/sdb: not a block device' >&2; exit 32"},
    "without lsblk": {"lsblk": None},
    "without wipefs": {"wipefs": None},
}

CONFTXT = "printf '0 DISK ada0 480103981056 512 hd 16 sc 63\\n1 PART ada0p1 524288 512 i 1\\n0 DISK da9 {}'"
OF_DA9 = "400088457216 512 hd 255 sc 63\\n"
LABEL = "1 LABEL diskid/DISK-SN4711 400088457216 512 i 0 o 0\\n"
GEOM = (
    "printf 'Geom name: da9\\nProviders:\\n1. Name: da9\\n   Mediasize: 400088457216 (373G)\\n   Mode: {}\\n'"
)
FREEBSD_FREE = {
    "geom": GEOM.format("r0w0e0"),
    "sysctl": CONFTXT.format(f"{OF_DA9}{LABEL}0 DISK da10 1 512 hd 255 sc 63\\n1 PART da10p1 1 512 i 1\\n"),
    "fstyp": "echo 'fstyp: /dev/da9: filesystem not recognized' >&2; exit 1",
    "zdb": "echo 'failed to unpack label 0'; exit 2",
}
FREEBSD = {
    "mounted, or in a pool": {"geom": GEOM.format("r1w1e1")},
    "open for reading": {"geom": GEOM.format("r1w0e0")},
    "partition": {"sysctl": CONFTXT.format(f"{OF_DA9}1 PART da9p1 1 512 i 1 o 20480\\n")},
    "partition below its label": {
        "sysctl": CONFTXT.format(f"{OF_DA9}{LABEL}2 PART diskid/DISK-SN4711p1 1 512 i 1\\n")
    },
    "mirror": {"sysctl": CONFTXT.format(f"{OF_DA9}1 MIRROR mirror/gm0 1 512\\n")},
    "geli": {"sysctl": CONFTXT.format(f"{OF_DA9}{LABEL}1 ELI da9.eli 1 4096\\n")},
    "glabel": {"sysctl": CONFTXT.format(f"{OF_DA9}1 LABEL label/slog 1 512 i 0 o 0\\n")},
    "file system": {"fstyp": "echo ufs"},
    "a pool that isn't imported": {"zdb": "printf '    name: old\\n    pool_guid: 4711\\n'"},
    "no such disk": {"geom": "exit 1", "sysctl": "echo 0 DISK ada0 1 512"},
    "unknown to GEOM": {"sysctl": "echo 0 DISK ada0 1 512"},
    "without geom": {"geom": None},
    "without sysctl": {"sysctl": None},
    "without fstyp": {"fstyp": None},
}
DISKS = {System.LINUX: "sdb", System.FREEBSD: "da9"}
FREE = {System.LINUX: LINUX_FREE, System.FREEBSD: FREEBSD_FREE}
REFUSED = [
    (system, name, SHELLS[number % len(SHELLS)])
    for system, cases in ((System.LINUX, LINUX), (System.FREEBSD, FREEBSD))
    for number, name in enumerate(cases)
]


def is_written_where(tmp_path: Path, system: System, tools: dict[str, str | None], shell: list[str]) -> bool:
    """On a machine with these tools and those of POSIX, and no other."""
    for name in ("sh", "grep", "sed", "head", "cut", "sort", "touch"):
        (tmp_path / name).symlink_to(shutil.which(name) or "")
    for name, does in {**FREE[system], **tools}.items():
        if does is not None:
            (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
            (tmp_path / name).chmod(0o755)
    found = shutil.which(shell[0]) or ""
    return writes(tmp_path, system, DISKS[system], str(tmp_path), [found, *shell[1:]])


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: shell[0])
@pytest.mark.parametrize("system", list(System))
def test_a_free_disk_is_written_from_any_shell(tmp_path: Path, system: System, shell: list[str]):
    assert is_written_where(tmp_path, system, {}, shell)


@pytest.mark.parametrize(("system", "case", "shell"), REFUSED)
def test_nothing_that_is_used_is_written(tmp_path: Path, system: System, case: str, shell: list[str]):
    tools = (LINUX if system is System.LINUX else FREEBSD)[case]
    assert not is_written_where(tmp_path, system, tools, shell)


@pytest.mark.parametrize("system", list(System))
def test_every_command_that_writes_is_one_line_behind_its_check(system: System):
    disk = DISKS[system]
    found = commands_for(system, disk)
    measurements = [found.single, found.several_writers, found.without_flush]
    commands = [measurement.measure for measurement in measurements if measurement]
    commands += [hour_command(system, disk), hour_command(system, disk, with_pause=True)]
    for command in commands:
        check, _, test = command.partition(" && fio " if "fio" in command else " && diskinfo ")
        assert check == check_of(system, disk)
        assert f"/dev/{disk}" in test
        assert "\n" not in command


FIO = """writers1: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, ioengine=psync, iodepth=1
fio-3.33
Starting 1 process

writers1: (groupid=0, jobs=1): err= 0: pid=101: Sat Nov 21 07:04:17 2026
  write: IOPS=20.0k, BW=78.1MiB/s (81.9MB/s)(156MiB/2000msec); 0 zone resets
     lat (usec): min=16, max=2094, avg=49.69, stdev=39.19
"""
OUTPUT = {System.LINUX: FIO, System.FREEBSD: pastes.diskinfo()}


@pytest.mark.parametrize("prompt", ["", "root@nas:~# ", "# ", "root@nas:~ $ "])
@pytest.mark.parametrize("system", list(System))
def test_the_command_behind_the_check_is_read_from_a_paste(system: System, prompt: str):
    """It is stored without the check, in which no parser takes anything for a command."""
    found = commands_for(system, "da24")
    command = (found.several_writers or found.single).measure
    paste = parse_paste(f"{prompt}{command}\n{OUTPUT[system]}{pastes.smartctl()}", unit_key=b"key")
    tool = "fio --name=global --filename=/dev/da24" if system is System.LINUX else "diskinfo -wS /dev/da24"
    assert paste.text.startswith(f"$ {tool}")
