"""Two boards on which any method ranks, instead of one board per method: both tables are emptied and ranked anew."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import results.models.fields
from django.db import migrations, models

# Floats hardly compress.
STORE_UNCOMPRESSED = """
    ALTER TABLE results_classranking
        ALTER COLUMN lows SET STORAGE EXTERNAL,
        ALTER COLUMN highs SET STORAGE EXTERNAL,
        ALTER COLUMN group_starts SET STORAGE EXTERNAL
"""
SORTABLE = (
    "zil_latency_us",
    "latency_4k_us",
    "latency_8k_us",
    "throughput_128k_mib_s",
    "peak_throughput_mib_s",
    "slow_write_us",
)
# A sweep ranks dirty devices within minutes of the upgrade.
RANK_ANEW = "UPDATE results_device SET dirty_since = now() WHERE dirty_since IS NULL AND result_count > 0"


def index_operations(key: str) -> list[migrations.RunSQL]:
    """Indexes for lists sorted by a metric, in both directions; nulls are always last.

    They aren't in the models' state: metrics are defined in results.kinds, above the models. They include the metrics:
    only then does PostgreSQL read the expression without visiting the rows.
    """
    return [
        migrations.RunSQL(
            f"""
            CREATE INDEX ranking_by_{key}_{name} ON results_deviceranking
            (board, ((metrics -> '{key}')::double precision) {direction} NULLS LAST, high, device_id)
            INCLUDE (metrics) WHERE is_main
            """,
            f"DROP INDEX ranking_by_{key}_{name}",
        )
        for name, direction in (("up", "ASC"), ("down", "DESC"))
    ]


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0009_newest_first'),
    ]

    operations = [
        migrations.DeleteModel('DeviceRanking'),
        migrations.DeleteModel('ClassRanking'),
        migrations.CreateModel(
            name='ClassRanking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.CharField(choices=[('sync_write', 'Sync writes (4 KiB)'), ('zil', 'ZIL writes (4 to 128 KiB)')], max_length=20)),
                ('device_class', models.CharField(blank=True, choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], max_length=10)),
                ('method', models.CharField(blank=True, choices=[('diskinfo', 'diskinfo -wS'), ('fio', 'fio, synchronous writes')], max_length=10)),
                ('changes', models.BigIntegerField(default=0)),
                ('ranked_changes', models.BigIntegerField(default=0)),
                ('ranked_at', models.DateTimeField(null=True)),
                ('spread', models.FloatField(null=True)),
                ('spread_source', models.CharField(blank=True, max_length=10)),
                ('factor', models.FloatField(null=True)),
                ('lows', results.models.fields.FloatsField(default=bytes)),
                ('highs', results.models.fields.FloatsField(default=bytes)),
                ('group_starts', results.models.fields.FloatsField(default=bytes)),
            ],
        ),
        migrations.CreateModel(
            name='DeviceRanking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.CharField(choices=[('sync_write', 'Sync writes (4 KiB)'), ('zil', 'ZIL writes (4 to 128 KiB)')], max_length=20)),
                ('method', models.CharField(choices=[('diskinfo', 'diskinfo -wS'), ('fio', 'fio, synchronous writes')], max_length=10)),
                ('device_class', models.CharField(choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], max_length=10)),
                ('model_name', models.CharField(db_default='', max_length=100)),
                ('capacity_bytes', models.PositiveBigIntegerField(null=True)),
                ('formula_version', models.PositiveSmallIntegerField()),
                ('unit_count', models.PositiveIntegerField()),
                ('result_count', models.PositiveIntegerField()),
                ('metrics', models.JSONField(default=dict)),
                ('median_us', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(null=True), size=15)),
                ('lowest_us', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(null=True), size=15)),
                ('highest_us', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(null=True), size=15)),
                ('last_measured_on', models.DateField(null=True)),
                ('score', results.models.fields.RealField()),
                ('low', results.models.fields.RealField()),
                ('high', results.models.fields.RealField()),
                ('unit_deviation', results.models.fields.RealField(null=True)),
                ('unit_differences', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(), default=list, size=None)),
                ('board_spread', models.FloatField(null=True)),
                ('assumed_spread', models.BooleanField(default=True)),
                ('recommended_score', results.models.fields.RealField(null=True)),
                ('recommended_low', results.models.fields.RealField(null=True)),
                ('recommended_high', results.models.fields.RealField(null=True)),
                ('is_main', models.BooleanField(default=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='result',
            name='result_ranked_value_is_positive',
        ),
        migrations.RemoveConstraint(
            model_name='result',
            name='result_ranked_has_its_ranked_value',
        ),
        migrations.RemoveField(
            model_name='result',
            name='ranked_value',
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('is_ranked', False), ('latency_us__3__isnull', False), _connector='OR'), name='result_ranked_has_a_4k_latency'),
        ),
        migrations.AddConstraint(
            model_name='classranking',
            constraint=models.UniqueConstraint(fields=('board', 'device_class', 'method'), name='class_ranking_once'),
        ),
        migrations.AddField(
            model_name='deviceranking',
            name='device',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rankings', to='results.device'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(fields=['board', 'method', 'device_class', 'board_spread'], include=('assumed_spread',), name='ranking_class_spread'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(condition=models.Q(('unit_count__gt', 1)), fields=['board', 'method', 'device_class'], include=('unit_differences',), name='ranking_class_pairs'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(condition=models.Q(('is_main', True), ('recommended_high__isnull', False)), fields=['board', 'device_class', 'recommended_high', 'device_id'], name='ranking_recommended'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.OrderBy(models.F('last_measured_on'), nulls_last=True), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_day_up'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.OrderBy(models.F('last_measured_on'), descending=True, nulls_last=True), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_day_down'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.OrderBy(models.F('unit_count'), nulls_last=None), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_units_up'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.OrderBy(models.F('unit_count'), descending=True, nulls_last=None), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_units_down'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.OrderBy(models.F('result_count'), nulls_last=None), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_results_up'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.OrderBy(models.F('result_count'), descending=True, nulls_last=None), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_results_down'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), django.db.models.expressions.CombinedExpression(models.F('high'), '/', models.F('low')), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), include=('low',), name='ranking_by_interval'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), include=('low', 'method'), name='ranking_overall_high'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.F('device_class'), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), include=('low', 'method'), name='ranking_class_high'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(models.F('board'), models.F('model_name'), models.F('capacity_bytes'), condition=models.Q(('is_main', True)), include=('device_id',), name='ranking_by_device'),
        ),
        migrations.AddConstraint(
            model_name='deviceranking',
            constraint=models.UniqueConstraint(fields=('device', 'board', 'method'), name='ranking_once_a_device_board_and_method'),
        ),
        migrations.AddConstraint(
            model_name='deviceranking',
            constraint=models.CheckConstraint(condition=models.Q(('unit_count__gte', 1), ('result_count__gte', models.F('unit_count'))), name='ranking_rests_on_results'),
        ),
        migrations.AddConstraint(
            model_name='deviceranking',
            constraint=models.CheckConstraint(condition=models.Q(('median_us__len', 15), results.models.fields.AllPositive('median_us')), name='deviceranking_median_us_is_a_curve'),
        ),
         migrations.RunSQL(STORE_UNCOMPRESSED, migrations.RunSQL.noop),
        *(operation for key in SORTABLE for operation in index_operations(key)),
        migrations.RunSQL(RANK_ANEW, migrations.RunSQL.noop),
    ]
