"""Measured figures, the bars that they have to meet, and the table of both."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

EMPTY_VIEW_MS = 0.28  # the median of an empty Django view on the machine that the bars in ms are for
MAX_SLOWNESS = 4.0  # beyond it the machine is too busy to judge, or what the floor measures has become slow


class BenchmarkError(Exception):
    """Something could not be measured; the message says what and why."""


class Row(NamedTuple):
    """A measured figure; with a limit of None it is context and has no bar.

    The limit is for a machine on which a floor takes a known time; on this one the floor takes `slowness` times that.
    """

    what: str
    measured: float
    unit: str = ""
    limit: float | None = None
    is_minimum: bool = False
    slowness: float = 1.0

    @property
    def passes(self) -> bool:
        """Whether the bar is met; NaN, zero and negative values never meet one, since nothing was measured then.

        Nor does anything if the floor took more than MAX_SLOWNESS times as long: a bar that far off means nothing.
        """
        if self.limit is None:
            return True
        if not self.slowness <= MAX_SLOWNESS:
            return False
        if self.is_minimum:
            return self.measured >= self.limit / self.slowness
        return 0 < self.measured <= self.limit * self.slowness

    def cells(self) -> tuple[str, str, str, str]:
        """The row's cells in the table; without a bar there is no verdict."""
        if self.limit is None:
            return self.what, "", _figure(self.measured, self.unit), ""
        bar = f"{'≥' if self.is_minimum else '≤'} {_figure(self.limit, self.unit)}"
        if self.slowness != 1:
            bar += f" {'÷' if self.is_minimum else '×'} {self.slowness:.2f}"
        return self.what, bar, _figure(self.measured, self.unit), "pass" if self.passes else "**FAIL**"


def beside_empty_view(rows: Iterable[Row], empty_ms: float) -> list[Row]:
    """The rows; those in ms are judged as multiples of an empty view that took `empty_ms` beside them."""
    slowness = empty_ms / EMPTY_VIEW_MS
    return [row._replace(slowness=slowness) if row.unit == "ms" else row for row in rows]


def failure(name: str, error: BaseException) -> Row:
    """The row of a benchmark that could not be measured; it never passes."""
    return Row(f"{name}: {' '.join(str(error).split())}", math.nan, limit=0.0)


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table: what, bar, measured, verdict."""
    lines = ["| what | bar | measured | |", "|---|---|---:|---|"]
    lines += [f"| {' | '.join(row.cells())} |" for row in rows]
    return "\n".join(lines) + "\n"


def status(rows: Sequence[Row]) -> int:
    """The exit status: 1 if a bar is missed, or if there is none."""
    judged = [row for row in rows if row.limit is not None]
    return 0 if judged and all(row.passes for row in judged) else 1


def _figure(value: float, unit: str) -> str:
    """The value with at least three digits, fewer for an integer."""
    if not math.isfinite(value):
        return "not measured"
    digits = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}".rstrip()
