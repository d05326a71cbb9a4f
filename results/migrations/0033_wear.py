"""Wear as one number, stated or derived: until texts are reread, it is what tools state."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("results", "0032_published_results_and_dates")]

    operations = [
        migrations.RenameField("result", "percentage_used", "wear_percent"),
        migrations.AddField("result", "wear_source", models.CharField(max_length=100, null=True)),
        migrations.AddField("result", "raw_wear", models.CharField(max_length=100, null=True)),
    ]
