"""Has the order by device read from an index: the model's name and capacity stand in the ranking's own rows, too."""

from django.db import migrations, models

NAMES = """
    UPDATE results_deviceranking AS ranking
    SET model_name = device.model_name, capacity_bytes = device.capacity_bytes
    FROM results_device AS device WHERE device.id = ranking.device_id
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0022_notes_by_index")]

    operations = [
        migrations.AddField(
            "deviceranking", "model_name", models.CharField(db_default="", max_length=100)
        ),
        migrations.AddField("deviceranking", "capacity_bytes", models.PositiveBigIntegerField(null=True)),
        migrations.RunSQL(NAMES, migrations.RunSQL.noop),
        migrations.AddIndex(
            "deviceranking",
            models.Index("method", "model_name", "capacity_bytes", include=["device_id"], name="ranking_by_device"),
        ),
    ]
