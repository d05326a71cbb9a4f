"""The card of a drive: what a shopper compares at a glance, the same wherever it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from parsers.base.device_class import DeviceClass
from results.advice.criteria import Criterion, Need, Option, explain_one, total
from results.advice.fit import Fit
from results.advice.form_factor import drawn_form
from results.advice.link import LINKS, Chip, Throughput, check_link
from results.charts.scale import speed_scale
from results.core.drive_names import DriveName
from results.core.formats import format_price
from results.core.prices import CardPrice
from results.models.choices import Badge, Plp, plp_badge

_ANY = Need()
MAX_CHIPS = 5  # links, up to 25 GbE
_STATES = {Fit.YES: ("carried", "yes"), Fit.NO: ("too-slow", "no"), Fit.UNKNOWN: ("unknown", "not known")}


def link_chips(throughput: Throughput) -> list[Chip]:
    """The context of templates/results/parts/links.html."""
    chips = []
    for link in LINKS[:MAX_CHIPS]:
        check = check_link(throughput, link.mib_s)
        state, meaning = ("on-paper", "on paper") if check.is_on_paper else _STATES[check.fit]
        chips.append(Chip(f"{link.gbit_s}", state, f"{link.ethernet}: {meaning}"))
    return chips


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveCard:
    """What parts/card.html shows of a drive: itself, and what one option of it costs and carries."""

    name: DriveName  # with the capacity of the option
    url: str
    device_class: str
    option: Option
    need: Need = _ANY
    plp_statements: Sequence[Mapping[str, str]] = ()
    form_factors: str = ""  # of the line, which its page draws; else those of the capacity are
    latency_us: float | None = None  # of 4 KiB, measured
    digits: int | None = None
    no_latency: str = "Speed not measured"
    origin: str = ""  # "published elsewhere", or ""
    sentence: str = ""

    @property
    def class_label(self) -> str:
        return DeviceClass(self.device_class).label

    @property
    def form(self) -> str:
        """The key of its drawing; "" without one."""
        return drawn_form(self.form_factors or self.option.form_factors, self.device_class)

    @property
    def has_capacitors(self) -> bool:
        return self.option.plp == Plp.YES

    @property
    def plp(self) -> Badge:
        return plp_badge(self.option.plp, self.plp_statements)

    @property
    def links(self) -> list[Chip]:
        return link_chips(self.option.throughput)

    @property
    def fastest(self) -> Chip | None:
        """The fastest link that it carries, at least on paper."""
        return next((link for link in reversed(self.links) if link.state in {"carried", "on-paper"}), None)

    @property
    def scale(self) -> SafeString:
        """Its speed on the scale that all cards share, hatched if it is only claimed."""
        return speed_scale(self.latency_us, claimed_us=self.option.claimed_latency_us)

    @property
    def price(self) -> CardPrice | None:
        price, cost = self.option.price, total(self.option, self.need)
        if price is None or cost is None:
            return None
        condition = price.stated_condition or "condition not stated"
        note = ", ".join([*(["for two"] if self.need.is_mirror else []), condition, price.seen])
        return CardPrice(
            format_price(cost, price.currency), note, is_old=not price.is_fresh, source_url=price.source_url
        )

    @property
    def no_price(self) -> str:
        """What is shown instead of one."""
        return explain_one(self.option, self.need, Criterion.PRICE).sentence
