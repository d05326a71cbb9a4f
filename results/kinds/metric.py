"""A figure of a result: what it is called, how it is computed and how it is shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Aggregate, FloatField

from results.core.formats import format_number, round_figure

PER_SECOND = "1/s"
Payload = Mapping[str, Any]  # the values of ResultKind.columns, and of SHARED_COLUMNS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Metric:
    """A figure of a result that can be sorted, charted, compared and exported.

    `compute` takes the result's payload and returns the value in `unit`, or None where the payload lacks what it
    needs. The value is stored with the result when its text is read; `manage.py reread` fills existing results.
    """

    key: str  # with its unit; its name in storage, in the API and in exports
    label: str
    short_label: str  # for column heads
    unit: str
    is_lower_better: bool = False
    is_judged: bool = True  # False for what describes a workload, where neither end is better
    meaning: str  # one sentence: the method page, the API's schema and the exports' list of columns show it
    compute: Callable[[Any], float | None]
    format: Callable[[float | None], str] = format_number
    is_of_all_sizes: bool = False  # depends on which block sizes were measured
    # A single published figure gives it: shown with at most the figure's digits
    is_of_one_figure: bool = False
    is_minor: bool = False  # omitted if there is little room

    @property
    def sort_key(self) -> str:
        """The key without its unit, as in a leaderboard's `sort=`."""
        return self.key.removesuffix("_us").removesuffix("_mib_s")

    @property
    def unit_beside_label(self) -> str:
        """The unit beside the label; "" where the label says it: "Operations per second", "Sustained IOPS"."""
        return "" if self.unit == PER_SECOND else self.unit

    def text(self, value: float | None, digits: int | None = None) -> str:
        """The value; `digits` are those of the published figures behind it (None: three or more)."""
        return format_number(value, digits) if digits and self.is_of_one_figure else self.format(value)

    def with_unit(self, value: float | None, digits: int | None = None) -> str:
        """The value with its unit, as in "13,570/s" and "118 µs"."""
        shown = self.text(value, digits)
        return f"{shown}/s" if self.unit == PER_SECOND else f"{shown} {self.unit}"

    @property
    def anchor(self) -> str:
        """The id of its entry on the method page."""
        return f"metric-{self.key.replace('_', '-')}"


def by_key(*metrics: Metric) -> dict[str, Metric]:
    return {metric.key: metric for metric in metrics}


def compute_metrics(metrics: Mapping[str, Metric], payload: Payload) -> dict[str, float]:
    """Metrics of a payload as stored: seven digits, as in `real` columns, without None."""
    values = {key: metric.compute(payload) for key, metric in metrics.items()}
    return {key: round_figure(value) for key, value in values.items() if value is not None}


class Median(Aggregate):
    """The middle of the values, or the mean of the two in the middle."""

    template = "percentile_cont(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()
