from django.db import migrations, models


class Migration(migrations.Migration):
    """Store how many digits published figures have; rows that 1.0.0 writes have none, so pages show three."""

    dependencies = [("results", "0033_ranking_is_vouched")]

    operations = [
        migrations.AddField("submission", "figure_digits", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("deviceranking", "digits", models.PositiveSmallIntegerField(null=True)),
    ]
