"""Add what published results state, the senders' dates, and how many of a device's results come from elsewhere."""

from django.db import migrations, models

# Published results are one run each.
COUNTED = """
    UPDATE results_device AS device SET elsewhere_count = counted.published
    FROM (
        SELECT device_id, count(*) AS published
        FROM results_result AS result JOIN results_submission AS submission ON submission.id = result.submission_id
        WHERE submission.state = 'published' AND submission.survey_id IS NOT NULL GROUP BY device_id
    ) AS counted
    WHERE device.id = counted.device_id;
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0031_metrics")]

    operations = [
        migrations.AddField(
            model_name="device",
            name="elsewhere_count",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="submission",
            name="figure",
            field=models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
        migrations.AddField(model_name="submission", name="measured_on", field=models.DateField(null=True)),
        migrations.AddField(
            model_name="submission",
            name="precision_percent",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.RunSQL(COUNTED, migrations.RunSQL.noop),
    ]
