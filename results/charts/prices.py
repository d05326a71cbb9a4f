"""Prices over time: a dot per price seen, colored by capacity, hollow if used."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from results.charts.axes import log_axis
from results.charts.svg import dot, grid_rows, percent, picture, spaced_labels
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
    days = [one.day.toordinal() for one in dots]
    if len(set(days)) < 2:
        return ""
    years = range(min(one.day.year for one in dots), max(one.day.year for one in dots) + 2)
    starts = [date(year, 1, 1).toordinal() for year in years]
    first, last = starts[0], starts[-1]
    up = log_axis(one.price for one in dots)
    shares = [(start - first) / (last - first) for start in starts]
    spots = (
        dot(
            (day - first) / (last - first),
            up.up(one.price),
            one.text,
            css=f"price s{one.style}{' used' if one.is_hollow else ''}",
            radius=4,
        )
        for day, one in zip(days, dots, strict=True)
    )
    parts = (
        grid_rows(up.ticks, up.up, lambda tick: format_price(Decimal(f"{tick:g}"), currency)),
        *(f'<line class="grid" x1="{x}" x2="{x}" y2="100%"/>' for x in map(percent, shares)),
        spaced_labels(zip(shares, map(str, years), strict=True), LABEL_GAP),
        *spots,
    )
    return picture("chart", *parts, title=title, description=description)
