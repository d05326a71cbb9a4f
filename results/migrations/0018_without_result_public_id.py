"""One index less, 36 bytes a result: one is found by its submission, whose id its own begins with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("results", "0017_without_ranking_device")]

    operations = [
        migrations.AlterField(
            model_name="result",
            name="public_id",
            field=models.CharField(max_length=14),
        ),
    ]
