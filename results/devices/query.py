"""Find what a drive's page is about: a product line with its devices, or a device that isn't in the catalogue."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect

from results.advice.link import fastest_links
from results.catalogue.statements import StatedFacts, stated_facts
from results.catalogue.throughput import product_throughput
from results.core.addresses import capacity_path
from results.models import Device, DeviceRanking, Product
from results.ranking.recommend import judged_first
from results.ranking.standing import main_rows


def find_device(slug: str) -> Device:
    """The device with this slug, or the one that a spelling with this slug was merged into; raises Http404.

    Its product and vendor are loaded. One query, two for a spelling.
    """
    shown = Device.objects.shown().select_related("product__vendor")
    return shown.filter(slug=slug).first() or get_object_or_404(shown, aliases__slug=slug)


def redirect_to_device(
    view_name: str, device: Device
) -> HttpResponseRedirect | HttpResponsePermanentRedirect:
    """Redirect permanently to `view_name` with the device's own slug."""
    return redirect(view_name, device.slug, permanent=True)


def redirect_to_page(
    request: HttpRequest, device: Device
) -> HttpResponseRedirect | HttpResponsePermanentRedirect:
    """Redirect permanently to the device's page, with the parameters of the request."""
    query = request.META.get("QUERY_STRING", "")
    return redirect(f"{device.get_absolute_url()}{'?' if query else ''}{query}", permanent=True)


@dataclass(frozen=True)
class ProductLine:
    """A product with its measured devices, their rows of the default board, and what sources state."""

    product: Product
    devices: Sequence[Device]  # by capacity and name
    rankings: dict[int, DeviceRanking]  # by device
    facts: StatedFacts

    @cached_property
    def capacities(self) -> list[int | None]:
        """Those of its devices and of what sources state, ascending; None of devices whose capacity isn't stated."""
        stated = [
            *(claim.capacity_bytes for claim in self.facts.claims),
            *(price.capacity_bytes for price in self.facts.prices),
            *(row["capacity_bytes"] for row in self.product.endurance_tbw),
        ]
        found: dict[str, int | None] = {self.path(size): size for size in stated if size is not None}
        found |= {path: devices[-1].capacity_bytes for path, devices in self._by_path.items()}
        return sorted(found.values(), key=lambda size: (size is None, size or 0))

    def path(self, capacity_bytes: int | None) -> str:
        return capacity_path(self.product.slug, capacity_bytes)

    def for_capacity(self, path: str) -> list[Device]:
        """The devices of the capacity with this path, the one first that has its page."""
        return sorted(self._by_path.get(path, ()), key=lambda device: device.page != path)

    @cached_property
    def _by_path(self) -> dict[str, list[Device]]:
        found: dict[str, list[Device]] = defaultdict(list)
        for size, devices in groupby(self.devices, key=attrgetter("capacity_bytes")):
            found[self.path(size)] += devices
        return found

    def find(self, capacity: str = "", part: str = "") -> Device | None:
        """What the page at this address is about: a device, a stand-in for one, or None if there is no such page."""
        if not capacity:
            return self.best
        if part:
            return next((device for device in self.devices if device.slug == part), None)
        path = f"{self.product.slug}/{capacity}"
        sizes = [size for size in self.capacities if self.path(size) == path]
        return next(iter([*self.for_capacity(path), *map(self.stand_in, sizes)]), None)

    @property
    def best(self) -> Device:
        """The device that the line is judged by: recommended, else ranked, with the lowest latency.

        Without a device, a stand-in of the capacity that is known to carry the fastest link.
        """
        if self.rankings:
            best = min(self.rankings.values(), key=judged_first).device_id
            return next(device for device in self.devices if device.pk == best)
        if self.devices:
            return self.devices[0]

        def carried(size: int) -> tuple[float, int]:
            known = product_throughput(self.product, self.facts.claims, size)
            return float(fastest_links(known).gbit_s), -size

        sizes = [size for size in self.capacities if size is not None]
        return self.stand_in(max(sizes, key=carried, default=None))

    @property
    def logs(self) -> QuerySet[Any, int]:
        """Its devices that are log devices of pools, though nobody has measured them alone."""
        return Device.objects.filter(product=self.product, pool_logs__isnull=False).values_list(
            "pk", flat=True
        )

    def stand_in(self, capacity_bytes: int | None) -> Device:
        """A device of a capacity that nobody has measured; not stored."""
        device = Device(
            product=self.product,
            capacity_bytes=capacity_bytes,
            page=self.path(capacity_bytes) if capacity_bytes else self.product.slug,
        )
        device.device_class = self.product.device_class  # the database computes it of stored ones
        return device


def find_line(slug: str) -> ProductLine:
    """The product with this slug; raises Http404. Four queries, three without devices."""
    product = get_object_or_404(Product.objects.select_related("vendor"), slug=slug)
    return load_line(product)


def load_line(product: Product) -> ProductLine:
    shown = Device.objects.shown().filter(product=product)
    devices = sorted(shown, key=lambda device: (device.capacity_bytes or 0, device.model_name))
    for device in devices:
        device.product = product
    rows = main_rows().filter(device__in=devices) if devices else []
    return ProductLine(product, devices, {row.device_id: row for row in rows}, stated_facts(product.pk))
