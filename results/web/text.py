"""A masked text as numbered lines."""

from collections.abc import Iterable
from typing import Any


def numbered_lines(text: str, read: Iterable[tuple[int | None, int | None]]) -> list[dict[str, Any]]:
    """The lines of `text`, numbered from 1; those within one of the ranges `read` (both ends in) are marked."""
    is_read: set[int] = set()
    for first, last in read:
        if first is not None and last is not None:
            is_read.update(range(first, last + 1))
    lines = (
        text.removesuffix("\n").split("\n") if text else []
    )  # as the parsers count: form feeds end no line
    return [
        {"number": number, "text": line, "is_read": number in is_read}
        for number, line in enumerate(lines, start=1)
    ]
