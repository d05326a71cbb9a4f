"""Whether anything that a device's page shows of its results has changed, and how many are published, by few rows.

Triggers note each change with a random mark (migration 0016), whoever makes it and by whatever statement. All marks
of a device, combined by exclusive or, name a state of its results: the changes that the reader sees. A note has, too,
by how many more of them are published (0019), so that nobody has to look at all results to count them.
"""

from typing import Any

from django.db import connection
from django.db.models import BooleanField, Q, QuerySet, Sum
from django.db.models.expressions import RawSQL

from results.models import DeviceChange
from slogdb.replica import reader

MOST_MARKS = 4  # of a device; of more one is made

# The state of the device's results, to be read along with a row of results_device.
STATE_OF_RESULTS = "SELECT bit_xor(mark) FROM results_devicechange WHERE device_id = results_device.id"
RESULTS_STATE = RawSQL(STATE_OF_RESULTS, ())  # noqa: S611 - our own

# What somebody else combines is passed over, so that this waits for nobody; what is written meanwhile is not seen and
# stays. What is made of the rows that this one removed combines to the same, so no device has another state after it.
_COMBINE = """
    WITH many AS (
        SELECT device_id FROM results_devicechange GROUP BY device_id HAVING count(*) > %s
    ), free AS (
        SELECT device_id, mark FROM results_devicechange
        WHERE device_id IN (SELECT device_id FROM many) FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM results_devicechange AS change USING free
        WHERE change.device_id = free.device_id AND change.mark = free.mark
        RETURNING change.device_id, change.mark, change.published_count
    )
    INSERT INTO results_devicechange (device_id, mark, published_count)
    SELECT device_id, bit_xor(mark), sum(published_count) FROM gone GROUP BY device_id
"""
# Which devices the public knows: those of which a result is published, and of no other is told that there is one.
# Of a row of results_device, where few devices are looked at:
IS_SHOWN = RawSQL(
    "(SELECT coalesce(sum(published_count), 0) > 0 FROM results_devicechange WHERE device_id = results_device.id)",
    (),
    output_field=BooleanField(),
)
_TOTALS = """
    SELECT count(*) FILTER (WHERE published > 0), coalesce(sum(published), 0)::bigint
    FROM (SELECT sum(published_count) AS published FROM results_devicechange GROUP BY device_id) AS device
"""


def count_published() -> dict[str, int]:
    """How many `results` are published, and of how many `devices`. One query, that looks at no result."""
    with reader().cursor() as cursor:
        cursor.execute(_TOTALS)
        devices, results = cursor.fetchone()
    return {"devices": int(devices), "results": int(results)}


def _published_devices() -> QuerySet[DeviceChange, Any]:
    """The keys of the devices of which a result is published, as the values of a condition."""
    counted = DeviceChange.objects.values("device_id").annotate(published=Sum("published_count"))
    return counted.filter(published__gt=0).values("device_id")


LISTED = Q(pk__in=_published_devices())  # the same, where all devices are: their notes are counted at once


def combine_marks() -> int:
    """Make one mark of those of each device that has many; how many devices that were. States stay as they are.

    Safe beside writers and beside another that does the same.
    """
    with connection.cursor() as cursor:
        cursor.execute(_COMBINE, [MOST_MARKS])
        return int(cursor.rowcount)
