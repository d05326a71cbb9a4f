"""Up to six grids of pools side by side: what differs, ratios to a baseline, and clear differences, in sentences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django import forms
from django.utils.text import capfirst

from results.advice.comparison import (
    Axis,
    Comparable,
    Conditions,
    Ratio,
    Reading,
    compare_conditions,
    describe_ratios,
    find_ratios,
)
from results.charts.description import LETTERS
from results.compare.comparison import find_results
from results.core.formats import format_block_size
from results.core.forms import ResultIdsField
from results.core.subject import subject_of
from results.kinds.grid.lines import (
    PROCESSES,
    RECORD,
    GridLine,
    axis_of,
    lines_of,
    operations_of,
)
from results.kinds.grid.operations import OPERATIONS, VERBS
from results.kinds.grid.words import partial_records
from results.kinds.metric import Payload
from results.kinds.registry import KINDS, kind_of
from results.models import Result

FILE_GRID = KINDS["file_grid"]
MAX_GRIDS = 6
_AXES = {
    RECORD: Axis("record size", "record sizes", "at", format_block_size),
    PROCESSES: Axis("number of processes", "numbers of processes", "with", "{:,} processes".format),
}


@dataclass(frozen=True, slots=True)
class ComparedGrid:
    """A grid with its result and the conditions that it states, by label; the baseline is what ratios are to."""

    letter: str
    result: Result
    payload: Payload
    is_baseline: bool
    conditions: Mapping[str, str]

    @property
    def name(self) -> str:
        return subject_of(self.result).name

    @property
    def lettered(self) -> str:
        return f"{self.letter}: {self.name}"

    @property
    def phrase(self) -> str:
        """Its layout as part of a sentence: "a 3-way mirror"; "grid B" if it isn't stated or is several types."""
        pool = self.result.pool
        return layout_words(pool.layout if pool else ()) or f"grid {self.letter}"

    @property
    def partial_records(self) -> list[str]:
        """How much slower writes of part of a record are."""
        return list(partial_records(self.payload))


class Cell(NamedTuple):
    """The rate of a grid in MiB/s, its ratio to the baseline's, and whether it is a dip or spike, or doubted."""

    mib_s: float | None = None
    ratio: float | None = None
    needs_retest: bool = False


class OperationRow(NamedTuple):
    """A cell of each grid at one record size or number of processes."""

    at: int
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class ComparedOperation:
    """An operation: a line of each grid (None where it wasn't measured), rows by size, and sentences."""

    operation: str
    axis: str
    lines: Sequence[GridLine | None]
    rows: Sequence[OperationRow]
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class GridComparison:
    """Grids in the order of their ids, by operation, with the conditions that each states; empty without ids."""

    grids: Sequence[ComparedGrid] = ()
    operations: Sequence[ComparedOperation] = ()
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def baseline(self) -> ComparedGrid:
        return next(grid for grid in self.grids if grid.is_baseline)


class GridsForm(forms.Form):
    """The ids of up to six grids, the one that ratios are to, and the only operation to show.

    `found` has their comparison.
    """

    results = ResultIdsField(most=MAX_GRIDS, noun="grids", required=False)
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

    def clean(self) -> None:
        given = self.cleaned_data
        if not self.errors:
            given["found"] = find_grids(given["results"], given["baseline"], given["operation"])


def find_grids(ids: Sequence[str], baseline: str, operation: str) -> GridComparison:
    """Compare published grids. One query; raises Http404, and forms.ValidationError for results of other kinds."""
    if not ids:
        return GridComparison()
    results = find_results(ids, "pool", "device__product__vendor", "submission", FILE_GRID.key)
    if any(kind_of(result.method) is not FILE_GRID for result in results):
        raise forms.ValidationError({"results": "Only iozone grids can be compared here."})
    payloads = [FILE_GRID.payload_of_result(result) for result in results]
    stated = zip(results, payloads, strict=True)
    conditions = compare_conditions(
        [{"Layout": _layout(result), **FILE_GRID.conditions(payload)} for result, payload in stated]
    )
    base = ids.index(baseline) if baseline else 0
    grids = [
        ComparedGrid(
            LETTERS[at], result, payload, at == base, {row.label: row.stated[at] for row in conditions}
        )
        for at, (result, payload) in enumerate(zip(results, payloads, strict=True))
    ]
    return GridComparison(grids, compare_operations(grids, operation), conditions)


def compare_operations(grids: Sequence[ComparedGrid], operation: str = "") -> list[ComparedOperation]:
    """The operations that at least one grid measured, or the one that is given."""
    measured = {name for grid in grids for name in operations_of(grid.payload)}
    return [_compare(name, grids) for name in OPERATIONS if name in measured and operation in ("", name)]


def _compare(operation: str, grids: Sequence[ComparedGrid]) -> ComparedOperation:
    axis = RECORD if any(axis_of(grid.payload) == RECORD for grid in grids) else PROCESSES
    lines = [next(iter(lines_of(grid.payload, operation, axis)), None) for grid in grids]
    points = [line.by_size if line else {} for line in lines]
    rates = [{size: Reading(at.mib_s, at.low, at.high) for size, at in by_size.items()} for by_size in points]
    compared = [Comparable(grid.phrase, grid, readings) for grid, readings in zip(grids, rates, strict=True)]
    (base,) = (comparable for comparable in compared if comparable.subject.is_baseline)
    ratios = [find_ratios(base, comparable) for comparable in compared]
    times = [{ratio.metric: ratio.ratio for ratio in grid_ratios} for grid_ratios in ratios]
    rows = [
        OperationRow(
            size,
            [
                Cell(point.mib_s, grid_times.get(size), point.is_doubted)
                if (point := by_size.get(size))
                else Cell()
                for by_size, grid_times in zip(points, times, strict=True)
            ],
        )
        for size in sorted(set().union(*points))
    ]
    phrases = Counter(grid.phrase for grid in grids)
    sentences = [
        _sentence(operation, axis, grid_ratios, phrases)
        for grid_ratios, grid in zip(ratios, grids, strict=True)
        if grid_ratios and not grid.is_baseline
    ]
    return ComparedOperation(operation, axis, lines, rows, sentences)


def _sentence(
    operation: str, axis: str, ratios: Sequence[Ratio[ComparedGrid, int]], phrases: Mapping[str, int]
) -> str:
    """A sentence comparing a grid with the baseline; both go by letter unless each layout is unique."""
    grids = (ratios[0].other.subject, ratios[0].base.subject)
    is_named = all(phrases[grid.phrase] == 1 for grid in grids)
    name, base = (grid.phrase if is_named else f"grid {grid.letter}" for grid in grids)
    return f"{capfirst(name)} {VERBS[operation]} {describe_ratios(ratios, base, _AXES[axis])}."


def layout_words(layout: Sequence[Mapping[str, Any]]) -> str:
    """The data vdevs as part of a sentence: "a 3-way mirror", "2 raidz2 of 6"; "" for several types or none."""
    vdevs = [(vdev["type"], vdev["members"]) for vdev in layout if vdev["role"] == "data"]
    if not vdevs or len(set(vdevs)) > 1:
        return ""
    (kind, members), count = vdevs[0], len(vdevs)
    if kind == "disk":
        return "a single drive" if count == 1 else f"{count} striped drives"
    if kind == "mirror":
        text = f"{members}-way mirror" if members else "mirror"
        return f"a {text}" if count == 1 else f"{count} {text}s"
    of = f" of {members}" if members else ""
    return f"a {kind}{of}" if count == 1 else f"{count} {kind}{of}"


def _layout(result: Result) -> str:
    return subject_of(result).name.removeprefix("Pool: ") if result.pool and result.pool.layout else ""


def newest_grids(count: int) -> list[Result]:
    """The newest published grids, to choose from. One query."""
    rows = Result.objects.published().filter(method__in=FILE_GRID.methods).defer("submission__text")
    return list(rows.select_related("pool", "device__product__vendor", "submission").order_by("-pk")[:count])
