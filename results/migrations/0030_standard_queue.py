"""Leases of texts and devices that are to be ranked are columns, and no longer tables of their own.

Texts that a worker is reading become free; whoever reads them stores nothing any more.
"""

from django.db import migrations, models

FLAGS_OF_ROWS = """
    UPDATE results_device AS device SET dirty_since = late.since
    FROM results_latedevice AS late WHERE late.device_id = device.id
"""
ROWS_OF_FLAGS = """
    INSERT INTO results_latedevice (device_id, since)
    SELECT id, dirty_since FROM results_device WHERE dirty_since IS NOT NULL
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0029_device_result_count")]

    operations = [
        migrations.AddField(model_name="device", name="dirty_since", field=models.DateTimeField(null=True)),
        migrations.RunSQL(FLAGS_OF_ROWS, ROWS_OF_FLAGS),
        migrations.DeleteModel(name="LateDevice"),
        migrations.AddField(
            model_name="submission", name="leased_until", field=models.DateTimeField(null=True)
        ),
        migrations.AddIndex(
            model_name="submission",
            index=models.Index(
                condition=models.Q(("leased_until__isnull", False), ("state", "waiting")),
                fields=["leased_until"],
                name="submission_leased",
            ),
        ),
        migrations.DeleteModel(name="TakenBatch"),
    ]
