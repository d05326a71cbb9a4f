"""Check drives from a seller's output or a listing: oddities, life left, prices. Stores nothing."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice, ParsedPaste
from parsers.classify.rules import StandIn
from results.advice.criteria import Need
from results.advice.lifetime import DAYS_A_YEAR
from results.catalogue.matching.names import normalize_name
from results.catalogue.prices import Price, PriceSummary, Sighting, load_sightings, summarize
from results.catalogue.protection import (
    Safety,
    find_safety,
    instead_url,
    product_protection,
)
from results.catalogue.purchase_options import CLAIMS_READ, ClaimRow, Facts, group_facts, product_rows
from results.core.formats import format_capacity, format_hours, format_origin
from results.kinds.envelope import UnnamedDeviceError
from results.kinds.refused import NO_DEVICE
from results.models import Caveat, Claim, Device, Firmware, Product
from results.models.choices import Offer, Plp, State
from results.models.fact import is_about
from results.ranking.standing import find_figures
from results.used_drive.drives import (
    Drive,
    ProductName,
    Stated,
    find_drive,
    read_drive,
)
from results.used_drive.life import Life, find_life
from results.used_drive.oddities import Finding, Known, Tone, find_oddities
from results.used_drive.offer import Asked, cost_per_tb, judge_price
from results.used_drive.part_numbers import capacities_in_name, capacities_of_part_number
from results.used_drive.similar import SimilarDevice, measured_devices
from results.used_drive.verdict import find_verdict

MOST_DRIVES = 20  # a page; each costs a few queries
_ABOUT_DRIVES = frozenset({*StandIn, "usb_bridge"})  # codes of notices
_HOURS_A_YEAR = 24 * DAYS_A_YEAR


class Plan(NamedTuple):
    """What the buyer would write and pay; None if not stated."""

    gb_a_day: Decimal | None = None
    price: Price | None = None


class PriceOfLife(NamedTuple):
    """A price seen, and what it is per TB of writes; "" if unknown."""

    seen: PriceSummary
    per_tb: str


@dataclass(frozen=True, slots=True)
class CheckedDrive:
    """The context of templates/results/used_drive/drive.html; "" if unknown.

    `capacities` are the possible ones, if there are several.
    """

    name: str
    class_label: str
    firmware: str
    product_name: str
    product_url: str
    verdict: Finding
    findings: Sequence[Finding]
    safety: Safety
    facts: Mapping[str, str]  # by label
    capacities: Sequence[str]
    ranking_text: str
    device_url: str
    origin: str
    similar: Sequence[SimilarDevice]
    instead_url: str
    asked: Asked | None
    prices: Sequence[PriceOfLife]
    caveats: Sequence[Caveat]


@dataclass(frozen=True, slots=True)
class Checked:
    """The checked drives; `notices` are about what could not be checked.

    `may_be` has the products that a name may mean; if `is_similar`, those with a similar name.
    """

    drives: Sequence[CheckedDrive]
    notices: Sequence[Notice] = ()
    may_be: Sequence[ProductName] = ()
    is_similar: bool = False


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """What is stored for the products of the drives, by product."""

    products: Mapping[int, Product]
    facts: Mapping[int, Facts]
    sightings: Mapping[int, Sequence[Sighting]]
    caveats: Mapping[int, Sequence[Caveat]]
    measured: Mapping[int, Sequence[SimilarDevice]]


def check_paste(paste: ParsedPaste, stated: Stated, plan: Plan, *, today: date) -> Checked:
    """Check the drives of a paste. Four queries, six per drive and one per product.

    What a single drive's output lacks is taken from the listing.
    """
    drives: list[Drive] = []
    notices: list[Notice] = []
    described = [one for one in paste.devices if one.smartctl is not None]
    for paired in described[:MOST_DRIVES]:
        try:
            drives.append(read_drive(paired, paste))
        except UnnamedDeviceError as error:
            notices.append(_unnamed(error.notice))
    if len(described) > MOST_DRIVES:
        notices.append(Notice("too_many_drives", f"We checked the first {MOST_DRIVES} drives only."))
    if len(drives) == 1:
        otherwise = drives[0].states_otherwise(stated)
        if otherwise:
            notices.append(
                Notice("stated_otherwise", f"We used the {' and '.join(otherwise)} from the output.")
            )
        drives = [drives[0].completed(stated)]
    elif len(drives) > 1 and (stated != Stated() or plan.price):
        notices.append(Notice("several_drives", _several(len(drives), plan)))
    warnings = [one for one in paste.warnings if one.code in _ABOUT_DRIVES]
    return Checked(_check_all(drives, plan, today), [*warnings, *notices])


def check_named(name: str, stated: Stated, plan: Plan, *, today: date, product_slug: str = "") -> Checked:
    """Check the drive that a listing names. Nothing is checked if the name fits several products."""
    found = find_drive(name, stated, product_slug=product_slug)
    is_open = bool(found.may_be) and not found.is_similar
    drives = [] if is_open else _check_all([found.drive], plan, today)
    return Checked(drives, may_be=found.may_be, is_similar=found.is_similar)


def _several(count: int, plan: Plan) -> str:
    """How a listing applies to several drives."""
    price = " The asking price is applied to each." if plan.price else ""
    return f"This text covers {count} drives, so we used only what it says about each.{price}"


def _check_all(drives: Sequence[Drive], plan: Plan, today: date) -> list[CheckedDrive]:
    catalogue = _load_catalogue({one.product_id for one in drives if one.product_id}, today)
    return [_check(one, catalogue, plan, today) for one in drives]


def _unnamed(notice: Notice) -> Notice:
    if notice.code != NO_DEVICE:
        return notice
    message = "This part names no drive: paste the information section of smartctl -x as well."
    return Notice(notice.code, message, notice.line)


def _load_catalogue(product_ids: Collection[int], today: date) -> _Catalogue:
    by_id = Product.objects.select_related("vendor").in_bulk(product_ids)
    claims = Claim.objects.filter(product__in=by_id, quantity__in=CLAIMS_READ)
    sightings: dict[int, list[Sighting]] = defaultdict(list)
    for one in load_sightings(by_id):
        sightings[one.product_id].append(one)
    caveats: dict[int, list[Caveat]] = defaultdict(list)
    for caveat in Caveat.objects.filter(product__in=by_id).order_by("kind", "summary"):
        caveats[caveat.product_id].append(caveat)
    return _Catalogue(
        products=by_id,
        facts=group_facts(
            product_rows(Product.objects.filter(pk__in=by_id)),
            (ClaimRow(*row) for row in claims.values_list(*ClaimRow._fields)),
            [one for some in sightings.values() for one in some],
            need=Need(),
            today=today,
        ),
        sightings=sightings,
        caveats=caveats,
        measured={pk: measured_devices(product) for pk, product in by_id.items()},
    )


def _check(drive: Drive, catalogue: _Catalogue, plan: Plan, today: date) -> CheckedDrive:
    reading, device = drive.reading, drive.device
    key = drive.product_id or 0
    product = catalogue.products.get(key)
    facts = catalogue.facts.get(key)
    caveats = catalogue.caveats.get(key, [])
    capacities = _capacities(drive, facts)
    life = find_life(reading, capacities or [None], facts, plan.gb_a_day)
    seen = _prices_of(catalogue.sightings.get(key, []), capacities)
    comparable = [one for one in seen if one.shown.capacity_bytes or (facts and len(facts.capacities) < 2)]
    asked = judge_price(plan.price, comparable, life, today) if plan.price else None
    figures = find_figures(device) if device.pk else None
    findings = find_oddities(reading, drive.capacity_bytes, _known(device, facts, caveats))
    verdict = find_verdict(
        findings, product.plp if product else Plp.UNKNOWN, product_protection(product), life, asked
    )
    is_ranked = figures is not None and figures.ranking is not None
    return CheckedDrive(
        name=drive.name,
        class_label=DeviceClass(drive.device_class).label,
        firmware=reading.firmware_version or "",
        product_name=product.full_name if product else "",
        product_url=product.get_absolute_url() if product else "",
        verdict=verdict,
        findings=findings,
        safety=find_safety(product),
        facts=dict([*_sold_as(drive.device.model_name, product), *_facts(drive, life)]),
        capacities=[] if life.is_of_one else [format_capacity(one) for one in capacities],
        ranking_text=figures.summary if figures and is_ranked else "",
        device_url=device.get_absolute_url() if is_ranked else "",
        origin=format_origin(device.elsewhere_count, device.result_count) if is_ranked else "",
        similar=[
            one
            for one in catalogue.measured.get(key, [])
            if not (is_ranked and one.url == device.get_absolute_url())
        ],
        instead_url="" if verdict.tone == Tone.INFO else instead_url(product),
        asked=asked,
        prices=[_price(one, life) for one in _used_first(seen)],
        caveats=[one for one in caveats if not one.fixed_in_firmware],
    )


def _capacities(drive: Drive, facts: Facts | None) -> Sequence[int]:
    """The capacities that the drive may have: its own, those that its name states, or all of its product's."""
    if drive.capacity_bytes is not None:
        return [drive.capacity_bytes]
    stated = facts.capacities if facts else []
    name = drive.device.model_name
    return capacities_in_name(name, stated) or capacities_of_part_number(name) or stated


def _known(device: Device, facts: Facts | None, caveats: Sequence[Caveat]) -> Known:
    """What is known of such drives. One query if the device was measured here."""
    versions: set[str] = set()
    if device.pk and device.result_count:
        of_device = Firmware.objects.filter(device=device, results__submission__state=State.PUBLISHED)
        versions = set(of_device.values_list("version", flat=True))
    return Known(
        link=facts.product.bus if facts else None,
        capacities=facts.capacities if facts else (),
        caveats=caveats,
        firmware_versions=versions,
        result_count=device.result_count if versions else 0,
    )


def _sold_as(name: str, product: Product | None) -> Iterator[tuple[str, str]]:
    """What the drive is, if others sell it under this name."""
    sold_as = product.oem_names if product else []
    if product and normalize_name(name) in {normalize_name(one["name"]) for one in sold_as}:
        yield "Sold as", f"{name}: a server maker’s name for the {product.full_name}"


def _facts(drive: Drive, life: Life) -> Iterator[tuple[str, str]]:
    reading = drive.reading
    wear = "" if reading.wear_percent is None else f"{reading.wear_percent} %"
    if wear and reading.wear_source:
        wear = f"{wear} (from {reading.wear_source})"
    stated = {
        "Power-on hours": _hours(drive.power_on_hours),
        "Written so far": format_capacity(reading.host_bytes_written),
        "Wear": wear,
        "Wear, as printed": f"{reading.raw_wear} (we don’t know what this vendor means by it)"
        if reading.raw_wear
        else "",
        "Life left": life.in_words(),
        "At your writes": life.years_in_words(),
    }
    return ((label, value) for label, value in stated.items() if value)


def _hours(hours: int | None) -> str:
    if hours is None:
        return "not stated; ask for smartctl -x"
    years = hours / _HOURS_A_YEAR
    return f"{format_hours(hours)}, {years:.1f} years" if years >= 1 else format_hours(hours)


def _prices_of(sightings: Sequence[Sighting], capacities: Collection[int]) -> list[PriceSummary]:
    """The prices seen for these capacities or the whole line; all prices without capacities."""
    return summarize(
        one
        for one in sightings
        if not capacities or any(is_about(one.capacity_bytes, capacity) for capacity in capacities)
    )


def _used_first(seen: Sequence[PriceSummary]) -> list[PriceSummary]:
    """Used before new, the newest first."""
    return sorted(seen, key=lambda one: (one.offer != Offer.USED, -one.shown.counted_on.toordinal()))


def _price(seen: PriceSummary, life: Life) -> PriceOfLife:
    """A used one costs this per TB that this drive has left, a new one per TB of its rating."""
    shown, is_used = seen.shown, seen.offer == Offer.USED
    writes = life.left_of(shown.capacity_bytes) if is_used else life.rated_of(shown.capacity_bytes)
    per_tb = cost_per_tb(Price(shown.price, shown.currency), writes)
    of = "of writes left" if is_used else "of its rating"
    return PriceOfLife(seen, f"{per_tb} per TB {of}" if per_tb else "")
