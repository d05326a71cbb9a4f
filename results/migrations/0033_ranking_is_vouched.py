from django.db import migrations, models


class Migration(migrations.Migration):
    """Store whether somebody vouched for a row; rows that 1.0.0 writes say no, until the next ranking."""

    dependencies = [("results", "0032_oem_names")]

    operations = [
        migrations.AddField(
            "deviceranking", "is_vouched", models.BooleanField(db_default=False, default=False)
        ),
    ]
