"""Parsing a text as this site does: with its key of digests, and its catalogue."""

from collections.abc import Mapping
from functools import lru_cache, partial

from django.conf import settings

from parsers.base.readings import ParsedPaste
from parsers.paste import parse_paste
from results.catalogue.match import class_catalogue
from results.catalogue.matcher import ClassCatalogue
from results.core.reader import read_in_time


def parse_text(raw: str | bytes, *, unit_digests: Mapping[str, str] | None = None) -> ParsedPaste:
    """The text, masked and parsed; with `unit_digests` if it was masked before. Raises ReadingError."""
    read = _parser(settings.UNIT_KEY.encode(), class_catalogue())
    return read_in_time(read, raw, unit_digests=unit_digests)


@lru_cache(maxsize=1)
def _parser(unit_key: bytes, catalogue: ClassCatalogue) -> "partial[ParsedPaste]":
    """The same object while both are unchanged, so that it is sent to the reader only once."""
    return partial(parse_paste, unit_key=unit_key, catalogue=catalogue)
