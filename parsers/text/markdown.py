"""Convert rows of a Markdown table back to the lines that diskinfo prints.

| kbytes | usec/IO | Mbytes/s |        | 512 | # sectorsize |
|---|---|---|                          | # sectorsize | 512 |
| 4 | 129.3 | 30.2 |                   | 4 kbytes: | 129.3 usec/IO = | 30.2 Mbytes/s |
"""

import re
from collections.abc import Iterator

from parsers.text.numbered import Edit
from parsers.text.tool_lines import DISKINFO_COMMENTS

_WORDS = ("usec/IO", "sectorsize")
_HEADING = re.compile(r"(?=[^\n]*\|)(?=[^\n]*usec/IO)(?=[^\n]*Mbytes/s)[ \t]*[^\n0-9]{8,120}")
# Possessive: in a line of blanks, each of several repeats of them would be tried with each length of the others
_EDGE = r"[ \t]*+(?:\|[ \t]*+)?"
_BETWEEN = r"[ \t]{0,20}+\|[ \t]{0,20}+"
_RULE = re.compile(rf"{_EDGE}(?::?-{{2,20}}+:?{_EDGE}){{2,4}}")
_POINT = re.compile(
    rf"{_EDGE}(?P<size>[0-9]{{1,4}}(?:\.5)?)(?P<kbytes>[ \t]?kbytes)?:?{_BETWEEN}"
    rf"(?P<latency>[0-9]{{1,12}}\.[0-9])(?P<usec>[ \t]*usec/IO)?[ \t]*=?{_BETWEEN}"
    rf"(?P<rate>[0-9]{{1,9}}\.[0-9])(?:[ \t]*Mbytes/s)?{_EDGE}"
)
_FIELD = re.compile(
    rf"{_EDGE}(?P<value>[^|\n#]{{1,200}}?){_BETWEEN}#?[ \t]?(?P<label>{DISKINFO_COMMENTS}){_EDGE}"
)
# Identifiers are not moved, since they have to be masked where they are
_REVERSED_FIELD = re.compile(
    rf"{_EDGE}#?[ \t]?(?!Disk ident|Physical)(?P<label>{DISKINFO_COMMENTS})"
    rf"{_BETWEEN}(?P<value>[^|\n#]{{1,200}}?){_EDGE}"
)


def table_edits(text: str) -> Iterator[Edit]:
    """The edits that remove the table markup from diskinfo's lines."""
    if "|" not in text or not any(word in text for word in _WORDS):
        return
    start, has_units = 0, False
    for line in text.split("\n"):
        if "|" in line:
            is_heading = _HEADING.fullmatch(line) is not None
            if is_heading or _RULE.fullmatch(line):
                yield start, start + len(line), ""
            else:
                yield from _row_edits(line, start, has_units=has_units)
            has_units = has_units or is_heading
        elif line.strip():
            has_units = False
        start += len(line) + 1


def _row_edits(line: str, start: int, *, has_units: bool) -> Iterator[Edit]:
    point = _POINT.fullmatch(line)
    if point is not None:
        if has_units or (point["kbytes"] and point["usec"]):
            places = (point.span("size"), point.span("latency"), point.span("rate"))
            yield from _around(places, ("", " kbytes: ", " usec/IO = ", " Mbytes/s"), line, start)
        return
    field = _FIELD.fullmatch(line)
    if field is not None:
        yield from _around((field.span("value"), field.span("label")), ("\t", "\t# ", ""), line, start)
        return
    reversed_field = _REVERSED_FIELD.fullmatch(line)
    if reversed_field is not None:
        yield start, start + len(line), f"\t{reversed_field['value']}\t# {reversed_field['label']}"


def _around(
    spans: tuple[tuple[int, int], ...], between: tuple[str, ...], line: str, start: int
) -> Iterator[Edit]:
    """The edits that preserve the spans and replace the text between them."""
    ends = [0, *(end for _begin, end in spans)]
    begins = [*(begin for begin, _end in spans), len(line)]
    for end, begin, put in zip(ends, begins, between, strict=True):
        if end < begin or put:
            yield start + end, start + begin, put
