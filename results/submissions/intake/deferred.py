"""Deferred ranking: devices are ranked shortly after results are stored, once for several changes.

Each batch of a bulk import has results of most devices, and ranking a device takes longer the more results it has,
while one more among hundreds hardly changes a median. A device that is new to the ranking gets its row at once. The
others are marked dirty (Device.dirty_since) in the transaction that stores the results.
"""

from collections.abc import Collection, Iterable

from celery import shared_task
from django.db import connection, transaction
from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from results.catalogue.matching.rematch import drop_devices, lock_empty_devices
from results.core.data_version import bump_data_version
from results.core.queue import enqueue_debounced
from results.core.read_only import WritingTask
from results.models import Device
from results.models.choices import Board
from results.models.device import LOCK_ORDER
from results.ranking.boards import dirty_boards, place_board
from results.ranking.medians import rerank_devices

AT_ONCE = 50  # devices that are ranked, and locked, together
RESULTS_AT_ONCE = 20_000  # and their results in total, unless a single device has more: some 100 ms
# Per device and method: its row takes some 3 ms, and ten times that with ten times as many
MANY_RESULTS = 500
DEFER_S = 3.0  # how long a device waits for further results
QUIET_S = 2.7

# Rows on the board that includes every ranked result.
_MARK_DIRTY = f"""
    WITH stored AS (
        SELECT device_id, method FROM unnest(%s::integer[], %s::varchar[]) AS stored (device_id, method)
    ), rankings AS (
        SELECT device_id, method, result_count FROM results_deviceranking
        WHERE device_id = ANY(%s::integer[]) AND board = '{Board.SYNC_WRITE}'
    ), ranked AS (
        SELECT device_id FROM rankings WHERE result_count >= %s
        EXCEPT
        SELECT device_id FROM stored LEFT JOIN rankings USING (device_id, method)
        WHERE coalesce(result_count, 0) < %s
    ), marked AS (
        UPDATE results_device SET dirty_since = now() FROM ranked WHERE id = device_id AND dirty_since IS NULL
    )
    SELECT device_id FROM ranked
"""  # noqa: S608 - our own name


def defer_devices(
    device_ids: Collection[int], stored: Iterable[tuple[int, str]], *, at_least: int
) -> set[int]:
    """Mark devices with at least `at_least` ranked results dirty, and return their ids. Enqueues on commit.

    `stored` are the pairs of device and method for which ranked results were stored; a device that has fewer ranked
    results by one of these methods is not deferred. The caller has locked all the devices.
    """
    if not device_ids:
        return set()
    pairs = sorted(set(stored))
    devices, methods = [device_id for device_id, _ in pairs], [method for _, method in pairs]
    with connection.cursor() as cursor:
        cursor.execute(_MARK_DIRTY, [devices, methods, list(device_ids), at_least, at_least])
        deferred = {device_id for (device_id,) in cursor.fetchall()}
    if deferred:
        transaction.on_commit(enqueue_dirty, robust=True)
    return deferred


def enqueue_dirty() -> None:
    """Enqueue the ranking of dirty devices in DEFER_S, debounced."""
    enqueue_debounced(rank_dirty_devices, name="rank_dirty_devices", countdown_s=DEFER_S, quiet_s=QUIET_S)


@shared_task(base=WritingTask)
def rank_dirty_devices() -> None:
    """Rank the devices that are dirty now; later ones are left to the next task.

    First those that nobody else has locked, then the others, in lock order.
    """
    left = [sorted(set(step) - rank_dirty(step, skips_locked=True)) for step in dirty_steps()]
    for step in left:
        rank_dirty(step)


def rank_unplaced() -> None:
    """Rank dirty devices that have no row at all, and their boards, at once: a migration may have emptied the tables.

    So boards are complete before a new release serves them. Idempotent.
    """
    steps = dirty_steps(Device.objects.dirty().filter(rankings=None))
    for step in steps:
        rank_dirty(step)
    while steps and (dirty := dirty_boards()):
        for board in dirty:
            place_board(board)


def dirty_steps(devices: QuerySet[Device] | None = None) -> list[list[int]]:
    """The ids of those of these devices that are dirty now, of all by default, in steps for `rank_dirty`."""
    on_board = Q(rankings__board=Board.SYNC_WRITE)
    dirty = (Device.objects.dirty() if devices is None else devices).annotate(
        results_ranked=Coalesce(Sum("rankings__result_count", filter=on_board), 0)
    )
    steps: list[list[int]] = []
    results = 0
    for device_id, count in dirty.order_by("pk").values_list("pk", "results_ranked"):
        results += count
        if not steps or len(steps[-1]) == AT_ONCE or results > RESULTS_AT_ONCE:
            steps.append([])
            results = count
        steps[-1].append(device_id)
    return steps


@transaction.atomic
def rank_dirty(device_ids: Collection[int], *, skips_locked: bool = False) -> set[int]:
    """Rank those of these devices that are dirty; return their ids.

    Devices with nothing left are deleted. The lock of the devices also blocks merges.
    """
    dirty = Device.objects.dirty().filter(pk__in=device_ids)
    locking = dirty.select_for_update(no_key=True, skip_locked=skips_locked).order_by(*LOCK_ORDER)
    locked = set(locking.values_list("pk", flat=True))
    if not locked:
        return set()
    Device.objects.filter(pk__in=locked).update(dirty_since=None)
    empty = lock_empty_devices(locked)
    rerank_devices(locked)
    drop_devices(empty)
    bump_data_version()
    return locked
