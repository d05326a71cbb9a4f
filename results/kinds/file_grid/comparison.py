"""Up to six grids side by side: a line per layout, ratios to a baseline, and what is clear in words."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from results.core.formats import format_block_size
from results.kinds.file_grid.grid import (
    BAND,
    PROCESSES,
    RECORD,
    Line,
    Payload,
    axis_of,
    lines_of,
    operations_of,
)
from results.kinds.file_grid.operations import OPERATIONS, VERBS
from results.kinds.file_grid.words import format_times, layout_words

MOST_GRIDS = 6
ABOUT_EQUAL = 1 + BAND  # ratios below are within what repeats differ by


@dataclass(frozen=True, slots=True)
class Compared:
    """A grid: its letter, its payload, and the layout of its pool."""

    letter: str
    payload: Payload
    layout: Sequence[Mapping[str, Any]] = ()

    @property
    def name(self) -> str:
        """Its layout as part of a sentence: "a 3-way mirror"; "grid B" if it isn't stated or is several types."""
        return layout_words(self.layout) or f"grid {self.letter}"


@dataclass(frozen=True, slots=True)
class OperationRow:
    """The rates of all grids at one record size or number of processes, and their ratios to the baseline's."""

    at: int
    mib_s: tuple[float | None, ...]
    ratios: tuple[float | None, ...]
    needs_retest: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class ComparedOperation:
    """An operation: a line of each grid (None where it wasn't measured), by size, and sentences."""

    operation: str
    axis: str
    lines: tuple[Line | None, ...]
    rows: tuple[OperationRow, ...]
    sentences: tuple[str, ...]


def compare_grids(
    grids: Sequence[Compared], *, baseline: int = 0, operation: str = ""
) -> list[ComparedOperation]:
    """The operations that at least one grid measured, or the one that is asked for."""
    measured = {name for one in grids for name in operations_of(one.payload)}
    return [
        _compared(name, grids, baseline)
        for name in OPERATIONS
        if name in measured and (not operation or name == operation)
    ]


def _compared(operation: str, grids: Sequence[Compared], baseline: int) -> ComparedOperation:
    axis = RECORD if any(axis_of(one.payload) == RECORD for one in grids) else PROCESSES
    lines = tuple(next(iter(lines_of(one.payload, operation, axis)), None) for one in grids)
    sizes = sorted({point.at for line in lines if line for point in line.points})
    by_size = [line.by_size if line else {} for line in lines]
    rows = []
    for size in sizes:
        points = [found.get(size) for found in by_size]
        base = points[baseline]
        rows.append(
            OperationRow(
                at=size,
                mib_s=tuple(one.mib_s if one else None for one in points),
                ratios=tuple(one.mib_s / base.mib_s if one and base else None for one in points),
                needs_retest=tuple(bool(one and one.is_doubted) for one in points),
            )
        )
    sentences = tuple(_sentences(operation, grids, rows, baseline, axis))
    return ComparedOperation(operation, axis, lines, tuple(rows), sentences)


def _sentences(
    operation: str, grids: Sequence[Compared], rows: Sequence[OperationRow], baseline: int, axis: str
) -> Iterator[str]:
    names = [one.name for one in grids]
    for at, grid in enumerate(grids):
        ratios = {row.at: ratio for row in rows if (ratio := row.ratios[at]) is not None}
        if at == baseline or not ratios:
            continue
        is_named = names.count(grid.name) == 1 and names.count(names[baseline]) == 1
        name, base = (
            (grid.name, names[baseline]) if is_named else (_lettered(grid), _lettered(grids[baseline]))
        )
        yield f"{name[0].upper()}{name[1:]} {_ratio_words(operation, ratios, base, axis)}."


def _lettered(grid: Compared) -> str:
    return f"grid {grid.letter}"


def _ratio_words(operation: str, ratios: Mapping[int, float], base: str, axis: str) -> str:
    """How a grid does an operation beside the baseline: in one figure where its sizes agree, else from where on."""
    verb, typical = VERBS[operation], math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    low, high = min(ratios.values()), max(ratios.values())
    where = "" if len(ratios) > 1 else f" {_at(next(iter(ratios)), axis)}"
    if low >= 1 / ABOUT_EQUAL and high <= ABOUT_EQUAL:
        return f"{verb} about as fast as {base}{where}"
    if low > 1 / ABOUT_EQUAL and typical > ABOUT_EQUAL:
        return f"{verb} {format_times(typical)} as fast as {base}{where}{_spread(low, high)}"
    if high < ABOUT_EQUAL and typical < 1 / ABOUT_EQUAL:
        return f"{verb} {format_times(1 / typical)} slower than {base}{where}{_spread(1 / high, 1 / low)}"
    slowest, fastest = (choose(ratios, key=lambda size: ratios[size]) for choose in (min, max))
    return (
        f"{verb} between {_of(ratios[slowest])} ({_at(slowest, axis)}) and {_of(ratios[fastest])} "
        f"({_at(fastest, axis)}) of what {base} does, so which is faster depends on the "
        f"{'record size' if axis == RECORD else 'number of processes'}"
    )


def _of(ratio: float) -> str:
    return f"{ratio:.0%}"


def _spread(low: float, high: float) -> str:
    return f" ({format_times(low)} to {format_times(high)})" if high / low > ABOUT_EQUAL else ""


def _at(size: int, axis: str) -> str:
    return f"at {format_block_size(size)}" if axis == RECORD else f"with {size:,} processes"


def differences(conditions: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    """The conditions by label, with what each grid states; `differs` if two state different values."""
    labels = dict.fromkeys(label for one in conditions for label in one)
    rows = []
    for label in labels:
        values = [one.get(label, "") for one in conditions]
        stated = {value.casefold() for value in values if value}
        rows.append(
            {
                "label": label,
                "values": values,
                "differs": len(stated) > 1,
                "is_unknown": not all(values),
            }
        )
    return rows
