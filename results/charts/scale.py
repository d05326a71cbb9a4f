"""A drive's speed on one scale, so that two drives can be compared wherever they are shown."""

from django.utils.safestring import SafeString

from results.charts.axes import ValueAxis
from results.charts.plot import SHARES, Plot, bar, label, line
from results.charts.svg import draw
from results.core.formats import latency_label

SCALE = ValueAxis(5, 10_000, (10, 100, 1000))  # µs


def speed_scale(latency_us: float | None, *, claimed_us: float | None = None) -> SafeString:
    """Render the latency as a bar from the left, hatched if it is only claimed; words belong beside it.

    Without either the bar is empty.
    """
    front = [bar("track", (0, 1))]
    if latency_us:
        front.append(bar("bar", (0, _across(latency_us))))
    elif claimed_us:
        front.append(line("claimed", None, _across(claimed_us), 4, 4))
    for tick in SCALE.ticks:
        at = SCALE.up(tick)
        front += [line("", at, at, y2=8), label(latency_label(tick), at, 24)]
    return draw(
        Plot(css="scale" if latency_us else "scale is-unknown", x=SHARES, front=front, is_hidden=True)
    )


def _across(latency_us: float) -> float:
    return min(max(SCALE.up(latency_us), 0.01), 1)
