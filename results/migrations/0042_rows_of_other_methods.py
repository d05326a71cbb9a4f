from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("results", "0041_rounded_figures"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="deviceranking",
            index=models.Index(
                condition=models.Q(("is_main", False)),
                fields=["board", "device_id"],
                name="ranking_by_other_methods",
            ),
        ),
    ]
