"""Ranks devices a little later than their results are stored, and once for all that came meanwhile.

Each batch of a bulk import has results of most devices, and a device takes the longer the more results it has, while
one more of hundreds hardly moves a median. A device that is new to the ranking gets its row at once. Which of the
others wait stands in PostgreSQL, written with the results.
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
MANY_RESULTS = (
    500  # of a device, by one method: its row takes some 3 ms, and ten times that with ten times as many
)

_PUT_OFF = """
    WITH ranked AS (
        SELECT DISTINCT device_id FROM results_deviceranking
        WHERE device_id = ANY(%s::integer[]) AND result_count >= %s
    ), kept AS (
        INSERT INTO results_latedevice (device_id) SELECT device_id FROM ranked ORDER BY device_id
        ON CONFLICT DO NOTHING
    )
    SELECT device_id FROM ranked
"""


def put_off(device_ids: Collection[int], *, at_least: int = 1) -> set[int]:
    """Leave those of these devices that are ranked by so many results to `rank_late`; which they are.

    The caller has locked them.
    """
    return {device_id for (device_id,) in ask(_PUT_OFF, [list(device_ids), at_least])()}


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
