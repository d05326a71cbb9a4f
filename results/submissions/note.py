"""A sender's note about a submission: one short public text without links, shown with each of its results."""

import re

from parsers.base.readings import ParsedPaste
from parsers.privacy.free_text import mask_free_text
from parsers.privacy.masks import hide
from results.kinds.answers import MAX_TIMINGS
from results.kinds.envelope import fitting_text
from results.models import lengths

NO_LINKS = "Notes and timings can’t contain links. Use the separate field for the URL of your post."
_LINK = re.compile(
    r"://|\bwww\.|\b(?:href|src)\s*=|\[/?url|\]\(|\bmailto:"
    r"|\b[a-z0-9-]+\.(?:com|net|org|info|biz|io|dev|app|xyz|top|shop|site|online|de|ru|cn)\b"
    r"|\b[a-z0-9-]+\.[a-z]{2,}/\w",
    re.IGNORECASE,
)


class LinkInNoteError(ValueError):
    """The note has a link."""


def read_note(text: str) -> str:
    """The note as it is stored: one line, identifiers masked; raises LinkInNoteError."""
    note = mask_free_text(" ".join(text.split()))
    if _LINK.search(note):
        raise LinkInNoteError(NO_LINKS)
    return fitting_text(note, longest=lengths.NOTE)


def read_timings(text: str) -> tuple[str, ...]:
    """The lines of a box of timings, each as a note; raises ValueError with a sentence."""
    lines = text.strip().splitlines()
    if len(lines) > MAX_TIMINGS:
        raise ValueError(f"At most {MAX_TIMINGS} timings, one in each line.")
    return tuple(map(read_note, lines))


def note_beside(paste: ParsedPaste, note: str) -> str:
    """The note without the identifiers of the text that it is about."""
    return fitting_text(hide(note, paste.identifiers), longest=lengths.NOTE)
