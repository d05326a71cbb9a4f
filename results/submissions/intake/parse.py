"""Parsing a text as this site does: with its key of digests, and its catalogue."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from django.conf import settings

from parsers.base.readings import ParsedPaste
from parsers.paste import parse_paste
from results.catalogue.matching.match import class_catalogue
from results.catalogue.matching.patterns import ClassCatalogue
from results.core.reader import read_in_time
from results.models import Submission


def parse_text(
    raw: str | bytes,
    *,
    unit_digests: Mapping[str, str] | None = None,
    catalogue: ClassCatalogue | None = None,
    call: Callable[..., ParsedPaste] = read_in_time,
    reads_nvme_cli: bool = False,
) -> ParsedPaste:
    """The text, reduced to what is kept, and parsed.

    A text that was kept before needs its `unit_digests`; `call` calls the parser; `reads_nvme_cli` is for texts that
    aren't stored. Raises ReadingError.
    """
    parse = parser_of_site(settings.UNIT_KEY.encode(), catalogue or class_catalogue())
    return call(parse, raw, unit_digests=unit_digests, reads_nvme_cli=reads_nvme_cli)


def parse_stored(submission: Submission, catalogue: ClassCatalogue) -> ParsedPaste:
    """What the submission's text says, without changing anything stored. Raises ReadingError."""
    paste = parse_text(submission.text, unit_digests=submission.unit_digests, catalogue=catalogue)
    return paste if submission.keeps_unit else without_units(paste)


def without_units(paste: ParsedPaste) -> ParsedPaste:
    """The paste as its kept text is read again without the digests: its masks alone identify no unit."""
    return replace(
        paste, unit_digests={}, devices=tuple(replace(device, unit=None) for device in paste.devices)
    )


@lru_cache(maxsize=1)
def parser_of_site(unit_key: bytes, catalogue: ClassCatalogue) -> "partial[ParsedPaste]":
    """The same object while both are unchanged, so that it is sent to the reader only once."""
    return partial(parse_paste, unit_key=unit_key, catalogue=catalogue)
