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
# A point that is damaged, or cut off anywhere.
DAMAGED_POINT = re.compile(
    r"\s*+[0-9.,]{1,6} ?kbytes:\s*+"
    r"(?:[0-9.,]*+\s*+usec/IO.*|\S{1,16}\s*usec/IO.{0,80}|[0-9.]{0,14}\s*[usec/IO =0-9.Mbyts]{0,40})"
)
BLOCK_SIZES = {"0.5": KIBIBYTE // 2, **{str(1 << power): KIBIBYTE << power for power in range(14)}}
SIZE = re.compile(r"\s*+[0-9]{1,4}(?:\.5)? ?kbytes:\s*+")  # the beginning of a row
