"""Notes since when a device waits to be ranked."""

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("results", "0020_index_claims")]

    operations = [
        migrations.AddField(
            model_name="latedevice", name="since", field=models.DateTimeField(db_default=Now())
        ),
    ]
