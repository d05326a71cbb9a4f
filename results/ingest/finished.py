"""A finished parse, as `python -m parsers` prints it, back to the text that everything is rebuilt from.

Its text is what is stored, and read again: a better parser must be able to. What it states besides must agree with
that, or it is refused; it names no unit, as the key of its digests is not the site's.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.conf import settings

from parsers.base.readings import DiskinfoReading, FioReading, Notice, Reading
from parsers.paste import parse_paste
from results.catalogue.match import class_catalogue
from results.ingest.receive import SubmissionRefusedError

_CLOSE_ENOUGH = 1e-9  # what a figure may lose on its way through JSON


def text_of_parse(text: str, readings: Sequence[Mapping[str, Any]]) -> str:
    """The text of a parse with these readings; raises SubmissionRefusedError when it says something else."""
    if not text.strip():
        raise SubmissionRefusedError(
            [Notice("no_text", "A parse without its text can't be read again: send the text along.")]
        )
    read = parse_paste(text, unit_key=settings.UNIT_KEY.encode(), catalogue=class_catalogue()).readings
    if [one.get("kind") for one in readings] != [one.kind for one in read]:
        found = ", ".join(one.kind for one in read) or "nothing"
        message = f"The text does not hold the readings that the parse has; it holds: {found}."
        raise SubmissionRefusedError([Notice("parse_differs", message)])
    for told, own in zip(readings, read, strict=True):
        if not _agree(told, own):
            message = f"The figures of this {own.kind} reading are not those of the text from this line on."
            raise SubmissionRefusedError([Notice("parse_differs", message, own.first_line)])
    return text


def _agree(told: Mapping[str, Any], own: Reading) -> bool:
    if isinstance(own, DiskinfoReading):
        return _same_rows(told.get("points"), own.points, ("block_size", "latency_us"))
    if isinstance(own, FioReading):
        return _same_rows(told.get("jobs"), own.jobs, ("block_size", "write_latency_us", "flush_latency_us"))
    return told.get("model_name") == own.model_name


def _same_rows(told: Any, own: Sequence[object], names: Sequence[str]) -> bool:
    if not isinstance(told, list) or len(told) != len(own):
        return False
    return all(
        isinstance(row, dict) and all(_same(row.get(name), getattr(mine, name)) for name in names)
        for row, mine in zip(told, own, strict=True)
    )


def _same(told: Any, own: int | Decimal | None) -> bool:
    if own is None or told is None:
        return told is own
    if isinstance(told, bool) or not isinstance(told, int | float):
        return False
    return abs(float(told) - float(own)) <= _CLOSE_ENOUGH * abs(float(own))
