"""The prices on the pages of products and devices."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.safestring import SafeString, mark_safe

from results.catalogue.prices import (
    PRICES_ROSE_ON,
    PRICES_ROSE_URL,
    PriceSummary,
    Sighting,
    offer_order,
    summarize,
)
from results.charts.description import STYLES
from results.charts.prices import PriceDot, price_chart
from results.core.formats import format_capacity, format_count, format_price
from results.models.choices import Offer

WHOLE_LINE = "all"
MOST_SUMMARIES = 6  # the others are in the list of all prices
_FEWEST_DOTS = 3


@dataclass(frozen=True, slots=True)
class PriceChart:
    """The offers in one currency; a capacity's number in the list is that of its color."""

    svg: SafeString
    currency: str
    capacities: Sequence[int | None]
    has_used: bool
    leaves_out: bool


@dataclass(frozen=True, slots=True)
class SeenPrices:
    """What parts/prices.html shows: summaries in the order of offers, and all sightings."""

    summaries: Sequence[PriceSummary]
    sightings: Sequence[Sighting]
    chart: PriceChart | None

    @property
    def rose_url(self) -> str:
        """Who says that prices have risen since some of these; "" if all are newer."""
        return PRICES_ROSE_URL if any(one.counted_on < PRICES_ROSE_ON for one in self.sightings) else ""


def seen_prices(sightings: Sequence[Sighting], today: date, *, has_chart: bool) -> SeenPrices | None:
    """None without sightings."""
    if not sightings:
        return None
    summaries = sorted(summarize(sightings), key=lambda one: offer_order(one.shown, today))
    return SeenPrices(summaries[:MOST_SUMMARIES], sightings, _chart(sightings) if has_chart else None)


def _chart(sightings: Sequence[Sighting]) -> PriceChart | None:
    """Chart the offers in the most common currency, for as many capacities as colors."""
    offers = [one for one in sightings if one.offer]
    if not offers:
        return None
    ((currency, _),) = Counter(one.currency for one in offers).most_common(1)
    common = Counter(one.capacity_bytes for one in offers if one.currency == currency).most_common(
        len(STYLES)
    )
    capacities = sorted((capacity for capacity, _ in common), key=lambda capacity: capacity or 0)
    dots = [
        _dot(one, capacities.index(one.capacity_bytes) + 1)
        for one in offers
        if one.currency == currency and one.capacity_bytes in capacities
    ]
    svg = price_chart(
        dots,
        currency=currency,
        title=f"Prices seen over time, in {currency}",
        description=f"{format_count(len(dots), 'price')}; they are also in the table of all prices seen.",
    )
    if not svg or len(dots) < _FEWEST_DOTS:
        return None
    return PriceChart(
        mark_safe(svg),  # noqa: S308 - results.charts escapes every text that it writes
        currency,
        capacities,
        has_used=any(dot.is_hollow for dot in dots),
        leaves_out=len(dots) < len(offers),
    )


def _dot(one: Sighting, style: int) -> PriceDot:
    capacity = format_capacity(one.capacity_bytes) or WHOLE_LINE
    text = f"{capacity}: {format_price(one.price, one.currency)}, {one.offered_as}, {one.seen_on}"
    return PriceDot(one.counted_on, float(one.price), style, one.offer == Offer.USED, text)
