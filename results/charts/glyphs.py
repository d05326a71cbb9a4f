"""Drawings of the size of a word, for table cells that state the figures as text: an interval and a curve."""

import math
from collections.abc import Sequence

GLYPH_WIDTH = 100
SPARKLINE_HEIGHT = 20


def interval_bar(low_us: float, latency_us: float, high_us: float, *, scale_us: tuple[float, float]) -> str:
    """A bar from `low_us` to `high_us`, a dot at `latency_us`; the log scale is that of the whole table."""
    low, value, high = (_along(one, scale_us) for one in (low_us, latency_us, high_us))
    return (
        f'<svg class="interval" viewBox="0 0 {GLYPH_WIDTH} 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<path d="M{low} 4H{high}"/><path class="value" d="M{value} 4h0"/></svg>'
    )


def sparkline(latencies_us: Sequence[float]) -> str:
    """The shape of a curve by ascending block size, on a log scale of its own; "" where there is no shape."""
    if len(latencies_us) < 2:
        return ""
    low, high = min(latencies_us), max(latencies_us)
    step = GLYPH_WIDTH / (len(latencies_us) - 1)
    height = SPARKLINE_HEIGHT - 4
    spots = (
        f"{round(index * step)} {SPARKLINE_HEIGHT - 2 - round(height * _share(latency_us, low, high))}"
        for index, latency_us in enumerate(latencies_us)
    )
    return (
        f'<svg class="sparkline" viewBox="0 0 {GLYPH_WIDTH} {SPARKLINE_HEIGHT}" preserveAspectRatio="none" '
        f'aria-hidden="true"><path d="M{" ".join(spots)}"/></svg>'
    )


def _along(latency_us: float, scale_us: tuple[float, float]) -> int:
    return round(GLYPH_WIDTH * min(1.0, max(0.0, _share(latency_us, *scale_us))))


def _share(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low) if high > low else 0.5
