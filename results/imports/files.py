"""Texts to import from files: a folder with one text per file, or NDJSON with their sources."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from results.core.security.digests import digest_author
from results.imports.bulk import Text

NDJSON = ".ndjson"
FIELDS = {"text", "author", "date", "permalink"}
MAX_AUTHOR_LENGTH, MAX_PERMALINK_LENGTH = 60, 500  # characters: the columns of Submission


class TextFileError(Exception):
    """A file with invalid content; the message says which, and where."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text and the progress so far, its number of the total; for show_progress."""

    text: str
    done: int
    total: int
    found: Text


def find_texts(paths: Sequence[Path]) -> Iterator[FoundText]:
    """Every text of these files and folders, in the order of their names, with one at a time in memory.

    Raises TextFileError. After one complete iteration without an error, a second one raises none either.
    """
    files = [file for path in paths for file in _files(path)]
    total = sum(_count(file) for file in files)
    number = 0
    for file in files:
        for found in _texts_of(file):
            number += 1
            yield FoundText("texts", number, total, found)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.is_file())
    if not path.is_file():
        raise TextFileError(f"{path}: no such file or folder")
    return [path]


def _count(file: Path) -> int:
    if file.suffix != NDJSON:
        return 1
    with file.open("rb") as lines:
        return sum(1 for line in lines if line.strip())


def _texts_of(file: Path) -> Iterator[Text]:
    if file.suffix != NDJSON:
        yield Text(text=file.read_bytes(), place=str(file))
        return
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _text_of_line(line, f"{file}, line {number}")


def _text_of_line(line: bytes, place: str) -> Text:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:  # the latter for JSON that nests too deep
        raise TextFileError(f"{place}: not JSON: {error}") from error
    if not isinstance(record, dict) or not all(isinstance(value, str) for value in record.values()):
        raise TextFileError(f"{place}: not an object with text values")
    if unknown := sorted(record.keys() - FIELDS):
        raise TextFileError(
            f"{place}: unknown field {', '.join(unknown)}; allowed: {', '.join(sorted(FIELDS))}"
        )
    if "text" not in record:
        raise TextFileError(f"{place}: no text")
    author, permalink = record.get("author", ""), record.get("permalink", "")
    if len(author) > MAX_AUTHOR_LENGTH or not author.isprintable():
        raise TextFileError(
            f"{place}: the author is longer than {MAX_AUTHOR_LENGTH} characters, or contains invisible ones"
        )
    host = _host(permalink, place)
    return Text(
        text=record["text"],
        place=place,
        forum_handle=author,
        source_url=permalink,
        sender_digest=digest_author(host, author) if author else "",
        posted_on=_day(record, place),
    )


def _host(permalink: str, place: str) -> str:
    """The host of a web address; "" without one."""
    if not permalink:
        return ""
    try:
        parts = urlsplit(permalink)
    except ValueError as error:
        raise TextFileError(f"{place}: {permalink!r} is not a URL: {error}") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname or len(permalink) > MAX_PERMALINK_LENGTH:
        raise TextFileError(
            f"{place}: {permalink!r} is not a web URL of at most {MAX_PERMALINK_LENGTH} characters"
        )
    return parts.hostname


def _day(record: dict[str, Any], place: str) -> date | None:
    if not record.get("date"):
        return None
    try:
        return date.fromisoformat(record["date"])
    except ValueError as error:
        raise TextFileError(f"{place}: {record['date']!r} is not a date such as 2024-05-17") from error
