"""The prices on the pages of products and devices."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils.safestring import mark_safe

from results.catalogue.prices import (
    PRICES_ROSE_ON,
    PRICES_ROSE_URL,
    PriceSummary,
    Sighting,
    offer_order,
    seen_in_words,
    summarize,
)
from results.catalogue.protection import source_link
from results.charts.description import STYLES
from results.charts.prices import PriceDot, price_chart
from results.core.formats import format_capacity, format_count, format_price
from results.models.choices import Offer, SellerKind

WHOLE_LINE = "all"
MOST_SUMMARIES = 6  # the others are in the list of all prices
_FEWEST_DOTS = 3


def price_context(sightings: Sequence[Sighting], today: date, *, has_chart: bool) -> dict[str, Any]:
    """The context of templates/results/parts/prices.html, in the order of offers; empty without sightings."""
    if not sightings:
        return {}
    summaries = sorted(summarize(sightings), key=lambda one: offer_order(one.shown, today))
    return {
        "summaries": [summary_row(one, today) for one in summaries[:MOST_SUMMARIES]],
        "sightings": [_sighting(one) for one in sightings],
        "rose": source_link(PRICES_ROSE_URL)
        if any(one.counted_on < PRICES_ROSE_ON for one in sightings)
        else None,
        **(_chart(sightings) if has_chart else {}),
    }


def shown_condition(one: Sighting) -> str:
    return one.stated_condition or "condition not stated"


def _capacity(one: Sighting) -> str:
    return format_capacity(one.capacity_bytes) or WHOLE_LINE


def summary_row(one: PriceSummary, today: date) -> dict[str, Any]:
    """A summary, formatted: the shown price, and the newest one, "" if it is the same."""
    shown, newest = one.shown, one.newest
    return {
        "capacity": _capacity(shown),
        "price": format_price(shown.price, shown.currency),
        "condition": shown_condition(shown),
        "seen": seen_in_words(shown.seen_on, today),
        "seen_on": shown.seen_on,
        "is_stale": not shown.is_fresh(today),
        "source": source_link(shown.source_url),
        "newest": format_price(newest.price, newest.currency) if newest.price != shown.price else "",
        "of_several": of_several(one),
        "months": " to ".join(dict.fromkeys([one.recent[-1].seen_on, newest.seen_on])),
    }


def of_several(one: PriceSummary) -> str:
    """As in "middle of 3 prices"; "" for a single one."""
    count = len(one.recent)
    if count < 2:
        return ""
    return f"{'higher' if count == 2 else 'middle'} of {format_count(count, 'price')}"


def _sighting(one: Sighting) -> dict[str, Any]:
    return {
        "seen_on": one.seen_on,
        "capacity": _capacity(one),
        "price": format_price(one.price, one.currency),
        "offer": shown_condition(one)
        if one.is_probably_listed
        else f"{shown_condition(one)}, {SellerKind(one.seller_kind).label}",
        "source": source_link(one.source_url),
    }


def _chart(sightings: Sequence[Sighting]) -> dict[str, Any]:
    """Chart the offers in the most common currency, for as many capacities as colors."""
    offers = [one for one in sightings if one.offer]
    if not offers:
        return {}
    ((currency, _),) = Counter(one.currency for one in offers).most_common(1)
    offers = [one for one in offers if one.currency == currency]
    counted = Counter(one.capacity_bytes for one in offers).most_common(len(STYLES))
    capacities = sorted((capacity for capacity, _ in counted), key=lambda capacity: capacity or 0)
    dots = [
        _dot(one, capacities.index(one.capacity_bytes) + 1)
        for one in offers
        if one.capacity_bytes in capacities
    ]
    svg = price_chart(
        dots,
        currency=currency,
        title=f"Prices seen over time, in {currency}",
        description=f"{format_count(len(dots), 'price')}; they are also in the table of all prices seen.",
    )
    if not svg or len(dots) < _FEWEST_DOTS:
        return {}
    return {
        "chart_svg": mark_safe(svg),  # noqa: S308 - results.charts escapes every text that it writes
        "chart_currency": currency,
        "chart_keys": [
            {"style": style, "label": format_capacity(capacity) or WHOLE_LINE}
            for style, capacity in enumerate(capacities, 1)
        ],
        "chart_has_used": any(dot.is_hollow for dot in dots),
        "chart_leaves_out": len(dots) < sum(1 for one in sightings if one.offer),
    }


def _dot(one: Sighting, style: int) -> PriceDot:
    text = f"{_capacity(one)}: {format_price(one.price, one.currency)}, {shown_condition(one)}, {one.seen_on}"
    return PriceDot(one.counted_on, float(one.price), style, one.offer == Offer.USED, text)
