"""Pairs of published results that the project ships: before and after one change."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from django.db import transaction

from results.core.data_version import bump_data_version
from results.core.lines import DATA, FileLine, compare, read_lines, words
from results.kinds.shipped import SourceUrl
from results.models import Result, ResultPair, lengths
from results.models.choices import Change, Quality
from results.submissions.intake.shipped import Loaded

PAIR_FILE = DATA / "pairs.csv"
_COLUMNS = ("change", "before_value", "after_value", "sentence", "source_url", "quality")
_STORED = ("before_id", "after_id", *_COLUMNS)


def _named(cell: str) -> tuple[str, int]:
    survey_id, _, position = cell.partition(":")
    return survey_id, int(position or 1)


@dataclass(frozen=True, slots=True)
class PairLine(FileLine):
    """Two shipped results before and after one change; `before` and `after` are survey ids and positions."""

    survey_id: str
    source_url: SourceUrl
    quality: Quality
    before: Annotated[tuple[str, int], _named]
    after: Annotated[tuple[str, int], _named]
    change: Change
    before_value: str
    after_value: str
    sentence: Annotated[str, words(lengths.NOTE)]


def read_pairs(path: Path = PAIR_FILE) -> list[PairLine]:
    """All pairs of the file, in its order; raises CatalogueError."""
    return [line for _, line in read_lines(path, PairLine)]


@transaction.atomic
def load_pairs(published: Iterable[PairLine]) -> Loaded:
    """Update the stored pairs to match the file; those of results that were erased are left out. Idempotent."""
    rows = Result.objects.filter(submission__survey_id__isnull=False)
    ids = {
        (name, position): pk
        for name, position, pk in rows.values_list("submission__survey_id", "position", "pk")
    }
    wanted = {
        line.survey_id: (ids[line.before], ids[line.after], *(getattr(line, name) for name in _COLUMNS))
        for line in published
        if line.before in ids and line.after in ids
    }
    pairs = ResultPair.objects.filter(survey_id__isnull=False)
    found = compare(wanted, {str(pair[0]): pair[1:] for pair in pairs.values_list("survey_id", *_STORED)})
    for survey_id in (*found.added, *found.changed):
        values = dict(zip(_STORED, wanted[survey_id], strict=True))
        ResultPair.objects.update_or_create(survey_id=survey_id, defaults=values)
    pairs.filter(survey_id__in=found.removed).delete()
    if found.added or found.changed or found.removed:
        bump_data_version()
    return Loaded(len(found.added) + len(found.changed), len(found.unchanged), len(found.removed))
