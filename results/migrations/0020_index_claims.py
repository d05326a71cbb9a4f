"""Finds what a claim's token stands for without looking at every submission."""

import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("results", "0019_counted_changes")]

    operations = [
        migrations.AddIndex(
            model_name="submission",
            index=django.contrib.postgres.indexes.HashIndex(
                condition=~models.Q(claim_digest=""), fields=["claim_digest"], name="submission_to_claim"
            ),
        ),
    ]
