"""Measured figures, the bars that they have to meet, and the table of both."""

import math
from collections.abc import Sequence
from typing import NamedTuple


class BenchmarkError(Exception):
    """Something could not be measured; the message says what and why."""


class Row(NamedTuple):
    """A measured figure; with a limit of None it is context and has no bar."""

    what: str
    measured: float
    unit: str = ""
    limit: float | None = None
    is_minimum: bool = False

    @property
    def passes(self) -> bool:
        """Whether the bar is met; NaN, zero and negative values never meet one, since nothing was measured then."""
        if self.limit is None:
            return True
        return self.measured >= self.limit if self.is_minimum else 0 < self.measured <= self.limit

    def cells(self) -> tuple[str, str, str, str]:
        """The row's cells in the table; without a bar there is no verdict."""
        if self.limit is None:
            return self.what, "", _figure(self.measured, self.unit), ""
        bar = f"{'≥' if self.is_minimum else '≤'} {_figure(self.limit, self.unit)}"
        return self.what, bar, _figure(self.measured, self.unit), "pass" if self.passes else "**FAIL**"


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
