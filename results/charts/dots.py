"""Charts of dots: latency over wear, writes per second over writers, prices over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from django.utils.safestring import SafeString

from results.charts.axes import iops_label, linear_axis, log_axis, log_share
from results.charts.plot import LABEL_GAP, Axis, Plot, Tick, curve, dot, labeled
from results.charts.svg import draw
from results.core.formats import format_price, latency_label


class Dot(NamedTuple):
    """A dot: where it is on both axes, and its tooltip."""

    at: float
    value: float
    text: str


def wear_chart(dots: Sequence[Dot], end: float, name: str, *, title: str, description: str) -> SafeString:
    """Render latencies in µs over wear from 0 to `end` as an SVG element; "" without a dot."""
    if not dots:
        return SafeString()
    ticks = [Tick(wear, f"{wear:,.4g}") for wear in (end * quarter / 4 for quarter in range(5))]
    plot = Plot(
        css="chart wear",
        x=Axis(lambda wear: wear / end, ticks, name),
        y=labeled(log_axis(place.value for place in dots), latency_label),
        front=[dot(*place) for place in dots],
    )
    return draw(plot, title=title, description=description)


def ladder_chart(steps: Sequence[Dot], *, title: str, description: str) -> SafeString:
    """Render writes per second over the number of writers; "" below two steps.

    The number of writers is on a logarithmic axis, and the values begin at zero.
    """
    if len(steps) < 2:
        return SafeString()
    first, last = steps[0].at, steps[-1].at
    plot = Plot(
        css="chart ladder",
        x=Axis(
            lambda writers: log_share(writers, first, last),
            [Tick(step.at, f"{step.at:g}") for step in steps],
            "writers at the same time",
            LABEL_GAP,
        ),
        y=labeled(linear_axis(step.value for step in steps), iops_label),
        curves=[curve(1, [[(step.at, step.value) for step in steps]])],
        front=[dot(*step) for step in steps],
    )
    return draw(plot, title=title, description=description)


@dataclass(frozen=True, slots=True)
class PriceDot:
    """A price on a day; `style` (1 to 8) is its capacity's, `text` its tooltip."""

    day: date
    price: float
    style: int
    is_hollow: bool
    text: str

    @property
    def css(self) -> str:
        return f"price s{self.style}{' used' if self.is_hollow else ''}"


def price_chart(dots: Sequence[PriceDot], *, currency: str, title: str, description: str) -> SafeString:
    """Render the chart as an SVG element, over whole years; "" if all dots are on one day."""
    if len({price.day for price in dots}) < 2:
        return SafeString()
    years = range(min(price.day.year for price in dots), max(price.day.year for price in dots) + 2)
    ticks = [Tick(date(year, 1, 1).toordinal(), str(year)) for year in years]
    first, last = ticks[0].at, ticks[-1].at
    plot = Plot(
        x=Axis(lambda day: (day - first) / (last - first), ticks, gap=LABEL_GAP, has_lines=True),
        y=labeled(
            log_axis(price.price for price in dots), lambda tick: format_price(Decimal(f"{tick:g}"), currency)
        ),
        front=[
            dot(price.day.toordinal(), price.price, price.text, css=price.css, radius=4) for price in dots
        ],
    )
    return draw(plot, title=title, description=description)
