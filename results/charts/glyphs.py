"""Drawings of the size of a word, for table cells; what they show is also there as text."""

import math
from collections.abc import Sequence

from results.charts.axes import ValueAxis
from results.charts.xml_text import escape

WIDTH = 100
HEIGHT = 20
MARGIN = 2  # above and below, so that the line is whole at its ends


def sparkline(latencies_us: Sequence[float]) -> str:
    """The shape of a curve by ascending block size, on a log scale of its own; "" where there is no shape."""
    if len(latencies_us) < 2:
        return ""
    low, high = min(latencies_us), max(latencies_us)
    step = WIDTH / (len(latencies_us) - 1)
    spots = (
        f"{round(index * step)} {HEIGHT - MARGIN - round((HEIGHT - 2 * MARGIN) * _share(latency_us, low, high))}"
        for index, latency_us in enumerate(latencies_us)
    )
    return (
        f'<svg class="sparkline" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" '
        f'aria-hidden="true"><path d="M{" ".join(spots)}"/></svg>'
    )


def interval_bar(low_us: float, value_us: float, high_us: float, *, axis: ValueAxis, text: str) -> str:
    """An interval as a bar and the value in it as a mark, on an axis that rows share; `text` names both ends."""
    left, mark, right = (round(100 * axis.up(latency_us)) for latency_us in (low_us, value_us, high_us))
    return (
        f'<svg class="interval" role="img"><title>{escape(text)}</title>'
        f'<rect x="{left}%" width="{max(1, right - left)}%"/><rect x="{mark}%"/></svg>'
    )


def _share(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low) if high > low else 0.5
