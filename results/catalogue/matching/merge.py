"""Merge two spellings of one device, and overrule a device's class."""

from collections.abc import Sequence

from django.db import connection, transaction

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.pages import assign_pages
from results.core.data_version import bump_data_version
from results.models import Device, DeviceAlias, Firmware, PoolLog, Result
from results.models.fact import is_same_capacity
from results.ranking.medians import rerank_devices

# Ingest locks single devices: either it has committed, and its results move, or it finds the alias.
_BLOCK_INGEST = "LOCK TABLE results_device IN EXCLUSIVE MODE"
_BLOCK_MERGES = "LOCK TABLE results_device IN ROW SHARE MODE"  # as a lock on one of its rows does


class MergeError(Exception):
    """The devices can't be merged; the message says why."""


@transaction.atomic
def merge_devices(spellings: Sequence[Device], device: Device, *, reason: str) -> None:
    """Make these spellings aliases of `device`, all or none. Raises MergeError.

    `device` keeps its class and product, and takes missing ones from the spellings. They are ranked
    together at the end: the class's counter and the data version are locked last.
    """
    for spelling in spellings:
        _check_mergeable(spelling, device)
    with connection.cursor() as cursor:
        cursor.execute(_BLOCK_INGEST)
    for spelling in spellings:
        _refresh(spelling, device)
        _make_alias(spelling, device, reason=reason)
    Device.recount([device.pk])
    rerank_devices({device.pk, *(spelling.pk for spelling in spellings)})
    for spelling in spellings:
        spelling.delete()
    bump_data_version()


def _make_alias(spelling: Device, device: Device, *, reason: str) -> None:
    _move_results(spelling, device)
    spelling.aliases.update(device=device)
    DeviceAlias.objects.create(
        slug=spelling.slug,
        model_name=spelling.model_name,
        capacity_bytes=spelling.capacity_bytes,
        device=device,
        reason=reason,
    )
    _copy_missing(spelling, device)
    device.refresh_from_db(fields=["device_class"])
    spelling.pins.filter(device_class=device.device_class).update(device=device)


def block_merges() -> None:
    """Wait for a running merge, and block others until the transaction ends.

    For code that reads which devices results belong to before it locks any of them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BLOCK_MERGES)


def _check_mergeable(spelling: Device, device: Device) -> None:
    if spelling.pk == device.pk:
        raise MergeError("A device can't be merged into itself.")
    capacities = spelling.capacity_bytes, device.capacity_bytes
    if all(capacities) and not is_same_capacity(*capacities):
        raise MergeError("Their capacities differ: they are two devices, perhaps of one product.")


def _refresh(*devices: Device) -> None:
    """Reload devices after the table has been locked."""
    for device in devices:
        try:
            device.refresh_from_db()
        except Device.DoesNotExist as error:
            raise MergeError(
                f"{device.model_name} no longer exists: it was merged, or lost its last result."
            ) from error


def _move_results(spelling: Device, device: Device) -> None:
    for firmware in spelling.firmwares.all():
        target, _ = Firmware.objects.get_or_create(device=device, version=firmware.version)
        Result.objects.filter(firmware=firmware).update(firmware=target)
        firmware.delete()
    Result.objects.filter(device=spelling).update(device=device)
    its_pools = PoolLog.objects.filter(device=device).values("pool")
    PoolLog.objects.filter(device=spelling).exclude(pool__in=its_pools).update(device=device)
    PoolLog.objects.filter(device=spelling).delete()


def _copy_missing(spelling: Device, device: Device) -> None:
    if (device.known_class or device.read_class) == DeviceClass.UNKNOWN:
        device.read_class, device.known_class = spelling.read_class, spelling.known_class
    device.product = device.product or spelling.product
    assign_pages([device])
    device.save(update_fields=["read_class", "known_class", "product", "page"])


@transaction.atomic
def overrule_class(device: Device, device_class: DeviceClass | None, *, reason: str) -> None:
    """Overrule the class with `device_class`, or with None undo that."""
    locked = Device.objects.select_for_update(no_key=True).get(pk=device.pk)
    locked.class_overrule = device_class or ""
    locked.class_overrule_reason = reason if device_class else ""
    locked.save(update_fields=["class_overrule", "class_overrule_reason"])
    rerank_devices({locked.pk})
    bump_data_version()
