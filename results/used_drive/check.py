"""Check drives from a seller's output or a listing: oddities, life left, prices. Stores nothing."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

from django.db.models import Exists, OuterRef

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice, ParsedPaste
from parsers.classify.rules import StandIn
from results.advice.criteria import Need
from results.advice.lifetime import DAYS_A_YEAR
from results.catalogue.matching.names import normalize_name
from results.catalogue.prices import Price, PriceSummary, load_sightings_of, summarize
from results.catalogue.protection import Safety, find_safety, instead_url, product_protection
from results.catalogue.purchase_options import Facts, find_facts, row_of, with_launch_year
from results.core.formats import format_capacity, format_hours, format_origin
from results.core.prices import Sighting
from results.kinds.envelope import UnnamedDeviceError
from results.kinds.refused import NO_DEVICE
from results.models import Caveat, Firmware, Product, Result
from results.models.choices import Offer, Plp, State, strongest_first
from results.models.fact import is_about
from results.ranking.standing import find_figures
from results.submissions.intake.parse import parse_text
from results.submissions.intake.receive import check_size
from results.used_drive.drives import Listing, ProductName, UsedDrive, find_drive, read_drive
from results.used_drive.life import Life, find_life
from results.used_drive.oddities import Finding, KnownFacts, Tone, find_oddities
from results.used_drive.offer import JudgedPrice, cost_per_tb, judge_price
from results.used_drive.part_numbers import possible_capacities
from results.used_drive.similar import SimilarDevice, measured_devices
from results.used_drive.verdict import find_verdict

MAX_DRIVES = 20  # a page; each costs a few queries
_NOT_TEXT = frozenset({"binary", "too_large", "too_many_lines"})  # nothing could be read
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
    """A drive and what is known of it; the properties are for templates/results/used_drive/drive.html, "" if unknown.

    `own` is its device if that was measured, `similar` are those of its product, without it if it is ranked.
    `caveats` are all of its product's, `sources` the addresses of what is stated about it.
    """

    drive: UsedDrive
    product: Product | None
    verdict: Finding
    findings: Sequence[Finding]
    life: Life
    own: SimilarDevice | None
    similar: Sequence[SimilarDevice]
    judged_price: JudgedPrice | None
    prices: Sequence[PriceOfLife]
    caveats: Sequence[Caveat]
    sources: Sequence[str]

    @property
    def name(self) -> str:
        return self.drive.name

    @property
    def class_label(self) -> str:
        return DeviceClass(self.drive.device_class).label

    @property
    def firmware(self) -> str | None:
        return self.drive.reading.firmware_version

    @property
    def safety(self) -> Safety:
        return find_safety(self.product)

    @property
    def facts(self) -> Mapping[str, str]:
        """What is known, by labels."""
        return _facts(self.drive, self.product, self.life)

    @property
    def capacities(self) -> Sequence[str]:
        """The possible ones, if there are several."""
        if self.life.is_of_one:
            return []
        return [format_capacity(capacity) for capacity in sorted(self.life.capacities)]

    @property
    def is_ranked(self) -> bool:
        return self.own is not None and self.own.score is not None

    @property
    def ranking_text(self) -> str:
        """Its place and figure. Two queries if it is ranked."""
        return find_figures(self.drive.device).summary if self.is_ranked else ""

    @property
    def device_url(self) -> str:
        return self.drive.device.get_absolute_url()

    @property
    def origin(self) -> str:
        return format_origin(self.drive.device.elsewhere_count, self.drive.device.result_count)

    @property
    def instead_url(self) -> str:
        return "" if self.verdict.tone == Tone.INFO else instead_url(self.product)

    @property
    def open_caveats(self) -> Sequence[Caveat]:
        """Those that no firmware fixes; of the others there are findings."""
        return [caveat for caveat in self.caveats if not caveat.fixed_in_firmware]


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
    """What is stored for the drives, by product; firmware versions with published results by device."""

    products: Mapping[int, Product]
    facts: Mapping[int, Facts]
    sightings: Mapping[int, Sequence[Sighting]]
    caveats: Mapping[int, Sequence[Caveat]]
    measured: Sequence[SimilarDevice]
    firmware_versions: Mapping[int, Collection[str]]


def read_output(raw: str | bytes) -> ParsedPaste:
    """What a drive's tools printed, nvme-cli's JSON too; raises PasteTooLongError and ReadingError."""
    check_size(raw)
    return parse_text(raw, reads_nvme_cli=True)


def why_not(paste: ParsedPaste, checked: Checked) -> list[Notice]:
    """Why no drive could be checked; empty if nothing in the text describes one."""
    return [*(warning for warning in paste.warnings if warning.code in _NOT_TEXT), *checked.notices]


def check_paste(paste: ParsedPaste, stated: Listing, plan: Plan, *, lists_similar: bool = True) -> Checked:
    """Check the drives of a paste. Seven queries, and up to eight per drive.

    What a single drive's output lacks is taken from the listing.
    """
    drives: list[UsedDrive] = []
    notices: list[Notice] = []
    described = [device for device in paste.devices if device.smartctl is not None]
    for paired in described[:MAX_DRIVES]:
        try:
            drives.append(read_drive(paired, paste))
        except UnnamedDeviceError as error:
            notices.append(_unnamed(error.notice))
    if len(described) > MAX_DRIVES:
        notices.append(Notice("too_many_drives", f"We checked the first {MAX_DRIVES} drives only."))
    if len(drives) == 1:
        otherwise = drives[0].states_otherwise(stated)
        if otherwise:
            notices.append(
                Notice("stated_otherwise", f"We used the {' and '.join(otherwise)} from the output.")
            )
        drives = [drives[0].completed(stated)]
    elif len(drives) > 1 and (stated != Listing() or plan.price):
        notices.append(Notice("several_drives", _several(len(drives), plan)))
    warnings = [warning for warning in paste.warnings if warning.code in _ABOUT_DRIVES]
    checked = check_drives(drives, plan, lists_similar=lists_similar)
    return Checked(checked, [*warnings, *notices])


def check_named(name: str, stated: Listing, plan: Plan, *, product_slug: str = "") -> Checked:
    """Check the drive that a listing names. Nothing is checked if the name fits several products."""
    found = find_drive(name, stated, product_slug=product_slug)
    is_open = bool(found.may_be) and not found.is_similar
    drives = [] if is_open else check_drives([found.drive], plan)
    return Checked(drives, may_be=found.may_be, is_similar=found.is_similar)


def _several(count: int, plan: Plan) -> str:
    """How a listing applies to several drives."""
    price = " The asking price is applied to each." if plan.price else ""
    return f"This text covers {count} drives, so we used only what it says about each.{price}"


def check_drives(
    drives: Sequence[UsedDrive], plan: Plan, *, lists_similar: bool = True
) -> list[CheckedDrive]:
    """Check drives. Six queries.

    Without `lists_similar`, only drives that nobody measured get the measured devices of their products.
    """
    catalogue = _load_catalogue(drives, lists_similar=lists_similar)
    return [_check(drive, catalogue, plan) for drive in drives]


def _unnamed(notice: Notice) -> Notice:
    if notice.code != NO_DEVICE:
        return notice
    message = "This part names no drive: paste the information section of smartctl -x as well."
    return Notice(notice.code, message, notice.line)


def _load_catalogue(drives: Collection[UsedDrive], *, lists_similar: bool) -> _Catalogue:
    product_ids = {drive.product_id for drive in drives if drive.product_id}
    device_ids = {drive.device.pk for drive in drives if drive.is_measured}
    with_similar = {
        drive.product_id for drive in drives if drive.product_id and (lists_similar or not drive.is_measured)
    }
    by_id = with_launch_year(Product.objects.select_related("vendor")).in_bulk(product_ids)
    rows = [row_of(product) for product in by_id.values()]
    sightings: dict[int, list[Sighting]] = defaultdict(list)
    for sighting in load_sightings_of({row.id: row.fact_launch_year for row in rows}):
        sightings[sighting.product_id].append(sighting)
    caveats: dict[int, list[Caveat]] = defaultdict(list)
    for caveat in Caveat.objects.filter(product__in=by_id).order_by("kind", "summary"):
        caveats[caveat.product_id].append(caveat)
    published = Result.objects.filter(firmware=OuterRef("pk"), submission__state=State.PUBLISHED)
    versions: dict[int, set[str]] = defaultdict(set)
    firmwares = Firmware.objects.filter(Exists(published), device__in=device_ids)
    for device_id, version in firmwares.values_list("device_id", "version"):
        versions[device_id].add(version)
    return _Catalogue(
        products=by_id,
        facts=find_facts(rows, by_id, chain.from_iterable(sightings.values()), Need()),
        sightings=sightings,
        caveats=caveats,
        measured=measured_devices(with_similar, device_ids),
        firmware_versions=versions,
    )


def _check(drive: UsedDrive, catalogue: _Catalogue, plan: Plan) -> CheckedDrive:
    reading, device, key = drive.reading, drive.device, drive.product_id or 0
    product, facts = catalogue.products.get(key), catalogue.facts.get(key)
    caveats = catalogue.caveats.get(key, [])
    capacities = _capacities(drive, product, facts)
    life = find_life(reading, capacities or [None], facts, plan.gb_a_day)
    seen = _prices_of(catalogue.sightings.get(key, []), capacities)
    seen.sort(key=lambda price: (price.offer != Offer.USED, -price.shown.counted_on.toordinal()))
    comparable = [
        summary for summary in seen if summary.shown.capacity_bytes or (facts and len(facts.capacities) < 2)
    ]
    judged_price = judge_price(plan.price, comparable, life) if plan.price else None
    versions = catalogue.firmware_versions.get(device.pk or 0, ())
    known = KnownFacts(
        link=facts.product.bus if facts else None,
        capacities=facts.capacities if facts else (),
        caveats=caveats,
        firmware_versions=versions,
        result_count=device.result_count if versions else 0,
    )
    findings = find_oddities(reading, drive.capacity_bytes, known)
    own = next((other for other in catalogue.measured if other.id == device.pk), None)
    of_product = [other for other in catalogue.measured if key and other.product_id == key]
    plp, protection = product.plp if product else Plp.UNKNOWN, product_protection(product)
    return CheckedDrive(
        drive=drive,
        product=product,
        verdict=find_verdict(findings, plp, protection, life, judged_price),
        findings=findings,
        life=life,
        own=own,
        similar=[other for other in of_product if other is not own or own.score is None],
        judged_price=judged_price,
        prices=[_price(summary, life) for summary in seen],
        caveats=caveats,
        sources=_sources(product, facts, caveats),
    )


def _sources(product: Product | None, facts: Facts | None, caveats: Sequence[Caveat]) -> list[str]:
    """The addresses of what is stated about the protection, the rating and the problems, each once."""
    if product is None or facts is None:
        return []
    statements = [statement["url"] for statement in strongest_first(product.plp_statements)]
    return list(
        dict.fromkeys([*statements, *facts.rating_sources, *(caveat.source_url for caveat in caveats)])
    )


def _capacities(drive: UsedDrive, product: Product | None, facts: Facts | None) -> Collection[int]:
    """The capacities that the drive may have: its own, or those that its name and its product allow."""
    if drive.capacity_bytes is not None:
        return [drive.capacity_bytes]
    called = (product.name, *product.aliases) if product else ()
    return possible_capacities(drive.device.model_name, called, facts.capacities if facts else ())


def _facts(drive: UsedDrive, product: Product | None, life: Life) -> dict[str, str]:
    """What is known, by labels; first what the drive is, if others sell it under its name."""
    reading, name, sold_as = drive.reading, drive.device.model_name, ""
    oem_names = {normalize_name(entry["name"]) for entry in product.oem_names} if product else set()
    if product and normalize_name(name) in oem_names:
        sold_as = f"{name}: a server maker’s name for the {product.full_name}"
    wear = "" if reading.wear_percent is None else f"{reading.wear_percent} %"
    if wear and reading.wear_source:
        wear = f"{wear} (from {reading.wear_source})"
    stated = {
        "Sold as": sold_as,
        "Power-on hours": _hours(drive.power_on_hours),
        "Written so far": format_capacity(reading.host_bytes_written),
        "Wear": wear,
        "Wear, as printed": f"{reading.raw_wear} (we don’t know what this vendor means by it)"
        if reading.raw_wear
        else "",
        "Life left": life.in_words(),
        "At your writes": life.years_in_words(),
    }
    return {label: value for label, value in stated.items() if value}


def _hours(hours: int | None) -> str:
    if hours is None:
        return "not stated; ask for smartctl -x"
    years = hours / _HOURS_A_YEAR
    return f"{format_hours(hours)}, {years:.1f} years" if years >= 1 else format_hours(hours)


def _prices_of(sightings: Sequence[Sighting], capacities: Collection[int]) -> list[PriceSummary]:
    """The prices seen for these capacities or the whole line; all prices without capacities."""
    return summarize(
        sighting
        for sighting in sightings
        if not capacities or any(is_about(sighting.capacity_bytes, capacity) for capacity in capacities)
    )


def _price(seen: PriceSummary, life: Life) -> PriceOfLife:
    """A used one costs this per TB that this drive has left, a new one per TB of its rating."""
    shown, is_used = seen.shown, seen.offer == Offer.USED
    writes = life.writes_of(shown.capacity_bytes, is_left=is_used)
    per_tb = cost_per_tb(shown, writes)
    of = "of writes left" if is_used else "of its rating"
    return PriceOfLife(seen, f"{per_tb} per TB {of}" if per_tb else "")
