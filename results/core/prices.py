"""A price that a page showed on a day: what it was for, how old it is, and how it was offered. No queries.

A sighting is an offer of something new or used. Refurbished counts as used. If a page states no condition, a
marketplace's price counts as used and any other as new: on marketplaces, most of what isn't called new is used.
A list price at launch is neither: no shop charged it on a given day, so it is listed, but never shown as the price.
A "new" drive, years after its maker stopped selling it, is probably a marketplace listing, and is labeled as one.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from results.core.formats import format_price
from results.core.today import today
from results.models.choices import Offer, PriceCondition, SellerKind

_MONTHS = 12
RECENT_YEARS = 2
SOLD_YEARS = 6  # after its launch; later, a maker rarely sells a line
PROBABLY_LISTED = "new (probably a marketplace listing)"
_AGE_IN_YEARS_FROM = 24  # months
# Contract prices of NAND flash rose by more than half in one quarter, those of DRAM almost doubled
PRICES_ROSE_ON = date(2026, 1, 1)
PRICES_ROSE_URL = "https://www.mobileeurope.co.uk/memory-prices-set-for-record-surge-in-early-2026"
# What a Sighting is made of, as columns of PriceSighting
SIGHTING_COLUMNS = (
    *("price", "currency", "seen_on", "product_id", "capacity_bytes"),
    *("condition", "seller_kind", "source_url", "shown_as"),
)


@dataclass(frozen=True, slots=True)
class CardPrice:
    """What a card says of a price: "$550", "for two, new, seen 1 month ago", and where it was seen.

    A list has no room for more than the year; its `title` says when it was seen.
    """

    text: str
    note: str
    is_old: bool
    source_url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A price with what it was seen for, where and when: SIGHTING_COLUMNS.

    `seen_on` is a date or part of one: 2018, 2018-01. `shown_as` is its offer if it is the shown sighting, else "".
    `launch_year` is the line's, if known.
    """

    amount: Decimal
    currency: str  # ISO 4217
    seen_on: str
    product_id: int
    capacity_bytes: int | None
    condition: str
    seller_kind: str
    source_url: str
    shown_as: str = ""
    launch_year: int | None = None

    @property
    def text(self) -> str:
        """As in "$1,299"."""
        return format_price(self.amount, self.currency)

    @property
    def counted_on(self) -> date:
        return end_of_period(self.seen_on)

    @property
    def age(self) -> str:
        """As in "14 months ago"."""
        return age_in_words(self.seen_on, today())

    @property
    def seen(self) -> str:
        """As in "last seen 14 months ago"."""
        return seen_in_words(self.seen_on, today())

    @property
    def is_fresh(self) -> bool:
        """Whether it is at most a year old."""
        return is_seen_fresh(self.seen_on, today())

    @property
    def is_recent(self) -> bool:
        """Whether it is at most two years old: older prices don't count for recommendations."""
        return is_within_years(self.counted_on, today(), RECENT_YEARS)

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


def is_within_years(day: date, end: date, years: int = 1) -> bool:
    """Whether `day` is at most this many years before `end`."""
    return (day.year + years, day.month, day.day) >= (end.year, end.month, end.day)


@lru_cache(maxsize=10_000)
def end_of_period(seen_on: str) -> date:
    """The last day of the period; raises ValueError for an invalid date."""
    year, month, day = (*map(int, seen_on.split("-")), 0, 0)[:3]
    month = month or 12
    return date(year, month, day or monthrange(year, month)[1])


def age_in_words(seen_on: str, day: date) -> str:
    """As in "3 days ago", and if flash has become far more expensive since, "11 months ago, before prices rose"."""
    is_before = end_of_period(seen_on) < PRICES_ROSE_ON <= day
    return f"{_age(seen_on, day)}{', before prices rose' if is_before else ''}"


def _age(seen_on: str, day: date) -> str:
    """As in "3 days ago"; of a year "in 2018"; the current period is "this year" or "this month"."""
    seen, is_year = end_of_period(seen_on), len(seen_on) == len("2018")
    if seen > day:
        return "this year" if is_year else "this month"
    if is_year:
        return f"in {seen_on}"
    months = (day.year - seen.year) * _MONTHS + day.month - seen.month - (day.day < seen.day)
    if months < 1:
        days = (day - seen).days
        return f"{_counted(days, 'day')} ago" if days else "today"
    if months < _AGE_IN_YEARS_FROM:
        return f"{_counted(months, 'month')} ago"
    return f"{_counted((months + _MONTHS // 2) // _MONTHS, 'year')} ago"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def is_seen_fresh(seen_on: str, day: date) -> bool:
    return is_within_years(end_of_period(seen_on), day)


def seen_in_words(seen_on: str, day: date) -> str:
    """As in "seen 3 days ago", and after a year "last seen 14 months ago"."""
    seen = "seen" if is_seen_fresh(seen_on, day) else "last seen"
    return f"{seen} {age_in_words(seen_on, day)}"
