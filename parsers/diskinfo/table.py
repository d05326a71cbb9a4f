"""The titles and the points of diskinfo's tables."""

import re

from parsers.base.units import KIBIBYTE

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
