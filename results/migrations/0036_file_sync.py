"""Results of other kinds than curves: the method says the kind, and each kind has a table for its payload."""

import django.contrib.postgres.fields
import django.db.models.deletion
from importlib import import_module

from django.db import migrations, models

import results.models.fields

index_operations = import_module("results.migrations.0031_metrics").index_operations

class Migration(migrations.Migration):
    dependencies = [
        ("results", "0035_prices"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="result", name="result_method_is_known"),
        migrations.AlterField(
            model_name="result", name="method", field=models.CharField(max_length=20)
        ),
        migrations.AlterField(
            model_name="result",
            name="latency_us",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=results.models.fields.RealField(null=True), null=True, size=15
            ),
        ),
        migrations.AddConstraint(
            model_name="result",
            constraint=models.CheckConstraint(
                condition=models.Q(method__regex="^[a-z][a-z0-9_]+$"), name="result_method_is_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="result",
            constraint=models.CheckConstraint(
                condition=models.Q(latency_us__isnull=False) ^ ~models.Q(method__in=["diskinfo", "fio"]),
                name="result_has_a_curve_by_its_method",
            ),
        ),
        migrations.AddField("result", "tails", models.JSONField(null=True)),
        migrations.AddField("result", "sync_method", models.CharField(max_length=20, null=True)),
        *index_operations("slow_write_us"),
        migrations.AddIndex(
            model_name="result",
            index=models.Index(
                condition=models.Q(latency_us__isnull=True), fields=["id"], name="result_without_curve"
            ),
        ),
        migrations.CreateModel(
            name="FileSync",
            fields=[
                (
                    "result",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="file_sync",
                        serialize=False,
                        to="results.result",
                    ),
                ),
                ("layer", models.CharField(blank=True, max_length=20)),
                ("rows", models.JSONField()),
            ],
        ),
    ]
