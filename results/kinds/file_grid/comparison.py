"""Up to six grids side by side: a line per layout, ratios to a baseline, and what is clear in words."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst

from results.core.formats import format_block_size, format_times
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
from results.kinds.file_grid.words import layout_words

MOST_GRIDS = 6
CLOSE = 1 + BAND  # ratios that differ by less are one figure


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
    sentences = tuple(_sentences(operation, grids, lines, baseline, axis))
    return ComparedOperation(operation, axis, lines, tuple(rows), sentences)


def _sentences(
    operation: str, grids: Sequence[Compared], lines: Sequence[Line | None], baseline: int, axis: str
) -> Iterator[str]:
    """Each grid beside the baseline, where both have figures."""
    names, base = [one.name for one in grids], lines[baseline]
    if base is None:
        return
    for at, (grid, line) in enumerate(zip(grids, lines, strict=True)):
        beside = _beside(line, base) if line and at != baseline else None
        if not beside:
            continue
        is_named = names.count(grid.name) == 1 and names.count(names[baseline]) == 1
        name, other = (
            (grid.name, names[baseline]) if is_named else (_lettered(grid), _lettered(grids[baseline]))
        )
        yield f"{capfirst(name)} {VERBS[operation]} {_in_words(beside, other, axis)}."


@dataclass(frozen=True, slots=True)
class _Beside:
    """A point beside the baseline's: its ratio, and 1, -1 or 0 where it is faster, slower, or their bands overlap."""

    at: int
    ratio: float
    sign: int


def _beside(line: Line, base: Line) -> list[_Beside]:
    others = base.by_size
    return [
        _Beside(one.at, one.mib_s / other.mib_s, (one.low > other.high) - (one.high < other.low))
        for one in line.points
        if (other := others.get(one.at)) is not None
    ]


def _lettered(grid: Compared) -> str:
    return f"grid {grid.letter}"


def _in_words(beside: Sequence[_Beside], base: str, axis: str) -> str:
    """In one figure where most sizes agree, else where it is faster or slower."""
    signs = {one.sign for one in beside}
    only = f" {_at(beside[0].at, axis)}" if len(beside) == 1 else ""
    if signs == {0}:
        return f"about as fast as {base}{only}"
    if signs >= {1, -1}:
        return (
            f"faster than {base} {_where(beside, 1, axis)}, and slower {_where(beside, -1, axis)}: which is faster "
            f"depends on the {'record size' if axis == RECORD else 'number of processes'}"
        )
    (sign,) = signs - {0}
    times = sorted(one.ratio**sign for one in beside if one.sign)
    how = "as fast as" if sign > 0 else "slower than"
    if len(times) * 2 <= len(beside):
        upto = "up to " if len(times) > 1 else ""
        many = f"{upto}{format_times(times[-1])} {how} {base} {_where(beside, sign, axis)}"
        return f"{many}, and about as fast otherwise"
    every = [one.ratio**sign for one in beside]
    typical = math.exp(sum(map(math.log, every)) / len(every))
    return f"{format_times(typical)} {how} {base}{only}{_spread(min(every), max(every))}"


def _where(beside: Sequence[_Beside], sign: int, axis: str) -> str:
    """The sizes with that sign: "at 64 KiB", "from 256 KiB on", "up to 128 KiB", "at 3 of 8 record sizes"."""
    chosen = [number for number, one in enumerate(beside) if one.sign == sign]
    if len(chosen) == 1:
        return _at(beside[chosen[0]].at, axis)
    if chosen[-1] - chosen[0] == len(chosen) - 1:
        if chosen[-1] == len(beside) - 1:
            return f"from {_size(beside[chosen[0]].at, axis)} on"
        if chosen[0] == 0:
            return f"up to {_size(beside[chosen[-1]].at, axis)}"
    return f"at {len(chosen)} of {len(beside)} {'record sizes' if axis == RECORD else 'numbers of processes'}"


def _spread(low: float, high: float) -> str:
    return f" ({format_times(low)} to {format_times(high)})" if high / low > CLOSE else ""


def _at(size: int, axis: str) -> str:
    return f"at {_size(size, axis)}" if axis == RECORD else f"with {_size(size, axis)}"


def _size(size: int, axis: str) -> str:
    return format_block_size(size) if axis == RECORD else f"{size:,} processes"


def differences(conditions: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    """The conditions by label, with what each grid states; `differs` if two state different values."""
    labels = dict.fromkeys(label for one in conditions for label in one)
    rows = []
    for label in labels:
        values = [one.get(label, "") for one in conditions]
        stated = {value.casefold() for value in values if value}
        rows.append(
            {"label": label, "values": values, "differs": len(stated) > 1, "is_unknown": not all(values)}
        )
    return rows
