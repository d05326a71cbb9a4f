"""The sections of a text, each below a line such as "=== before 1764481426".

A section counts only if the line of another one follows, so a text that was cut off states less, but nothing wrong.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from parsers.live_log.keep import HEADER


class Section(NamedTuple):
    """What one command printed; `first_line` is its header's, from 1."""

    argument: str
    lines: Sequence[str]
    first_line: int = 1


def has_header(lines: Sequence[str]) -> bool:
    return any(HEADER.fullmatch(line.strip()) for line in lines)


def marked_sections(lines: Sequence[str]) -> dict[str, Section]:
    """The sections by name; the name of a disk's section includes the disk's."""
    headers = [(at, match) for at, line in enumerate(lines) if (match := HEADER.fullmatch(line.strip()))]
    found: dict[str, Section] = {}
    for (at, header), (end, _) in pairwise(headers):
        name, argument = header["name"], header["argument"] or ""
        section = Section(argument, [line.rstrip() for line in lines[at + 1 : end]], at + 1)
        found.setdefault(f"{name} {argument}" if name == "disk" else name, section)
    return found
