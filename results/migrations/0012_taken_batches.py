"""A batch that a worker took is a row of its own, and a text's attempts are those that failed."""

import django.contrib.postgres.fields
from django.db import migrations, models

# What was being read counts as free; if it killed its reader, it will again.
FORGET_CLAIMS = """
    UPDATE results_submission SET read_attempts = read_attempts - 1
    WHERE claimed_at IS NOT NULL AND read_attempts > 0 AND state = 'waiting'
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0011_fewer_bytes_a_result")]

    operations = [
        migrations.CreateModel(
            name="TakenBatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "submission_ids",
                    django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField()),
                ),
                ("taken_at", models.DateTimeField()),
            ],
        ),
        migrations.RunSQL(FORGET_CLAIMS, migrations.RunSQL.noop),
        migrations.RemoveField(model_name="submission", name="claimed_at"),
    ]
