"""Formatted metrics: cells of a table, and key figures at the top of a page."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from results.core.addresses import address
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


def measures(
    values: Mapping[str, float], metrics: Iterable[Metric], *, digits: int | None = None
) -> list[dict[str, Any]]:
    """Those of the metrics that have a value, each with a link to its explanation; `digits` as in Metric.text."""
    return [
        {
            "label": metric.label,
            "value": metric.text(values[metric.key], digits),
            "unit": metric.unit_beside_label,
            "how_url": f"{address('about')}#{metric.anchor}",
        }
        for metric in metrics
        if metric.key in values
    ]
