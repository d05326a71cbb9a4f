"""How documents of fio begin, its terse lines, and its error messages with advice on them."""

import re
from collections.abc import Sequence

from parsers.text.messages import Messages

DOCUMENT_KEY = '"fio version"'
TERSE = re.compile(r"[2-5];fio-\d")
MESSAGES = Messages(
    "fio",
    re.compile(r"fio: .+|.{1,80}\bfio: (?:command )?not found.*|.{1,80}: you need to specify .+"),
    ("fio: ", "need to specify"),
    (
        ("Permission denied", "run it as root"),
        ("not found", "install fio and run it again; TrueNAS SCALE has it"),
        ("not loadable", "this fio lacks that ioengine: use --ioengine=psync"),
        ("Invalid argument", "the file system may not support --direct=1, or --size= is missing"),
        ("need to specify", "add what it asks for to the command"),
    ),
)


def opens_document(line: str) -> bool:
    """Say whether the line above a document's first key opens the document."""
    return line.rstrip().endswith("{")


def is_document_start(lines: Sequence[str], at: int) -> bool:
    """Say whether a document begins at the line: its first key is there, or below its bracket."""
    if DOCUMENT_KEY in lines[at]:
        return True
    return opens_document(lines[at]) and at + 1 < len(lines) and DOCUMENT_KEY in lines[at + 1]
