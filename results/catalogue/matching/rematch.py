"""Match devices to products again after the catalogue has changed, and remove those that have lost their last result.

Results were judged by what was known of their products before: their texts are marked to be reread.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.dispatch import Signal

from results.catalogue.matching.match import (
    current_matcher,
    current_names,
    find_named,
    names_to_try,
    refine_class,
)
from results.catalogue.matching.pages import assign_pages
from results.catalogue.matching.patterns import KnownModel
from results.core.data_version import bump_data_version
from results.models import (
    Device,
    DeviceAlias,
    DeviceRanking,
    Firmware,
    PoolLog,
    RepresentativePin,
    Result,
    Submission,
)
from results.models.device import LOCK_ORDER
from results.ranking.boards import LOCK_FOR_ROWS
from results.ranking.medians import rerank_devices

# Sent with `device_ids`, whose results were judged by the previous catalogue.
products_changed = Signal()
_REFERENCES: tuple[type[Model], ...] = (Result, DeviceAlias, RepresentativePin, PoolLog)


@dataclass(frozen=True, slots=True)
class Rematched:
    """The devices whose product or class has changed.

    `to_judge` are these and the devices of changed products: their results were judged by the previous catalogue.
    """

    device_ids: list[int]
    to_judge: list[int] = field(default_factory=list)


@transaction.atomic
def rematch_devices(*, changed_slugs: Collection[str] = ()) -> Rematched:
    """Match every device again after these products have changed. Idempotent.

    Texts are locked first, then devices, as in rereads. A device that is empty without its product is removed.
    """
    devices = Device.objects.only("model_name", "vendor", "product_id", "read_class", "known_class")
    found = _find_products(devices)
    moved = {device.pk for device in devices if _stored(device) != _known_as(found[device.pk], device)}
    for_changed = Device.objects.filter(product__slug__in=changed_slugs).values_list("id", flat=True)
    to_judge = sorted({*moved, *for_changed})
    mark_for_reread(to_judge)
    reclassed = set()
    locked = lock_devices({*moved, *_misplaced()})  # once, in the common order
    for device in (device for device in locked if device.pk in moved):
        before = device.known_class or device.read_class
        device.product_id, device.known_class = _known_as(found[device.pk], device)
        if (device.known_class or device.read_class) != before:
            reclassed.add(device.pk)
    assign_pages(locked)
    Device.objects.bulk_update(locked, ["product", "known_class", "page"])
    mark_newer_for_reread(moved)
    empty = lock_empty_devices(moved)
    rerank_devices(reclassed | empty)
    drop_devices(empty)
    bump_data_version()
    return Rematched(sorted(moved), to_judge)


def readdress_devices() -> bool:
    """Give every device the page of its product and capacity, and return whether any had another. Idempotent.

    Those have none that 1.0.0 stored.
    """
    locked = lock_devices(_misplaced())
    assign_pages(locked)
    Device.objects.bulk_update(locked, ["page"])
    return bool(locked)


def _misplaced() -> set[int]:
    """The devices whose page isn't one of their product and capacity."""
    devices = Device.objects.only("slug", "capacity_bytes", "product_id", "page")
    return {device.pk for device in assign_pages(devices)}


def _find_products(devices: Iterable[Device]) -> dict[int, KnownModel | None]:
    """The product and class of each device in the catalogue, by device id.

    A device with a published result is matched by that result's name, whatever else is measured for it: no tool's
    output can take its product away.
    """
    matcher, names = current_matcher(), current_names()
    results = Result.objects.filter(submission__survey_id__isnull=False)
    published = set(results.values_list("device_id", flat=True))
    found = {}
    for device in devices:
        known = matcher.find(names_to_try(device.model_name, device.vendor))
        if known is None and device.pk in published:
            known = find_named(device.model_name, device.vendor, device.read_class, names=names)
        found[device.pk] = known
    return found


def _stored(device: Device) -> tuple[int | None, str]:
    return device.product_id, device.known_class


def _known_as(known: KnownModel | None, device: Device) -> tuple[int | None, str]:
    """The device's product and its class with that; both empty without a product."""
    if known is None:
        return None, ""
    known_class = known.device_class.value
    is_unchanged = device.known_class == known_class  # the parsers decided by more than the resulting class
    return known.product_id, known_class if is_unchanged else refine_class(device.read_class, known_class)


def lock_devices(device_ids: Collection[int] | QuerySet[Any, Any]) -> list[Device]:
    """Lock these devices in the common order.

    Pass a query of their ids to evaluate it after running merges have ended.
    """
    chosen = Device.objects.select_for_update(no_key=True).filter(pk__in=device_ids)
    return list(chosen.order_by(*LOCK_ORDER))


def mark_for_reread(device_ids: Collection[int]) -> None:
    """Clear the parser version of the texts with a result of these devices.

    `manage.py reread` then finds them if the immediate reread is interrupted. Call it in the transaction of the
    change, before it locks a device, as a reread locks the text first. It waits for rereads that are running with the
    previous catalogue, even of texts that are marked already.
    """
    _clear_versions(_texts_of(device_ids).select_for_update(no_key=True))


def mark_newer_for_reread(device_ids: Collection[int]) -> None:
    """Mark texts that arrived while the caller waited to lock the devices.

    It waits for nobody: a transaction that has locked one of these texts waits for its device, and then judges it by
    the new catalogue.
    """
    newer = _texts_of(device_ids).exclude(parser_version="")
    _clear_versions(newer.select_for_update(no_key=True, skip_locked=True))


def _texts_of(device_ids: Collection[int]) -> QuerySet[Submission]:
    for_devices = Result.objects.filter(device_id__in=list(device_ids)).values("submission")
    return Submission.objects.filter(pk__in=for_devices).exclude(text="")


def _clear_versions(texts: QuerySet[Submission]) -> None:
    """Lock the texts in one order before writing, as two changes may share texts."""
    locked = list(texts.order_by("pk").values_list("pk", flat=True))
    Submission.objects.filter(pk__in=locked).update(parser_version="")


def lock_empty_devices(device_ids: Collection[int]) -> set[int]:
    """Lock those of these devices that can be removed, and return their ids.

    A device stays if it has a result in any state, a product of the catalogue, an alias, a moderator's pin, or a
    pool that it is a log device of. The
    caller has locked the devices and stored what happens to their results; it ranks them, so that their boards are
    marked dirty, and then drops them. A transaction that waits to store a result of such a device creates it again.
    """
    found = _keys(_empty(device_ids)) if device_ids else set()
    if not found:
        return set()
    with connection.cursor() as cursor:
        # Before the rows: refresh_all references devices while it locks this table.
        cursor.execute(LOCK_FOR_ROWS)
    _keys(Device.objects.filter(pk__in=found).order_by(*LOCK_ORDER).select_for_update())
    return _keys(_empty(found))  # again, as a device may have been pinned before it was locked


@transaction.atomic
def remove_empty_devices() -> int:
    """Remove all empty devices, and return their number.

    Results were once erased without their devices. Idempotent, and safe during ingest. No board changes, as a device
    without results has no row.
    """
    empty = lock_empty_devices(_keys(_empty(Device.objects.values("pk"))))
    DeviceRanking.objects.filter(device__in=empty).delete()
    drop_devices(empty)
    if empty:
        bump_data_version()
    return len(empty)


def drop_devices(device_ids: Collection[int]) -> None:
    """Remove devices that `lock_empty_devices` has locked, with their firmware."""
    if not device_ids:
        return
    Firmware.objects.filter(device__in=device_ids).delete()
    Device.objects.filter(pk__in=device_ids).delete()


def _empty(device_ids: Collection[int] | QuerySet[Any, Any]) -> QuerySet[Device]:
    devices = Device.objects.filter(pk__in=device_ids, product=None)
    for model in _REFERENCES:
        devices = devices.exclude(Exists(model._default_manager.filter(device=OuterRef("pk"))))
    return devices


def _keys(rows: QuerySet[Any]) -> set[int]:
    return set(rows.values_list("pk", flat=True))
