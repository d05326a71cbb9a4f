"""Ranks devices once every few seconds while bulk imports bring results of them with every batch.

A device that is new to the ranking gets its row at once. Which others wait stands in PostgreSQL, written with the
results.
"""

from collections.abc import Collection

from django.db import transaction

from results.catalogue.merge import hold_off_merges
from results.catalogue.rematch import lock_devices
from results.data_version import bump_data_version
from results.models import LateDevice
from results.ranking.places import Board
from results.ranking.rerank import rerank_devices
from slogdb.direct import ask

AT_ONCE = 50  # devices that are ranked, and locked, together

_PUT_OFF = """
    WITH ranked AS (
        SELECT DISTINCT device_id FROM results_deviceranking WHERE device_id = ANY(%s::integer[])
    ), kept AS (
        INSERT INTO results_latedevice (device_id) SELECT device_id FROM ranked ORDER BY device_id
        ON CONFLICT DO NOTHING
    )
    SELECT device_id FROM ranked
"""


def put_off(device_ids: Collection[int]) -> set[int]:
    """Leave the ranked ones of these devices, which the caller has locked, to `rank_late`; which they are."""
    return {device_id for (device_id,) in ask(_PUT_OFF, [list(device_ids)])()}


def is_late() -> bool:
    """Whether a device waits to be ranked."""
    return LateDevice.objects.exists()


@transaction.atomic
def rank_late() -> tuple[int, list[Board]]:
    """Rank some of the devices that wait: how many that were, and the boards that changed.

    Any number may do so at once. What is put off meanwhile waits for its device, and so for the next time.
    """
    hold_off_merges()  # one removes a device's row of those that wait as well
    waiting = LateDevice.objects.select_for_update(skip_locked=True).order_by("pk")
    late = set(waiting.values_list("pk", flat=True)[:AT_ONCE])
    if not late:
        return 0, []
    lock_devices(late)
    LateDevice.objects.filter(pk__in=late).delete()
    boards = rerank_devices(late)
    bump_data_version()
    return len(late), boards
