"""A whole paste that is diskinfo's output as printed: one pattern tells what is found by cleaning, masking, reading.

It fits nothing but one device's header and whole table (parsers.diskinfo_whole), below root's prompt or not, and
values of which none can be taken for markup, a label of another tool or a further identifier. In such a text there is
nothing to clean, and identifiers stand in three places. All else goes the general way, which says what is right:
`tests/parsers/test_untouched.py` wants the same of both.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parsers.diskinfo_whole import NODE, OUTPUT, printed_values, read_match
from parsers.kinds import Outcome
from parsers.sites import Site, is_value
from parsers.traced import Edit, apply_edits

# As FreeBSD's shells and TrueNAS print it: "root@nas:~ # " and "root@nas[~]# ". Another name than that of the command
# below it could be the rest of the command.
_PROMPT = (
    r"root@(?P<host>(?![^\n]*(?:erial|lunid))[a-z][a-z0-9-]{0,40}(?<!-)|\[host-[0-9]{1,6}+\])(?::~ ?|\[~\] ?| )# "
    rf"(?P<command>diskinfo -wS (?:/dev/)?(?P<node>{NODE}))\n(?=\t|/dev/|(?P=node)\n)"
)
_OUTPUT = re.compile(rf"(?:{_PROMPT})?{OUTPUT}")
_MASKED = ("serial", "physical_path")


class Untouched(NamedTuple):
    """Such a text, as the pattern fits it, and the masks that were put in."""

    match: re.Match[str]
    edits: Sequence[Edit] = ()

    @property
    def text(self) -> str:
        """The text with the masks."""
        return apply_edits(self.match.string, self.edits)

    def masked(self, edits: Sequence[Edit]) -> "Untouched":
        """The same with masks in place of what `sites` gave."""
        return Untouched(self.match, edits)

    def sites(self) -> Iterator[Site]:
        """Where identifiers are stated."""
        for name, kind in (("host", "host"), ("serial", "serial"), ("enclosure", "wwn")):
            value = self.match[name]
            if value is not None and (value[0] != "[" if kind == "host" else is_value(value, kind)):
                yield Site(*self.match.span(name), kind, value)

    def read(self) -> Outcome:
        """The device of the masked text, and what is to be said of it."""
        match = self.match
        last = match.string.count("\n", 0, match.end(match.re.groups)) + 1
        first = 1 if match["command"] is None else 2
        return read_match(match, self._masked_values(), first=first, last=last, command=match["command"])

    def _masked_values(self) -> dict[str, str | None]:
        text, printed = self.match.string, printed_values(self.match)
        for start, end, mask in self.edits:
            for name in _MASKED:
                first, last = self.match.span(name)
                if first <= start < last:
                    printed[name] = text[first:start] + mask + text[end:last]
        return printed


def find_untouched(text: str) -> Untouched | None:
    """The text as diskinfo's output, if it is nothing else and holds it whole."""
    match = _OUTPUT.fullmatch(text)
    return None if match is None else Untouched(match)
