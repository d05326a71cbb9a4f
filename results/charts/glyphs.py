"""Drawings of the size of a word, for table cells that state the figures as text."""

import math
from collections.abc import Sequence

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


def _share(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low) if high > low else 0.5
