"""Formatted metrics: cells of a table, and key figures at the top of a page."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from results.kinds.metric import Metric


class MetricCell(NamedTuple):
    """A metric's value as a table shows it."""

    metric: Metric
    value: str


def metric_cells(
    values: Mapping[str, float], shown: Iterable[Metric], digits: int | None = None
) -> list[MetricCell]:
    """A cell for each of the metrics shown, with a dash where there is no value; `digits` as in Metric.text."""
    return [MetricCell(metric, metric.text(values.get(metric.key), digits)) for metric in shown]


class Measure(NamedTuple):
    """A key figure; `anchor` is where the page on the method explains it, or ""."""

    label: str
    value: str
    unit: str
    anchor: str = ""

    def __str__(self) -> str:
        return f"{self.label} {self.value} {self.unit}".rstrip()


def measures(
    values: Mapping[str, float], metrics: Iterable[Metric], *, digits: int | None = None
) -> list[Measure]:
    """Those of the metrics that have a value; `digits` as in Metric.text."""
    return [
        Measure(
            metric.label, metric.text(values[metric.key], digits), metric.unit_beside_label, metric.anchor
        )
        for metric in metrics
        if metric.key in values
    ]
