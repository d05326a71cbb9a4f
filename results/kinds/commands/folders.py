"""Commands that measure in a folder: sync writes with a small file; a pool with iozone.

iozone measures the pool's layout with files larger than memory, and its log device with -o.
"""

import re
import shlex
from dataclasses import dataclass

LONGEST_FOLDER = 200  # characters
EXAMPLE_FOLDER = "/mnt/tank/test"
_FOLDER = re.compile(r"/(?:[\w .@+,=-]+/)*+[\w .@+,=-]*", re.ASCII)  # a slash ends each name: linear
EXAMPLE_MEMORY_GIB = 16
MAX_MEMORY_GIB = 4096
_TESTS = "-i 0 -i 1 -i 2 -i 3 -i 5"
_LAYOUT_RECORDS = ("64k", "128k", "256k", "512k", "1m", "4m", "8m")
_SYNC_RECORDS = ("4k", "8k", "16k", "32k", "64k", "128k")
ARTICLE_COMMAND = (
    "iozone -s 6g -r 64k -r 128k -r 256k -r 512k -r 1m -r 2m -r 4m -r 8m -i 0 -i 1 -i 2 -i 3 -i 5 -i 6 -i 7"
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command with a label of what it measures."""

    label: str
    command: str


def clean_folder(folder: str) -> str:
    """The folder; raises ValueError unless it is a plain absolute path."""
    is_device = folder.startswith("/dev/") or folder == "/dev"
    if len(folder) > LONGEST_FOLDER or is_device or not _FOLDER.fullmatch(folder):
        raise ValueError(f"Enter the folder’s full path, such as {EXAMPLE_FOLDER}.")
    return folder


def sync_commands(folder: str) -> tuple[Command, ...]:
    """The commands for a folder that `clean_folder` has accepted."""
    path = folder.rstrip("/")
    return (
        Command(
            "PostgreSQL’s test of every sync method", f"pg_test_fsync -f {shlex.quote(f'{path}/slogdb.test')}"
        ),
        Command(
            "etcd’s test: small writes, each with fdatasync",
            f"fio --name=slogdb --directory={shlex.quote(path or '/')} --rw=write --ioengine=sync --fdatasync=1"
            " --bs=2300 --size=22m",
        ),
    )


def grid_commands(folder: str, memory_gib: int) -> tuple[Command, ...]:
    """The commands for a folder that `clean_folder` has accepted."""
    path = shlex.quote(f"{folder.rstrip('/')}/slogdb.iozone")
    records, sync = (" ".join(f"-r {size}" for size in sizes) for sizes in (_LAYOUT_RECORDS, _SYNC_RECORDS))
    return (
        Command(
            f"Test the layout: a {2 * memory_gib:,} GiB file, twice the memory, so that reads come from the drives",
            f"iozone -e {_TESTS} -s {2 * memory_gib}g {records} -f {path}",
        ),
        Command(
            "Test the log device: synchronous writes, so a small file will do",
            f"iozone -o -i 0 -i 2 -s 256m {sync} -f {path}",
        ),
        Command("Describe the pool", "zpool status; zfs get recordsize,compression,sync"),
    )
