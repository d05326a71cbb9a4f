"""How many writers wrote at the same time, where there were several."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("results", "0036_file_sync"),
    ]

    operations = [
        migrations.AddField("result", "writers", models.PositiveSmallIntegerField(null=True)),
    ]
