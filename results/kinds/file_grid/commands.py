"""Commands that measure a pool with iozone: its layout with files larger than memory, its log device with -o."""

import shlex

from results.kinds.file_sync.commands import Command

EXAMPLE_MEMORY_GIB = 16
MOST_MEMORY_GIB = 4096
_TESTS = "-i 0 -i 1 -i 2 -i 3 -i 5"
_LAYOUT_RECORDS = ("64k", "128k", "256k", "512k", "1m", "4m", "8m")
_SYNC_RECORDS = ("4k", "8k", "16k", "32k", "64k", "128k")
ARTICLE_COMMAND = (
    "iozone -s 6g -r 64k -r 128k -r 256k -r 512k -r 1m -r 2m -r 4m -r 8m -i 0 -i 1 -i 2 -i 3 -i 5 -i 6 -i 7"
)


def grid_commands(folder: str, memory_gib: int) -> tuple[Command, ...]:
    """The commands for a folder that results.kinds.file_sync.commands has accepted."""
    path = shlex.quote(f"{folder.rstrip('/')}/slogdb.iozone")
    records, sync = (" ".join(f"-r {one}" for one in sizes) for sizes in (_LAYOUT_RECORDS, _SYNC_RECORDS))
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
