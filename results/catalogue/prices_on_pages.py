"""The prices on the pages of products and devices."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from results.catalogue.prices import PriceSummary, offer_order, summarize
from results.charts.description import STYLES
from results.charts.dots import PriceDot, price_chart
from results.core.formats import format_capacity, format_count
from results.core.prices import PRICES_ROSE_ON, PRICES_ROSE_URL, Sighting
from results.models.choices import Offer

WHOLE_LINE = "all"
MAX_SUMMARIES = 6  # the others are in the list of all prices
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
        is_any_older = any(sighting.counted_on < PRICES_ROSE_ON for sighting in self.sightings)
        return PRICES_ROSE_URL if is_any_older else ""


def seen_prices(sightings: Sequence[Sighting], *, has_chart: bool) -> SeenPrices | None:
    """None without sightings."""
    if not sightings:
        return None
    summaries = sorted(summarize(sightings), key=lambda price: offer_order(price.shown))
    return SeenPrices(summaries[:MAX_SUMMARIES], sightings, _chart(sightings) if has_chart else None)


def _chart(sightings: Sequence[Sighting]) -> PriceChart | None:
    """Chart the offers in the most common currency, for as many capacities as colors."""
    offers = [sighting for sighting in sightings if sighting.offer]
    if not offers:
        return None
    ((currency, _),) = Counter(offer.currency for offer in offers).most_common(1)
    sizes = Counter(offer.capacity_bytes for offer in offers if offer.currency == currency)
    capacities = sorted((size for size, _ in sizes.most_common(len(STYLES))), key=lambda size: size or 0)
    dots = [
        _dot(offer, capacities.index(offer.capacity_bytes) + 1)
        for offer in offers
        if offer.currency == currency and offer.capacity_bytes in capacities
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
        svg,
        currency,
        capacities,
        has_used=any(dot.is_hollow for dot in dots),
        leaves_out=len(dots) < len(offers),
    )


def _dot(sighting: Sighting, style: int) -> PriceDot:
    capacity = format_capacity(sighting.capacity_bytes) or WHOLE_LINE
    text = f"{capacity}: {sighting.text}, {sighting.offered_as}, {sighting.seen_on}"
    return PriceDot(sighting.counted_on, float(sighting.amount), style, sighting.offer == Offer.USED, text)
