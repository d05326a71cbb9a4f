"""Check the drives of a paste: oddities, life left, prices. Stores nothing."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice, PairedDevice, ParsedPaste, SmartctlReading
from parsers.base.units import TERABYTE
from parsers.classify.rules import StandIn
from parsers.descriptions import description_of
from results.advice.criteria import Need
from results.advice.lifetime import DAYS_A_YEAR, LONG_YEARS, LifeLeft, life_left, lifetime, years_of
from results.catalogue.claims import is_same_capacity
from results.catalogue.devices import look_up_device
from results.catalogue.options import CLAIMS_READ, ClaimRow, Facts, ProductRow, group_facts
from results.catalogue.page import measured_devices
from results.catalogue.price_section import summary_row
from results.catalogue.prices import PriceSummary, Sighting, load_sightings, summarize
from results.catalogue.protection import safety_context, source_link
from results.core.formats import format_capacity, format_hours, format_origin, format_price
from results.kinds.base import NO_DEVICE
from results.kinds.envelope import Run, UnnamedDeviceError, describe_device
from results.models import Caveat, Claim, Device, Firmware, Product
from results.models.choices import PROTECTED, Method, Offer, Plp, State
from results.ranking.standing import device_name, find_figures, in_a_sentence
from results.used_drive.oddities import Finding, Known, Tone, find_oddities

MOST_DRIVES = 20  # a page; each costs a few queries
_ABOUT_DRIVES = frozenset({*StandIn, "usb_bridge"})  # codes of notices
_HOURS_A_YEAR = 24 * DAYS_A_YEAR
_UNKNOWN_PROTECTION = (
    "We don’t know whether it is protected against power loss. Find out before you use it as a SLOG."
)
_NO_RED_FLAGS = "No red flags in this output."


@dataclass(frozen=True, slots=True)
class CheckedDrive:
    """The context of templates/results/used_drive/drive.html; "" if unknown."""

    name: str
    class_label: str
    firmware: str
    product_name: str
    product_url: str
    verdict: Finding
    findings: Sequence[Finding]
    safety: Mapping[str, Any]
    facts: Sequence[Mapping[str, str]]
    ranking_text: str
    device_url: str
    origin: str
    similar: Sequence[Mapping[str, Any]]
    prices: Sequence[Mapping[str, Any]]
    caveats: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Checked:
    """The drives of a paste; `notices` are about what could not be checked."""

    drives: Sequence[CheckedDrive]
    notices: Sequence[Notice]


@dataclass(frozen=True, slots=True)
class _Drive:
    reading: SmartctlReading
    run: Run
    device: Device


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """What is stored for the products of a paste, by product."""

    products: Mapping[int, Product]
    facts: Mapping[int, Facts]
    sightings: Mapping[int, Sequence[Sighting]]
    caveats: Mapping[int, Sequence[Caveat]]
    measured: Mapping[int, Sequence[Mapping[str, Any]]]


def check_drives(paste: ParsedPaste, *, gb_a_day: Decimal | None, today: date) -> Checked:
    """Check the drives. Four queries, six per drive and one per product."""
    drives: list[_Drive] = []
    notices: list[Notice] = []
    described = [one for one in paste.devices if one.smartctl is not None]
    for paired in described[:MOST_DRIVES]:
        try:
            drives.append(_find_drive(paired, paste))
        except UnnamedDeviceError as error:
            notices.append(_unnamed(error.notice))
    if len(described) > MOST_DRIVES:
        notices.append(Notice("too_many_drives", f"We checked the first {MOST_DRIVES} drives only."))
    catalogue = _load_catalogue({one.device.product_id for one in drives if one.device.product_id}, today)
    checked = [_check(one, catalogue, gb_a_day, today) for one in drives]
    return Checked(checked, [*(one for one in paste.warnings if one.code in _ABOUT_DRIVES), *notices])


def _unnamed(notice: Notice) -> Notice:
    if notice.code != NO_DEVICE:
        return notice
    message = "This part names no drive: paste the information section of smartctl -x as well."
    return Notice(notice.code, message, notice.line)


def _find_drive(paired: PairedDevice, paste: ParsedPaste) -> _Drive:
    """Find the drive's device; raises UnnamedDeviceError."""
    reading = description_of(paired, paste.readings)
    if reading is None:
        raise TypeError("no description of a drive")
    described = describe_device(paired, paste, line=reading.first_line)
    run = Run(method=Method.DISKINFO, is_complete=False, **described)
    return _Drive(reading, run, look_up_device(run))


def _load_catalogue(product_ids: Collection[int], today: date) -> _Catalogue:
    by_id = Product.objects.select_related("vendor").in_bulk(product_ids)
    rows = Product.objects.filter(pk__in=by_id).values_list(*ProductRow._fields)
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
            [ProductRow(*row) for row in rows],
            (ClaimRow(*row) for row in claims.values_list(*ClaimRow._fields)),
            [one for some in sightings.values() for one in some],
            need=Need(),
            today=today,
        ),
        sightings=sightings,
        caveats=caveats,
        measured={pk: measured_devices(product) for pk, product in by_id.items()},
    )


def _check(drive: _Drive, catalogue: _Catalogue, gb_a_day: Decimal | None, today: date) -> CheckedDrive:
    run, device = drive.run, drive.device
    key = device.product_id or 0
    product = catalogue.products.get(key)
    facts = catalogue.facts.get(key)
    caveats = catalogue.caveats.get(key, [])
    left = _life_left(run, facts)
    figures = find_figures(device) if device.pk else None
    safety = safety_context(product)
    findings = find_oddities(drive.reading, run.capacity_bytes, _known(device, facts, caveats))
    verdict = _verdict(findings, safety)
    is_ranked = figures is not None and figures.ranking is not None
    return CheckedDrive(
        name=device_name(device),
        class_label=DeviceClass(run.device_class).label,
        firmware=run.firmware_version,
        product_name=product.full_name if product else "",
        product_url=product.get_absolute_url() if product else "",
        verdict=verdict,
        findings=[one for one in findings if one is not verdict],
        safety=safety,
        facts=_facts(drive, left, gb_a_day),
        ranking_text=figures.summary if figures and is_ranked else "",
        device_url=device.get_absolute_url() if is_ranked else "",
        origin=format_origin(device.elsewhere_count, device.result_count) if is_ranked else "",
        similar=[
            one
            for one in catalogue.measured.get(key, [])
            if not (is_ranked and one["url"] == device.get_absolute_url())
        ],
        prices=_prices(catalogue.sightings.get(key, []), run.capacity_bytes, left, today),
        caveats=[
            {"kind": one.get_kind_display(), "summary": one.summary, "source": source_link(one.source_url)}
            for one in caveats
            if not one.fixed_in_firmware
        ],
    )


def _known(device: Device, facts: Facts | None, caveats: Sequence[Caveat]) -> Known:
    """What is known of such drives. One query if the device was measured here."""
    versions: set[str] = set()
    if device.pk and device.result_count:
        of_device = Firmware.objects.filter(device=device, results__submission__state=State.PUBLISHED)
        versions = set(of_device.values_list("version", flat=True))
    return Known(
        capacities=facts.capacities if facts else (),
        caveats=caveats,
        firmware_versions=versions,
        result_count=device.result_count if versions else 0,
    )


def _life_left(run: Run, facts: Facts | None) -> LifeLeft | None:
    rated = None
    if facts and run.capacity_bytes is not None:
        rated = facts.option(facts.marketed(run.capacity_bytes)).written_bytes
    return life_left(rated, host_bytes_written=run.host_bytes_written, wear_percent=run.wear_percent)


def _verdict(findings: Sequence[Finding], safety: Mapping[str, Any]) -> Finding:
    """The worst finding if it is bad, else whether it is a safe SLOG."""
    if findings and findings[0].tone == Tone.BAD:
        return findings[0]
    if safety["value"] == Plp.UNKNOWN:
        return Finding(Tone.WARN, _UNKNOWN_PROTECTION)
    if safety["value"] not in PROTECTED:
        label = in_a_sentence(safety["label"])
        return Finding(Tone.WARN, f"Not a safe SLOG, based on the data we have: {label}.")
    if findings and findings[0].tone == Tone.WARN:
        return Finding(Tone.WARN, "Protected against power loss, but check what is listed below first.")
    return Finding(Tone.INFO, f"{_NO_RED_FLAGS} It is protected against power loss.")


def _facts(drive: _Drive, left: LifeLeft | None, gb_a_day: Decimal | None) -> list[dict[str, str]]:
    run = drive.run
    wear = "" if run.wear_percent is None else f"{run.wear_percent} %"
    if wear and run.wear_source:
        wear = f"{wear} (from {run.wear_source})"
    stated = {
        "Power-on hours": _hours(run.power_on_hours),
        "Written so far": format_capacity(run.host_bytes_written),
        "Wear": wear,
        "Wear, as printed": f"{run.raw_wear} (we don’t know what this vendor means by it)"
        if run.raw_wear
        else "",
        "Life left": _life_in_words(left),
        "At your writes": _years_in_words(left, gb_a_day),
    }
    return [{"label": label, "value": value} for label, value in stated.items() if value]


def _hours(hours: int | None) -> str:
    if hours is None:
        return "not in this output; ask for smartctl -x"
    years = hours / _HOURS_A_YEAR
    return f"{format_hours(hours)}, {years:.1f} years" if years >= 1 else format_hours(hours)


def _life_in_words(left: LifeLeft | None) -> str:
    if left is None:
        return "unknown: we need an endurance rating or the wear, and the bytes written"
    return f"about {format_capacity(left.bytes_left)} of writes: {left.basis}"


def _years_in_words(left: LifeLeft | None, gb_a_day: Decimal | None) -> str:
    if left is None or not left.bytes_left:
        return ""
    if gb_a_day is None:
        a_day = lifetime(left.bytes_left, a_day_bytes=1).a_day_bytes
        return f"lasts five years at {format_capacity(a_day)} a day"
    years = years_of(left.bytes_left, gb_a_day=gb_a_day)
    lasts = f"over {LONG_YEARS} years" if years > LONG_YEARS else f"{years:.1f} years"
    return f"lasts {lasts} at {gb_a_day.normalize():f} GB a day"


def _prices(
    sightings: Iterable[Sighting], capacity_bytes: int | None, left: LifeLeft | None, today: date
) -> list[dict[str, Any]]:
    """Prices of this capacity, used before new, with the cost per TB of writes left."""
    about = [
        one
        for one in sightings
        if one.capacity_bytes is None or is_same_capacity(one.capacity_bytes, capacity_bytes)
    ]
    summaries = sorted(
        summarize(about), key=lambda one: (one.offer != Offer.USED, not one.newest.is_fresh(today))
    )
    return [{**summary_row(one, today), "per_tb": _per_tb(one, left)} for one in summaries]


def _per_tb(one: PriceSummary, left: LifeLeft | None) -> str:
    if left is None or not left.bytes_left:
        return ""
    amount = one.newest.price * TERABYTE / left.bytes_left
    return format_price(amount.quantize(Decimal("0.01")), one.newest.currency)
