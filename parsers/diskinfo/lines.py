"""The lines of diskinfo: the titles and points of its tables, and its error messages with advice on them."""

import re

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.readings import Notice
from parsers.base.units import KIBIBYTE
from parsers.base.vocabulary import read_lines
from parsers.text.tool_lines import fio_line_kind

OTHER_TITLES = frozenset(
    {"I/O command overhead:", "Seek times:", "Transfer rates:", "Asynchronous random reads:"}
)
POINT = re.compile(
    r"\s*+([0-9]{1,4}+(?:\.5)?) ?kbytes:\s*+([0-9]{1,12}+\.[0-9])\s*+usec/IO"
    r"\s*+=\s*+([0-9]{1,9}+\.[0-9])\s*+Mbytes/s\s*"
)
BLOCK_SIZES = {"0.5": KIBIBYTE // 2, **{str(1 << power): KIBIBYTE << power for power in range(14)}}
_SIZE = r"\s*+[0-9]{1,4}(?:\.5)? ?kbytes:\s*+"
SIZE = re.compile(_SIZE)  # the beginning of a row
_LABEL = (
    r"\s*+(?:(?:Full|Half|Quarter) stroke|Short (?:forward|backward)|Seq (?:outer|inner)|outside|middle|inside"
    r"|time to read [0-9]{1,5} ?(?:MB block|sectors)|calculated command overhead|sectorsize"
    r"|[0-9]{1,4}(?:\.5)? kbytes):?"
)
_UNITS = (
    "usec/IO", "Mbytes/s", "iter in", "ops in", "kbytes in", "sec", "msec", "IOPS", "kbytes/sec", "msec/sector",
    "MB/s",
)  # fmt: skip
_FIGURE = r"\s*+(?:=\s*+)?[0-9]{1,24}(?:[.,]{1,2}[0-9]{0,6})?"
_CUT_FIGURE = _FIGURE.replace("24", "9")  # a long number without a unit may be anything
_PART = "|".join(sorted({unit[:length] for unit in _UNITS for length in range(1, len(unit))}))
_UNIT = "|".join(_UNITS)
_FIGURES = rf"(?:{_FIGURE}\s*+(?:{_UNIT})(?=\s|\Z)){{0,3}}(?:{_CUT_FIGURE}(?:\s*+(?:{_PART}))?)?\s*+(?:=\s*)?"
ROW = re.compile(_LABEL + _FIGURES)  # of any table
DAMAGED_POINT = re.compile(_SIZE + _FIGURES)  # also one that is cut off anywhere

# Also within a row of the table: "\t 0.5 kbytes: diskinfo: Sync write error: Bad file descriptor".
ERROR = re.compile(r"(?:[^\n]{0,40}?[ :])?diskinfo: (?P<message>.{1,300})")
USAGE = re.compile(r"usage: diskinfo \[-(?P<flags>[A-Za-z]{1,20})\]")
# A part of the message, the code, the advice; the first that fits.
ADVICE = [
    line.replace("{how_to_measure}", HOW_TO_MEASURE).split("\t")
    for line in read_lines(__file__, "advice.txt")
]


def is_error(line: str) -> bool:
    """Whether a line is an error message of diskinfo."""
    if "diskinfo" not in line:
        return False
    is_message = ERROR.match(line) is not None or is_usage(line)
    return is_message and fio_line_kind(line.strip()) is None  # a job may be named diskinfo


def is_usage(line: str) -> bool:
    """Whether a line is diskinfo's usage, printed below any mistake in the call."""
    return USAGE.match(line.strip()) is not None


def explain_error(line: str, number: int) -> Notice:
    """What the message means and what to do."""
    match = ERROR.match(line)
    if match is None:
        return Notice("usage", f"diskinfo only printed its usage. {HOW_TO_MEASURE}", number)
    message = match["message"].strip()
    for part, code, advice in ADVICE:
        if part in message:
            return Notice(code, advice, number)
    return Notice("tool_error", f"diskinfo stopped with an error: {message[:120]}", number)
