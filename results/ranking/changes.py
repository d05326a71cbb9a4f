"""Whether anything that a device's page shows of its results has changed, told by a few rows instead of all of them.

Triggers note each change with a random mark (migration 0016), whoever makes it and by whatever statement. All marks
of a device, combined by exclusive or, name a state of its results: the changes that the reader sees.
"""

from django.db import connection

MOST_MARKS = 4  # of a device; of more one is made

# The state of the device's results, to be read along with a row of results_device.
STATE_OF_RESULTS = "SELECT bit_xor(mark) FROM results_devicechange WHERE device_id = results_device.id"

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
        RETURNING change.device_id, change.mark
    )
    INSERT INTO results_devicechange (device_id, mark) SELECT device_id, bit_xor(mark) FROM gone GROUP BY device_id
"""


def combine_marks() -> int:
    """Make one mark of those of each device that has many; how many devices that were. States stay as they are.

    Safe beside writers and beside another that does the same.
    """
    with connection.cursor() as cursor:
        cursor.execute(_COMBINE, [MOST_MARKS])
        return int(cursor.rowcount)
