"""The drives to check: those in a paste, or one named by hand."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Upper

from parsers.base.device_class import DeviceClass
from parsers.base.readings import PairedDevice, ParsedPaste, SmartctlReading
from parsers.base.units import POWERED_HOURS
from parsers.descriptions import description_of
from results.catalogue.matching.devices import look_up_device
from results.catalogue.matching.match import refine_class
from results.core.drive_names import DriveName
from results.kinds.envelope import Run, describe_device
from results.models import Device, Product
from results.models.choices import Method
from results.models.fact import is_same_capacity
from results.search.products import FoundProducts, Match, ProductFinder, find_products
from results.used_drive.form import split_capacity, split_number

MAX_NAMES = 8  # of products that a name may mean


@dataclass(frozen=True, slots=True)
class Listing:
    """What a listing says about a drive; None where it says nothing. Wear in percent."""

    capacity_bytes: int | None = None
    wear_percent: int | None = None
    host_bytes_written: int | None = None
    power_on_hours: int | None = None
    firmware_version: str | None = None


_FIGURES = {
    "wear_percent": "wear",
    "host_bytes_written": "bytes written",
    "power_on_hours": "power-on hours",
}


@dataclass(frozen=True, slots=True)
class UsedDrive:
    """A drive: its output, its device, stored or not, and its product's id."""

    reading: SmartctlReading
    device: Device
    device_class: str
    product_id: int | None
    capacity_bytes: int | None

    @property
    def name(self) -> str:
        return DriveName(self.device.model_name, self.capacity_bytes).model

    @property
    def is_measured(self) -> bool:
        return self.device.pk is not None and self.device.result_count > 0

    @property
    def power_on_hours(self) -> int | None:
        """The hours, unless no drive can have reached them."""
        hours = self.reading.power_on_hours
        return hours if hours in POWERED_HOURS else None

    def completed(self, stated: Listing) -> "UsedDrive":
        """The drive, with the stated figures that its output lacks."""
        reading = self.reading
        missing = {name: getattr(stated, name) for name in _FIGURES if getattr(reading, name) is None}
        capacity = self.capacity_bytes or stated.capacity_bytes
        return replace(self, reading=replace(reading, **missing), capacity_bytes=capacity)

    def states_otherwise(self, stated: Listing) -> list[str]:
        """The stated figures that contradict its output."""
        pairs = {"capacity": (self.capacity_bytes, stated.capacity_bytes)}
        for name, label in _FIGURES.items():
            pairs[label] = getattr(self.reading, name), getattr(stated, name)
        return [label for label, pair in pairs.items() if None not in pair and pair[0] != pair[1]]


class ProductName(NamedTuple):
    """A product, by its slug and its full name."""

    slug: str
    full_name: str


@dataclass(frozen=True, slots=True)
class Found:
    """The drive that a name means, and how it names it; None if nothing is called like that.

    `may_be`, without a product: those that share the name or begin with it; if `is_similar`, their names are only
    similar, so the drive isn't in the catalogue, or is misspelled.
    """

    drive: UsedDrive
    match: Match | None = None
    may_be: Sequence[ProductName] = ()
    is_similar: bool = False


def read_drive(paired: PairedDevice, paste: ParsedPaste) -> UsedDrive:
    """The drive that a part of a paste describes; raises UnnamedDeviceError. Up to eight queries."""
    reading = description_of(paired, paste.readings)
    if reading is None:
        raise TypeError("no description of a drive")
    described = describe_device(paired, paste, line=reading.first_line)
    run = Run(method=Method.DISKINFO, is_complete=False, **described)
    device = look_up_device(run, _without_conditions(Device.objects.all()))
    product_id = device.product_id or _product_of(run)
    return UsedDrive(reading, device, run.device_class.value, product_id, run.capacity_bytes)


def _product_of(run: Run) -> int | None:
    """The product that the search finds by a printed model name, if it is of the run's class."""
    product = _product(find_products(run.model_name).match)
    is_of_class = (
        product is not None and refine_class(run.read_class, product.device_class) == product.device_class
    )
    return product.pk if product and is_of_class else None


def find_drive(name: str, stated: Listing, *, product_slug: str = "") -> Found:
    """The drive of a model name, a part number or a product's name; `product_slug` picks the product."""
    product = Product.objects.filter(slug=product_slug).first() if product_slug else None
    if product is None:
        return find_drives([(name, stated)])[0]
    alone, named_capacity = split_capacity(name)
    return Found(_drive(name, stated, alone, stated.capacity_bytes or named_capacity, product), Match.EXACT)


def find_drives(named: Sequence[tuple[str, Listing]]) -> list[Found]:
    """The drives of these names, with or without a capacity. Five queries."""
    devices = _devices_called({part for name, _ in named for part in (name, split_capacity(name)[0])})
    finder = ProductFinder()
    found = [_measured(devices, name, stated) or _search(finder, name, stated) for name, stated in named]
    ids = {pk for each in found if isinstance(each, _Search) for pk in each.candidates}
    products = Product.objects.select_related("vendor").in_bulk(ids)
    return [each.found_among(products) if isinstance(each, _Search) else each for each in found]


def _measured(devices: Sequence[Device], name: str, stated: Listing) -> Found | None:
    """The only measured drive of this name and, if it is given, of this capacity."""
    alone, named_capacity = split_capacity(name)
    capitals, capacity = {name.upper(), alone.upper()}, stated.capacity_bytes or named_capacity
    called = [
        device
        for device in devices
        if not capitals.isdisjoint((device.model_name.upper(), device.searched.upper()))
        and (capacity is None or is_same_capacity(device.capacity_bytes, capacity))
    ]
    if len(called) != 1:
        return None
    (device,) = called
    reading, capacity = _reading(name, stated), capacity or device.capacity_bytes
    return Found(UsedDrive(reading, device, device.device_class, device.product_id, capacity), Match.EXACT)


@dataclass(frozen=True, slots=True)
class _Search:
    """A name that was searched, and the name without the capacity at its end, which may lack a unit."""

    name: str
    stated: Listing
    found: FoundProducts
    alone: str
    named_capacity: int | None

    @property
    def candidates(self) -> Sequence[int]:
        """The only product, or the first that the name may mean."""
        return self.found.ids[:MAX_NAMES] if self.found.only is None else [self.found.only]

    def found_among(self, products: Mapping[int, Product]) -> Found:
        """The drive; `products` are the candidates by id."""
        found, candidates = self.found, [products[pk] for pk in self.candidates]
        product = None if found.only is None else products[found.only]
        capacity = self.stated.capacity_bytes or self.named_capacity
        drive = _drive(self.name, self.stated, self.alone, capacity, product)
        if product is not None:
            return Found(drive, Match.EXACT)
        match = found.match_of(found.ids[0]) if found.ids else None
        may_be = [ProductName(each.slug, each.full_name) for each in candidates]
        return Found(drive, match, may_be, found.is_similar)


def _search(finder: ProductFinder, name: str, stated: Listing) -> _Search:
    found = finder.find(name)
    if found.is_similar and (shorter := split_number(name)) is not None:
        without_number = finder.find(shorter[0])
        if without_number.match is not None:
            return _Search(name, stated, without_number, *shorter)
    return _Search(name, stated, found, *split_capacity(name))


def _drive(
    name: str, stated: Listing, alone: str, capacity_bytes: int | None, product: Product | None
) -> UsedDrive:
    """A drive that nobody measured under this name."""
    device = Device(model_name=alone, capacity_bytes=capacity_bytes, product=product)
    device_class = product.device_class if product else DeviceClass.UNKNOWN.value
    return UsedDrive(_reading(name, stated), device, device_class, device.product_id, capacity_bytes)


def _product(product_id: int | None) -> Product | None:
    return None if product_id is None else Product.objects.filter(pk=product_id).first()


def _devices_called(names: Collection[str]) -> list[Device]:
    """The measured devices with one of these names, alone or behind their vendor's. One query."""
    capitals = {name.upper() for name in names}
    devices = Device.objects.shown().alias(name=Upper("model_name"), full_name=Upper("searched"))
    called = devices.filter(Q(name__in=capitals) | Q(full_name__in=capitals))
    return list(_without_conditions(called.select_related("product")))


def _without_conditions(devices: QuerySet[Device]) -> QuerySet[Device]:
    """These devices without the conditions of all of their results, which a check doesn't need."""
    return devices.defer("conditions", "condition_values")


def _reading(name: str, stated: Listing) -> SmartctlReading:
    """What a listing says, as if smartctl had printed it."""
    figures = {figure: getattr(stated, figure) for figure in _FIGURES}
    return SmartctlReading(
        first_line=1, last_line=1, model_name=name, firmware_version=stated.firmware_version, **figures
    )
