"""The leaderboard's columns: rank, device and interval, the metrics, how much was measured, and the latest day."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F
from django.db.models.expressions import Expression, OrderBy

from results.catalogue.product_facts import FACTS, RANKINGS, ProductFact, Scope
from results.kinds.curve.metrics import CONFIDENCE_PERCENT, METRICS, stored_metric
from results.kinds.metric import Metric
from results.models.ranking import NAMED, SOMETIMES_NULL
from results.ranking.leaders import Row

USUAL_SHARE = 0.2  # of the rows have a value for a column that nobody asked for


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column that the leaderboard can be sorted by."""

    key: str  # as in a page's `sort=`
    field: str  # as in the API's `ordering=`
    label: str
    unit: str
    is_lower_better: bool
    ends: tuple[str, str] = ("lowest", "highest")
    value: Expression | None = None  # the sort expression, as in the column's index; None for `field`
    metric: Metric | None = None
    fact: ProductFact | None = None

    @property
    def head(self) -> str:
        defined = self.metric or self.fact
        return defined.short_label if defined else self.label

    @property
    def is_unique(self) -> bool:
        """Whether the column's sort order has no ties."""
        return self.field in NAMED

    def share_in(self, rows: Sequence[Row]) -> float:
        """The share of these rows of the ranking that have a value for it; 0 without rows."""
        return sum(map(self._is_in, rows)) / max(1, len(rows))

    def _is_in(self, row: Row) -> bool:
        if self.fact:
            return row[f"fact_{self.key}"] is not None
        if self.metric:
            return self.metric.key in row["metrics"]
        return self.field not in SOMETIMES_NULL or row[self.field] is not None

    def order_by(self, *, is_ascending: bool, scope: Scope = RANKINGS) -> list[OrderBy]:
        """The order of rows, as in the column's index if it has one."""
        if self.is_unique:  # the index is read in both directions
            return [F(name).asc() if is_ascending else F(name).desc() for name in NAMED]
        value: Any = F(self.field) if self.value is None else self.value
        if self.fact:
            value = self.fact.value(scope)
        nulls_last = bool(self.metric or self.fact) or self.field in SOMETIMES_NULL or None
        return [value.asc(nulls_last=nulls_last) if is_ascending else value.desc(nulls_last=nulls_last)]


_BEFORE = (
    BoardColumn("rank", "high", "Rank", "", is_lower_better=True),
    BoardColumn("device", "model_name", "Device", "", is_lower_better=True, ends=("A", "Z")),
    BoardColumn(
        "interval",
        "interval_width",
        f"{CONFIDENCE_PERCENT} interval",
        "",
        is_lower_better=True,
        ends=("narrowest", "widest"),
        value=F("high") / F("low"),
    ),
)
_AFTER = (
    BoardColumn("n_units", "unit_count", "Units", "measured", is_lower_better=False, ends=("fewest", "most")),
    BoardColumn(
        "n_results", "result_count", "Results", "in all", is_lower_better=False, ends=("fewest", "most")
    ),
    BoardColumn(
        "last_measured",
        "last_measured_on",
        "Latest",
        "date",
        is_lower_better=False,
        ends=("oldest", "newest"),
    ),
)
DEFAULT_COLUMN = "rank"  # by the interval's worse end, so that one lucky result isn't first


def columns() -> dict[str, BoardColumn]:
    """All columns by key, in the order of the table."""
    measured = map(_column, METRICS.values())
    facts = (
        BoardColumn(
            fact.key, fact.key, fact.label, fact.unit, fact.is_lower_better, ends=fact.ends, fact=fact
        )
        for fact in FACTS.values()
    )
    return {column.key: column for column in (*_BEFORE, *measured, *_AFTER, *facts)}


def columns_of(chosen: Collection[str], rows: Sequence[Row], *, sort: str) -> list[BoardColumn]:
    """The columns with values in enough of these rows, and those chosen that have any.

    The column `sort` is always shown, and a fact only if it is chosen.
    """
    return [
        column
        for key, column in columns().items()
        if key == sort
        or (
            column.share_in(rows)
            if key in chosen
            else not column.fact and column.share_in(rows) >= USUAL_SHARE
        )
    ]


def rare_columns(shown: Collection[BoardColumn], rows: Sequence[Row]) -> list[BoardColumn]:
    """The columns left out because few of these rows have a value for them."""
    return [
        column
        for column in columns().values()
        if not column.fact and column not in shown and column.share_in(rows)
    ]


def _column(metric: Metric) -> BoardColumn:
    return BoardColumn(
        metric.sort_key,
        metric.key,
        metric.label,
        metric.unit,
        metric.is_lower_better,
        value=stored_metric(metric.key),
        metric=metric,
    )
