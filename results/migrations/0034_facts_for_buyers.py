"""Facts for buyers: prices seen, life cycles and caveats of products; claims may be words, too."""

import django.db.models.deletion
from django.db import migrations, models

DATE_PREFIX = r"^\d{4}(-\d{2}(-\d{2})?)?$"


def of_product(related_name: str) -> models.ForeignKey:
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE, related_name=related_name, to="results.product"
    )


class Migration(migrations.Migration):
    dependencies = [
        ("results", "0033_wear"),
    ]

    operations = [
        migrations.CreateModel(
            name="Caveat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("firmware_bug", "Firmware bug"),
                            ("fake_or_counterfeit", "Fakes are sold"),
                            ("silent_revision", "Changed under the same name"),
                            ("smr", "Shingled recording (SMR)"),
                            ("write_cliff", "Writes slow down"),
                            ("compression", "Speed depends on compression"),
                            ("thermal", "Heat"),
                            ("needs_setting", "Needs a setting"),
                            ("platform_limit", "Limits"),
                        ],
                        max_length=20,
                    ),
                ),
                ("summary", models.CharField(max_length=300)),
                ("fixed_in_firmware", models.CharField(blank=True, max_length=60)),
                ("source_url", models.URLField(max_length=500)),
                ("product", of_product("caveats")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("summary", ""), _negated=True), name="caveat_says_something"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="LifeCycle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("launched_on", models.CharField(blank=True, max_length=10)),
                ("end_of_sale", models.CharField(blank=True, max_length=200)),
                ("source_url", models.URLField(max_length=500)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("product", of_product("life_cycle")),
                (
                    "successor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="results.product",
                        to_field="slug",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("launched_on", ""), ("launched_on__regex", DATE_PREFIX), _connector="OR"
                        ),
                        name="life_cycle_begins_on_a_date",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("successor__isnull", False),
                            models.Q(("end_of_sale", ""), ("launched_on", ""), ("note", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="life_cycle_says_something",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="PriceSighting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("capacity_bytes", models.PositiveBigIntegerField(blank=True, null=True)),
                ("price", models.DecimalField(decimal_places=2, max_digits=9)),
                ("currency", models.CharField(max_length=3)),
                (
                    "condition",
                    models.CharField(
                        blank=True,
                        choices=[("new", "new"), ("used", "used"), ("launch_msrp", "list price at launch")],
                        max_length=20,
                    ),
                ),
                (
                    "seller_kind",
                    models.CharField(
                        choices=[("shop", "shop"), ("marketplace", "marketplace"), ("press", "press")],
                        max_length=20,
                    ),
                ),
                ("seen_on", models.CharField(max_length=10)),
                ("source_url", models.URLField(max_length=500)),
                ("product", of_product("prices")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("price__gt", 0)), name="price_is_positive"),
                    models.CheckConstraint(
                        condition=models.Q(("currency__regex", "^[A-Z]{3}$")), name="price_has_a_currency"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seen_on__regex", DATE_PREFIX)), name="price_was_seen_on_a_date"
                    ),
                ]
            },
        ),
        migrations.RemoveConstraint(
            model_name="claim",
            name="claim_once_a_source",
        ),
        migrations.RemoveConstraint(
            model_name="claim",
            name="claim_is_positive",
        ),
        migrations.AddField(
            model_name="claim",
            name="is_below",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="claim",
            name="text",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AlterField(
            model_name="claim",
            name="quantity",
            field=models.CharField(
                choices=[
                    ("write_latency_us", "Write latency"),
                    ("write_latency_4k_qd1_us", "Write latency, 4 kB, queue depth 1"),
                    ("random_write_4k_qd1_iops", "Random writes, 4 kB, queue depth 1"),
                    ("random_write_4k_steady_iops", "Random writes, 4 kB, steady state"),
                    ("random_write_4k_iops", "Random writes, 4 kB"),
                    ("sequential_write_mb_s", "Sequential writes"),
                    ("plp_mechanism", "Power-loss protection"),
                    ("endurance_tbw", "Endurance, written"),
                    ("endurance_dwpd", "Endurance, drive writes a day"),
                    ("warranty_years", "Warranty"),
                    ("mtbf_hours", "Time between failures"),
                    ("uber", "Uncorrectable errors"),
                    ("power_idle_w", "Power, idle"),
                    ("power_active_w", "Power, active"),
                    ("cache_dram_mb", "DRAM cache"),
                    ("controller", "Controller"),
                    ("nand", "Flash"),
                    ("form_factor", "Form factor"),
                    ("interface", "Interface"),
                    ("sector_formats", "Sector formats, bytes"),
                ],
                max_length=40,
            ),
        ),
        migrations.AlterField(
            model_name="claim",
            name="stated_by",
            field=models.CharField(
                choices=[("maker", "maker"), ("reviewer", "reviewer"), ("distributor", "distributor")],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="claim",
            name="unit",
            field=models.CharField(blank=True, max_length=10),
        ),
        migrations.AlterField(
            model_name="claim",
            name="value",
            field=models.DecimalField(blank=True, decimal_places=3, max_digits=16, null=True),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.UniqueConstraint(
                fields=("product", "capacity_bytes", "quantity", "source_url", "value", "text"),
                name="claim_once_a_source",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("value__gt", 0),
                    models.Q(("quantity", "cache_dram_mb"), ("value", 0)),
                    _connector="OR",
                ),
                name="claim_is_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("is_below", False),
                        ("unit", ""),
                        ("value__isnull", True),
                        models.Q(("text", ""), _negated=True),
                    ),
                    models.Q(("text", ""), ("value__isnull", False), models.Q(("unit", ""), _negated=True)),
                    _connector="OR",
                ),
                name="claim_is_a_figure_or_a_text",
            ),
        ),
        # Earlier versions hold figures alone; the next load brings them back.
        migrations.RunSQL(migrations.RunSQL.noop, "DELETE FROM results_claim"),
    ]
