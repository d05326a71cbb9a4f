"""Queries of comparisons: devices, their conditions, and suggestions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Min, Q
from django.db.models.functions import Coalesce

from results.advice.comparison import compare_conditions
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
from results.compare.conditions import device_conditions
from results.core.addresses import address
from results.core.drive_names import DriveName
from results.core.subject import drive_name, product_name
from results.kinds.curve.metrics import stored_metric
from results.kinds.layers import DEVICE_ITSELF, FIO, where_written
from results.kinds.metric import Median
from results.kinds.registry import RANKED_METHODS, SYNC_WRITE_METHODS, SYNC_WRITES
from results.kinds.series.figures import Row, newest_sustained
from results.models import Claim, Device, DeviceRanking, Product, Result
from results.models.choices import Board, ClaimQuantity, Method
from results.models.fact import is_about
from results.ranking.boards import ends_by_class
from results.ranking.standing import span_of
from results.ranking.ties import METHOD_FACTOR, Ends, Place, find_place


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
class ComparedDevice:
    """A device with its facts, ranking and place, None if it isn't ranked, and what else is known of its speed.

    A product that nobody has measured is a device that isn't stored, with the product's name and slug, and with the
    facts of all of its capacities. `unranked` begins with what is most like a ranked result.
    """

    device: Device
    ranking: DeviceRanking | None = None
    place: Place | None = None
    conditions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    factor: float = METHOD_FACTOR  # between methods
    unranked: Sequence[Unranked] = ()
    claims: Sequence[Claim] = ()  # about its speed, as far as they are about its capacity
    ratings: Sequence[Claim] = ()  # about its product's endurance
    sustained: Row | None = None  # its newest result with sustained IOPS, by results.kinds.series.figures

    @property
    def method(self) -> str:
        return self.ranking.method if self.ranking else ""

    @property
    def is_product(self) -> bool:
        return self.device.pk is None

    @property
    def drive_name(self) -> DriveName:
        product = self.device.product
        return product_name(product) if product and self.is_product else drive_name(self.device)

    @property
    def name(self) -> str:
        """With its capacity, as in titles and sentences."""
        return self.drive_name.full

    @property
    def path(self) -> str:
        return address("product" if self.is_product else "device", self.device.slug)

    @property
    def through_file_system(self) -> Unranked | None:
        """Its results through a file system by a single writer, if it has any."""
        found = (row for row in self.unranked if row.layer is not None and row.latency_us)
        return next((row for row in found if (row.writers or 1) == 1), None)

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


class Difference(NamedTuple):
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
    aliased = Device.objects.shown().filter(aliases__slug__in=others).values_list("aliases__slug", "slug")
    current = {slug: slug for slug in known} | (dict(aliased) if others else {})
    return {slug: current.get(slug, "") for slug in requested}


def compare_devices(slugs: Sequence[str], *, method: str = "") -> list[ComparedDevice]:
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
    for_row = {"method": method} if method else {"is_main": True}
    rows = DeviceRanking.objects.filter(board=Board.SYNC_WRITE, device__in=stored, **for_row)
    rankings = {row.device_id: row for row in rows}
    unranked = _unranked(stored, rankings)
    claims = _claims(devices.values())
    sustained = _sustained(devices.values())
    ends = ends_by_class(Board.SYNC_WRITE, *{device.device_class for device in stored})
    found = []
    for device in map(devices.__getitem__, slugs):
        ranking, for_class = rankings.get(device.pk), ends.get(device.device_class, Ends())
        stated = [claim for claim in claims if claim.product_id == device.product_id]
        compared = ComparedDevice(
            device,
            ranking,
            find_place(for_class, span_of(ranking)) if ranking and ranking.is_main else None,
            device_conditions(device, ranking),
            for_class.factor,
            unranked.get(device.pk, ()),
            [claim for claim in stated if claim.quantity in SPEED_CLAIMS and _is_of_capacity(claim, device)],
            [claim for claim in stated if claim.quantity in RATINGS],
            sustained.get(device.slug),
        )
        found.append(compared)
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
    results = Result.objects.published().filter(
        device__in=ids, method__in=SYNC_WRITE_METHODS, is_ranked=False, copy_of=None
    )
    results = results.exclude(device__in=rankings, method__in=RANKED_METHODS)
    rows = results.values_list(
        "device_id", "method", "file_sync__layer", "writers", "not_ranked_reason"
    ).annotate(
        typical=Median(Coalesce(*map(stored_metric, SYNC_WRITES))),
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
    stored = {device.pk for device in devices if device.pk}
    products = {device.product_id for device in devices if not device.pk}
    found: dict[str, Row] = {}
    rows = newest_sustained(Q(device__in=stored) | Q(device__product__in=products))
    for device in devices:
        key, value = ("device_id", device.pk) if device.pk else ("device__product_id", device.product_id)
        if row := next((row for row in rows if row[key] == value), None):
            found[device.slug] = row
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


def _is_of_capacity(claim: Claim, device: Device) -> bool:
    """Whether it is a claim for the device's capacity or the entire line."""
    return device.pk is None or is_about(claim.capacity_bytes, device.capacity_bytes)


_DIFFERING = {
    "method": "method",
    "write_cache": "write cache",
    "systems": "operating system",
    "controllers": "controller",
    "sync_methods": "sync method",
    "data_contents": "data written",
    "patterns": "order of writes",
    "page_caches": "page cache",
    "hbas": "HBA",
}


def find_differences(compared: Sequence[ComparedDevice]) -> list[Difference]:
    """The conditions for which the ranked runs, and those that stand in for them, state more than one value."""
    ways = {drive.device.slug: {"path": drive.path_of_writes} for drive in compared if drive.path_of_writes}
    runs = {
        drive.device.slug: {"method": Method(drive.method).label, **drive.conditions}
        for drive in compared
        if drive.ranking
    }
    found = [
        Difference(row.label, dict(zip(stated, row.stated, strict=True)))
        for stated, labels in ((ways, {"path": "path of the writes"}), (runs, _DIFFERING))
        for row in compare_conditions(list(stated.values()), labels)
        if row.differs
    ]
    # Only owners can state both
    controller = next((row.stated for row in found if row.condition == "controller"), None)
    return [row for row in found if row.condition != "HBA" or row.stated != controller]


def has_one_method(compared: Iterable[ComparedDevice]) -> bool:
    """Whether one method measured all of them."""
    return len({drive.method for drive in compared if drive.ranking}) < 2
