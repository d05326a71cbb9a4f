"""Commands that measure sync writes through a file system with a small file."""

import re
import shlex
from dataclasses import dataclass

LONGEST_FOLDER = 200  # characters
EXAMPLE_FOLDER = "/mnt/tank/test"
_FOLDER = re.compile(r"/(?:[\w .@+,=-]+/)*+[\w .@+,=-]*", re.ASCII)  # a slash ends each name: linear


@dataclass(frozen=True, slots=True)
class Command:
    """A command with a label of what it measures."""

    label: str
    command: str


def commands_in(folder: str) -> tuple[Command, ...]:
    """The commands for a folder; raises ValueError unless it is a plain absolute path."""
    is_device = folder.startswith("/dev/") or folder == "/dev"
    if len(folder) > LONGEST_FOLDER or is_device or not _FOLDER.fullmatch(folder):
        raise ValueError(f"Enter the folder’s full path, such as {EXAMPLE_FOLDER}.")
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
