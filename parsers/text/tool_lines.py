"""How the lines of the tools begin, to find lost line ends and wrapped lines.

A parser reads the complete line; here is only what distinguishes a line of output from the rest of another one.
"""

import re
from functools import lru_cache

from parsers.base.vocabulary import read_lines

# diskinfo: the labels after the hash, and the titles of its tables
DISKINFO_COMMENTS = (
    r"sectorsize|mediasize in bytes \([^)\n]{1,12}\)|mediasize in sectors|stripesize|stripeoffset"
    r"|Cylinders according to firmware\.?|Heads according to firmware\.?|Sectors according to firmware\.?"
    r"|Disk descr\.|Disk ident\.|Attachment|Physical path|TRIM/UNMAP support|Rotation rate in RPM|Zone Mode"
)
DISKINFO_TITLES = (
    "I/O command overhead:|Seek times:|Transfer rates:|Asynchronous random reads:|Synchronous random writes:"
)
# smartctl
SMARTCTL_LABELS = "|".join(read_lines(__file__, "smartctl_labels.txt"))
SMARTCTL_LABEL_NAMES = frozenset(
    SMARTCTL_LABELS.replace("Sector Sizes?", "Sector Size|Sector Sizes").split("|")
)
# Other lines of smartctl, which separate labeled from unlabeled lines
SMARTCTL_LINES = "|".join(
    re.sub("(?<!})_$", " ", line) for line in read_lines(__file__, "smartctl_lines.txt")
)
# Behind the hash of a row of its log of self-tests
SMARTCTL_TESTS = (
    r"[ \t]?\d{1,2}[ \t]{1,4}(?:Short|Extended|Background|Conveyance|Selective|Offline|Vendor)[ \t]"
)
# The commands of the tools
TOOL_NAMES = "smartctl|diskinfo|fio|pg_test_fsync|pveperf|dd|zpool|iozone"
# fio
MAX_FIO_LINE_LENGTH = 1000  # fio's stay under 300
_JOB_SIGN = ": (g"
_JOB = re.compile(r"(?P<setup>.+?: \(g=\d)|(?P<head>.+?: \(groupid=)")
_KIND = re.compile(
    r"(?P<rate>write\s*: (?=IOPS|io=))"  # smartctl has rows "read:" and "write:" of plain counts
    r"|(?P<other_side>(?:read|trim|mixed)\s*: )"
    r"|(?P<mean>(?:c?lat|sync) \([num]sec\):)"
    r"|(?P<title>\w.* percentiles \()"
    r"|(?P<percentiles>\||\d\d?\.\d{2,6}th=[\[\d])"  # may be lost if there are pipes around the lines
    r"|(?P<cpu>cpu\s*: )"
    r"|(?P<depths>IO depths\s*: )"
    r"|(?P<issued>issued[^:]*: total=)"
    r"|(?P<disk>\S+: ios=\d)"
    r"|(?P<end>Run status group )"
    r"|(?P<start>Starting \d)"
    r"|(?P<layout>[^:]{1,100}: Laying out IO files?\b)"
    r"|(?P<version>fio[- ]\d[\w.+-]*$)"
)
FIO_BEGINNING = (  # of a line after another
    r"(?:[^\s:]{1,60}: (?:\(g(?:roupid)?=\d|ios=\d|Laying out)|fio-\d|(?:[sc]?lat|sync|bw) \([\w /]{1,10}\)\s{0,9}:"
    r"|(?:write|read|trim|mixed|cpu|IO depths|submit|complete|latency|iops|READ|WRITE)\s{0,9}: "
    r"|[a-z][\w /]{0,30} percentiles \(|\|?\s{0,3}\d{1,2}\.\d{2}th=\[|issued[^:\n]{0,30}: total=|Starting \d|Jobs: \d"
    r"|Run status group |Disk stats )"
)
HEAD_SIGN = ": (groupid="
BELOW_HEAD = ("IOPS=", "iops=", "IO depths")


def fio_line_kind(line: str) -> str | None:
    """Return the kind of a stripped line of fio's normal output; None for others."""
    return None if len(line) > MAX_FIO_LINE_LENGTH else _fio_line_kind(line)


@lru_cache(maxsize=4096)  # every pass asks for the same lines
def _fio_line_kind(line: str) -> str | None:
    if has_lost_line_ends(line):
        return None
    match = (_JOB.match(line) if _JOB_SIGN in line else None) or _KIND.match(line)
    return None if match is None else match.lastgroup


def has_lost_line_ends(line: str) -> bool:
    """Say whether lines of fio's that follow the head of a result are on its line."""
    head = line.find(HEAD_SIGN)
    return head >= 0 and any(line.find(below, head) >= 0 for below in BELOW_HEAD)
