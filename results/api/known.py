"""Public devices and firmware versions: those with a published result."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef

from results.models import Device, Firmware, Result

HOW_TO_FIND = "/api/v1/search/?q=… finds devices by their names."
PUBLISHED_FIRMWARE = Exists(Result.objects.published().filter(firmware=OuterRef("pk")))


def find_device_id(slug: str) -> int | None:
    """The id of the device with this slug, or with it as an alias."""
    known = Device.objects.shown().values_list("pk", flat=True)
    return known.filter(slug=slug).first() or known.filter(aliases__slug=slug).first()


def slug_of_alias(slug: str) -> str | None:
    """The slug of the device that this is an alias of."""
    return Device.objects.shown().filter(aliases__slug=slug).values_list("slug", flat=True).first()


def has_firmware(version: str, *, devices: Collection[int] | None = None) -> bool:
    """Whether a published result, optionally of these devices, has this version."""
    known = Firmware.objects.filter(PUBLISHED_FIRMWARE, version=version)
    return (known if devices is None else known.filter(device__in=devices)).exists()
