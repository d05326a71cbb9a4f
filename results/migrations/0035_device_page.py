from django.db import migrations, models


class Migration(migrations.Migration):
    """Where a device's page is; devices that 1.0.0 adds have none until the catalogue is loaded again."""

    dependencies = [("results", "0034_figure_digits")]

    operations = [
        migrations.AddField(
            "device", "page", models.CharField(blank=True, db_default="", default="", max_length=220)
        ),
    ]
