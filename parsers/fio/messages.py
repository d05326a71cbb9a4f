"""How documents of fio begin, its terse lines, and its error messages with advice on them."""

import re
from collections.abc import Sequence

from parsers.text.messages import read_messages

DOCUMENT_KEY = '"fio version"'
TERSE = re.compile(r"[2-5];fio-\d")
MESSAGES = read_messages(__file__, "fio")


def opens_document(line: str) -> bool:
    """Say whether the line above a document's first key opens the document."""
    return line.rstrip().endswith("{")


def is_document_start(lines: Sequence[str], at: int) -> bool:
    """Say whether a document begins at the line: its first key is there, or below its bracket."""
    if DOCUMENT_KEY in lines[at]:
        return True
    return opens_document(lines[at]) and at + 1 < len(lines) and DOCUMENT_KEY in lines[at + 1]
