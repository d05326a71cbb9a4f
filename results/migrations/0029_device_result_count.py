"""Counts a device's published results in a column, which what stores them moves, and not by triggers."""

from importlib import import_module

from django.db import migrations, models

_MARKS = import_module("results.migrations.0016_device_changes")
_COUNTED_MARKS = import_module("results.migrations.0019_counted_changes")
_BY_INDEX = import_module("results.migrations.0022_notes_by_index")

# Who writes meanwhile waits, so that nothing is counted by neither the triggers nor what is there.
COUNTED = """
    LOCK TABLE results_submission, results_result IN SHARE ROW EXCLUSIVE MODE;
    UPDATE results_device AS device SET result_count = counted.published
    FROM (
        SELECT device_id, count(*) AS published
        FROM results_result AS result JOIN results_submission AS submission ON submission.id = result.submission_id
        WHERE submission.state = 'published' GROUP BY device_id
    ) AS counted
    WHERE device.id = counted.device_id;
"""
WITHOUT_TRIGGERS = f"{_MARKS.REMOVED} DROP FUNCTION results_note_gone_submissions CASCADE;"
WITH_TRIGGERS = ";".join(
    [
        _MARKS.FUNCTIONS + _MARKS.TRIGGERS + _COUNTED_MARKS.FUNCTIONS + _COUNTED_MARKS.COUNTED,
        *_BY_INDEX.BY_INDEX,
    ]
)


class Migration(migrations.Migration):
    dependencies = [("results", "0028_find_copies")]

    operations = [
        migrations.AddField(
            model_name="device",
            name="result_count",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunSQL(COUNTED + WITHOUT_TRIGGERS, WITH_TRIGGERS),
        migrations.DeleteModel(name="DeviceChange"),
    ]
