"""Ranks popular devices once every few seconds while bulk imports bring results of them with every batch.

To rank a device takes time by its results. Which ones wait stands in PostgreSQL, written with the results.
"""

from collections.abc import Collection

from django.db import connection, transaction

from results.catalogue.rematch import lock_devices
from results.data_version import bump_data_version
from results.models import LateDevice
from results.ranking.places import Board
from results.ranking.rerank import rerank_devices

MANY_RESULTS = 20  # of fewer a device is ranked as soon as it is put off
AT_ONCE = 50  # devices that are ranked, and locked, together

_PUT_OFF = """
    WITH popular AS (
        SELECT device_id FROM results_deviceranking WHERE device_id = ANY(%s)
        GROUP BY device_id HAVING sum(result_count) >= %s
    ), kept AS (
        INSERT INTO results_latedevice (device_id) SELECT device_id FROM popular ORDER BY device_id
        ON CONFLICT DO NOTHING
    )
    SELECT device_id FROM popular
"""


def put_off(device_ids: Collection[int]) -> set[int]:
    """Leave the popular ones of these devices, which the caller has locked, to `rank_late`; which they are."""
    with connection.cursor() as cursor:
        cursor.execute(_PUT_OFF, [list(device_ids), MANY_RESULTS])
        return {device_id for (device_id,) in cursor.fetchall()}


def is_late() -> bool:
    """Whether a device waits to be ranked."""
    return LateDevice.objects.exists()


@transaction.atomic
def rank_late() -> tuple[int, list[Board]]:
    """Rank some of the devices that wait: how many that were, and the boards that changed.

    Any number may do so at once. What is put off meanwhile waits for its device, and so for the next time.
    """
    waiting = LateDevice.objects.select_for_update(skip_locked=True).order_by("pk")
    late = set(waiting.values_list("pk", flat=True)[:AT_ONCE])
    if not late:
        return 0, []
    lock_devices(late)
    LateDevice.objects.filter(pk__in=late).delete()
    boards = rerank_devices(late)
    bump_data_version()
    return len(late), boards
