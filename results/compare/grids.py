"""Find grids of pools by id, for their comparison."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from results.charts.description import LETTERS
from results.compare.pairs import DifferentKindsError, find_results
from results.core.forms import ResultIdsField
from results.core.subject import subject_of
from results.kinds.file_grid.comparison import (
    MOST_GRIDS,
    Compared,
    ComparedOperation,
    compare_grids,
    differences,
)
from results.kinds.file_grid.kind import FILE_GRID
from results.kinds.file_grid.operations import OPERATIONS
from results.models import Result


class GridsForm(forms.Form):
    """The ids of up to six grids, the one that ratios are to, and the only operation to show."""

    results = ResultIdsField(most=MOST_GRIDS, noun="grids", required=False)
    baseline = forms.CharField(required=False, max_length=14)
    operation = forms.ChoiceField(
        choices=list(OPERATIONS.items()),
        required=False,
        error_messages={"invalid_choice": f"Unknown operation. Allowed: {', '.join(OPERATIONS)}."},
    )

    def clean_baseline(self) -> str:
        baseline: str = self.cleaned_data["baseline"]
        if baseline and baseline not in self.cleaned_data.get("results", []):
            raise forms.ValidationError("The baseline must be one of the grids.")
        return baseline


@dataclass(frozen=True, slots=True)
class GridComparison:
    """Grids in the order of their ids, by operation, with the conditions that each states."""

    results: Sequence[Result]
    grids: Sequence[Compared]
    baseline: int
    operations: Sequence[ComparedOperation]
    conditions: Sequence[dict[str, Any]]


def find_grids(ids: Sequence[str], *, baseline: str = "", operation: str = "") -> GridComparison:
    """Compare published grids. One query; raises Http404 and DifferentKindsError."""
    results = find_results(ids, "pool", "device__product__vendor", "submission", FILE_GRID.key)
    if any(one.method not in FILE_GRID.methods for one in results):
        raise DifferentKindsError
    grids = [
        Compared(letter, FILE_GRID.payload_of_result(one), one.pool.layout if one.pool else ())
        for letter, one in zip(LETTERS, results, strict=False)
    ]
    at = ids.index(baseline) if baseline else 0
    return GridComparison(
        results,
        grids,
        at,
        compare_grids(grids, baseline=at, operation=operation),
        differences([_conditions(one) for one in results]),
    )


def _conditions(one: Result) -> dict[str, str]:
    layout = subject_of(one).name.removeprefix("Pool: ") if one.pool and one.pool.layout else ""
    return {"Layout": layout, **FILE_GRID.conditions(FILE_GRID.payload_of_result(one))}


def newest_grids(count: int) -> list[Result]:
    """The newest published grids, to choose from. One query."""
    rows = Result.objects.published().filter(method__in=FILE_GRID.methods)
    return list(
        rows.select_related("pool", "device__product__vendor", "submission")
        .defer("submission__text")
        .order_by("-pk")[:count]
    )
