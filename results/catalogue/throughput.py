"""What is known about the throughput of devices and product lines, and which keep up with a rate.

results.advice.link judges it; the conditions here select the same rows in SQL.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db.models import Aggregate, F, FloatField, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Greatest
from django.db.models.lookups import GreaterThanOrEqual

from parsers.base.device_class import DeviceClass
from parsers.base.units import MEBIBYTE, MEGABYTE
from results.advice.link import Bus, Claimed, Reached, Throughput
from results.core.formats import least_shown_as
from results.kinds.curve.ladder import ladder_results
from results.kinds.curve.metrics import stored_metric, throughput_mib_s
from results.kinds.interconnects import fastest_link, link_of_interface
from results.kinds.metric import Median
from results.models import Claim, Device, DeviceRanking, Product
from results.models.choices import PROTECTED, ClaimQuantity, StatedBy
from results.models.fact import has_capacity_of, is_same_capacity
from results.models.fields import BLOCK_4K, BLOCK_128K, BLOCK_SIZES

PEAK = stored_metric("peak_throughput_mib_s")  # by one writer
_SAME = 1e-4  # of figures that are stored with seven digits
_STATED_BY: dict[str, str] = dict(StatedBy.choices)


@cache
def bus_of(interface: str, device_class: str) -> Bus | None:
    """The interface as stated, else the fastest of the class."""
    link = link_of_interface(interface) or fastest_link(DeviceClass(device_class))
    return Bus(link.name, link.ceiling_mib_s) if link else None


class WriteClaim(NamedTuple):
    """A claim for sequential writes, by columns of Claim; no capacity for the entire line."""

    capacity_bytes: int | None
    mb_s: float
    stated_by: str
    note: str
    source_url: str


def claims_about(
    claims: Iterable[WriteClaim], capacity_bytes: int | None, vendor: str
) -> tuple[Sequence[Claimed], Sequence[Claimed]]:
    """The claims for the capacity and those for the entire line, each ascending.

    The maker is called by its name.
    """
    for_capacity, for_line = [], []
    for claim in claims:
        if claim.stated_by == StatedBy.MAKER:
            claimed = Claimed(claim.mb_s, vendor, claim.note)
        else:
            site = urlsplit(claim.source_url).netloc
            claimed = Claimed(claim.mb_s, f"a {_STATED_BY[claim.stated_by]}", claim.note, site)
        if claim.capacity_bytes is None:
            for_line.append(claimed)
        elif is_same_capacity(claim.capacity_bytes, capacity_bytes):
            for_capacity.append(claimed)
    return sorted(for_capacity), sorted(for_line)


def write_claims(claims: Iterable[Any]) -> list[WriteClaim]:
    """The claims for sequential writes, of rows with these columns of Claim."""
    return [
        WriteClaim(claim.capacity_bytes, float(claim.value), claim.stated_by, claim.note, claim.source_url)
        for claim in claims
        if claim.quantity == ClaimQuantity.SEQUENTIAL_WRITE and claim.value is not None
    ]


def _write_claims() -> QuerySet[Claim]:
    """Those of protected products: others are about a cache that a flush has to empty."""
    return Claim.objects.filter(
        quantity=ClaimQuantity.SEQUENTIAL_WRITE, value__isnull=False, product__plp__in=PROTECTED
    )


class _NewestCurve(Aggregate):
    """The curve of the newest result, as an array of one."""

    function = "array_agg"
    template = "(array_agg(%(expressions)s ORDER BY results_result.id DESC))[1:1]"
    output_field = ArrayField(ArrayField(FloatField(null=True)))


def reached_together(device_ids: Collection[int] | None = None) -> dict[int, Reached]:
    """The highest throughput of several writers, by device: medians for each number of writers. One query."""
    rows = _by_writers() if device_ids is None else _by_writers().filter(device__in=device_ids)
    digits = Min("submission__figure_digits")
    found = rows.annotate(newest=_NewestCurve("latency_us"), digits=digits).values_list(
        "device", "rate", "writers", "newest", "digits"
    )
    best: dict[int, Reached] = {}
    for device_id, rate, writers, (curve,), digits in found.order_by("device", "rate"):
        rates = {size: size / us for size, us in zip(BLOCK_SIZES, curve, strict=True) if us is not None}
        best[device_id] = Reached(rate, max(rates, key=lambda size: rates[size]), writers, digits)
    return best


def _by_writers() -> QuerySet[Any, Any]:
    """The median `rate` of each device and number of writers above one."""
    several = ladder_results().filter(writers__isnull=False)
    return several.values("device", "writers").annotate(rate=Median(PEAK))


def load_reached(device_ids: Collection[int]) -> dict[int, Reached]:
    """The highest measured throughput by any number of writers, of these devices. Two queries."""
    found = reached_together(device_ids)
    rankings = DeviceRanking.objects.filter(device__in=device_ids)
    rows = rankings.values("device").annotate(
        peak=Max(PEAK),
        at_128k=Max(stored_metric("throughput_128k_mib_s")),
        latency_us=Min(stored_metric("latency_4k_us")),
        fewest=Min("digits"),
    )
    columns = ("device", "peak", "at_128k", "latency_us", "fewest")
    for device_id, peak, at_128k, latency_us, digits in rows.values_list(*columns):
        together = found.get(device_id)
        if peak is not None and (together is None or peak > together.mib_s):
            size = _size_of(peak, at_128k, latency_us)
            found[device_id] = Reached(peak, size, digits=digits if size == BLOCK_4K else None)
    return found


def _size_of(peak: float, at_128k: float | None, latency_us: float | None) -> int | None:
    """The block size of a peak if it is 128 KiB or 4 KiB."""
    at_4k = None if latency_us is None else throughput_mib_s(BLOCK_4K, latency_us)
    sizes = ((BLOCK_128K, at_128k), (BLOCK_4K, at_4k))
    return next((size for size, rate in sizes if rate is not None and abs(rate - peak) <= _SAME * peak), None)


def device_throughput(device: Device, claims: Iterable[Claim]) -> Throughput:
    """What is known of a device's throughput, by the claims of its product. Two queries, none if it isn't stored."""
    reached, product = load_reached([device.pk]).get(device.pk) if device.pk else None, device.product
    if product is None:
        return Throughput(measured=reached)
    return product_throughput(product, claims, device.capacity_bytes, measured=reached)


def product_throughput(
    product: Product, claims: Iterable[Claim], capacity_bytes: int | None, *, measured: Reached | None = None
) -> Throughput:
    """What is known of a capacity of a product, by its claims and a measurement."""
    for_capacity, for_line = claims_about(write_claims(claims), capacity_bytes, product.vendor.name)
    return Throughput(
        measured=measured,
        claims=for_capacity,
        line_claims=for_line,
        bus=bus_of(product.interface, product.device_class),
        is_cached=product.plp not in PROTECTED,
    )


class Paths(NamedTuple):
    """The paths from a row to its device ("" for a product line), product and capacity."""

    device: str
    product: str
    capacity: str


def keeps_up(mib_s: float, paths: Paths) -> Q:
    """The rows that keep up with a rate: measured, or claimed for the exact capacity.

    A product line keeps up if one of its capacities does.
    """
    least = least_shown_as(mib_s)
    alone = DeviceRanking.objects.alias(rate=PEAK).filter(rate__gte=least).values("device")
    together = _by_writers().filter(rate__gte=least).values("device")
    claimed = (
        _write_claims()
        .filter(capacity_bytes__isnull=False, value__gte=least * MEBIBYTE / MEGABYTE)
        .values("product")
    )
    if paths.device:
        measured = Q(**{f"{paths.device}__in": alone}) | Q(**{f"{paths.device}__in": together})
    else:
        devices = Device.objects.filter(Q(pk__in=alone) | Q(pk__in=together), product__isnull=False)
        measured = Q(**{f"{paths.product}__in": devices.values("product")})
    # the first condition avoids the second, which looks up row by row
    on_paper = Q(**{f"{paths.product}__in": claimed}) & Q(GreaterThanOrEqual(claimed_mib_s(paths), least))
    return measured | on_paper


def measured_mib_s(paths: Paths) -> Combinable:
    """The highest measured throughput of a row; for a product line, of all its devices."""
    row = {"device": OuterRef(paths.device)} if paths.device else {"device__product": OuterRef(paths.product)}
    rankings = DeviceRanking.objects.filter(**row).annotate(rate=PEAK)
    alone = rankings.order_by(F("rate").desc(nulls_last=True)).values("rate")[:1]
    together = _by_writers().filter(**row).order_by("-rate").values("rate")[:1]
    return Greatest(Subquery(alone), Subquery(together), output_field=FloatField())


def claimed_mib_s(paths: Paths) -> Combinable:
    """The lowest claim for the row's capacity; of a product line, the highest of its capacities'."""
    claims = _write_claims().filter(product=OuterRef(paths.product), capacity_bytes__isnull=False)
    if paths.capacity:
        for_capacity = claims.filter(has_capacity_of(paths.capacity))
        lowest = Subquery(for_capacity.order_by("value").values("value")[:1])
    else:
        for_capacities = claims.values("capacity_bytes").annotate(low=Min("value"))
        lowest = Subquery(for_capacities.order_by("-low").values("low")[:1])
    return Cast(lowest, FloatField()) * (MEGABYTE / MEBIBYTE)
