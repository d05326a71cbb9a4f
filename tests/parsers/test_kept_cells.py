"""A kept line is what was read of it: nothing that is written in front of, between or behind its cells is kept.

Each line that is kept of each document of the corpora is tried, with words, addresses, names and numbers in turn. The
parsers can't tell such a word from a name where the tool prints a name: those fields are listed in OWN.
"""

import os
import re
from itertools import count
from pathlib import Path

import pytest

from parsers.paste import parse_paste
from tests.parsers.samples import identified, read

HERE = Path(__file__).parent
FOREIGN = {
    "a word": "qzcanary",
    "an address": "203.0.113.77",
    "a mail address": "qzmail@mail.qz.example",
    "a host": "qznas.lan.example",
    "a serial number": "WD-QZC7K1234567",
    "an address of IPv6": "fd00:dead:beef::77",
    "a number": "708090708090",
    "a remark": "# sold to qzcanary",
    "a remark behind an arrow": "<-- qzcanary says slow",
}
FOUND = re.compile(r"qz|203\.0\.113|dead:beef|708090", re.IGNORECASE)
# In front of and behind names, and between their words
OWN = (
    # smartctl: names of products
    re.compile(r"^\s*(?:Model Family|Device Model|Model Number|Vendor|Product|Add\. Product Id): .*"),
    re.compile(r"^\s*(?:Firmware Version|Firmware Rev|Revision): .*|^Device: .* Version: \S+"),
    re.compile(r'"(?:model_(?:name|family|number)|firmware_\w+|(?:scsi_)?(?:vendor|product|revision)\w*)"\s*:\s*"[^"]*"'),
    re.compile(r".*(?=# Disk descr\.)"),  # diskinfo: the same
    re.compile(r"^\d{1,8}  \S+"),  # DTrace: the program that was traced
    re.compile(r"^[^:]*(?=: \(g(?:roupid)?=\d|: Laying out)"),  # fio: the name of a job, which its owner chose
)
PLACES = ("before", "behind", "between")
STEP = 4  # lines, each fourth of which gets something
MOST_LINES = 150  # of one document
EVERY = 1  # of the ways to change a document of somebody else's, of which there are many
GAP = re.compile(r"(?<=\S)\s+(?=\S)")


def documents():
    """Each document, and how many of the ways to change it are tried: one of so many."""
    for path in sorted((HERE / "corpus").glob("*/accepted/*.txt")):
        yield path, 1
    shared = os.environ.get("SLOGDB_CORPUS")
    for path in sorted(Path(shared).rglob("*.txt")) if shared else ():
        yield path, EVERY


def with_foreign(line, place, foreign, number):
    if place == "before":
        return f"{foreign} {line}"
    gaps = [match.span() for match in GAP.finditer(line)]
    if place == "behind" or not gaps:
        return f"{line}   {foreign}"
    start, end = gaps[number % len(gaps)]
    return f"{line[:end]}{foreign}{line[start:end] if number % 2 else ' '}{line[end:]}"


def leaks(text, *, every, start):
    """What was kept of foreign text, by how it was put in, and how many lines with some were tried."""
    first = parse_paste(text, unit_key=b"key")
    lines = text.splitlines()
    kept = [at - 1 for at in dict.fromkeys(first.source_lines) if at <= len(lines) and lines[at - 1].strip()]
    ways = [(place, rest) for place in PLACES for rest in range(STEP)]
    foreign = list(FOREIGN.items())
    found, tried = [], 0
    for place, rest in ways[start % every :: every]:
        changed = list(lines)
        for number, at in enumerate(kept[rest:MOST_LINES:STEP], start + rest + PLACES.index(place)):
            changed[at] = with_foreign(lines[at], place, foreign[number % len(foreign)][1], number)
            tried += 1
        for line in parse_paste("\n".join(changed), unit_key=b"key").text.splitlines():
            if FOUND.search(without_own(line)):
                found.append((place, line))
    return found, tried


def without_own(line):
    for own in OWN:
        line = own.sub("", line)
    return line


def test_nothing_foreign_is_kept_of_a_kept_line():
    found, tried = [], 0
    for start, (path, every) in zip(count(), documents(), strict=False):
        of_document, lines = leaks(path.read_bytes().decode(errors="replace"), every=every, start=start)
        found += [(path.name, *leak) for leak in of_document]
        tried += lines
    assert found == []
    assert tried > 3000
