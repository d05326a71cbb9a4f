"""A masked text as blocks of numbered lines: those that were read as a run, and those around it."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

FEW_LINES = 12  # that were not read: so many stand open, more are folded

Range = tuple[int | None, int | None]


def text_blocks(
    text: str, read: Iterable[Range], *, folds: bool = False, kept: Iterable[int] = ()
) -> list[dict[str, Any]]:
    """The lines of `text`, numbered from 1, in blocks that were read as a run (both ends of a range in) or were not.

    With `folds` a long block that was not is folded, unless it holds one of the lines `kept`.
    """
    is_read = {
        number for first, last in read if first and last is not None for number in range(first, last + 1)
    }
    stays = set(kept)
    # As the parsers count: form feeds end no line.
    lines = enumerate(text.removesuffix("\n").split("\n") if text else [], start=1)
    blocks = groupby(
        ({"number": number, "text": line} for number, line in lines), lambda one: one["number"] in is_read
    )
    return [_block(list(block), is_read=key, folds=folds, kept=stays) for key, block in blocks]


def _block(lines: list[dict[str, Any]], *, is_read: bool, folds: bool, kept: set[int]) -> dict[str, Any]:
    first, last = lines[0]["number"], lines[-1]["number"]
    is_long = len(lines) > FEW_LINES
    return {
        "label": f"Line {first}" if first == last else f"Lines {first} to {last}",
        "is_read": is_read,
        "is_folded": folds and is_long and not is_read and kept.isdisjoint(range(first, last + 1)),
        "first": first,
        "lines": lines,
    }
