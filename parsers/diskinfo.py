"""FreeBSD's `diskinfo -wS`: a header a device, then the mean latency of synchronous random writes by size."""

from parsers.kinds import Block, Format, Outcome


def starts(line: str) -> bool:
    """Whether diskinfo output can begin here: a header, a table's title or an error message."""
    return line.endswith("# sectorsize") or line.startswith(("Synchronous random writes:", "diskinfo: "))


def read_diskinfo(block: Block) -> Outcome:
    return Outcome(notices=()) if block else Outcome()


FORMATS = (Format("diskinfo", starts, read_diskinfo, several=True),)
