"""The published results that the project ships: figures with their sources, no text."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import groupby
from pathlib import Path

from django.db import transaction

from parsers.kinds import DeviceClass, LatencyPoint
from results.ingest.match import find_own_names
from results.ingest.read import Reading, store_readings
from results.ingest.runs import Run, curve_of
from results.models import Result, Submission
from results.models.choices import Method, State
from results.models.fields import BLOCK_SIZES
from results.ranking.places import Board

SURVEY_FILE = Path(__file__).resolve().parent.parent / "data" / "survey.csv"


class SurveyError(Exception):
    """A line of the survey file that can't be used; the message names the file and the line."""


@dataclass(frozen=True, slots=True)
class Published:
    """One published result: where it stands, and the run itself."""

    survey_id: str
    source_url: str
    run: Run


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did."""

    added: int
    unchanged: int
    boards: list[Board]


def read_survey(path: Path = SURVEY_FILE) -> list[Published]:
    """Every result of the file, in its order; raises SurveyError."""
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        numbered = [(reader.line_num, row) for row in reader]
    grouped = groupby(numbered, key=lambda pair: pair[1]["survey_id"])
    return [_published(survey_id, list(rows), path) for survey_id, rows in grouped]


def _published(survey_id: str, rows: list[tuple[int, dict[str, str]]], path: Path) -> Published:
    line, first = rows[0]
    try:
        points = tuple(_points(row for _, row in rows))
        run = _run(first, points)
    except (ValueError, InvalidOperation) as error:
        raise SurveyError(f"{path.name}, result {survey_id} at line {line}: {error}") from error
    if not first["source_url"].startswith("https://"):
        raise SurveyError(f"{path.name}, result {survey_id} at line {line}: no source URL")
    return Published(survey_id, first["source_url"], run)


def _points(rows: Iterable[dict[str, str]]) -> Iterator[LatencyPoint]:
    for row in rows:
        yield LatencyPoint(int(row["block_size"]), Decimal(row["latency_us"]), None)


def _run(row: dict[str, str], points: tuple[LatencyPoint, ...]) -> Run:
    return Run(
        model_name=row["model_name"],
        vendor=row["vendor"],
        capacity_bytes=int(row["capacity_bytes"]) if row["capacity_bytes"] else None,
        device_class=DeviceClass(row["device_class"]),
        platform=row["platform"],
        method=Method(row["method"]),
        curve=curve_of(points),
        is_complete=len(points) == len(BLOCK_SIZES),
    )


def load_survey(published: Iterable[Published]) -> Loaded:
    """Store what is not there yet, or stands there otherwise, but not what was erased; a second time changes nothing.

    A transaction a result: one for all would hold the data version while it waits for the next device.
    """
    added, unchanged = 0, 0
    boards: set[Board] = set()
    erased = set(Submission.objects.filter(state=State.ERASED).values_list("survey_id", flat=True))
    for one in published:
        if one.survey_id in erased or _is_stored(one):
            unchanged += 1
            continue
        boards.update(_store(one))
        added += 1
    return Loaded(added, unchanged, sorted(boards))


@transaction.atomic
def _store(one: Published) -> list[Board]:
    submission, _ = Submission.objects.update_or_create(
        survey_id=one.survey_id, defaults={"source_url": one.source_url}
    )
    return store_readings([Reading(submission, [one.run])]).boards


def _is_stored(one: Published) -> bool:
    stored = Result.objects.filter(submission__survey_id=one.survey_id).values_list(
        "submission__source_url", "device__model_name", "device__capacity_bytes", "platform", "latency_us"
    )
    curve = [None if latency is None else float(latency) for latency in one.run.curve]
    identity = find_own_names([one.run.identity])[one.run.identity]
    return stored.first() == (one.source_url, *identity, one.run.platform, curve)
