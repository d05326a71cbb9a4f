"""Metrics are stored by key, computed when a text is read; the ranking has their medians, with an index for each.

The indexes are not in the models' state: metrics are defined in results.kinds, above the models.
"""

from django.db import migrations, models

import results.models.fields

SORTABLE = ("zil_latency_us", "latency_4k_us", "throughput_128k_mib_s", "peak_throughput_mib_s")
OLD_INDEXES = [f"ranking_by_{name}_{way}" for name in ("zil", "4k", "128k", "peak") for way in ("up", "down")]

METRICS_OF_RESULTS = """
    UPDATE results_result SET
        metrics = jsonb_strip_nulls(jsonb_build_object(
            'zil_latency_us', zil_latency_us,
            'latency_4k_us', latency_us[4],
            'throughput_128k_mib_s', (0.125 * 1e6 / latency_us[9])::real,
            'peak_throughput_mib_s', peak_throughput_mib_s)),
        ranked_value = CASE method WHEN 'fio' THEN latency_us[4] ELSE zil_latency_us END
"""
COLUMNS_OF_RESULTS = """
    UPDATE results_result SET zil_latency_us = (metrics -> 'zil_latency_us')::real,
        peak_throughput_mib_s = (metrics -> 'peak_throughput_mib_s')::real
"""
METRICS_OF_RANKING = f"""
    UPDATE results_deviceranking SET metrics = jsonb_strip_nulls(jsonb_build_object(
        {", ".join(f"'{key}', {key}" for key in SORTABLE)}))
"""
COLUMNS_OF_RANKING = f"""
    UPDATE results_deviceranking SET {", ".join(f"{key} = (metrics -> '{key}')::real" for key in SORTABLE)}
"""


def index_operations(key: str) -> list[migrations.RunSQL]:
    """Indexes for lists sorted by a metric, in both directions; nulls are always last.

    They include the metrics: only then does PostgreSQL read the expression without visiting the rows.
    """
    return [
        migrations.RunSQL(
            f"""
            CREATE INDEX ranking_by_{key}_{name} ON results_deviceranking
            (method, ((metrics -> '{key}')::double precision) {direction} NULLS LAST, high_us, device_id)
            INCLUDE (metrics)
            """,
            f"DROP INDEX ranking_by_{key}_{name}",
        )
        for name, direction in (("up", "ASC"), ("down", "DESC"))
    ]


class Migration(migrations.Migration):
    dependencies = [("results", "0030_standard_queue")]

    operations = [
        *(migrations.RemoveIndex("deviceranking", name) for name in OLD_INDEXES),
        migrations.RemoveConstraint("result", "result_zil_latency_is_positive"),
        migrations.RemoveConstraint("result", "result_ranked_has_what_it_is_ranked_by"),
        migrations.AddField("result", "metrics", models.JSONField(default=dict)),
        migrations.AddField("result", "ranked_value", results.models.fields.RealField(null=True)),
        migrations.AddField("deviceranking", "metrics", models.JSONField(default=dict)),
        migrations.RunSQL(METRICS_OF_RESULTS, COLUMNS_OF_RESULTS),
        migrations.RunSQL(METRICS_OF_RANKING, COLUMNS_OF_RANKING),
        migrations.RemoveField("result", "zil_latency_us"),
        migrations.RemoveField("result", "peak_throughput_mib_s"),
        *(migrations.RemoveField("deviceranking", key) for key in SORTABLE),
        migrations.AddConstraint(
            "result",
            models.CheckConstraint(
                condition=models.Q(ranked_value__isnull=True) | models.Q(ranked_value__gt=0),
                name="result_ranked_value_is_positive",
            ),
        ),
        migrations.AddConstraint(
            "result",
            models.CheckConstraint(
                condition=models.Q(is_ranked=False) | models.Q(ranked_value__isnull=False),
                name="result_ranked_has_its_ranked_value",
            ),
        ),
        *(operation for key in SORTABLE for operation in index_operations(key)),
    ]
