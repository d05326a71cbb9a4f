"""Small plots for rows of lists: a figure with its interval on an axis that all rows share."""

from collections.abc import Iterable

from django.utils.safestring import SafeString

from results.charts.axes import ValueAxis
from results.charts.plot import SHARES, Axis, Plot, bar, label, line, mark
from results.charts.svg import draw

_LINES = "bar-lines"
_MIDDLE = "50%"


def bar_lines(axis: ValueAxis, marks: Iterable[float] = ()) -> SafeString:
    """The lines across all bars of an axis, defined once per page: at its ticks, and stronger ones at `marks`."""
    lines = [*(line("", tick, tick) for tick in axis.ticks), *(line("mark", at, at) for at in marks)]
    box = {"viewBox": "-1 -4 2 8", "markerWidth": "2", "markerHeight": "8", "markerUnits": "userSpaceOnUse"}
    cap = mark("marker", "", mark("path", d="M0-4v8"), id="cap", **box)
    plot = Plot(
        css="bar-lines", x=Axis(axis.up), front=[mark("g", "", *lines, id=_LINES), cap], is_hidden=True
    )
    return draw(plot)


def value_bar(
    low: float,
    value: float,
    high: float,
    *,
    axis: ValueAxis,
    css: str,
    texts: tuple[str, str],
    is_assumed: bool,
) -> SafeString:
    """A bar from the start of the axis to `value`, and a whisker from `low` to `high`.

    `texts` are the one behind it, and the one that states everything; `css` is the class of its color. If the spread
    is assumed, what is between `value` and `high` is hatched.
    """
    shown, title = texts
    left, end, right = (round(axis.up(value), 3) for value in (low, value, high))
    front = [
        mark("use", href=f"#{_LINES}"),
        bar("", (0, end)),
        line("whisker", left, right, _MIDDLE, _MIDDLE),
    ]
    if is_assumed:
        front.insert(2, line("assumed", end, right, _MIDDLE, _MIDDLE))
    front.append(label(shown, right, _MIDDLE))
    return draw(Plot(css=f"bar {css}", x=SHARES, front=front), title=title)


def interval_bar(
    low_us: float, value_us: float, high_us: float, *, axis: ValueAxis, text: str, is_assumed: bool = False
) -> SafeString:
    """An interval as a bar with a mark at the value; `text` states both ends. Dashed if its spread is assumed."""
    left, middle, right = (round(axis.up(latency_us), 2) for latency_us in (low_us, value_us, high_us))
    front = [bar("", (left, max(left + 0.01, right))), mark("rect", x=middle)]
    return draw(Plot(css=f"interval{' assumed' if is_assumed else ''}", x=SHARES, front=front), title=text)
