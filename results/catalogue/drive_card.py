"""The card of a drive: what a shopper compares at a glance, the same wherever it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from parsers.base.device_class import DeviceClass
from results.advice.criteria import Criterion, Need, Option, explain_one, format_money, total
from results.advice.fit import Fit
from results.advice.form_factor import drawn_form
from results.advice.link import LINKS, Throughput, check_link
from results.charts.scale import speed_scale
from results.core.formats import format_capacity
from results.models.choices import Plp, plp_badge

MOST_CHIPS = 5  # links, up to 25 GbE
_STATES = {Fit.YES: ("carried", "yes"), Fit.NO: ("too-slow", "no"), Fit.UNKNOWN: ("unknown", "not known")}


@dataclass(frozen=True, slots=True)
class Chip:
    """Whether a drive carries a link: "carried", "on-paper", "too-slow" or "unknown"."""

    gbit_s: str
    state: str
    meaning: str


def link_chips(throughput: Throughput) -> list[Chip]:
    """The context of templates/results/parts/links.html."""
    chips = []
    for link in LINKS[:MOST_CHIPS]:
        check = check_link(throughput, link.mib_s)
        state, meaning = ("on-paper", "on paper") if check.is_on_paper else _STATES[check.fit]
        chips.append(Chip(f"{link.gbit_s}", state, f"{link.ethernet}: {meaning}"))
    return chips


@dataclass(frozen=True, slots=True)
class CardPrice:
    """The price of everything bought: "$550", "for two, new, seen 1 month ago", and where it was seen."""

    text: str
    note: str
    source_url: str
    is_old: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveCard:
    """The context of templates/results/parts/card.html."""

    name: str  # without the capacity
    url: str
    capacity: str  # "" if none is known, or if the name has it
    class_label: str
    part_number: str
    form: str  # the key of its drawing; "" without one
    has_capacitors: bool
    plp: Mapping[str, str]
    latency_us: float | None  # of 4 KiB, measured
    claimed_us: float | None  # of a write
    digits: int | None
    no_latency: str  # instead of one
    origin: str  # "published elsewhere", or ""
    links: Sequence[Chip]
    price: CardPrice | None
    no_price: str  # instead of one
    sentence: str

    @property
    def full_name(self) -> str:
        return f"{self.name} {self.capacity}".rstrip()

    @property
    def fastest(self) -> Chip | None:
        """The fastest link that it carries, at least on paper."""
        return next((one for one in reversed(self.links) if one.state in {"carried", "on-paper"}), None)

    @property
    def scale(self) -> SafeString:
        """Its speed on the scale that all cards share, hatched if it is only claimed."""
        return mark_safe(speed_scale(self.latency_us, claimed_us=self.claimed_us))  # noqa: S308 - nothing in it is typed


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Which drive a card is about: what an Option doesn't know."""

    name: str
    url: str
    device_class: str
    plp_statements: Sequence[Mapping[str, str]] = ()
    form_factors: str = ""  # of the line, which its page draws; else those of the capacity are
    part_number: str = ""
    latency_us: float | None = None
    digits: int | None = None
    no_latency: str = "Speed not measured"
    origin: str = ""


def drive_card(shown: Shown, option: Option, need: Need, sentence: str) -> DriveCard:
    capacity = format_capacity(option.capacity_bytes)
    return DriveCard(
        name=shown.name,
        url=shown.url,
        capacity="" if capacity.replace(" ", "") in shown.name.replace(" ", "") else capacity,
        class_label=DeviceClass(shown.device_class).label,
        part_number=shown.part_number,
        form=drawn_form(shown.form_factors or option.form_factors, shown.device_class),
        has_capacitors=option.plp == Plp.YES,
        plp=plp_badge(option.plp, shown.plp_statements),
        latency_us=shown.latency_us,
        claimed_us=option.claimed_latency_us,
        digits=shown.digits,
        no_latency=shown.no_latency,
        origin=shown.origin,
        links=link_chips(option.throughput),
        price=_price(option, need),
        no_price=explain_one(option, need, Criterion.PRICE).sentence,
        sentence=sentence,
    )


def _price(option: Option, need: Need) -> CardPrice | None:
    price, cost = option.price, total(option, need)
    if price is None or cost is None:
        return None
    notes = [*(["for two"] if need.is_mirror else []), price.condition or "condition not stated", price.seen]
    return CardPrice(
        format_money(cost, price.currency),
        ", ".join(notes),
        price.source_url,
        is_old=not price.is_fresh,
    )
