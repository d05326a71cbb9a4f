"""Ranks devices a little later than their results are stored, and once for all that came meanwhile.

Each batch of a bulk import has results of most devices, and a device takes the longer the more results it has, while
one more of hundreds hardly moves a median. A device that is new to the ranking gets its row at once. Which of the
others wait stands in PostgreSQL, written with the results.
"""

from collections.abc import Collection, Iterable

from django.db import connection, transaction

from results.catalogue.empty import drop_devices, lock_empty_devices
from results.catalogue.merge import hold_off_merges
from results.catalogue.rematch import lock_devices
from results.data_version import bump_data_version
from results.models import LateDevice
from results.ranking.places import Board
from results.ranking.rerank import rerank_devices

AT_ONCE = 50  # devices that are ranked, and locked, together,
RESULTS_AT_ONCE = 20_000  # and how many results they have, or one of them alone: some 100 ms
MANY_RESULTS = (
    500  # of a device, by one method: its row takes some 3 ms, and ten times that with ten times as many
)

_PUT_OFF = """
    WITH stored AS (
        SELECT device_id, method FROM unnest(%s::integer[], %s::varchar[]) AS stored (device_id, method)
    ), ranked AS (
        SELECT device_id FROM results_deviceranking
        WHERE device_id = ANY(%s::integer[]) AND result_count >= %s
        EXCEPT
        SELECT device_id FROM stored LEFT JOIN results_deviceranking AS ranking USING (device_id, method)
        WHERE coalesce(ranking.result_count, 0) < %s
    ), kept AS (
        INSERT INTO results_latedevice (device_id) SELECT device_id FROM ranked ORDER BY device_id
        ON CONFLICT DO NOTHING
    )
    SELECT device_id FROM ranked
"""

_WAITING = """
    SELECT device_id, coalesce(sum(ranking.result_count), 0)::integer
    FROM results_latedevice LEFT JOIN results_deviceranking AS ranking USING (device_id)
    GROUP BY device_id ORDER BY device_id
"""


def put_off(device_ids: Collection[int], stored: Iterable[tuple[int, str]], *, at_least: int) -> set[int]:
    """Leave those of these devices to `rank_late` that are ranked by so many results, and tell which they are.

    Not those that are ranked by fewer, or by none yet, with one of the methods by which ranked results were `stored`,
    pairs of device and method. The caller has locked all of them.
    """
    pairs = sorted(set(stored))
    devices, methods = [device_id for device_id, _ in pairs], [method for _, method in pairs]
    with connection.cursor() as cursor:
        cursor.execute(_PUT_OFF, [devices, methods, list(device_ids), at_least, at_least])
        return {device_id for (device_id,) in cursor.fetchall()}


def is_late() -> bool:
    """Whether a device waits to be ranked."""
    return LateDevice.objects.exists()


def late_steps() -> list[list[int]]:
    """The devices that wait now, in steps for `rank_late`."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        waiting = cursor.fetchall()
    steps: list[list[int]] = []
    results = 0
    for device_id, count in waiting:
        results += count
        if not steps or len(steps[-1]) == AT_ONCE or results > RESULTS_AT_ONCE:
            steps.append([])
            results = count
        steps[-1].append(device_id)
    return steps


@transaction.atomic
def rank_late(device_ids: Collection[int]) -> list[Board]:
    """Rank those of these devices that wait, and that nobody else ranks; the boards that changed.

    Those that have nothing left go. What is put off meanwhile waits for its device, and so for the next time.
    """
    hold_off_merges()  # one removes a device's row of those that wait as well
    waiting = LateDevice.objects.filter(pk__in=device_ids).select_for_update(skip_locked=True).order_by("pk")
    late = set(waiting.values_list("pk", flat=True))
    if not late:
        return []
    lock_devices(late)
    LateDevice.objects.filter(pk__in=late).delete()
    empty = lock_empty_devices(late)
    boards = rerank_devices(late)
    drop_devices(empty)
    bump_data_version()
    return boards
