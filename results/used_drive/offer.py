"""The asking price, against prices of used drives of the same capacity, and per TB of writes left.

The price of a new one only counts against a used one, if the asking price is close to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from parsers.base.units import TERABYTE
from results.catalogue.prices import Price, PriceSummary, offer_order
from results.core.formats import format_price
from results.core.prices import Sighting
from results.models.choices import Offer
from results.used_drive.life import Life
from results.used_drive.oddities import Code, Finding, Tone

_ABOUT_EQUAL = Decimal("0.05")  # of the price
_SEVERAL_TIMES = 2
# Above these shares of the price seen, a used drive is expensive
_MAX_OF_USED, _MAX_OF_NEW = Decimal("1.25"), Decimal("0.7")
_SHOWN_CENTS, _SHOWN_MILLS = 2, 3  # decimals


@dataclass(frozen=True, slots=True)
class JudgedPrice:
    """The asking price, formatted, and as a clause of the verdict if there is a price to compare; "" if unknown.

    `is_bargain`: a recent price was compared, and the asking price isn't too high for a used drive.
    """

    shown: str
    per_tb: str
    compared: str
    judged: Finding | None
    is_bargain: bool


def judge_price(price: Price, seen: Sequence[PriceSummary], life: Life) -> JudgedPrice:
    """Judge a price by those seen for the drive's capacity, in any currency."""
    comparable = (
        [summary for summary in seen if summary.shown.currency == price.currency] if life.is_of_one else []
    )
    shown = format_price(*price)
    per_tb = cost_per_tb(price, life.least.bytes_left if life.least and life.is_of_one else None)
    used, new = (_first(comparable, offer) for offer in (Offer.USED, Offer.NEW))
    if used is None and new is None:
        return JudgedPrice(shown, per_tb, _without_reference(price, seen), None, False)
    is_recent = used is not None and used.shown.is_recent
    clauses, is_expensive = [], False
    if used and is_recent:
        ratio = price.amount / used.shown.amount
        is_expensive = ratio > _MAX_OF_USED
        clauses.append(f"{_compare(ratio)} {_one(used)} cost ({_reference_price(used)})")
    if new and price.amount > _MAX_OF_NEW * new.shown.amount:
        is_expensive = True
        close = "close to" if price.amount <= new.shown.amount else "more than"
        clauses.append(f"{close} the last new price ({_reference_price(new)})")
    seen = [summary for summary in ((None if is_recent else used), (None if clauses else new)) if summary]
    costs = ", and ".join(f"{_one(summary)} cost {_reference_price(summary)}" for summary in seen)
    if not clauses:
        return JudgedPrice(shown, per_tb, f"no recent used price to compare: {costs}", None, False)
    compared = "; ".join(filter(None, [" and ".join(clauses), costs]))
    tone, code = (Tone.WARN, Code.EXPENSIVE) if is_expensive else (Tone.INFO, Code.OK)
    judged = Finding(tone, code, f"{shown} is {compared}")
    is_fresh = used is not None and used.shown.is_fresh
    return JudgedPrice(shown, per_tb, compared, judged, is_fresh and not is_expensive)


def _one(summary: PriceSummary) -> str:
    return f"a {summary.offer.lower()} one" if summary.shown.condition else "one"


def _first(seen: Sequence[PriceSummary], offer: Offer) -> PriceSummary | None:
    for_offer = (summary for summary in seen if summary.offer == offer)
    return min(for_offer, key=lambda price: offer_order(price.shown), default=None)


def _reference_price(reference: PriceSummary) -> str:
    """As in "$70, middle of 3 prices, seen 30 days ago"."""
    shown = reference.shown
    parts = (
        shown.text,
        reference.among_several,
        "" if shown.condition else "condition not stated",
        "probably a marketplace listing" if shown.is_probably_listed else "",
        shown.seen,
    )
    return ", ".join(filter(None, parts))


def _without_reference(price: Price, seen: Sequence[PriceSummary]) -> str:
    if not seen:
        return "we haven’t seen a price for this drive"
    if any(summary.shown.currency == price.currency for summary in seen):
        return "fill in the capacity to compare it"
    return f"we haven’t seen a price in {price.currency}"


def _compare(ratio: Decimal) -> str:
    difference = abs(ratio - 1)
    if difference < _ABOUT_EQUAL:
        return "about what"
    if ratio >= _SEVERAL_TIMES:
        return f"{ratio:.1f} times what"
    return f"{difference * 100:.0f} % {'more' if ratio > 1 else 'less'} than"


def cost_per_tb(price: Price | Sighting, writes: int | None) -> str:
    """The price per TB of these writes, in bytes; "" if they are unknown or none."""
    if not writes:
        return ""
    cost = price.amount * TERABYTE / writes
    return format_price(cost, price.currency, decimals=_SHOWN_CENTS if cost >= 1 else _SHOWN_MILLS)
