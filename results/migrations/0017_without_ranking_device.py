"""One index less: that of ranking_once_a_device_and_method begins with the device."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("results", "0016_device_changes")]

    operations = [
        migrations.AlterField(
            model_name="deviceranking",
            name="device",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="rankings",
                to="results.device",
            ),
        ),
    ]
