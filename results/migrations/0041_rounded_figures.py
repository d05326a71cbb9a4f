from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("results", "0040_log_checks_go_with_results")]

    operations = [
        migrations.AddIndex(
            model_name="deviceranking",
            index=models.Index(
                condition=models.Q(("digits__isnull", False), ("is_main", True)),
                fields=["board", "device_class", "digits"],
                name="ranking_rounded",
            ),
        ),
    ]
