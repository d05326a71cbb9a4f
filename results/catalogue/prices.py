"""Prices seen for products (results.core.prices), and the one that pages show for each capacity and offer.

Of a capacity, offer and currency, the shown sighting is the middle one by price of twelve months, which end with the
newest sighting, however old that is. It is marked in the database, and pages, API and exports read the mark.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import median_high
from typing import Any, NamedTuple

from django.db.models import Case, Expression, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, Left, Length

from results.core.prices import SIGHTING_COLUMNS, Sighting, is_within_years
from results.core.today import today
from results.models import LifeCycle, PriceSighting, Product
from results.models.choices import Offer

CURRENCIES = frozenset({"AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "PLN", "SEK", "USD"})  # ISO 4217
DEFAULT_CURRENCY = "USD"
OFFERS = tuple(Offer)
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP"}
_CURRENCY = r"(?:[a-z]{3}|[$€£])"
_AMOUNT = r"(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{1,2})?"
_PRICE = re.compile(
    rf"(?P<before>{_CURRENCY})?\s?(?P<amount>{_AMOUNT})\s?(?P<after>{_CURRENCY})?", re.IGNORECASE | re.ASCII
)
_HIGHEST_ENTERED = 1_000_000
_LONGEST_ECHO = 60  # characters of a wrong price
_MARKED_AT_ONCE = 200  # products


class Price(NamedTuple):
    """An amount of a currency (ISO 4217)."""

    amount: Decimal
    currency: str


def read_price(text: str, *, currency: str = DEFAULT_CURRENCY) -> Price | None:
    """A price as people write it: "45", "$1,299.90" or "45 EUR"; without a currency in `currency`. None if empty.

    Raises ValueError with a sentence.
    """
    if not text:
        return None
    match = _PRICE.fullmatch(text)
    if match is None or (match["before"] and match["after"]):
        raise ValueError(f"We couldn’t read “{text[:_LONGEST_ECHO]}”. Write it like 45, $45 or 45 EUR.")
    stated = (match["before"] or match["after"] or "").upper()
    found = Price(Decimal(match["amount"].replace(",", "")), _SIGNS.get(stated, stated) or currency)
    if stated and found.currency not in CURRENCIES:
        raise ValueError(
            f"We don’t know the currency {stated}. We have prices in {', '.join(sorted(CURRENCIES))}."
        )
    if not 0 < found.amount <= _HIGHEST_ENTERED:
        raise ValueError(f"Enter more than 0 and at most {_HIGHEST_ENTERED:,}, not {found.amount:,f}.")
    return found


LATEST_YEAR = Left("seen_on", 4).desc()


def _recency(sighting: Sighting) -> tuple[int, Decimal, str]:
    """A sort key: newest first, cheapest first within a day."""
    return -sighting.counted_on.toordinal(), sighting.amount, sighting.source_url


def newest_first(sightings: Iterable[Sighting]) -> list[Sighting]:
    return sorted(sightings, key=_recency)


@dataclass(frozen=True, slots=True)
class PriceSummary:
    """The sightings of a capacity, currency and offer in twelve months, newest first, and the shown one of them."""

    recent: Sequence[Sighting]
    offer: Offer
    shown: Sighting

    @property
    def newest(self) -> Sighting:
        return self.recent[0]

    @property
    def has_newer_price(self) -> bool:
        return self.newest.amount != self.shown.amount

    @property
    def among_several(self) -> str:
        """As in "middle of 3 prices"; "" for a single one."""
        count = len(self.recent)
        return "" if count < 2 else f"{'higher' if count == 2 else 'middle'} of {count} prices"

    @property
    def months(self) -> str:
        """When they were seen: "2024-05 to 2024-11"."""
        return " to ".join(dict.fromkeys([self.recent[-1].seen_on, self.newest.seen_on]))


def summarize(sightings: Iterable[Sighting]) -> list[PriceSummary]:
    """Summarize each product, capacity, offer (new first) and currency, in order."""
    grouped: defaultdict[tuple[int, int, Offer, str], list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        if sighting.offer is not None:
            grouped[
                sighting.product_id, sighting.capacity_bytes or 0, sighting.offer, sighting.currency
            ].append(sighting)
    return [_summary(grouped[key], key[2]) for key in sorted(grouped)]


def _summary(sightings: Iterable[Sighting], offer: Offer) -> PriceSummary:
    latest, *others = sorted(sightings, key=_recency)
    recent = [
        latest,
        *(sighting for sighting in others if is_within_years(sighting.counted_on, latest.counted_on)),
    ]
    marked = (sighting for sighting in recent if sighting.shown_as)
    return PriceSummary(recent, offer, next(marked, None) or _middle(recent))


def _middle(sightings: Collection[Sighting]) -> Sighting:
    """The middle one by price; the dearer of two, so that nobody is promised a bargain. Of equals, the newest."""
    price = median_high(sighting.amount for sighting in sightings)
    return min((sighting for sighting in sightings if sighting.amount == price), key=_recency)


def line_price(offers: Collection[str] = OFFERS) -> dict[str, Any]:
    """Lookups of a product line's list price: the cheapest of the latest year."""
    if set(offers) == set(OFFERS):
        return {"is_line_price": True}
    return {"is_offer_price": True, "shown_as__in": list(offers)}


def is_stale(seen_on: str) -> Expression:
    """The negation of Sighting.is_fresh in SQL; partial dates compare by prefix."""
    return Case(When(_is_fresh(seen_on), then=False), default=True)


def _is_fresh(seen_on: str) -> Q:
    day = today()
    oldest = Value(f"{day.year - 1:04}-{day.month:02}-{day.day:02}")
    return Q(**{f"{seen_on}__gte": Left(oldest, Length(seen_on))})


def load_sightings(product_ids: Iterable[int]) -> list[Sighting]:
    """All sightings of these products, newest first. One query."""
    return newest_first(_read(PriceSighting.objects.filter(product__in=list(product_ids))))


def load_sightings_of(launch_years: Mapping[int, int | None]) -> list[Sighting]:
    """The same for products whose launch years, by product, are known: that makes the query cheaper."""
    found = PriceSighting.objects.filter(product__in=list(launch_years))
    sightings = (Sighting(*row) for row in found.values_list(*SIGHTING_COLUMNS))
    return newest_first(replace(seen, launch_year=launch_years[seen.product_id]) for seen in sightings)


def load_line_prices(product_ids: Iterable[int], offers: Collection[str] = OFFERS) -> list[Sighting]:
    """The list prices of these product lines, one per currency. One query."""
    return _read(PriceSighting.objects.filter(product__in=list(product_ids), **line_price(offers)))


def load_shown(
    products: Collection[int] | QuerySet[Product] | None = None,
    *,
    currency: str = DEFAULT_CURRENCY,
    offers: Collection[str] = OFFERS,
) -> list[Sighting]:
    """The shown sighting of each capacity and offer, of these products or all.

    One query. Relies on mark_shown: tests create sightings with tests.factories.make_price.
    """
    found = PriceSighting.objects.filter(currency=currency, shown_as__in=list(offers))
    if products is not None:
        found = found.filter(product__in=products)
    return _read(found.order_by("product_id", "capacity_bytes", "shown_as"))


def launch_year(stated: QuerySet[LifeCycle], own: F) -> Combinable:
    """The year of a line's launch: its own column, else the earliest that a source states."""
    launches = stated.exclude(launched_on="").order_by("launched_on")
    return Coalesce(own, Subquery(launches.values(year=Cast(Left("launched_on", 4), IntegerField()))[:1]))


def launch_year_of_price() -> Combinable:
    return launch_year(LifeCycle.objects.filter(product=OuterRef("product")), F("product__launch_year"))


def _read(rows: QuerySet[PriceSighting]) -> list[Sighting]:
    launched = rows.annotate(launch_year=launch_year_of_price())
    return [Sighting(*row) for row in launched.values_list(*SIGHTING_COLUMNS, "launch_year")]


def mark_shown(product_ids: Iterable[int]) -> None:
    """Update `shown_as` and related columns after sightings have changed."""
    ids = list(product_ids)
    for start in range(0, len(ids), _MARKED_AT_ONCE):
        found = PriceSighting.objects.filter(product__in=ids[start : start + _MARKED_AT_ONCE])
        rows = {Sighting(*row): pk for pk, *row in found.values_list("pk", *SIGHTING_COLUMNS)}
        shown = [_middle(summary.recent) for summary in summarize(rows)]
        found.exclude(shown_as="").update(shown_as="", is_line_price=False, is_offer_price=False)
        for marks, sightings in _marks(shown).items():
            pks = [rows[sighting] for sighting in sightings]
            PriceSighting.objects.filter(pk__in=pks).update(**marks._asdict())


class _Marks(NamedTuple):
    """The columns that mark a shown sighting."""

    shown_as: Offer
    is_line_price: bool
    is_offer_price: bool


def _marks(shown: Iterable[Sighting]) -> dict[_Marks, list[Sighting]]:
    """The shown sightings by their marks."""
    for_line: dict[tuple[int, str], Sighting] = {}
    for_offer: dict[tuple[int, str, Offer | None], Sighting] = {}
    ordered = sorted(shown, key=_line_order)
    for sighting in ordered:
        for_line.setdefault((sighting.product_id, sighting.currency), sighting)
        for_offer.setdefault((sighting.product_id, sighting.currency, sighting.offer), sighting)
    marked: defaultdict[_Marks, list[Sighting]] = defaultdict(list)
    for sighting in ordered:
        if sighting.offer is not None:
            is_lines = for_line[sighting.product_id, sighting.currency] is sighting
            is_offers = for_offer[sighting.product_id, sighting.currency, sighting.offer] is sighting
            marked[_Marks(sighting.offer, is_lines, is_offers)].append(sighting)
    return marked


def offer_order(sighting: Sighting) -> tuple[bool, int, Decimal, int, str]:
    """A sort key of what a drive may cost: the cheapest of the last twelve months, else of the latest year."""
    is_fresh = sighting.is_fresh
    year, price, day, source = _line_order(sighting)
    return not is_fresh, 0 if is_fresh else year, price, day, source


def in_offer_order(prices: QuerySet[PriceSighting]) -> QuerySet[PriceSighting]:
    """Sort by offer_order in SQL."""
    fresh_price = Case(When(_is_fresh("seen_on"), then="price"))
    return prices.order_by(fresh_price.asc(nulls_last=True), LATEST_YEAR, "price", "-seen_on")


def _line_order(sighting: Sighting) -> tuple[int, Decimal, int, str]:
    """A sort key of a line's shown sightings; by year first, as old prices mislead."""
    return -int(sighting.seen_on[:4]), sighting.amount, -sighting.counted_on.toordinal(), sighting.source_url
