"""What the guide shows of access patterns: the tables of a paper, side by side."""

from typing import Any

from results.core.addresses import address
from results.kinds.access_pattern.kind import pattern_context
from results.kinds.access_pattern.metrics import METRICS
from results.kinds.access_pattern.shipped import SOURCE, SOURCE_URL, ShippedPattern, read_shipped
from results.kinds.metric import compute_metrics

SHOWN = (
    "random_percent",
    "zero_seek_percent",
    "mean_write_kib",
    "smallest_write_kib",
    "largest_write_kib",
)


def patterns_context() -> dict[str, Any]:
    """The context of templates/results/guide/access-patterns.html."""
    shipped = read_shipped()
    return {
        "patterns": [_pattern(one) for one in shipped],
        "compared": _compared(shipped),
        "source": {"name": SOURCE, "url": SOURCE_URL},
        "api_url": address("api-access-patterns"),
    }


def _pattern(one: ShippedPattern) -> dict[str, Any]:
    return {"key": one.key, "title": one.title, **pattern_context(one.payload)}


def _compared(shipped: tuple[ShippedPattern, ...]) -> list[dict[str, Any]]:
    """A row for each metric that the tables give, with a cell for each number of file systems."""
    counts = sorted({one.file_systems for one in shipped})
    figures: dict[int, dict[str, float]] = {count: {} for count in counts}
    for one in shipped:
        figures[one.file_systems] |= compute_metrics(METRICS, one.payload)
    return [
        {
            "label": METRICS[key].label,
            "unit": METRICS[key].unit,
            "cells": [METRICS[key].format(figures[count].get(key)) for count in counts],
        }
        for key in SHOWN
    ]
