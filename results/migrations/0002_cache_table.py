"""The table of Django's cache: all processes count attempts to sign in together there."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("results", "0001_initial")]

    operations = [
        migrations.RunSQL(
            """
            CREATE TABLE results_cache (
                cache_key varchar(255) NOT NULL PRIMARY KEY,
                value text NOT NULL,
                expires timestamp with time zone NOT NULL
            );
            CREATE INDEX results_cache_expires ON results_cache (expires);
            """,
            "DROP TABLE results_cache",
        ),
    ]
