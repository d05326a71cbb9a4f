"""Prices seen for products: their ages, and the one sighting that pages show for each capacity and offer.

A sighting is an offer of something new or used. Refurbished counts as used. If a page states no condition, a
marketplace's price counts as used and any other as new: on marketplaces, most of what isn't called new is used.
A list price at launch is neither: no shop charged it on a given day, so it is listed, but never shown as the price.
A "new" drive, years after its maker stopped selling it, is probably a marketplace listing, and is labeled as one.

Of a capacity, offer and currency, the shown sighting is the middle one by price of twelve months, which end with the
newest sighting, however old that is. It is marked in the database, and pages, API and exports read the mark.
"""

import re
from calendar import monthrange
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from statistics import median_high
from typing import Any, NamedTuple

from django.db.models import Case, Expression, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, Left, Length

from results.models import LifeCycle, PriceSighting, Product
from results.models.choices import Offer, PriceCondition, SellerKind

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
_MONTHS = 12
RECENT_YEARS = 2
SOLD_YEARS = 6  # after its launch; later, a maker rarely sells a line
PROBABLY_LISTED = "new (probably a marketplace listing)"
_AGE_IN_YEARS_FROM = 24  # months
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


@dataclass(frozen=True, slots=True)
class Sighting:
    """A row of PriceSighting; `seen_on` is a date or part of one: 2018, 2018-01.

    `shown_as` is its offer if it is the shown sighting, else "". `launch_year` is the line's, if known.
    """

    product_id: int
    capacity_bytes: int | None
    price: Decimal
    currency: str
    condition: str
    seller_kind: str
    seen_on: str
    source_url: str
    shown_as: str = ""
    launch_year: int | None = None

    @property
    def amount(self) -> Decimal:
        return self.price

    @property
    def counted_on(self) -> date:
        return end_of_period(self.seen_on)

    @property
    def offer(self) -> Offer | None:
        """New or used; None for a list price at launch."""
        match self.condition:
            case PriceCondition.LAUNCH_MSRP:
                return None
            case PriceCondition.USED | PriceCondition.REFURBISHED:
                return Offer.USED
            case PriceCondition.NEW:
                return Offer.NEW
        return Offer.USED if self.seller_kind == SellerKind.MARKETPLACE else Offer.NEW

    @property
    def is_probably_listed(self) -> bool:
        """Whether it was probably a marketplace seller who called it new: its maker hardly sold it any more."""
        is_late = self.launch_year is not None and self.counted_on.year > self.launch_year + SOLD_YEARS
        return is_late and self.condition == PriceCondition.NEW

    @property
    def stated_condition(self) -> str:
        """In words, "" if the page states none."""
        if self.is_probably_listed:
            return PROBABLY_LISTED
        return PriceCondition(self.condition).label if self.condition else ""

    @property
    def offered_as(self) -> str:
        return self.stated_condition or "condition not stated"

    @property
    def offered_by(self) -> str:
        """Who offers it, in words; "" where `offered_as` says so."""
        return "" if self.is_probably_listed else SellerKind(self.seller_kind).label

    def age(self, today: date) -> str:
        """As in "14 months ago"."""
        return age_in_words(self.seen_on, today)

    def is_fresh(self, today: date) -> bool:
        """Whether it is at most a year old."""
        return is_seen_fresh(self.seen_on, today)

    def is_recent(self, today: date) -> bool:
        """Whether it is at most two years old: older prices don't count for recommendations."""
        return is_within_years(self.counted_on, today, RECENT_YEARS)


# Contract prices of NAND flash rose by more than half in one quarter, those of DRAM almost doubled
PRICES_ROSE_ON = date(2026, 1, 1)
PRICES_ROSE_URL = "https://www.mobileeurope.co.uk/memory-prices-set-for-record-surge-in-early-2026"
LATEST_YEAR = Left("seen_on", 4).desc()
_FIELDS = tuple(Sighting.__dataclass_fields__)
_COLUMNS = _FIELDS[:-1]  # without the year of launch


def is_within_years(day: date, end: date, years: int = 1) -> bool:
    """Whether `day` is at most this many years before `end`."""
    return (day.year + years, day.month, day.day) >= (end.year, end.month, end.day)


@lru_cache(maxsize=10_000)
def end_of_period(seen_on: str) -> date:
    """The last day of the period; raises ValueError for an invalid date."""
    year, month, day = (*map(int, seen_on.split("-")), 0, 0)[:3]
    month = month or 12
    return date(year, month, day or monthrange(year, month)[1])


def age_in_words(seen_on: str, today: date) -> str:
    """As in "3 days ago", and if flash has become far more expensive since, "11 months ago, before prices rose"."""
    is_before = end_of_period(seen_on) < PRICES_ROSE_ON <= today
    return f"{_age(seen_on, today)}{', before prices rose' if is_before else ''}"


def _age(seen_on: str, today: date) -> str:
    """As in "3 days ago"; of a year "in 2018"; the current period is "this year" or "this month"."""
    seen, is_year = end_of_period(seen_on), len(seen_on) == len("2018")
    if seen > today:
        return "this year" if is_year else "this month"
    if is_year:
        return f"in {seen_on}"
    months = (today.year - seen.year) * _MONTHS + today.month - seen.month - (today.day < seen.day)
    if months < 1:
        days = (today - seen).days
        return f"{_counted(days, 'day')} ago" if days else "today"
    if months < _AGE_IN_YEARS_FROM:
        return f"{_counted(months, 'month')} ago"
    return f"{_counted((months + _MONTHS // 2) // _MONTHS, 'year')} ago"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _recency(one: Sighting) -> tuple[int, Decimal, str]:
    """A sort key: newest first, cheapest first within a day."""
    return -one.counted_on.toordinal(), one.price, one.source_url


def is_seen_fresh(seen_on: str, today: date) -> bool:
    return is_within_years(end_of_period(seen_on), today)


def seen_in_words(seen_on: str, today: date) -> str:
    """As in "seen 3 days ago", and after a year "last seen 14 months ago"."""
    seen = "seen" if is_seen_fresh(seen_on, today) else "last seen"
    return f"{seen} {age_in_words(seen_on, today)}"


def newest_first(sightings: Iterable[Sighting]) -> list[Sighting]:
    return sorted(sightings, key=_recency)


def newest(sightings: Iterable[Sighting]) -> Sighting | None:
    """The one seen last, or the cheapest if several were seen that day."""
    return min(sightings, key=_recency, default=None)


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
        return self.newest.price != self.shown.price

    @property
    def of_several(self) -> str:
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
    for one in sightings:
        if one.offer is not None:
            grouped[one.product_id, one.capacity_bytes or 0, one.offer, one.currency].append(one)
    return [_summary(grouped[key], key[2]) for key in sorted(grouped)]


def _summary(sightings: Iterable[Sighting], offer: Offer) -> PriceSummary:
    latest, *others = sorted(sightings, key=_recency)
    recent = [latest, *(one for one in others if is_within_years(one.counted_on, latest.counted_on))]
    marked = (one for one in recent if one.shown_as)
    return PriceSummary(recent, offer, next(marked, None) or _middle(recent))


def _middle(sightings: Collection[Sighting]) -> Sighting:
    """The middle one by price; the dearer of two, so that nobody is promised a bargain. Of equals, the newest."""
    price = median_high(one.price for one in sightings)
    return min((one for one in sightings if one.price == price), key=_recency)


def line_price(offers: Collection[str] = OFFERS) -> dict[str, Any]:
    """Lookups of a product line's list price: the cheapest of the latest year."""
    if set(offers) == set(OFFERS):
        return {"is_line_price": True}
    return {"is_offer_price": True, "shown_as__in": list(offers)}


def is_stale(today: date, seen_on: str) -> Expression:
    """The negation of Sighting.is_fresh in SQL; partial dates compare by prefix."""
    return Case(When(_is_fresh(today, seen_on), then=False), default=True)


def _is_fresh(today: date, seen_on: str) -> Q:
    oldest = Value(f"{today.year - 1:04}-{today.month:02}-{today.day:02}")
    return Q(**{f"{seen_on}__gte": Left(oldest, Length(seen_on))})


def load_sightings(product_ids: Iterable[int]) -> list[Sighting]:
    """All sightings of these products, newest first. One query."""
    return newest_first(_read(PriceSighting.objects.filter(product__in=list(product_ids))))


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
    return [Sighting(*row) for row in launched.values_list(*_FIELDS)]


def mark_shown(product_ids: Iterable[int]) -> None:
    """Update `shown_as` and related columns after sightings have changed."""
    ids = list(product_ids)
    for start in range(0, len(ids), _MARKED_AT_ONCE):
        found = PriceSighting.objects.filter(product__in=ids[start : start + _MARKED_AT_ONCE])
        rows = {Sighting(*row): pk for pk, *row in found.values_list("pk", *_COLUMNS)}
        shown = [_middle(one.recent) for one in summarize(rows)]
        found.exclude(shown_as="").update(shown_as="", is_line_price=False, is_offer_price=False)
        for marks, sightings in _marks(shown).items():
            pks = [rows[one] for one in sightings]
            PriceSighting.objects.filter(pk__in=pks).update(**marks._asdict())


class _Marks(NamedTuple):
    """The columns that mark a shown sighting."""

    shown_as: Offer
    is_line_price: bool
    is_offer_price: bool


def _marks(shown: Iterable[Sighting]) -> dict[_Marks, list[Sighting]]:
    """The shown sightings by their marks."""
    of_line: dict[tuple[int, str], Sighting] = {}
    of_offer: dict[tuple[int, str, Offer | None], Sighting] = {}
    ordered = sorted(shown, key=_line_order)
    for one in ordered:
        of_line.setdefault((one.product_id, one.currency), one)
        of_offer.setdefault((one.product_id, one.currency, one.offer), one)
    marked: defaultdict[_Marks, list[Sighting]] = defaultdict(list)
    for one in ordered:
        if one.offer is not None:
            is_lines = of_line[one.product_id, one.currency] is one
            is_offers = of_offer[one.product_id, one.currency, one.offer] is one
            marked[_Marks(one.offer, is_lines, is_offers)].append(one)
    return marked


def offer_order(one: Sighting, today: date) -> tuple[bool, int, Decimal, int, str]:
    """A sort key of what a drive may cost: the cheapest of the last twelve months, else of the latest year."""
    is_fresh = one.is_fresh(today)
    year, price, day, source = _line_order(one)
    return not is_fresh, 0 if is_fresh else year, price, day, source


def in_offer_order(prices: QuerySet[PriceSighting], today: date) -> QuerySet[PriceSighting]:
    """Sort by offer_order in SQL."""
    fresh_price = Case(When(_is_fresh(today, "seen_on"), then="price"))
    return prices.order_by(fresh_price.asc(nulls_last=True), LATEST_YEAR, "price", "-seen_on")


def _line_order(one: Sighting) -> tuple[int, Decimal, int, str]:
    """A sort key of a line's shown sightings; by year first, as old prices mislead."""
    return -int(one.seen_on[:4]), one.price, -one.counted_on.toordinal(), one.source_url
