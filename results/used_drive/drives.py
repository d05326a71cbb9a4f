"""The drives to check: those in a paste, or one named by hand."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import Q

from parsers.base.device_class import DeviceClass
from parsers.base.readings import PairedDevice, ParsedPaste, SmartctlReading
from parsers.base.units import POWERED_HOURS
from parsers.descriptions import description_of
from results.catalogue.matching.devices import look_up_device
from results.catalogue.matching.match import refine_class
from results.core.formats import format_device
from results.kinds.envelope import Run, describe_device
from results.models import Device, Product
from results.models.choices import Method
from results.models.fact import is_same_capacity
from results.search.products import FoundProducts, find_products
from results.used_drive.form import split_capacity, split_number

MOST_NAMES = 8  # of products that a name may mean
_MOST_DEVICES = 20  # of one model name


@dataclass(frozen=True, slots=True)
class Stated:
    """What a listing says about a drive; None where it says nothing. Wear in percent."""

    capacity_bytes: int | None = None
    wear_percent: int | None = None
    host_bytes_written: int | None = None
    power_on_hours: int | None = None


_LABELS = {
    "capacity_bytes": "capacity",
    "wear_percent": "wear",
    "host_bytes_written": "bytes written",
    "power_on_hours": "power-on hours",
}


@dataclass(frozen=True, slots=True)
class Drive:
    """A drive: its output, its device, stored or not, and its product's id."""

    reading: SmartctlReading
    device: Device
    device_class: str
    product_id: int | None
    capacity_bytes: int | None

    @property
    def name(self) -> str:
        return format_device(self.device.model_name, self.capacity_bytes)

    @property
    def power_on_hours(self) -> int | None:
        """The hours, unless no drive can have reached them."""
        hours = self.reading.power_on_hours
        return hours if hours in POWERED_HOURS else None

    def completed(self, stated: Stated) -> "Drive":
        """The drive, with the stated figures that its output lacks."""
        reading = self.reading
        missing = {
            name: getattr(stated, name)
            for name in ("wear_percent", "host_bytes_written", "power_on_hours")
            if getattr(reading, name) is None
        }
        capacity = self.capacity_bytes or stated.capacity_bytes
        return replace(self, reading=replace(reading, **missing), capacity_bytes=capacity)

    def states_otherwise(self, stated: Stated) -> list[str]:
        """The stated figures that contradict its output."""
        own = Stated(
            capacity_bytes=self.capacity_bytes,
            wear_percent=self.reading.wear_percent,
            host_bytes_written=self.reading.host_bytes_written,
            power_on_hours=self.reading.power_on_hours,
        )
        return [
            label
            for name, label in _LABELS.items()
            if None not in (getattr(own, name), getattr(stated, name))
            and getattr(own, name) != getattr(stated, name)
        ]


class ProductName(NamedTuple):
    """A product, by its slug and its full name."""

    slug: str
    full_name: str


@dataclass(frozen=True, slots=True)
class Found:
    """The drive that a name means; without a product, the products that it may be.

    `is_similar`: only their names are similar, so the drive isn't in the catalogue, or is misspelled.
    """

    drive: Drive
    may_be: Sequence[ProductName] = ()
    is_similar: bool = False


def read_drive(paired: PairedDevice, paste: ParsedPaste) -> Drive:
    """The drive that a part of a paste describes; raises UnnamedDeviceError. Up to eight queries."""
    reading = description_of(paired, paste.readings)
    if reading is None:
        raise TypeError("no description of a drive")
    described = describe_device(paired, paste, line=reading.first_line)
    run = Run(method=Method.DISKINFO, is_complete=False, **described)
    device = look_up_device(run)
    product_id = device.product_id or _product_of(run)
    return Drive(reading, device, run.device_class.value, product_id, run.capacity_bytes)


def _product_of(run: Run) -> int | None:
    """The product that the search finds by a printed model name, if it is of the run's class."""
    product = _product(find_products(run.model_name).match)
    is_of_class = (
        product is not None and refine_class(run.read_class, product.device_class) == product.device_class
    )
    return product.pk if product and is_of_class else None


def find_drive(name: str, stated: Stated, *, product_slug: str = "") -> Found:
    """The drive of a model name, a part number or a product's name, with or without a capacity.

    `product_slug` picks the product. Up to eight queries.
    """
    alone, named_capacity = split_capacity(name)
    product = Product.objects.filter(slug=product_slug).first() if product_slug else None
    device = None if product else _only_device({name, alone}, stated.capacity_bytes or named_capacity)
    if device is not None:
        capacity = stated.capacity_bytes or named_capacity or device.capacity_bytes
        return Found(Drive(_reading(name, stated), device, device.device_class, device.product_id, capacity))
    found = FoundProducts([])
    if product is None:
        found, alone, named_capacity = _search(name)
        product = _product(found.ids[0]) if len(found.ids) == 1 and not found.is_similar else None
    capacity = stated.capacity_bytes or named_capacity
    drive = Drive(
        _reading(name, stated),
        Device(model_name=alone, capacity_bytes=capacity, product=product),
        product.device_class if product else DeviceClass.UNKNOWN.value,
        product.pk if product else None,
        capacity,
    )
    return Found(drive, [] if product else _names(found.ids[:MOST_NAMES]), found.is_similar)


def _search(name: str) -> tuple[FoundProducts, str, int | None]:
    """The products of a name, and the name without the capacity at its end, which may lack a unit."""
    found = find_products(name)
    if found.is_similar and (shorter := split_number(name)) is not None:
        without_number = find_products(shorter[0])
        if without_number.match is not None:
            return without_number, *shorter
    return found, *split_capacity(name)


def _product(product_id: int | None) -> Product | None:
    return None if product_id is None else Product.objects.filter(pk=product_id).first()


def _only_device(names: Collection[str], capacity_bytes: int | None) -> Device | None:
    """The only measured device of one of these names and, if it is given, this capacity."""
    named = Q()
    for name in names:
        named |= Q(model_name__iexact=name) | Q(searched__iexact=name)
    devices = [
        one
        for one in Device.objects.shown().filter(named).select_related("product")[:_MOST_DEVICES]
        if capacity_bytes is None or is_same_capacity(one.capacity_bytes, capacity_bytes)
    ]
    return devices[0] if len(devices) == 1 else None


def _reading(name: str, stated: Stated) -> SmartctlReading:
    """What a listing says, as if smartctl had printed it."""
    return SmartctlReading(
        first_line=1,
        last_line=1,
        model_name=name,
        wear_percent=stated.wear_percent,
        host_bytes_written=stated.host_bytes_written,
        power_on_hours=stated.power_on_hours,
    )


def _names(product_ids: Sequence[int]) -> list[ProductName]:
    """The products in the order of their ids."""
    products = Product.objects.select_related("vendor").in_bulk(product_ids)
    return [ProductName(products[pk].slug, products[pk].full_name) for pk in product_ids]
