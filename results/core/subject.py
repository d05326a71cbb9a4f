"""What a result is about: a device or a pool, as every list, page, export and API field names it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet

from results.core.addresses import address, drive_address
from results.core.drive_names import DriveName
from results.core.formats import format_origin
from results.models import Device, Pool, Product, Result, Submission
from results.models.choices import DEVICE_CLASSES, Badge, SubjectKind, plp_badge
from results.models.device import for_device

POOL_LABEL = "Pool"
NO_LAYOUT = "Pool (layout not stated)"
NAME_FIELDS = for_device("model_name", "capacity_bytes", "product__vendor__name", "product__name")
# The columns of a row of results that `subject_of_row` needs
SUBJECT_FIELDS = (
    *for_device("slug", "page", "device_class"),
    *NAME_FIELDS,
    "pool__public_id",
    "pool__layout",
)
ROLES = {
    "log": "log device",
    "cache": "cache device",
    "special": "special vdev",
    "dedup": "dedup vdev",
    "spare": "spare",
}


def with_subjects(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """The submissions with their results, in the order of the text, and what subject_of needs. One more query."""
    results = Result.objects.order_by("position").select_related("device__product__vendor", "pool")
    return submissions.prefetch_related(Prefetch("results", results))


@dataclass(frozen=True, slots=True)
class ListedDevice:
    """A device in a list, ranked or not: DEVICE_COLUMNS."""

    slug: str
    page: str
    model_name: str
    capacity_bytes: int | None
    device_class: str
    elsewhere_count: int
    result_count: int
    plp: str | None
    plp_statements: list[dict[str, str]] | None
    vendor: str | None  # of its product
    line: str | None

    @property
    def url(self) -> str:
        return drive_address(self.page, self.slug)

    @property
    def name(self) -> DriveName:
        return DriveName(self.model_name, self.capacity_bytes, self.vendor, self.line)

    @property
    def class_label(self) -> str:
        return DEVICE_CLASSES[self.device_class]

    @property
    def origin(self) -> str:
        return format_origin(self.elsewhere_count, self.result_count)

    @property
    def protection(self) -> Badge:
        return plp_badge(self.plp, self.plp_statements)


DEVICE_COLUMNS = (
    *("slug", "page", "model_name", "capacity_bytes", "device_class", "elsewhere_count", "result_count"),
    *("product__plp", "product__plp_statements", "product__vendor__name", "product__name"),
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A device or a pool: what it is called, and where its page is."""

    kind: SubjectKind
    name: str  # "Intel Optane 900P 280 GB", "Pool: 2 mirrors of 2, with a log device"
    short_name: str  # without the capacity
    url: str
    class_label: str  # the device class, or "Pool"

    @property
    def in_text(self) -> str:
        """The name within a sentence: "a pool: 2 mirrors of 2", "Intel Optane 900P 280 GB"."""
        return f"a {self.name[0].lower()}{self.name[1:]}" if self.is_pool else self.name

    @property
    def is_pool(self) -> bool:
        return self.kind == SubjectKind.POOL


def subject_of(result: Result) -> Subject:
    """The subject of a result that was loaded with its pool, and its device with the product's vendor."""
    if result.pool is not None:
        return subject_of_pool(result.pool)
    device = result.device
    if device is None:  # the constraint result_has_one_subject forbids it
        raise ValueError(f"{result} is about neither a device nor a pool")
    return _device(device.get_absolute_url(), drive_name(device), device.device_class)


def drive_name(device: Device) -> DriveName:
    """The name of a device that was loaded with its product's vendor."""
    product = device.product
    vendor, line = (product.vendor.name, product.name) if product else (None, None)
    return DriveName(device.model_name, device.capacity_bytes, vendor, line)


def product_name(product: Product) -> DriveName:
    """The name of a product that was loaded with its vendor."""
    return DriveName(vendor=product.vendor.name, line=product.name)


def drive_name_from_row(row: Mapping[str, Any]) -> DriveName:
    """The name of the device of a result or a ranking, from a row with NAME_FIELDS."""
    return DriveName(*(row[name] for name in NAME_FIELDS))


def device_from_row(row: Mapping[str, Any]) -> ListedDevice:
    """The device of a result or a ranking, from a row with its DEVICE_COLUMNS."""
    return ListedDevice(*(row[name] for name in for_device(*DEVICE_COLUMNS)))


def subject_of_row(row: Mapping[str, Any]) -> Subject:
    """The subject of a result from a row of SUBJECT_FIELDS."""
    if row["pool__public_id"] is not None:
        return _pool(row["pool__public_id"], row["pool__layout"])
    url = drive_address(row["device__page"], row["device__slug"])
    return _device(url, drive_name_from_row(row), row["device__device_class"])


def subject_of_pool(pool: Pool) -> Subject:
    return _pool(pool.public_id, pool.layout)


def _device(url: str, name: DriveName, device_class: str) -> Subject:
    return Subject(SubjectKind.DEVICE, name.full, name.short, url, DEVICE_CLASSES[device_class])


def _pool(public_id: str, layout: Iterable[Mapping[str, Any]]) -> Subject:
    name = describe_layout(layout)
    return Subject(SubjectKind.POOL, name, name, address("pool", public_id), POOL_LABEL)


def describe_layout(layout: Iterable[Mapping[str, Any]]) -> str:
    """A pool by its vdevs: "Pool: 2 mirrors of 2, with a log device"."""
    vdevs = list(layout)
    data = Counter((vdev["type"], vdev["members"]) for vdev in vdevs if vdev["role"] == "data")
    if not data:
        return NO_LAYOUT
    shown = " and ".join(describe_vdevs(kind, members, count) for (kind, members), count in data.items())
    others = Counter((vdev["role"], vdev["type"]) for vdev in vdevs if vdev["role"] != "data")
    beside = [_beside(role, kind, count) for (role, kind), count in others.items()]
    return f"Pool: {shown}{', with ' if beside else ''}{', '.join(beside)}"


def describe_vdevs(kind: str, members: int | None, count: int = 1) -> str:
    """Equal vdevs in words: "2 mirrors of 2", "raidz2 of 6", "3 striped disks"."""
    if kind == "disk":
        return "a single disk" if count == 1 else f"{count} striped disks"
    of = f" of {members}" if members else ""
    if kind == "mirror":
        return f"mirror{of}" if count == 1 else f"{count} mirrors{of}"
    return f"{kind}{of}" if count == 1 else f"{count} {kind}{of}"


def _beside(role: str, kind: str, count: int) -> str:
    noun = ROLES.get(role, role)
    noun = f"mirrored {noun}" if kind == "mirror" else noun
    return f"a {noun}" if count == 1 else f"{count} {noun}s"
