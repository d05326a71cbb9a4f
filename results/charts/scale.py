"""A drive's speed on one scale, so that two drives can be compared wherever they are shown."""

from results.charts.axes import ValueAxis, latency_label
from results.charts.svg import percent

SCALE = ValueAxis(5, 10_000, (10, 100, 1000))  # µs


def speed_scale(latency_us: float | None, *, claimed_us: float | None = None) -> str:
    """Render the latency as a bar from the left, hatched if it is only claimed; words belong beside it.

    Without either the bar is empty.
    """
    ticks = "".join(_tick(one) for one in SCALE.ticks)
    bar, css = "", "scale" if latency_us else "scale is-unknown"
    if latency_us:
        bar = f'<rect class="bar" width="{percent(_across(latency_us))}"/>'
    elif claimed_us:
        bar = f'<line class="claimed" x2="{percent(_across(claimed_us))}" y1="4" y2="4"/>'
    return f'<svg class="{css}" aria-hidden="true"><rect class="track" width="100%"/>{bar}{ticks}</svg>'


def _across(latency_us: float) -> float:
    return min(max(SCALE.up(latency_us), 0.01), 1)


def _tick(latency_us: float) -> str:
    x = percent(SCALE.up(latency_us))
    return f'<line x1="{x}" x2="{x}" y2="8"/><text x="{x}" y="24">{latency_label(latency_us)}</text>'
