"""The shortlist in the API, from the same query as the page."""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from parsers.base.device_class import DeviceClass
from results.advice.criteria import Criterion, Need, Option, total
from results.advice.fit import Fit
from results.advice.shortlist import ProductRefusal, Relaxation
from results.api.errors import form_problem
from results.api.parameters import EMPTY_NUMBER
from results.api.records import PLP_PROBABLY, rounded
from results.api.views import ReadEndpoint
from results.core.addresses import address, full_url, with_query
from results.core.forms import NumberField
from results.core.record import Record, Row, Url, field
from results.models.choices import Method, Offer, Plp
from results.shortlist.forms import DEFAULTS, ShortlistForm
from results.shortlist.query import Shortlist, ShortlistSection, find_shortlist

CRITERIA = [criterion.value for criterion in Criterion]
_DESCRIPTIONS = {
    "link_gbit": "the link that carries sync writes, in Gbit/s; not together with mib_s",
    "link_share": "how much of the link is sync writes, in percent; 50 if left out",
    "mib_s": "MiB/s of sync writes, above 0 and up to 100,000",
    "gb_per_day": "GB (10^9 bytes) of sync writes a day",
    "years": "how long it should last; 5 if left out",
    "mirror": "1 for two devices: prices and the budget are for both",
    "budget": "the most that all devices together may cost",
    "currency": "only prices in this currency count; USD if left out",
    "condition": "only prices of new or used devices count; both if left out",
    "form_factor": "the slot that it has to fit; without one, DIMMs are only to check",
    "plp": "power-loss protection; protected (yes or by_design) if left out",
    "platform": "notes which devices weren't measured on this system; rules nothing out",
}


def _or_zero(count: int | None) -> int:
    return count or 0


class FindingRecord(Record):
    """Whether a criterion is met, with a sentence."""

    criterion: str = field("what it is about", choices=CRITERIA)
    fit: str = field("whether it is met, required or not", choices=[fit.value for fit in Fit])
    sentence: str = field("why, for people to read")


class OfferedPriceRecord(Record):
    """The price of one device, as a page showed it: the middle one of twelve months for its capacity and offer."""

    amount: float = field("of one device", to=float)
    currency: str = field("ISO 4217")
    offer: Offer = field("refurbished counts as used, and so does a marketplace price without a condition")
    seen_on: str = field("a date, or the part of it that is known: 2018, 2018-01")
    age: str = field("in words, such as 14 months ago")
    is_fresh: bool = field("whether it is at most a year old")
    source_url: Url = field("the page")


class ShortlistEntryRecord(Record):
    """A measured device or a product on paper, at one capacity, with its reasons."""

    name: str = field("the name people know it by, with the capacity", "name.full")
    url: Url = field("its page", to=full_url)
    device: str | None = field("the slug of the measured device; null on paper", "device.device__slug")
    product: str | None = field("the slug of the product; null if not in the catalogue", "product.slug")
    method: Method | None = field("how it was measured; null on paper", "device.method")
    device_class: DeviceClass = field("its class", lambda entry: (entry.device or entry.product).device_class)
    plp: Plp = field("its power-loss protection", "option.plp")
    plp_probably: bool = field(
        PLP_PROBABLY,
        lambda entry: entry.product is not None and entry.product.is_probably_protected,
    )
    capacity_bytes: int | None = field(
        "the marketed capacity in bytes; null if none is stated", "option.capacity_bytes"
    )
    is_recommended: bool = field("whether it also passes the bar for recommendations")
    throughput_mib_s: float | None = field(
        "at least this many MiB/s: the most measured, or claimed for this exact capacity; null if unknown",
        "option.throughput.mib_s",
        to=rounded,
    )
    is_throughput_measured: bool = field(
        "whether it was measured; false for a claim, which passes on paper only",
        "option.throughput.is_measured",
    )
    unit_count: int = field(
        "how many units were measured; 0 on paper", "option.measured.unit_count", to=_or_zero
    )
    elsewhere_count: int = field(
        "how many of its results were published elsewhere", "device.device__elsewhere_count", to=_or_zero
    )
    written_bytes: int | None = field(
        "the endurance that it is rated for, in bytes; null if not known", "option.written_bytes"
    )
    price: OfferedPriceRecord | None = field("null if none is known in the currency", "option.price")
    total_price: float | None = field("of everything bought; null without a price")
    findings: list[FindingRecord] = field("a sentence for each criterion")
    uncertain: list[str] = field("what is uncertain, in words", to=list)


class ShortlistSectionRecord(Record):
    """The best of a list; the counts include entries that aren't shown."""

    count: int = field("how many fit")
    entries: list[ShortlistEntryRecord] = field("the first of those that fit")
    to_check_count: int = field("how many may fit, but lack a figure")
    to_check: list[ShortlistEntryRecord] = field("the first of those that may fit: check before buying")


class RefusalRecord(Record):
    """A product that doesn't fit, with one reason."""

    product: str = field("its slug")
    name: str = field("its name")
    url: Url = field("its page")
    capacity_bytes: int | None = field(
        "the capacity that comes nearest, in bytes; null if none is known", "option.capacity_bytes"
    )
    criterion: str = field("what it fails", "reason.criterion", choices=CRITERIA)
    reason: str = field("why, for people to read", "reason.sentence")


class RelaxationRecord(Record):
    """A single constraint to give up, and what that buys."""

    criterion: str = field("what to give up", choices=CRITERIA)
    sentence: str = field("how, and what that buys")
    product: str = field("the slug of what it buys")
    capacity_bytes: int | None = field(
        "its marketed capacity in bytes; null if not known", "option.capacity_bytes"
    )
    url: Url = field("the same request without the constraint")


class ShortlistRecord(Record):
    """What fits a need, what may, and why popular products don't."""

    headline: str = field("how many fit, in words")
    count: int = field("how many devices and products fit")
    needed_mib_s: float | None = field(
        "MiB/s of sync writes that it has to take; null for any speed", "need.mib_s", to=rounded
    )
    log_bytes: int = field(
        "the most log it has to hold, in bytes, as /guide/how-big/ calculates it; 0 without a link",
        "need.log_bytes",
    )
    written_bytes: int = field(
        "bytes written to it over all its years; 0 without gb_per_day", "need.written_bytes"
    )
    measured: ShortlistSectionRecord = field(
        "devices: measured throughput before claimed, then newer prices first, then leaderboard order"
    )
    on_paper: ShortlistSectionRecord = field("by total price, recent ones first, unknown ones last")
    near_misses: list[RefusalRecord] = field("ruled out by speed or by size alone, the closest first")
    why_not: list[RefusalRecord] = field("popular products that don't fit")
    relaxations: list[RelaxationRecord] = field("if nothing fits: what to give up, never safety")
    unknown_protection_count: int = field("products left out because no source states their protection")


def _parameters() -> Iterable[OpenApiParameter]:
    for name, shown in ShortlistForm.base_fields.items():
        if isinstance(shown, NumberField):
            schema: dict[str, Any] = {
                "type": "number",
                "minimum": float(shown.least),
                "maximum": float(shown.most),
            }
        else:
            choices: Any = shown
            schema = {"type": "string", "enum": [value for value, _ in choices.choices if value]}
        if name in DEFAULTS:
            default = DEFAULTS[name]
            schema["default"] = float(default) if schema["type"] == "number" else default
        yield OpenApiParameter(name, schema, description=_DESCRIPTIONS[name])


class ShortlistEndpoint(ReadEndpoint):
    """What to buy: devices and products that fit, and why popular ones don't."""

    operation_id = "shortlist"
    query = tuple(_parameters())
    record = ShortlistRecord

    def find(self) -> Row:
        given = self.request.query_params
        stated = {name: given[name] for name in ShortlistForm.base_fields if name in given}
        form = ShortlistForm({**DEFAULTS, **stated})
        empty = [
            name for name, value in stated.items() if not value and isinstance(form.fields[name], NumberField)
        ]
        if empty:
            raise ValidationError({name: [EMPTY_NUMBER] for name in empty})
        if not form.is_valid():
            raise form_problem(form)
        return _record(find_shortlist(form.need()), stated)


def _record(found: Shortlist, stated: dict[str, str]) -> Row:
    return ShortlistRecord.of(
        found,
        measured=_section(found.measured, found.need),
        on_paper=_section(found.on_paper, found.need),
        near_misses=[_refusal(refusal, found) for refusal in found.near_misses],
        why_not=[_refusal(refusal, found) for refusal in found.why_not],
        relaxations=[_relaxation(relaxation, found, stated) for relaxation in found.relaxations],
    )


def _section(section: ShortlistSection, need: Need) -> Row:
    entries, to_check = (
        [ShortlistEntryRecord.of(entry, total_price=_price(entry.option, need)) for entry in shown]
        for shown in (section.entries, section.to_check)
    )
    return ShortlistSectionRecord.of(section, entries=entries, to_check=to_check)


def _price(option: Option, need: Need) -> float | None:
    price = total(option, need)
    return None if price is None else float(price)


def _refusal(refusal: ProductRefusal, found: Shortlist) -> Row:
    product = found.products[refusal.candidate.id]
    url = full_url(address("product", product.slug))
    return RefusalRecord.of(refusal, product=product.slug, name=product.drive_name.short, url=url)


def _relaxation(relaxation: Relaxation, found: Shortlist, stated: dict[str, str]) -> Row:
    url = full_url(with_query(address("api-shortlist"), **{**stated, **relaxation.changes}))
    return RelaxationRecord.of(relaxation, product=found.products[relaxation.candidate.id].slug, url=url)
