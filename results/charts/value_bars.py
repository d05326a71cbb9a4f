"""Bars of values with whiskers for their intervals: one drawing a row, on one axis with its lines behind."""

from results.charts.axes import ValueAxis

LINES = "bar-lines"


def bar_lines(axis: ValueAxis) -> str:
    """What every bar of the axis shows behind itself, to stand once on the page."""
    lines = "".join(
        f'<line x1="{_percent(axis.up(tick))}" x2="{_percent(axis.up(tick))}" y2="100%"/>'
        for tick in axis.ticks
    )
    return f'<svg class="bar-lines" aria-hidden="true"><g id="{LINES}">{lines}</g></svg>'


def value_bar(low: float, value: float, high: float, *, axis: ValueAxis) -> str:
    """A bar up to `value` and a whisker from `low` to `high`; the figures stand beside it as text."""
    left, end, right = (_percent(axis.up(one)) for one in (low, value, high))
    return (
        f'<svg class="bar" aria-hidden="true"><use href="#{LINES}"/><rect width="{end}"/>'
        f'<line class="reach" x1="{left}" x2="{right}"/>{_cap(left)}{_cap(right)}</svg>'
    )


def _cap(x: str) -> str:
    return f'<line class="cap" x1="{x}" x2="{x}" y2="8"/>'


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"
