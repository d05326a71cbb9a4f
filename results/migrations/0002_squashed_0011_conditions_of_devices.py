"""For databases older than 1.0.0, and empty ones: up to what 1.0.0 has."""

import datetime
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import results.models.fields
import uuid
from django.db import migrations, models

from results.migrations._at_once import AtOnce

# Django adds an index for `LIKE 'begins%'` to each unique text; nobody searches random ids and digests that way.
LIKE_INDEXES = """
    DROP INDEX IF EXISTS results_submission_public_id_756eb706_like;
    DROP INDEX IF EXISTS results_submission_text_digest_d290caca_like;
    DROP INDEX IF EXISTS results_submission_survey_id_edd19ad1_like;
"""
NAMING = "DROP FUNCTION IF EXISTS results_name_ranking CASCADE"

LIST_ERASURES = """
    CREATE FUNCTION results_list_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_erasure (line) VALUES (to_jsonb(NEW) ->> TG_ARGV[0]) ON CONFLICT DO NOTHING;
        RETURN NULL;
    END $$;
    CREATE TRIGGER results_list_erasure AFTER INSERT OR UPDATE OF state ON results_submission
    FOR EACH ROW WHEN (NEW.state = 'erased') EXECUTE FUNCTION results_list_erasure('public_id');
    CREATE TRIGGER results_list_erasure AFTER INSERT ON results_closedaccount
    FOR EACH ROW EXECUTE FUNCTION results_list_erasure('digest');
"""
FORMER_ERASURES = """
    INSERT INTO results_erasure (line)
    SELECT public_id FROM results_submission WHERE state = 'erased' UNION SELECT digest FROM results_closedaccount
"""

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


INDEXES = [operation for key in SORTABLE for operation in index_operations(key)]


class Migration(migrations.Migration):

    replaces = [
        ('results', '0002_what_nobody_uses'),
        ('results', '0003_a_note_of_the_sender'),
        ('results', '0004_conditions_of_runs'),
        ('results', '0005_erasures'),
        ('results', '0006_several_writers'),
        ('results', '0007_unit_key_fingerprint'),
        ('results', '0008_moderators_and_bans'),
        ('results', '0009_newest_first'),
        ('results', '0010_boards_of_any_method'),
        ('results', '0011_conditions_of_devices'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('results', '0001_squashed_0038_line_prices'),
    ]

    operations = [
        AtOnce([
            migrations.RunSQL([LIKE_INDEXES, NAMING], migrations.RunSQL.noop),
            migrations.DeleteModel(
                name='DeviceRanking',
            ),
            migrations.DeleteModel(
                name='ClassRanking',
            ),
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
                options={
                    'constraints': [models.UniqueConstraint(fields=('board', 'device_class', 'method'), name='class_ranking_once')],
                },
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
                    ('device', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rankings', to='results.device')),
                ],
                options={
                    'indexes': [models.Index(fields=['board', 'method', 'device_class', 'board_spread'], include=('assumed_spread',), name='ranking_class_spread'), models.Index(condition=models.Q(('unit_count__gt', 1)), fields=['board', 'method', 'device_class'], include=('unit_differences',), name='ranking_class_pairs'), models.Index(condition=models.Q(('is_main', True), ('recommended_high__isnull', False)), fields=['board', 'device_class', 'recommended_high', 'device_id'], name='ranking_recommended'), models.Index(models.F('board'), models.OrderBy(models.F('last_measured_on'), nulls_last=True), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_day_up'), models.Index(models.F('board'), models.OrderBy(models.F('last_measured_on'), descending=True, nulls_last=True), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_day_down'), models.Index(models.F('board'), models.OrderBy(models.F('unit_count'), nulls_last=None), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_units_up'), models.Index(models.F('board'), models.OrderBy(models.F('unit_count'), descending=True, nulls_last=None), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_units_down'), models.Index(models.F('board'), models.OrderBy(models.F('result_count'), nulls_last=None), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_results_up'), models.Index(models.F('board'), models.OrderBy(models.F('result_count'), descending=True, nulls_last=None), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), name='ranking_by_results_down'), models.Index(models.F('board'), django.db.models.expressions.CombinedExpression(models.F('high'), '/', models.F('low')), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), include=('low',), name='ranking_by_interval'), models.Index(models.F('board'), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), include=('low', 'method'), name='ranking_overall_high'), models.Index(models.F('board'), models.F('device_class'), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), include=('low', 'method'), name='ranking_class_high'), models.Index(models.F('board'), models.F('model_name'), models.F('capacity_bytes'), condition=models.Q(('is_main', True)), include=('device_id',), name='ranking_by_device')],
                    'constraints': [models.UniqueConstraint(fields=('device', 'board', 'method'), name='ranking_once_a_device_board_and_method'), models.CheckConstraint(condition=models.Q(('unit_count__gte', 1), ('result_count__gte', models.F('unit_count'))), name='ranking_rests_on_results'), models.CheckConstraint(condition=models.Q(('median_us__len', 15), results.models.fields.AllPositive('median_us')), name='deviceranking_median_us_is_a_curve')],
                },
            ),
            migrations.CreateModel(
                name='Erasure',
                fields=[
                    ('line', models.CharField(max_length=64, primary_key=True, serialize=False)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ],
            ),
            migrations.CreateModel(
                name='Installation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('lineage', models.UUIDField(default=uuid.uuid4)),
                    ('unit_key_digest', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='installation_is_one_row')],
                },
            ),
            migrations.CreateModel(
                name='NetworkBan',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('network', models.CharField(max_length=12, unique=True)),
                    ('until', models.DateTimeField()),
                    ('reason', models.CharField(max_length=300)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='network_ban_has_a_reason')],
                },
            ),
            migrations.RemoveConstraint(
                model_name='auditentry',
                name='audit_action_is_known',
            ),
            migrations.RemoveConstraint(
                model_name='result',
                name='result_ranked_value_is_positive',
            ),
            migrations.RemoveConstraint(
                model_name='result',
                name='result_ranked_has_its_ranked_value',
            ),
            migrations.RemoveConstraint(
                model_name='submission',
                name='submission_erased_is_empty',
            ),
            migrations.RemoveField(
                model_name='result',
                name='ranked_value',
            ),
            migrations.AddField(
                model_name='device',
                name='conditions',
                field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
            ),
            migrations.AddField(
                model_name='member',
                name='banned_until',
                field=models.DateTimeField(blank=True, null=True),
            ),
            migrations.AddField(
                model_name='result',
                name='block_align',
                field=models.PositiveIntegerField(null=True),
            ),
            migrations.AddField(
                model_name='result',
                name='data_content',
                field=models.CharField(choices=[('random', 'random data'), ('refilled', 'random data, new for each write'), ('compressible', 'compressible data'), ('zeros', 'zeros')], max_length=20, null=True),
            ),
            migrations.AddField(
                model_name='result',
                name='has_fua',
                field=models.BooleanField(null=True),
            ),
            migrations.AddField(
                model_name='result',
                name='has_volatile_cache',
                field=models.BooleanField(null=True),
            ),
            migrations.AddField(
                model_name='result',
                name='is_direct',
                field=models.BooleanField(null=True),
            ),
            migrations.AddField(
                model_name='result',
                name='kernel_write_cache',
                field=models.CharField(choices=[('write back', 'write back (flushes are sent)'), ('write through', 'write through (no flush is sent)')], max_length=20, null=True),
            ),
            migrations.AddField(
                model_name='result',
                name='pattern',
                field=models.CharField(choices=[('random', 'random'), ('sequential', 'sequential'), ('mixed', 'partly random')], max_length=20, null=True),
            ),
            migrations.AddField(
                model_name='result',
                name='protection_fault',
                field=models.CharField(max_length=100, null=True),
            ),
            migrations.AddField(
                model_name='submission',
                name='note',
                field=models.CharField(blank=True, db_default='', default='', max_length=300),
            ),
            migrations.AlterField(
                model_name='auditentry',
                name='action',
                field=models.CharField(choices=[('approved', 'Approved'), ('held', 'Held'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('erased', 'Erased'), ('restored', 'Restored'), ('claimed', 'Claimed'), ('report_closed', 'Closed a report'), ('merged', 'Merged devices'), ('overruled', 'Overruled a class'), ('pinned', 'Pinned a representative'), ('banned', 'Banned a member'), ('unbanned', 'Lifted a ban'), ('imported', 'Imported a thread'), ('notes_removed', 'Removed the notes'), ('network_banned', 'Banned a network'), ('network_unbanned', 'Lifted the ban of a network'), ('moderator_added', 'Made a moderator'), ('moderator_removed', 'Removed a moderator'), ('factor_reset', 'Reset second factors'), ('account_closed', 'Closed an account on request')], max_length=20),
            ),
            migrations.AddIndex(
                model_name='result',
                index=models.Index(condition=models.Q(('writers__isnull', False)), fields=['device'], name='result_several_writers'),
            ),
            migrations.AddIndex(
                model_name='submission',
                index=models.Index(models.OrderBy(django.db.models.functions.comparison.Coalesce('posted_on', models.Case(models.When(survey_id__isnull=True, then=models.Func('created_at', output_field=models.DateField(), template="(%(expressions)s AT TIME ZONE 'UTC')::date"))), models.Value(datetime.date(1, 1, 1), output_field=models.DateField())), descending=True), models.OrderBy(models.F('id'), descending=True), name='submission_newest'),
            ),
            migrations.AddConstraint(
                model_name='auditentry',
                constraint=models.CheckConstraint(condition=models.Q(('action__in', ['approved', 'held', 'rejected', 'withdrawn', 'erased', 'restored', 'claimed', 'report_closed', 'merged', 'overruled', 'pinned', 'banned', 'unbanned', 'imported', 'notes_removed', 'network_banned', 'network_unbanned', 'moderator_added', 'moderator_removed', 'factor_reset', 'account_closed'])), name='audit_action_is_known'),
            ),
            migrations.AddConstraint(
                model_name='member',
                constraint=models.CheckConstraint(condition=models.Q(('banned_until__isnull', True), ('banned_until__gt', models.F('banned_at')), _connector='OR'), name='member_ban_ends_after_it_began'),
            ),
            migrations.AddConstraint(
                model_name='result',
                constraint=models.CheckConstraint(condition=models.Q(('is_ranked', False), ('latency_us__3__isnull', False), _connector='OR'), name='result_ranked_has_a_4k_latency'),
            ),
            migrations.AddConstraint(
                model_name='submission',
                constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'erased'), _negated=True), models.Q(('note', ''), ('notices', []), ('text', ''), ('text_digest__isnull', True), ('unit_digests', {})), _connector='OR'), name='submission_erased_is_empty'),
            ),
            migrations.RunSQL([LIST_ERASURES, FORMER_ERASURES], migrations.RunSQL.noop),
            migrations.RunSQL(STORE_UNCOMPRESSED, migrations.RunSQL.noop),
            *INDEXES,
            migrations.RunSQL(RANK_ANEW, migrations.RunSQL.noop),
        ]),
    ]
