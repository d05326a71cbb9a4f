"""What the guide shows of access patterns: the tables of a paper, side by side."""

from collections.abc import Sequence
from typing import NamedTuple

from results.kinds.access_pattern.kind import ShownPattern
from results.kinds.access_pattern.metrics import METRICS
from results.kinds.access_pattern.shipped import SOURCE, SOURCE_URL, ShippedPattern, read_shipped
from results.kinds.metric import Metric, compute_metrics

SHOWN = ("random_percent", "zero_seek_percent", "mean_write_kib", "smallest_write_kib", "largest_write_kib")


class Paper(NamedTuple):
    """The patterns of a paper, each with its key.

    `compared` has the value of a metric for each number of file systems.
    """

    patterns: Sequence[tuple[str, ShownPattern]]
    compared: Sequence[tuple[Metric, Sequence[str]]]
    source: str = SOURCE
    source_url: str = SOURCE_URL


def read_paper() -> Paper:
    shipped = read_shipped()
    return Paper(
        [(pattern.key, ShownPattern(pattern.payload, pattern.title)) for pattern in shipped],
        _compared(shipped),
    )


def _compared(shipped: Sequence[ShippedPattern]) -> list[tuple[Metric, list[str]]]:
    counts = sorted({pattern.file_systems for pattern in shipped})
    figures: dict[int, dict[str, float]] = {count: {} for count in counts}
    for pattern in shipped:
        figures[pattern.file_systems] |= compute_metrics(METRICS, pattern.payload)
    return [
        (METRICS[key], [METRICS[key].format(figures[count].get(key)) for count in counts]) for key in SHOWN
    ]
