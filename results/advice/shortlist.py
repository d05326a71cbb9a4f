"""Choose a capacity, explain why a product doesn't fit, relax constraints."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import takewhile
from typing import NamedTuple

from parsers.base.units import MEBIBYTE
from results.advice.criteria import (
    Criterion,
    Finding,
    Need,
    Option,
    check_speed,
    explain_one,
    format_years,
    judge,
    total,
)
from results.advice.fit import Fit
from results.advice.form_factor import SLOTS
from results.advice.lifetime import years_of
from results.advice.log_size import BITS_A_BYTE, GIGA, max_gbit_s
from results.core.drive_names import DriveName
from results.core.formats import format_number, format_price

_OF_LINK = frozenset({Criterion.SPEED, Criterion.SIZE})
_TENTH = Decimal("0.1")
_RECENT = 1  # up to this age of a price


@dataclass(frozen=True, slots=True)
class CandidateProduct:
    """A product with all its options."""

    id: int
    name: DriveName
    options: Sequence[Option]


class Judged(NamedTuple):
    """An option with the criteria that it fails, and those that can't be judged."""

    option: Option
    failed: frozenset[Criterion]
    unknown: frozenset[Criterion]

    @property
    def fits(self) -> bool:
        return not self.failed and not self.unknown


def judge_option(option: Option, need: Need) -> Judged:
    found = judge(option, need)
    failed = frozenset(criterion for criterion, fit in found.items() if fit is Fit.NO)
    return Judged(option, failed, frozenset(found) - failed)


def choose(options: Iterable[Option], need: Need) -> Judged | None:
    """The cheapest that fails nothing, preferably with nothing unknown, or None."""
    judged = (judge_option(option, need) for option in options)
    return _nearest((option for option in judged if not option.failed), need)


def _nearest(judged: Iterable[Judged], need: Need) -> Judged | None:
    """The cheapest of those that meet the most criteria; None of none."""
    return min(
        judged,
        key=lambda option: (len(option.failed), len(option.unknown), *_by_price(option.option, need)),
        default=None,
    )


def price_age(option: Option) -> int:
    """A sort key: prices from the last year, from the last two, older ones, and none."""
    price = option.price
    if price is None:
        return 3
    return 2 if not price.is_recent else int(not price.is_fresh)


def _by_price(option: Option, need: Need) -> tuple[int, Decimal, int]:
    """Sort by the age of prices, with unknown ones last; then by price and capacity, the smallest first."""
    cost = total(option, need)
    return price_age(option), cost or Decimal(0), option.capacity_bytes or 0


def by_price(
    found: Iterable[tuple[CandidateProduct, Judged]], need: Need
) -> list[tuple[CandidateProduct, Judged]]:
    """By total price: recent ones first, unknown ones and then last choices last."""
    return sorted(
        found,
        key=lambda pair: (
            pair[1].option.is_last_choice,
            *_by_price(pair[1].option, need),
            pair[0].name.short,
        ),
    )


class ProductRefusal(NamedTuple):
    """A product that doesn't fit, and the one reason."""

    candidate: CandidateProduct
    option: Option
    reason: Finding


def refuse(candidate: CandidateProduct, need: Need) -> ProductRefusal | None:
    """None for a product that fits, or may fit."""
    nearest = _nearest((judge_option(option, need) for option in candidate.options), need)
    first = nearest and next((criterion for criterion in Criterion if criterion in nearest.failed), None)
    if nearest is None or first is None:
        return None
    return _refusal(candidate, nearest.option, need, first)


def _refusal(candidate: CandidateProduct, option: Option, need: Need, criterion: Criterion) -> ProductRefusal:
    return ProductRefusal(candidate, option, explain_one(option, need, criterion))


def find_near_misses(
    candidates: Iterable[CandidateProduct], need: Need, criterion: Criterion, *, most: int
) -> list[ProductRefusal]:
    """Products ruled out by speed or size alone, those closest to what is needed first.

    After the first, only those that have at least half of it. Products that otherwise fit precede those that may fit.
    """
    found = sorted(
        (miss for candidate in candidates if (miss := _near_miss(candidate, need, criterion))),
        key=lambda near_miss: (near_miss.unknown_count, -near_miss.has),
    )
    needed = need.log_bytes if criterion is Criterion.SIZE else need.mib_s or 0
    near = [near_miss for near_miss in found[1:most] if near_miss.has >= needed / 2]
    return [near_miss.refusal for near_miss in (*found[:1], *near)]


class _NearMiss(NamedTuple):
    unknown_count: int
    has: float  # MiB/s, or bytes
    refusal: ProductRefusal


def _near_miss(candidate: CandidateProduct, need: Need, criterion: Criterion) -> _NearMiss | None:
    """The option that fails only on this and comes closest; None if any option fits or may fit.

    Last choices are left out: we don't suggest them, however close.
    """
    every = (judge_option(option, need) for option in candidate.options)
    judged = list(takewhile(lambda other: other.failed, every))
    if len(judged) < len(candidate.options):
        return None
    misses = [
        (len(other.unknown), -has, other.option)
        for other in judged
        if other.failed == {criterion} and not other.option.is_last_choice
        if (has := _has(other.option, need, criterion)) is not None
    ]
    if not misses:
        return None
    unknown_count, has, option = min(misses, key=lambda key: key[:2])
    return _NearMiss(unknown_count, -has, _refusal(candidate, option, need, criterion))


def _has(option: Option, need: Need, criterion: Criterion) -> float | None:
    if criterion is Criterion.SIZE:
        return option.capacity_bytes
    check = check_speed(option, need)
    return check.mib_s if check else None


class Relaxation(NamedTuple):
    """A constraint to give up, what that buys, and the parameters that change."""

    criterion: Criterion
    sentence: str
    candidate: CandidateProduct
    option: Option
    changes: Mapping[str, str]


def relax(candidates: Iterable[CandidateProduct], need: Need) -> list[Relaxation]:
    """For each constraint that could be given up alone, the nearest product; protection never is."""
    found = [
        (candidate, judge_option(option, need)) for candidate in candidates for option in candidate.options
    ]
    near = [(candidate, judged) for candidate, judged in found if judged.failed and not judged.unknown]
    relaxed = (
        _relax_mirror(near, need),
        _relax_condition(found, need),
        _relax_budget(near, need),
        _relax_form_factor(near, need),
        _relax_life(near, need),
        _relax_link(found, need),
    )
    return [relaxation for relaxation in relaxed if relaxation]


Near = Sequence[tuple[CandidateProduct, Judged]]


def _failing_only(near: Near, *criteria: Criterion) -> Near:
    return [refusal for refusal in near if refusal[1].failed <= frozenset(criteria)]


def _named(candidate: CandidateProduct, option: Option) -> str:
    return replace(candidate.name, capacity_bytes=option.capacity_bytes).full


def _cheapest(near: Near, need: Need) -> tuple[CandidateProduct, Option] | None:
    ordered = by_price(near, need)
    return (ordered[0][0], ordered[0][1].option) if ordered else None


def _relax_mirror(near: Near, need: Need) -> Relaxation | None:
    if not need.is_mirror or need.budget is None:
        return None
    single = [
        refusal
        for refusal in _failing_only(near, Criterion.PRICE)
        if refusal[1].option.price and refusal[1].option.price.amount <= need.budget
    ]
    best = _cheapest(single, need)
    if best is None or best[1].price is None:
        return None
    price = format_price(best[1].price.amount, need.currency)
    sentence = f"Buy one instead of a mirror: {_named(*best)} for {price}"
    return Relaxation(Criterion.PRICE, sentence, *best, {"mirror": ""})


def _relax_condition(found: Near, need: Need) -> Relaxation | None:
    """The cheapest in the other condition that fits and is within the budget, at a recent price if possible."""
    seen = [
        (candidate, judged.option, other)
        for candidate, judged in found
        if (other := judged.option.other_price) and judged.option.price is None
        if not judged.failed and judged.unknown <= {Criterion.PRICE}
        if need.budget is None or other.amount * need.count <= need.budget
    ]
    best = min(seen, key=lambda refusal: (not refusal[2].is_recent, refusal[2].amount), default=None)
    if best is None:
        return None
    candidate, option, other = best
    price = f"{format_price(other.amount, need.currency)}{'' if other.is_recent else f', {other.seen}'}"
    sentence = f"Buy {other.offer} instead of {need.offer}: {_named(candidate, option)} for {price}"
    return Relaxation(Criterion.PRICE, sentence, candidate, option, {"condition": ""})


def _relax_budget(near: Near, need: Need) -> Relaxation | None:
    """By a recent price if there is any, since an old one buys nothing today."""
    priced = _failing_only(near, Criterion.PRICE)
    best = min(
        priced,
        key=lambda refusal: (price_age(refusal[1].option) > _RECENT, total(refusal[1].option, need) or 0),
        default=None,
    )
    cost = total(best[1].option, need) if best else None
    if best is None or cost is None:
        return None
    budget = cost.quantize(Decimal(1), ROUND_CEILING)
    is_old = price_age(best[1].option) > _RECENT and best[1].option.price
    age = f" (price {is_old.seen})" if is_old else ""
    named = _named(best[0], best[1].option)
    sentence = f"Raise the budget to {format_price(budget, need.currency)}: {named}{age}"
    return Relaxation(Criterion.PRICE, sentence, best[0], best[1].option, {"budget": str(budget)})


def _relax_form_factor(near: Near, need: Need) -> Relaxation | None:
    best = _cheapest(_failing_only(near, Criterion.FORM_FACTOR), need)
    if best is None:
        return None
    sentence = f"Choose a form factor other than {SLOTS[need.slot]}: {_named(*best)} ({best[1].form_factors})"
    return Relaxation(Criterion.FORM_FACTOR, sentence, *best, {"form_factor": ""})


def _relax_life(near: Near, need: Need) -> Relaxation | None:
    worn = _failing_only(near, Criterion.LIFE)
    best = max(worn, key=lambda refusal: refusal[1].option.written_bytes or 0, default=None)
    if best is None or need.gb_a_day is None:
        return None
    years = years_of(best[1].option.written_bytes or 0, gb_a_day=need.gb_a_day)
    planned = years.quantize(_TENTH, ROUND_FLOOR)
    if not planned:
        return None
    sentence = f"Plan for {format_years(planned)}: {_named(best[0], best[1].option)}"
    return Relaxation(Criterion.LIFE, sentence, best[0], best[1].option, {"years": str(planned)})


def _relax_link(found: Near, need: Need) -> Relaxation | None:
    """The fastest that fails, or may fail, only on what depends on the link."""
    slow = [refusal for refusal in found if refusal[1].failed | refusal[1].unknown <= _OF_LINK]
    best = max(slow, key=lambda refusal: _affordable_mib_s(refusal[1].option), default=None)
    if best is None:
        return None
    mib_s = int(_affordable_mib_s(best[1].option))
    if not mib_s:
        return None
    sentence = (
        f"Settle for {format_number(mib_s)} MiB/s instead of {format_number(need.mib_s)} MiB/s: "
        f"{_named(best[0], best[1].option)}"
    )
    changes = {"link_gbit": "", "link_share": "", "mib_s": str(mib_s)}
    return Relaxation(Criterion.SPEED, sentence, best[0], best[1].option, changes)


def _affordable_mib_s(option: Option) -> float:
    """The sync write rate it can take, limited by throughput and capacity."""
    mib_s = option.throughput.mib_s
    if mib_s is None or option.capacity_bytes is None:
        return 0
    most = max_gbit_s(option.capacity_bytes)
    return mib_s if most is None else min(mib_s, float(most * GIGA / BITS_A_BYTE / MEBIBYTE))
