"""The addresses of devices' pages: their product's and capacity's, or one below it where another device has that."""

from collections.abc import Iterable

from results.core.addresses import capacity_path
from results.models import Device, Product


def assign_pages(devices: Iterable[Device]) -> list[Device]:
    """Set `page` of those devices that have another product or capacity now, without saving; return them.

    No other device's page changes, so links and redirects to it last. One query, none without products.
    """
    known = list(devices)
    products = {device.product_id for device in known if device.product_id}
    rows = Product.objects.filter(pk__in=products).values_list("pk", "slug", "devices__pk", "devices__page")
    stored = list(rows) if products else []
    slugs = {pk: slug for pk, slug, *_ in stored}
    paths = {id(device): _path(device, slugs) for device in known}
    moved = [
        device
        for device in known
        if device.page not in {paths[id(device)], f"{paths[id(device)]}/{device.slug}"}
    ]
    moving = {device.pk for device in moved}
    taken = {page for *_, device_id, page in stored if device_id not in moving}
    for device in moved:
        path = paths[id(device)]
        device.page = f"{path}/{device.slug}" if path and path in taken else path
        taken.add(device.page)
    return moved


def _path(device: Device, slugs: dict[int, str]) -> str:
    """Where the page of its capacity is; "" without a product."""
    slug = slugs.get(device.product_id or 0)
    return capacity_path(slug, device.capacity_bytes) if slug else ""
