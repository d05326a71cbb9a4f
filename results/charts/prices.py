"""Prices over time: a dot per price seen, colored by capacity, hollow if used."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from results.charts.axes import log_axis
from results.charts.svg import escape, grid_rows, percent, picture, spaced_labels
from results.core.formats import format_price

LABEL_GAP = 0.16  # of the width, as a share: a year is 34 px wide, the narrowest chart 250


@dataclass(frozen=True, slots=True)
class PriceDot:
    """A price on a day; `style` (1 to 8) is its capacity's, `text` its tooltip."""

    day: date
    price: float
    style: int
    is_hollow: bool
    text: str


def price_chart(dots: Sequence[PriceDot], *, currency: str, title: str, description: str) -> str:
    """Render the chart as an SVG element, over whole years; "" if all dots are on one day."""
    days = [dot.day.toordinal() for dot in dots]
    if len(set(days)) < 2:
        return ""
    years = range(min(dot.day.year for dot in dots), max(dot.day.year for dot in dots) + 2)
    starts = [date(year, 1, 1).toordinal() for year in years]
    first, last = starts[0], starts[-1]
    up = log_axis(dot.price for dot in dots)
    shares = [(start - first) / (last - first) for start in starts]
    spots = (
        f'<g class="s{dot.style}"><circle class="price{" used" if dot.is_hollow else ""}" '
        f'cx="{percent((day - first) / (last - first))}" cy="{percent(1 - up.up(dot.price))}" r="4">'
        f"<title>{escape(dot.text)}</title></circle></g>"
        for day, dot in zip(days, dots, strict=True)
    )
    parts = (
        grid_rows(up.ticks, up.up, lambda tick: format_price(Decimal(f"{tick:g}"), currency)),
        *(f'<line class="grid" x1="{x}" x2="{x}" y2="100%"/>' for x in map(percent, shares)),
        spaced_labels(zip(shares, map(str, years), strict=True), LABEL_GAP),
        *spots,
    )
    return picture("chart", *parts, title=title, description=description)
