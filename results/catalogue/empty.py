"""Remove devices that have lost their last result.

For many of them, only the owner ever stated the name.
"""

from collections.abc import Collection
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, Model, OuterRef, QuerySet

from results.core.data_version import bump_data_version
from results.models import Device, DeviceAlias, DeviceRanking, Firmware, PoolLog, RepresentativePin, Result
from results.models.device import LOCK_ORDER
from results.ranking.boards import LOCK_FOR_ROWS

_REFERENCES: tuple[type[Model], ...] = (Result, DeviceAlias, RepresentativePin, PoolLog)


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
