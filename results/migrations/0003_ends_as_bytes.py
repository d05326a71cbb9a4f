"""The ends of a board as bytes. They are made anew: every board waits for a pass, which the sweep asks for."""

from django.db import migrations

import results.models.fields

ENDS = ("lows_us", "highs_us", "group_starts_us")
STORE_AS_THEY_ARE = "; ".join(
    f"ALTER TABLE results_classranking ALTER COLUMN {name} SET STORAGE EXTERNAL" for name in ENDS
)


class Migration(migrations.Migration):
    dependencies = [("results", "0002_cache_table")]

    operations = [
        *(migrations.RemoveField("classranking", name) for name in ENDS),
        *(
            migrations.AddField("classranking", name, results.models.fields.FloatsField(default=bytes))
            for name in ENDS
        ),
        migrations.RunSQL(STORE_AS_THEY_ARE, migrations.RunSQL.noop),  # floats hardly compress
        migrations.RunSQL("UPDATE results_classranking SET changes = changes + 1", migrations.RunSQL.noop),
    ]
