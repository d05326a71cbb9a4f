import django.db.models.deletion
from django.db import migrations, models

# As for the payloads of the other kinds in 0037: a change of a row is one of its result
TOUCH = """
    CREATE TRIGGER results_touch AFTER INSERT OR DELETE ON results_logcheck
    FOR EACH ROW EXECUTE FUNCTION results_touch_result();
    CREATE TRIGGER results_touch_changed AFTER UPDATE ON results_logcheck
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION results_touch_result();
"""


class Migration(migrations.Migration):
    """Checks of log devices in use, as a kind of results."""

    dependencies = [
        ("results", "0037_changed_at"),
    ]

    operations = [
        migrations.CreateModel(
            name="LogCheck",
            fields=[
                (
                    "result",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="log_check",
                        serialize=False,
                        to="results.result",
                    ),
                ),
                (
                    "window_s",
                    models.PositiveIntegerField(
                        help_text="Time between the two readings of the counters, in s."
                    ),
                ),
                ("commits_s", models.FloatField(help_text="Commits of the pool per second.")),
                (
                    "log_bytes_s",
                    models.FloatField(help_text="Bytes per second written to the log devices.", null=True),
                ),
                (
                    "share",
                    models.FloatField(
                        help_text="Share of the log’s bytes that went to the log devices, 0 to 1.", null=True
                    ),
                ),
                (
                    "write_us",
                    models.FloatField(
                        help_text="Mean time of a write to the slowest disk of the log, in µs.", null=True
                    ),
                ),
                (
                    "flush_us",
                    models.FloatField(
                        help_text="The same of a flush, in µs; 0 if none was sent, null if they aren’t counted.",
                        null=True,
                    ),
                ),
                (
                    "years_left",
                    models.FloatField(
                        help_text="Years until a drive of the log is worn out at this rate, by its own wear and "
                        "bytes written.",
                        null=True,
                    ),
                ),
                (
                    "log_name",
                    models.CharField(blank=True, help_text="Models of the log devices.", max_length=200),
                ),
            ],
            options={
                "verbose_name": "check of a log",
                "verbose_name_plural": "checks of logs",
            },
        ),
        migrations.RunSQL(TOUCH, migrations.RunSQL.noop),
    ]
