"""Queries of comparisons: devices, their conditions, and suggestions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Min, Q
from django.db.models.functions import Coalesce

from results.catalogue.endurance import RATINGS
from results.catalogue.product_facts import (
    DEVICES,
    FACTS,
    PRODUCTS,
    FactCell,
    ProductFact,
    expressions,
    fact_cells,
)
from results.core.addresses import address
from results.core.drive_names import drive_name
from results.core.formats import format_device
from results.core.subject import short_name
from results.core.systems import system_of
from results.kinds.file_sync.kind import FILE_SYNC, Median, where_written
from results.kinds.file_sync.models import DEVICE_ITSELF
from results.kinds.file_sync.read import FIO
from results.kinds.latency_curve.metrics import ranked_metric, stored_metric
from results.kinds.registry import LATENCY_METHODS
from results.kinds.sustained.on_device import Row, newest_sustained
from results.models import Claim, Device, DeviceRanking, Product, Result
from results.models.choices import PAGE_CACHE, Board, ClaimQuantity, DataContent, Method, Pattern
from results.models.device import of_device
from results.models.fact import is_about
from results.ranking.boards import ends_by_class
from results.ranking.conditions import CONDITION_VALUES
from results.ranking.recommend import best_of_each_class
from results.ranking.standing import main_rows, span_of
from results.ranking.ties import METHOD_FACTOR, Ends, Place, find_place

_INSTANCE = re.compile(r"([a-z][a-z_-]{1,20})\d{1,3}")  # mps0 and mps1 are one driver
# Owners' wording, by the first word
_CACHE_STATES = {"on": "enabled", "enabled": "enabled", "off": "disabled", "disabled": "disabled"}


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a device's ranked runs were measured, each value once; empty if unknown.

    The owner's statement applies where the text states nothing. Only owners name an HBA.
    """

    systems: tuple[str, ...] = ()
    write_cache: tuple[str, ...] = ()
    controllers: tuple[str, ...] = ()
    hbas: tuple[str, ...] = ()
    firmware_versions: tuple[str, ...] = ()
    sync_methods: tuple[str, ...] = ()
    data_contents: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    page_caches: tuple[str, ...] = ()


def stated_conditions(device: Device, ranking: DeviceRanking) -> Conditions:
    """The conditions of the device's ranked runs by the row's method."""
    stated = device.condition_values.get(ranking.method, {})
    every = {name: stated.get(name, ()) for name in CONDITION_VALUES}
    return Conditions(
        systems=_unique(map(system_of, every["platforms"])),
        write_cache=_unique(map(cache_state, every["caches"])),
        controllers=_unique(map(driver_of, every["attachments"])),
        hbas=_unique(every["hbas"]),
        firmware_versions=_unique(every["versions"]),
        sync_methods=_unique(every["sync_methods"]),
        data_contents=_unique(DataContent(one).label for one in every["contents"]),
        patterns=_unique(Pattern(one).label for one in every["patterns"]),
        page_caches=_unique(map(PAGE_CACHE.get, every["direct"])),
    )


def cache_state(stated: str | None) -> str | None:
    words = re.findall(r"[a-z]+", (stated or "").lower())
    return _CACHE_STATES.get(words[0]) if words else None


def driver_of(attachment: str) -> str:
    """The driver without its instance number; an owner's wording unchanged."""
    match = _INSTANCE.fullmatch(attachment)
    return match[1] if match else attachment


def _unique(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))


@dataclass(frozen=True, slots=True)
class Resolved:
    """Requested slugs as devices' current slugs, without duplicates.

    A device without published results counts as unknown.
    """

    slugs: tuple[str, ...]
    unknown: tuple[str, ...]


class UnknownDevicesError(Exception):
    """Devices that don't exist, or were merged or withdrawn a moment ago."""

    def __init__(self, resolved: Resolved) -> None:
        super().__init__(", ".join(resolved.unknown))
        self.resolved = resolved


@dataclass(frozen=True, slots=True)
class Unranked:
    """Results of a device that aren't ranked, by one method, through one layer and for one reason.

    `latency_us` is the median of their sync writes, of 4 KiB on the device itself; None without any.
    """

    method: str
    layer: str | None  # None on the device itself
    writers: int | None
    reason: str
    latency_us: float | None
    result_count: int
    newest: str  # public id
    digits: int | None  # the fewest of the figures that the latencies are computed from

    @property
    def where(self) -> str:
        return "through a file system" if self.layer == "" else where_written(self.layer or DEVICE_ITSELF)


@dataclass(frozen=True, slots=True)
class Compared:
    """A device with its facts, ranking and place, None if it isn't ranked, and what else is known of its speed.

    A product that nobody has measured is a device that isn't stored, with the product's name and slug, and with the
    facts of all of its capacities. `unranked` begins with what is most like a ranked result.
    """

    device: Device
    ranking: DeviceRanking | None = None
    place: Place | None = None
    conditions: Conditions = field(default_factory=Conditions)
    factor: float = METHOD_FACTOR  # between methods
    unranked: Sequence[Unranked] = ()
    claims: Sequence[Claim] = ()  # about its speed, as far as they are about its capacity
    ratings: Sequence[Claim] = ()  # about its product's endurance
    sustained: Row | None = (
        None  # its newest result with sustained IOPS, by results.kinds.sustained.on_device
    )

    @property
    def method(self) -> str:
        return self.ranking.method if self.ranking else ""

    @property
    def is_product(self) -> bool:
        return self.device.pk is None

    @property
    def short_name(self) -> str:
        """As people call it, without its capacity."""
        product = self.device.product
        if product and self.is_product:
            return drive_name(product.vendor.name, product.name)
        return short_name(self.device)

    @property
    def name(self) -> str:
        return format_device(self.short_name, self.device.capacity_bytes)

    @property
    def path(self) -> str:
        return address("product" if self.is_product else "device", self.device.slug)

    @property
    def through_file_system(self) -> Unranked | None:
        """Its results through a file system by a single writer, if it has any."""
        found = (one for one in self.unranked if one.layer is not None and one.latency_us)
        return next((one for one in found if (one.writers or 1) == 1), None)

    @property
    def path_of_writes(self) -> str:
        """Where its figure was measured: "to the device itself", "through ext4"; empty without one."""
        if self.ranking:
            return where_written(DEVICE_ITSELF)
        shown = self.through_file_system or next(iter(self.unranked), None)
        return shown.where if shown else ""

    def fact(self, fact: ProductFact, today: date) -> FactCell:
        """A fact of its product, for its capacity."""
        (cell,) = fact_cells(vars(self.device), [fact], DEVICES, today)
        return cell


@dataclass(frozen=True, slots=True)
class Difference:
    """A condition in which the runs differ, and what they state by slug, or ""."""

    condition: str
    stated: Mapping[str, str]


def resolve_devices(slugs: Iterable[str]) -> Resolved:
    """Resolve slugs to devices, in order. One query, two if any may be an alias."""
    resolved = current_slugs(slugs)
    return Resolved(
        slugs=tuple(dict.fromkeys(slug for slug in resolved.values() if slug)),
        unknown=tuple(slug for slug, found in resolved.items() if not found),
    )


def current_slugs(slugs: Iterable[str]) -> dict[str, str]:
    """The current slug of each device by the requested one, in order; empty for unknown ones. One or two queries."""
    requested = list(dict.fromkeys(slugs))
    known = set(Device.objects.shown().filter(slug__in=requested).values_list("slug", flat=True))
    others = [slug for slug in requested if slug not in known]
    merged = _merged(others) if others else {}
    return {slug: slug if slug in known else merged.get(slug, "") for slug in requested}


def _merged(slugs: Sequence[str]) -> dict[str, str]:
    devices = Device.objects.shown().filter(aliases__slug__in=slugs)
    return dict(devices.values_list("aliases__slug", "slug"))


def compare_devices(slugs: Sequence[str], *, method: str = "") -> list[Compared]:
    """Load devices in this order, each with its main row, or with that by `method`; only main rows have places.

    A slug of no device is a product's. Six queries, seven with products. Raises UnknownDevicesError for slugs of
    neither.
    """
    shown = Device.objects.shown().filter(slug__in=slugs).select_related("product__vendor")
    shown = shown.annotate(**expressions(FACTS.values(), DEVICES))
    devices = {device.slug: device for device in shown}
    if others := [slug for slug in slugs if slug not in devices]:
        devices |= _unmeasured(others)
    if unknown := tuple(slug for slug in slugs if slug not in devices):
        raise UnknownDevicesError(Resolved(tuple(slug for slug in slugs if slug in devices), unknown))
    stored = [device for device in devices.values() if device.pk]
    rankings = _rankings(stored, method)
    unranked = _unranked(stored, rankings)
    claims = _claims(devices.values())
    sustained = _sustained(devices.values())
    ends = ends_by_class(Board.SYNC_WRITE, *{device.device_class for device in stored})
    found = []
    for slug in slugs:
        device = devices[slug]
        ranking = rankings.get(device.pk)
        place = _place(ranking, ends) if ranking and ranking.is_main else None
        of_class = ends.get(device.device_class, Ends())
        found.append(
            Compared(
                device,
                ranking,
                place,
                stated_conditions(device, ranking) if ranking else Conditions(),
                of_class.factor,
                unranked.get(device.pk, ()),
                [one for one in claims if one.quantity in SPEED_CLAIMS and is_claim_about(one, device)],
                [one for one in claims if one.quantity in RATINGS and one.product_id == device.product_id],
                sustained.get(device.slug),
            )
        )
    return found


def _unmeasured(slugs: Sequence[str]) -> dict[str, Device]:
    """Products as devices that aren't stored, with the facts of their capacities. One query."""
    products = Product.objects.filter(slug__in=slugs).select_related("vendor")
    found = {}
    for product in products.annotate(**expressions(FACTS.values(), PRODUCTS)):
        device = Device(slug=product.slug, model_name=product.full_name, product=product)
        added = {name: value for name, value in vars(product).items() if name not in vars(device)}
        vars(device).update(added, device_class=product.device_class)
        found[product.slug] = device
    return found


def _unranked(devices: Iterable[Device], rankings: Mapping[int, DeviceRanking]) -> dict[int, list[Unranked]]:
    """By device; of a ranked one only what was written through a file system. One query."""
    ids = [device.pk for device in devices]
    through = Q(device__in=ids, method__in=FILE_SYNC.methods)
    on_device = Q(device__in=[pk for pk in ids if pk not in rankings], method__in=LATENCY_METHODS)
    results = Result.objects.published().filter(through | on_device, is_ranked=False, copy_of=None)
    latency_us = Coalesce(stored_metric("file_sync_us"), stored_metric(ranked_metric(Board.SYNC_WRITE).key))
    rows = results.values_list(
        "device_id", "method", "file_sync__layer", "writers", "not_ranked_reason"
    ).annotate(
        typical=Median(latency_us),
        count=Count("pk"),
        newest=Max("public_id"),
        digits=Min("submission__figure_digits"),
    )
    found: dict[int, list[Unranked]] = {}
    for device_id, *row in sorted(rows, key=_likeness):
        found.setdefault(device_id, []).append(Unranked(*row))
    return found


def _sustained(devices: Iterable[Device]) -> dict[str, Row]:
    """By slug; of a product that of any of its devices. One query."""
    stored = {one.pk for one in devices if one.pk}
    products = {one.product_id for one in devices if not one.pk}
    found: dict[str, Row] = {}
    rows = newest_sustained(Q(device__in=stored) | Q(device__product__in=products))
    for one in devices:
        key, value = ("device_id", one.pk) if one.pk else ("device__product_id", one.product_id)
        if row := next((row for row in rows if row[key] == value), None):
            found[one.slug] = row
    return found


def _likeness(row: Sequence[Any]) -> tuple[Any, ...]:
    """Sorts what is most like a ranked result first: on the device, single writers, by fio, of most results."""
    _, method, layer, writers, reason, latency_us, count, *_ = row
    return (
        latency_us is None,
        layer is not None,
        writers or 1,
        method != FIO,
        -count,
        method,
        layer or "",
        reason,
    )


SPEED_CLAIMS = (
    ClaimQuantity.WRITE_LATENCY,
    ClaimQuantity.WRITE_LATENCY_QD1,
    ClaimQuantity.RANDOM_WRITE_QD1,
    ClaimQuantity.RANDOM_WRITE_STEADY,
    ClaimQuantity.RANDOM_WRITE,
    ClaimQuantity.SEQUENTIAL_WRITE,
)


def _claims(devices: Iterable[Device]) -> list[Claim]:
    """Claims about the speed and endurance of their products, those for one capacity first. One query."""
    ids = {device.product_id for device in devices if device.product_id}
    claims = Claim.objects.filter(
        product__in=ids, quantity__in=(*SPEED_CLAIMS, *RATINGS), value__isnull=False
    )
    return list(claims.order_by(F("capacity_bytes").asc(nulls_last=True), "stated_by", "-value", "pk"))


def is_claim_about(claim: Claim, device: Device) -> bool:
    """Whether it is a claim for the device's product, and for its capacity or the entire line."""
    is_of_capacity = device.pk is None or is_about(claim.capacity_bytes, device.capacity_bytes)
    return claim.product_id == device.product_id and is_of_capacity


def find_differences(compared: Sequence[Compared]) -> list[Difference]:
    """The conditions for which the ranked runs, and those that stand in for them, state more than one value."""
    ranked = [one for one in compared if one.ranking]
    by_condition: dict[str, dict[str, tuple[str, ...]]] = {
        "path of the writes": {
            one.device.slug: (one.path_of_writes,) for one in compared if one.path_of_writes
        },
        "method": {one.device.slug: (Method(one.method).label,) for one in ranked},
        "write cache": {one.device.slug: one.conditions.write_cache for one in ranked},
        "operating system": {one.device.slug: one.conditions.systems for one in ranked},
        "controller": {one.device.slug: one.conditions.controllers for one in ranked},
        "sync method": {one.device.slug: one.conditions.sync_methods for one in ranked},
        "data written": {one.device.slug: one.conditions.data_contents for one in ranked},
        "order of writes": {one.device.slug: one.conditions.patterns for one in ranked},
        "page cache": {one.device.slug: one.conditions.page_caches for one in ranked},
        "HBA": {one.device.slug: one.conditions.hbas for one in ranked},
    }
    if by_condition["HBA"] == by_condition["controller"]:  # both are stated by owners alone
        del by_condition["HBA"]
    return [
        Difference(condition, {slug: " and ".join(values) for slug, values in stated.items()})
        for condition, stated in by_condition.items()
        if len({value.casefold() for values in stated.values() for value in values}) > 1
    ]


def has_one_method(compared: Iterable[Compared]) -> bool:
    """Whether one method measured all of them."""
    return len({one.method for one in compared if one.ranking}) < 2


def _rankings(devices: Iterable[Device], method: str) -> dict[int, DeviceRanking]:
    """The ranking to compare by, per device."""
    rankings = DeviceRanking.objects.filter(board=Board.SYNC_WRITE, device__in=devices)
    rankings = rankings.filter(method=method) if method else rankings.filter(is_main=True)
    return {ranking.device_id: ranking for ranking in rankings}


def _place(ranking: DeviceRanking, ends: Mapping[str, Ends]) -> Place:
    of_class = ends.get(ranking.device_class, Ends())
    return find_place(of_class, span_of(ranking))


MOST_SUGGESTED = 60
_FIELDS = (
    *of_device("slug", "model_name", "product__vendor__name", "product__name", "capacity_bytes"),
    *("device_class", "method", "score", "low", "high", "unit_count", "assumed_spread", "digits"),
)


class Rival(NamedTuple):
    """A ranked device with its interval."""

    slug: str
    model_name: str
    vendor: str | None
    line: str | None
    capacity_bytes: int | None
    device_class: str
    method: str
    score: float
    low: float
    high: float
    unit_count: int
    assumed_spread: bool
    digits: int | None

    @property
    def name(self) -> str:
        """As people call it, without its capacity."""
        return drive_name(self.vendor, self.line, self.model_name)

    @property
    def full_name(self) -> str:
        return format_device(self.name, self.capacity_bytes)


def suggest_devices(device_class: str, *, except_slugs: Iterable[str]) -> list[Rival]:
    """The best ranked devices of a class, or of all if empty. One query."""
    rankings = main_rows().exclude(device__slug__in=except_slugs)
    if device_class:
        rankings = rankings.filter(device_class=device_class)
    rows = rankings.order_by("high", "device_id").values_list(*_FIELDS)
    return [Rival(*row) for row in rows[:MOST_SUGGESTED]]


def best_of_classes(count: int) -> dict[str, list[Rival]]:
    """The best recommended devices of each class, best first. Two queries."""
    keys = best_of_each_class(count)
    rows = DeviceRanking.objects.filter(pk__in=keys).values_list("pk", *_FIELDS)
    rivals = {key: Rival(*row) for key, *row in rows}
    found: dict[str, list[Rival]] = {}
    for rival in (rivals[key] for key in keys if key in rivals):
        found.setdefault(rival.device_class, []).append(rival)
    return found


def most_measured(count: int) -> list[Rival]:
    """The devices with most units, lowest worse end first on ties. One query."""
    rankings = main_rows().order_by("-unit_count", "high", "device_id")
    return [Rival(*row) for row in rankings.values_list(*_FIELDS)[:count]]
