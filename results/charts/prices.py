"""Prices over time: a dot per price seen, colored by capacity, hollow if used."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from results.charts.axes import log_axis
from results.charts.svg import axis_name, escape, grid_rows, percent, picture, tick_label

_ENDS = ((0.0, "start"), (1.0, "end"))


@dataclass(frozen=True, slots=True)
class PriceDot:
    """A price on a day; `style` (1 to 8) is its capacity's, `text` its tooltip."""

    day: date
    price: float
    style: int
    is_hollow: bool
    text: str


def price_chart(dots: Sequence[PriceDot], *, currency: str, title: str, description: str) -> str:
    """Render the chart as an SVG element; "" if all dots are on one day."""
    days = [dot.day.toordinal() for dot in dots]
    if len(set(days)) < 2:
        return ""
    first, last = min(days), max(days)
    up = log_axis(dot.price for dot in dots)
    ends = (
        tick_label(share, f"{date.fromordinal(day):%Y-%m}", anchor=anchor)
        for day, (share, anchor) in zip((first, last), _ENDS, strict=True)
    )
    spots = (
        f'<g class="s{dot.style}"><circle class="price{" used" if dot.is_hollow else ""}" '
        f'cx="{percent((day - first) / (last - first))}" cy="{percent(1 - up.up(dot.price))}" r="4">'
        f"<title>{escape(dot.text)}</title></circle></g>"
        for day, dot in zip(days, dots, strict=True)
    )
    parts = (
        grid_rows(up.ticks, up.up, lambda tick: f"{tick:,g}"),
        *ends,
        axis_name(currency, x="-8"),
        *spots,
    )
    return picture("chart", *parts, title=title, description=description)
