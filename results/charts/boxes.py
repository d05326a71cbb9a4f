"""Box plots of latencies, a row a class on one axis; what was expected of the class lies beneath."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TypedDict

from results.charts.axes import ValueAxis, latency_label, value_axis
from results.charts.svg import escape
from results.core.formats import format_number

ROW_HEIGHT = 64
LABEL_HEIGHT = 20  # of a row: the name stands above the box, so that a phone has its whole width for the plot
BOX_HEIGHT = 14
EXPECTED_HEIGHT = 30
THINNEST = 0.8  # percent of the width: what was expected as one figure can still be seen
FOOT = 24
EXPECTED_NAME = "Expected in 2018"
EXPECTED = "expected"  # in addresses: all that was expected, as a series of its own


@dataclass(frozen=True, slots=True)
class Expected:
    """Where somebody expected a kind of device to be; one figure is both ends."""

    label: str
    low_us: float
    high_us: float


@dataclass(frozen=True, slots=True)
class Box:
    """A row: lowest, lower quartile, median, upper quartile and highest latency (None: nothing was measured).

    `name` is what the legend calls it, `key` what addresses do.
    """

    label: str
    five_us: tuple[float, float, float, float, float] | None
    expected: tuple[Expected, ...] = ()
    name: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class BoxView:
    """How the plot is looked at.

    Rows whose keys are `hidden` keep their place and lose what is drawn in it; with EXPECTED among them every row
    loses its expected bands.
    """

    is_linear: bool = False
    hidden: AbstractSet[str] = frozenset()

    def hides(self, box: Box) -> bool:
        return bool(box.key) and box.key in self.hidden

    def drawn(self, box: Box) -> Box:
        """What is left of the row."""
        if self.hides(box):
            return replace(box, five_us=None, expected=())
        return replace(box, expected=()) if EXPECTED in self.hidden else box


class ExpectedData(TypedDict):
    """An expected band as JSON."""

    label: str
    low_us: float
    high_us: float


class BoxData(TypedDict):
    """A row as JSON, for the plot's script; without figures where nothing was measured."""

    key: str
    label: str
    five_us: list[float]
    expected: list[ExpectedData]


PLAIN = BoxView()


def box_data(boxes: Sequence[Box]) -> list[BoxData]:
    """The rows as plain values that json can write, figures rounded to a hundredth of a microsecond."""
    return [
        BoxData(
            key=box.key,
            label=box.label,
            five_us=[round(latency_us, 2) for latency_us in box.five_us or ()],
            expected=[
                ExpectedData(label=one.label, low_us=one.low_us, high_us=one.high_us) for one in box.expected
            ],
        )
        for box in boxes
    ]


def box_plot(boxes: Sequence[Box], *, title: str, description: str, view: BoxView = PLAIN) -> str:
    """The plot as an SVG element, or "" where no row has anything to draw."""
    parts = box_parts(boxes, view)
    if not parts:
        return ""
    return (
        f'<svg class="chart boxes" role="img" height="{box_height(boxes)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{''.join(parts)}</svg>"
    )


def box_legend(boxes: Sequence[Box], *, urls: Mapping[str, str], view: BoxView = PLAIN) -> str:
    """The list of the rows, and of what was expected.

    `urls` has by a row's key, and by EXPECTED, the address without it or, if it is hidden, with it again.
    """
    named = [(box.key, escape(box.name)) for box in boxes] + [(EXPECTED, EXPECTED_NAME)]
    items = (_item(key, name, urls[key], is_hidden=key in view.hidden) for key, name in named)
    return f'<ul class="legend rows" aria-label="Rows">{"".join(items)}</ul>'


def _item(key: str, name: str, url: str, *, is_hidden: bool) -> str:
    state, hint = (
        (' class="is-hidden"', '<span class="visually-hidden"> (hidden)</span>') if is_hidden else ("", "")
    )
    return (
        f'<li{state}><a href="{escape(url)}#chart" rel="nofollow" data-key="{escape(key)}">'
        f'<span class="name">{name}</span>{hint}</a></li>'
    )


def box_parts(boxes: Sequence[Box], view: BoxView) -> list[str]:
    """The contents of the plot, `box_height` high and as wide as it is shown; nothing where all is empty."""
    drawn = [view.drawn(box) for box in boxes]
    shown = [latency for box in drawn for latency in _extent(box)]
    latencies = shown or [latency for box in boxes for latency in _extent(box)]
    if not latencies:
        return []
    axis = value_axis(latencies, is_linear=view.is_linear)
    height = ROW_HEIGHT * len(boxes)
    return [
        *(_tick(axis, latency_us, height) for latency_us in axis.ticks),
        *(
            _row(box, axis, number * ROW_HEIGHT, is_hidden=view.hides(box))
            for number, box in enumerate(drawn)
        ),
    ]


def box_height(boxes: Sequence[Box]) -> int:
    return ROW_HEIGHT * len(boxes) + FOOT


def _extent(box: Box) -> Iterator[float]:
    yield from box.five_us or ()
    for one in box.expected:
        yield one.low_us
        yield one.high_us


def _tick(axis: ValueAxis, latency_us: float, height: int) -> str:
    x = _percent(100 * axis.up(latency_us))
    return (
        f'<line class="grid" x1="{x}" x2="{x}" y2="{height}"/>'
        f'<text x="{x}" y="{height + 16}" text-anchor="middle">{latency_label(latency_us)}</text>'
    )


def _row(box: Box, axis: ValueAxis, top: int, *, is_hidden: bool) -> str:
    edge = f'<line class="foot" x2="100%" y1="{top}" y2="{top}"/>'
    baseline = top + LABEL_HEIGHT - 4
    if is_hidden:
        return f'{edge}<text class="row-name is-out" y="{baseline}">{escape(box.label)}</text>'
    middle = top + (LABEL_HEIGHT + ROW_HEIGHT) // 2
    expected = "".join(_expected(one, axis, middle) for one in box.expected)
    label = f'<text class="row-name" y="{baseline}">{escape(box.label)}</text>'
    return f"{edge}{expected}{_box(box, axis, middle)}{label}"


def _expected(one: Expected, axis: ValueAxis, middle: int) -> str:
    left, right = 100 * axis.up(one.low_us), 100 * axis.up(one.high_us)
    width = max(right - left, THINNEST)
    return (
        f'<rect class="expected" x="{_percent((left + right - width) / 2)}" width="{_percent(width)}" '
        f'y="{middle - EXPECTED_HEIGHT // 2}" height="{EXPECTED_HEIGHT}"><title>{escape(one.label)}</title></rect>'
    )


def _box(box: Box, axis: ValueAxis, middle: int) -> str:
    if box.five_us is None:
        return ""
    lowest, lower, median, upper, highest = (100 * axis.up(latency_us) for latency_us in box.five_us)
    top, foot = middle - BOX_HEIGHT // 2, middle + BOX_HEIGHT // 2
    return (
        f"<g><title>{escape(_five_text(box))}</title>"
        f'<line class="whisker" x1="{_percent(lowest)}" x2="{_percent(highest)}" y1="{middle}" y2="{middle}"/>'
        f'<rect class="box" x="{_percent(lower)}" width="{_percent(upper - lower)}" '
        f'y="{top}" height="{BOX_HEIGHT}"/>'
        f'<line class="median" x1="{_percent(median)}" x2="{_percent(median)}" y1="{top - 3}" y2="{foot + 3}"/></g>'
    )


def _five_text(box: Box) -> str:
    """What a reader who points at the box is told."""
    names = ("lowest", "lower quartile", "median", "upper quartile", "highest")
    told = (f"{name} {format_number(value)} µs" for name, value in zip(names, box.five_us or (), strict=True))
    return f"{box.label}; {', '.join(told)}"


def _percent(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"
