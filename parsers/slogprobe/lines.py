"""The lines of slogprobe, the program that comes with slogdb-submit."""

import re

from parsers.base.target import FILE_SYSTEMS
from parsers.base.units import KIBIBYTE
from parsers.text.messages import read_messages

MESSAGES = read_messages(__file__, "slogprobe")
SIZES = tuple(KIBIBYTE << power for power in range(2, 8))  # 4 to 128 KiB
VERSION = "1"  # of the format, which its first line states
_FIGURE = r"[0-9]{1,10}\.[0-9]{2}"
_TEMPERATURE = r"-?[0-9]{1,3} C|not stated"
HEAD = re.compile(r"slogprobe (?P<version>[0-9]{1,3})")
ROW = re.compile(
    rf"(?P<kibibytes>[0-9]{{1,4}}) KiB: (?P<writes>[0-9]{{1,12}}) writes, mean (?P<mean>{_FIGURE}),"
    rf" p50 (?P<p50>{_FIGURE}), p99 (?P<p99>{_FIGURE}), p99\.9 (?P<p999>{_FIGURE}), max (?P<max>{_FIGURE}) us"
)
TARGET = re.compile(
    rf"target: (?:a file on (?:(?P<layer>{FILE_SYSTEMS})|\w{{1,20}})|(?P<path>/\S{{1,200}})),"
    r" (?P<bytes>[0-9]{1,20}) bytes"
)
OTHERS = tuple(
    map(
        re.compile,
        (
            r"system: (?P<system>Linux|FreeBSD) (?P<release>[0-9]{1,3}(?:\.[0-9]{1,4}){0,2})",
            r"flush: (?P<flush>fdatasync|DIOCGFLUSH)",
            r"link: (?:(?P<link>SATA [0-9.]{1,4} Gbps|[0-9.]{1,5} GT/s(?: PCIe)? x[0-9]{1,2})|not stated)",
            rf"temperature before: (?P<before>{_TEMPERATURE})",
            rf"temperature after: (?P<after>{_TEMPERATURE})",
            r"warm-up: (?P<warm_up>[0-9]{1,6}(?:\.[0-9]{1,6})?) s",
            r"flushes: (?:(?P<flushes>[0-9]{1,12}) completed|not counted) for (?P<all_writes>[0-9]{1,12}) writes",
        ),
    )
)
