"""Criteria of a purchase: the need, the option, and how the option meets them."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from parsers.base.units import GIGABYTE, MEBIBYTE, TERABYTE
from results.advice.fit import Fit
from results.advice.form_factor import SLOTS, fit_slot, is_dimm
from results.advice.lifetime import DAYS_A_YEAR, LONG_YEARS, WARRANTY_YEARS, years_of
from results.advice.link import NOTHING_KNOWN, Bus, Link, LinkCheck, Throughput, check_rate, explain_link
from results.advice.log_size import BITS_A_BYTE, GIGA, log_size
from results.advice.protection import PROTECTIONS, Protection, Safety
from results.core.formats import format_capacity, format_number, format_price, least_shown_as
from results.core.prices import Sighting

_MIRROR_SIZE = 2
_WHOLE_FROM = 10  # of a currency, without cents
ALL = Decimal(100)  # percent
# Never among the first: drives slower than a single disk, and those from before there were good ones
SLOW_BELOW_MIB_S = 100
OLD_BEFORE = 2012


class Criterion(StrEnum):
    """The criteria, in the order of their weight and of their sentences."""

    PROTECTION = "protection"
    SPEED = "speed"
    SIZE = "size"
    LIFE = "life"
    FORM_FACTOR = "form_factor"
    PRICE = "price"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What a buyer needs; None, "" and False for no preference.

    `mib_s` of synchronous writes is `share` percent of the link's if one is chosen. `protections` are the acceptable
    values of PLP, empty for any. `budget` is for everything bought, so for both devices of a mirror.
    """

    link: Link | None = None
    share: Decimal = ALL
    mib_s: float | None = None
    gb_a_day: Decimal | None = None
    years: Decimal = Decimal(WARRANTY_YEARS)
    is_mirror: bool = False
    budget: Decimal | None = None
    currency: str = "USD"
    offer: str = ""  # "new" or "used"
    slot: str = ""
    protections: frozenset[str] = frozenset()
    system: str = ""
    least_mib_s: float = field(init=False)  # that is shown like `mib_s`
    log_bytes: int = field(init=False)
    written_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        gbit_s = (
            self.link.gbit_s * self.share / ALL
            if self.link
            else Decimal(self.mib_s or 0) * MEBIBYTE * BITS_A_BYTE / GIGA
        )
        log_bytes = log_size(gbit_s).needed
        written = (self.gb_a_day or 0) * GIGABYTE * DAYS_A_YEAR * self.years
        object.__setattr__(self, "least_mib_s", least_shown_as(self.mib_s or 0))
        object.__setattr__(self, "log_bytes", log_bytes)
        object.__setattr__(self, "written_bytes", int(written))

    @property
    def speed_label(self) -> str:
        if self.link is None:
            return f"{format_number(self.mib_s)} MiB/s"
        return self.link.ethernet if self.share == ALL else f"{_plain(self.share)} % of {self.link.ethernet}"

    @property
    def count(self) -> int:
        """How many devices are bought."""
        return _MIRROR_SIZE if self.is_mirror else 1


@dataclass(frozen=True, slots=True)
class Measured:
    """Who measured the device."""

    unit_count: int
    doubt: str = ""  # why it isn't recommended


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What is known of a product at one capacity."""

    plp: str
    protection_key: str = ""  # of PROTECTIONS, where that isn't `plp`
    launch_year: int | None = None
    capacity_bytes: int | None = None
    form_factors: str = ""
    interface: str = ""
    throughput: Throughput = NOTHING_KNOWN
    claimed_latency_us: float | None = None  # of a write
    written_bytes: int | None = None  # what it is rated for
    written_from_dwpd: Decimal | None = None  # what that is computed from; None if it is stated
    written_most: int | None = None  # what the largest model of its line is rated for
    measured: Measured | None = None
    price: Sighting | None = None
    other_price: Sighting | None = None  # in the condition that isn't wanted

    @property
    def protection(self) -> Protection:
        return PROTECTIONS[self.protection_key or self.plp]

    @property
    def is_last_choice(self) -> bool:
        """Whether better ones come first, whatever the need."""
        limit = self.throughput.limit
        return (
            self.protection.safety is Safety.UNSAFE
            or (limit is not None and limit.mib_s < SLOW_BELOW_MIB_S)
            or (self.launch_year is not None and self.launch_year < OLD_BEFORE)
        )


class Finding(NamedTuple):
    """Whether a criterion is met, and a sentence; `check` names a doubt, or ""."""

    criterion: Criterion
    fit: Fit
    sentence: str
    check: str = ""


def total(option: Option, need: Need) -> Decimal | None:
    """The price of everything bought."""
    return option.price.amount * need.count if option.price else None


def cost_a_year(option: Option, need: Need) -> Decimal | None:
    """The price of everything bought by the years that it lasts at the stated writes, at most LONG_YEARS.

    Without stated writes, by the years that it should last; None without a price, or if its rating isn't known.
    """
    cost, years = total(option, need), need.years
    if need.gb_a_day:
        if option.written_bytes is None:
            return None
        years = min(years_of(option.written_bytes, gb_a_day=need.gb_a_day), Decimal(LONG_YEARS))
    if cost is None or not years:
        return None
    a_year = cost / years
    return a_year.quantize(Decimal("0.01") if a_year < _WHOLE_FROM else Decimal(1))


def judge(option: Option, need: Need) -> dict[Criterion, Fit]:
    """The criteria that aren't known to be met."""
    return {
        criterion: fit
        for criterion, fits in _FITS.items()
        if (fit := fits(option, need)) is not Fit.YES  # most are met
    }


def is_bus_too_slow(bus: Bus | None, need: Need) -> bool:
    """Whether the interface alone rules a product out, whatever is claimed."""
    return bus is not None and bus.mib_s < (need.mib_s or 0)


def _fit_protection(option: Option, need: Need) -> Fit:
    is_accepted = option.plp in need.protections and option.protection.safety is not Safety.UNSAFE
    return Fit.YES if not need.protections or is_accepted else Fit.NO


def check_speed(option: Option, need: Need) -> LinkCheck | None:
    """Whether it keeps up; None if no speed is needed."""
    return check_rate(option.throughput, need.least_mib_s) if need.mib_s else None


def _fit_speed(option: Option, need: Need) -> Fit:
    check = check_speed(option, need)
    return check.fit if check else Fit.YES


def _fit_life(option: Option, need: Need) -> Fit:
    """What the largest model of a line is rated for can rule a smaller one out."""
    most = option.written_most
    if option.written_bytes is None and most is not None and most < need.written_bytes:
        return Fit.NO
    return _at_least(option.written_bytes, need.written_bytes)


def _at_least(offered: float | None, needed: float | None) -> Fit:
    if not needed:
        return Fit.YES
    if offered is None:
        return Fit.UNKNOWN
    return Fit.YES if offered >= needed else Fit.NO


def _fit_form_factor(option: Option, need: Need) -> Fit:
    """Without a chosen slot anything fits but a DIMM, which only some boards support."""
    if need.slot:
        return fit_slot(need.slot, option.form_factors, option.interface).fit
    return Fit.UNKNOWN if is_dimm(option.form_factors, option.interface) else Fit.YES


def _fit_price(option: Option, need: Need) -> Fit:
    cost = total(option, need)
    if need.budget is None:
        return Fit.YES
    if cost is None:
        return Fit.UNKNOWN
    return Fit.YES if cost <= need.budget else Fit.NO


_FITS: dict[Criterion, Callable[[Option, Need], Fit]] = {
    Criterion.PROTECTION: _fit_protection,
    Criterion.SPEED: _fit_speed,
    Criterion.SIZE: lambda option, need: _at_least(option.capacity_bytes, need.log_bytes),
    Criterion.LIFE: _fit_life,
    Criterion.FORM_FACTOR: _fit_form_factor,
    Criterion.PRICE: _fit_price,
}


def explain(option: Option, need: Need) -> list[Finding]:
    """The findings of all criteria that have a sentence."""
    return [
        finding
        for criterion, find in _FINDERS.items()
        if (finding := find(option, need, _FITS[criterion](option, need))) and finding.sentence
    ]


def describe(need: Need) -> list[str]:
    """The requirements, in a few words each."""
    speed = f"{need.speed_label} ({format_number(need.mib_s)} MiB/s)" if need.link else f"{need.speed_label}"
    life = f"{_plain(need.gb_a_day or Decimal(0))} GB a day for {format_years(need.years)}"
    budget = f"up to {format_price(need.budget or Decimal(0), need.currency)}"
    parts = (
        (need.mib_s, speed),
        (need.gb_a_day, life),
        (need.is_mirror, "a mirror of two"),
        (need.budget is not None, budget),
        (need.offer, need.offer),
        (need.slot, SLOTS.get(need.slot, "")),
        (
            need.protections,
            _REQUIRED_KIND.get("".join(sorted(need.protections)), "protected against power loss"),
        ),
        (need.system, need.system),
    )
    return [words for is_needed, words in parts if is_needed]


def explain_one(option: Option, need: Need, criterion: Criterion) -> Finding:
    return _FINDERS[criterion](option, need, _FITS[criterion](option, need))


_REQUIRED_KIND = {"yes": "a protected cache", "by_design": "safe by design"}  # if only one kind is accepted
_OTHER_KIND = {
    "yes": "Protected, but not by design: it has a cache that must survive a power cut",
    "by_design": "Safe by design, without a protected cache",
}


def _find_protection(option: Option, need: Need, fit: Fit) -> Finding:  # noqa: ARG001 - one signature for all
    """Returned even if not required, as it is the first thing to know."""
    safety, sentence, _ = option.protection
    if safety is Safety.SAFE and need.protections and option.plp not in need.protections:
        return Finding(Criterion.PROTECTION, Fit.NO, _OTHER_KIND[option.plp])
    if safety is Safety.SAFE:
        return Finding(Criterion.PROTECTION, Fit.YES, sentence)
    if safety in {Safety.UNPROTECTED, Safety.UNSAFE}:
        return Finding(Criterion.PROTECTION, Fit.NO, sentence)
    return Finding(Criterion.PROTECTION, Fit.UNKNOWN, sentence, "check its power-loss protection")


def _find_speed(option: Option, need: Need, fit: Fit) -> Finding:
    check = check_speed(option, need)
    if check is None:
        facts = "; ".join(option.throughput.facts)
        return Finding(Criterion.SPEED, fit, f"{facts[:1].upper()}{facts[1:]}")
    doubt = "check the throughput" if fit is Fit.UNKNOWN else ""
    if check.is_on_paper and option.throughput.claimed:
        note = option.throughput.claimed.note
        doubt = f"the throughput is a claim{f' (“{note}”)' if note else ''}, not measured sync writes"
    sentence = explain_link(option.throughput, need.mib_s or 0, need.speed_label)
    return Finding(Criterion.SPEED, fit, sentence, doubt)


def _find_size(option: Option, need: Need, fit: Fit) -> Finding:
    if not need.log_bytes:
        return Finding(Criterion.SIZE, fit, "")
    log = f"the log needs at most {format_capacity(need.log_bytes)}"
    if option.capacity_bytes is None:
        return Finding(Criterion.SIZE, fit, f"Capacity unknown: {log}", "check the capacity")
    verb = "Too small" if fit is Fit.NO else "Big enough"
    return Finding(Criterion.SIZE, fit, f"{verb}: {format_capacity(option.capacity_bytes)}, and {log}")


def _find_life(option: Option, need: Need, fit: Fit) -> Finding:
    if option.written_bytes is None:
        return _find_unrated_life(option, need, fit)
    check, price = "", option.price
    if price and price.offer == "used":
        check = f"{'used' if price.stated_condition else 'may be used'}: check how much life is left"
    if not need.gb_a_day:
        gb_a_day = Decimal(option.written_bytes) / (DAYS_A_YEAR * need.years) / GIGABYTE
        written = f"{option.written_bytes / TERABYTE:,.0f} TB of writes{_basis(option)}"
        sentence = f"Rated for {written}: {gb_a_day:,.0f} GB a day for {format_years(need.years)}"
        return Finding(Criterion.LIFE, fit, sentence, check)
    years = years_of(option.written_bytes, gb_a_day=need.gb_a_day)
    short = f", not {_plain(need.years)}" if fit is Fit.NO else ""
    sentence = f"Lasts {format_years(years)} at {_plain(need.gb_a_day)} GB a day{short}{_basis(option)}"
    return Finding(Criterion.LIFE, fit, sentence, check)


def _find_unrated_life(option: Option, need: Need, fit: Fit) -> Finding:
    """Of a capacity without a rating of its own."""
    if not need.gb_a_day:
        return Finding(Criterion.LIFE, fit, "")
    if option.written_most is None:
        return Finding(Criterion.LIFE, fit, "Endurance unknown", "check the endurance (TBW)")
    years = years_of(option.written_most, gb_a_day=need.gb_a_day)
    for_line = f"{format_years(years)} at {_plain(need.gb_a_day)} GB a day, by the largest model’s rating"
    if fit is Fit.NO:
        return Finding(Criterion.LIFE, fit, f"Lasts at most {for_line}, not {_plain(need.years)}")
    return Finding(Criterion.LIFE, fit, f"Endurance unknown: at most {for_line}", "check the endurance (TBW)")


def _basis(option: Option) -> str:
    return f" ({from_drive_writes(option.written_from_dwpd)})" if option.written_from_dwpd else ""


def from_drive_writes(dwpd: Decimal) -> str:
    """What an endurance is computed from: "from 3 drive writes a day"."""
    return f"from {_plain(dwpd)} drive write{'' if dwpd == 1 else 's'} a day"


def format_years(years: Decimal) -> str:
    """ "11 years", "2.1 years", "over 50 years"."""
    if years > LONG_YEARS:
        return f"over {LONG_YEARS} years"
    shown = f"{years:.0f}" if years >= 10 else f"{years:.1f}".removesuffix(".0")
    return f"{shown} year{'' if shown == '1' else 's'}"


def _plain(number: Decimal) -> str:
    return f"{number.normalize():,f}"


def _find_form_factor(option: Option, need: Need, fit: Fit) -> Finding:
    if not need.slot:
        is_doubtful = fit is Fit.UNKNOWN
        sentence, check = (
            ("A DIMM: works only in some servers", "check your board") if is_doubtful else ("", "")
        )
        return Finding(Criterion.FORM_FACTOR, fit, sentence, check)
    slot, forms = SLOTS[need.slot], option.form_factors
    _, check, is_one_of_several = fit_slot(need.slot, forms, option.interface)
    if fit is Fit.UNKNOWN:
        return Finding(Criterion.FORM_FACTOR, fit, f"May not fit {slot}: form factor unknown", check)
    if fit is Fit.NO:
        comes_as = " with ".join(filter(None, [forms, option.interface]))
        return Finding(Criterion.FORM_FACTOR, fit, f"Doesn’t fit {slot}: comes as {comes_as}")
    if is_one_of_several:  # a single part has one form, and nobody states which
        checks = ", ".join(filter(None, ["check that you get the form that fits", check]))
        return Finding(
            Criterion.FORM_FACTOR, Fit.UNKNOWN, f"Fits {slot} in one of its forms: {forms}", checks
        )
    return Finding(Criterion.FORM_FACTOR, fit, f"Fits {slot}: comes as {forms}", check)


def _find_price(option: Option, need: Need, fit: Fit) -> Finding:
    price, cost = option.price, total(option, need)
    if price is None or cost is None:
        kind = f"{need.offer} price" if need.offer else "price"
        check = "check the price" if need.budget else ""
        other = option.other_price
        beside = (
            f"; {format_price(other.amount, other.currency)} {other.offer}, {other.seen}" if other else ""
        )
        hint = ". Used ones usually sell below that: search eBay" if other and need.offer == "used" else ""
        return Finding(
            Criterion.PRICE, Fit.UNKNOWN, f"No known {kind} in {need.currency}{beside}{hint}", check
        )
    amount = format_price(price.amount, price.currency)
    if need.is_mirror:
        amount = f"{_MIRROR_SIZE} × {amount} = {format_price(cost, price.currency)}"
    condition = f" {price.stated_condition}" if price.stated_condition else ", condition not stated"
    sentence = f"{amount}{condition}, {price.seen}"
    if need.budget is not None and fit is Fit.NO:
        sentence = f"{sentence}: {format_price(cost - need.budget, price.currency)} over budget"
    return Finding(Criterion.PRICE, fit, sentence, "" if price.is_fresh else "the price is over a year old")


_FINDERS: dict[Criterion, Callable[[Option, Need, Fit], Finding]] = {
    Criterion.PROTECTION: _find_protection,
    Criterion.SPEED: _find_speed,
    Criterion.SIZE: _find_size,
    Criterion.LIFE: _find_life,
    Criterion.FORM_FACTOR: _find_form_factor,
    Criterion.PRICE: _find_price,
}


def uncertainties(option: Option, need: Need, systems: Collection[str] = ()) -> list[str]:
    """What is uncertain, apart from its findings' checks.

    `systems` are those it was measured on.
    """
    measured = option.measured
    if measured is None:
        return ["no ranked result at this capacity" if option.capacity_bytes else "no ranked result"]
    notes = []
    if measured.doubt:
        notes.append(measured.doubt)
    if need.system and need.system not in systems:
        notes.append(f"not measured on {need.system}")
    return notes
