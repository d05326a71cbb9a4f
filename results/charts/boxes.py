"""Box plots of latencies, a row per class, above the expected bands."""

from collections.abc import Iterator, Mapping, Sequence

from results.charts.axes import ValueAxis, latency_label, value_axis
from results.charts.description import EXPECTED, FIVE_NAMES, PLAIN, ROWS, Box, Expected, View
from results.charts.svg import escape, percent, picture
from results.core.formats import format_number

EXPECTED_NAME = "Expected in 2018"


def box_plot(boxes: Sequence[Box], *, title: str, description: str, view: View = PLAIN) -> str:
    """Render the plot as an SVG element; "" if no row has anything to draw."""
    parts = box_parts(boxes, view)
    if not parts:
        return ""
    height = box_height(boxes)
    return picture("chart boxes", *parts, title=title, description=description, height=height)


def box_legend(boxes: Sequence[Box], *, urls: Mapping[str, str], view: View = PLAIN) -> str:
    """Render the legend of the rows and of the expected bands.

    `urls` maps each row's key, and EXPECTED, to the URL that hides it or shows it again.
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


def box_parts(boxes: Sequence[Box], view: View) -> list[str]:
    """The elements of the plot, `box_height` high and of any width; may be empty."""
    drawn = [view.drawn(box) for box in boxes]
    shown = [latency for box in drawn for latency in _extent(box)]
    latencies = shown or [latency for box in boxes for latency in _extent(box)]
    if not latencies:
        return []
    axis = value_axis(latencies, is_linear=view.is_linear)
    height = ROWS.height * len(boxes)
    return [
        *(_tick(axis, latency_us, height) for latency_us in axis.ticks),
        *(
            _row(box, axis, number * ROWS.height, is_hidden=view.hides(box))
            for number, box in enumerate(drawn)
        ),
    ]


def box_height(boxes: Sequence[Box]) -> int:
    return ROWS.height * len(boxes) + ROWS.foot


def _extent(box: Box) -> Iterator[float]:
    yield from box.five_us or ()
    for one in box.expected:
        yield one.low_us
        yield one.high_us


def _tick(axis: ValueAxis, latency_us: float, height: int) -> str:
    x = percent(axis.up(latency_us))
    return (
        f'<line class="grid" x1="{x}" x2="{x}" y2="{height}"/>'
        f'<text x="{x}" y="{height + 16}" text-anchor="middle">{latency_label(latency_us)}</text>'
    )


def _row(box: Box, axis: ValueAxis, top: int, *, is_hidden: bool) -> str:
    edge = f'<line class="foot" x2="100%" y1="{top}" y2="{top}"/>'
    baseline = top + ROWS.label_height - 4
    if is_hidden:
        return f'{edge}<text class="row-name is-out" y="{baseline}">{escape(box.label)}</text>'
    middle = top + (ROWS.label_height + ROWS.height) // 2
    expected = "".join(_expected(one, axis, middle) for one in box.expected)
    label = f'<text class="row-name" y="{baseline}">{escape(box.label)}</text>'
    return f"{edge}{expected}{_box(box, axis, middle)}{label}"


def _expected(one: Expected, axis: ValueAxis, middle: int) -> str:
    left, right = axis.up(one.low_us), axis.up(one.high_us)
    width = max(right - left, ROWS.thinnest)
    return (
        f'<rect class="expected" x="{percent((left + right - width) / 2)}" width="{percent(width)}" '
        f'y="{middle - ROWS.expected_height // 2}" height="{ROWS.expected_height}">'
        f"<title>{escape(one.label)}</title></rect>"
    )


def _box(box: Box, axis: ValueAxis, middle: int) -> str:
    if box.five_us is None:
        return ""
    lowest, lower, median, upper, highest = (axis.up(latency_us) for latency_us in box.five_us)
    top, foot = middle - ROWS.box_height // 2, middle + ROWS.box_height // 2
    return (
        f"<g><title>{escape(_five_text(box))}</title>"
        f'<line class="whisker" x1="{percent(lowest)}" x2="{percent(highest)}" y1="{middle}" y2="{middle}"/>'
        f'<rect class="box" x="{percent(lower)}" width="{percent(upper - lower)}" '
        f'y="{top}" height="{ROWS.box_height}"/>'
        f'<line class="median" x1="{percent(median)}" x2="{percent(median)}" y1="{top - 3}" y2="{foot + 3}"/></g>'
    )


def _five_text(box: Box) -> str:
    """The tooltip of the box."""
    five = zip(FIVE_NAMES, box.five_us or (), strict=True)
    return (
        f"{box.label}; {', '.join(f'{name} {format_number(value, box.digits)} µs' for name, value in five)}"
    )
