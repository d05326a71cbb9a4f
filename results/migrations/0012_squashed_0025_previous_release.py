"""What came after 1.0.0, in one transaction, without a step at which 1.0.0 doesn't work."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from results.migrations._at_once import AtOnce
from results.migrations._previous_release import CLAIMS, ERASURES, METHODS, QUEUE

# Both at once, since this rewrites the table and its indexes.
LONGER_TEXTS = """
    ALTER TABLE results_result ALTER COLUMN first_line TYPE integer, ALTER COLUMN last_line TYPE integer
"""
SHOWN_PRICES = "DROP INDEX price_newest_of_an_offer, price_of_a_line_by_offer, price_cheapest_first"
# A full ranking with a new formula writes every row: with room beside the old version, no index changes.
LEAVE_ROOM = "ALTER TABLE results_deviceranking SET (fillfactor = 50)"


class Migration(migrations.Migration):

    replaces = [
        ('results', '0012_units_in_an_index'),
        ('results', '0013_withheld_results'),
        ('results', '0014_scores_of_a_board'),
        ('results', '0015_imports_without_a_queue'),
        ('results', '0016_pools'),
        ('results', '0017_stored_with_the_ranking'),
        ('results', '0018_workloads_on_pools'),
        ('results', '0019_what_lasts'),
        ('results', '0020_reported_prices'),
        ('results', '0021_access_patterns'),
        ('results', '0022_grids_of_pools'),
        ('results', '0023_pairs'),
        ('results', '0024_shown_prices'),
        ('results', '0025_previous_release'),
    ]

    dependencies = [
        ('results', '0011_conditions_of_devices'),
    ]

    operations = [
        AtOnce([
            migrations.RemoveConstraint(
                model_name='auditentry',
                name='audit_action_is_known',
            ),
            migrations.RemoveConstraint(
                model_name='submission',
                name='submission_state_is_known',
            ),
            migrations.RemoveConstraint(
                model_name='submission',
                name='submission_erased_is_empty',
            ),
            migrations.RemoveIndex(
                model_name='deviceranking',
                name='ranking_recommended',
            ),
            migrations.RemoveIndex(
                model_name='deviceranking',
                name='ranking_class_high',
            ),
            migrations.RemoveIndex(
                model_name='result',
                name='result_of_device',
            ),
            migrations.RemoveIndex(
                model_name='result',
                name='result_by_fio',
            ),
            migrations.RemoveConstraint(
                model_name='result',
                name='result_method_is_a_name',
            ),
            migrations.RemoveConstraint(
                model_name='result',
                name='result_has_a_curve_by_its_method',
            ),
            migrations.RemoveConstraint(
                model_name='claim',
                name='claim_once_a_source',
            ),
            migrations.RunSQL(
                sql=LONGER_TEXTS,
                state_operations=[migrations.AlterField(
                    model_name='result',
                    name='first_line',
                    field=models.PositiveIntegerField(null=True),
                ), migrations.AlterField(
                    model_name='result',
                    name='last_line',
                    field=models.PositiveIntegerField(null=True),
                )],
            ),
            migrations.AddField(
                model_name='classranking',
                name='distribution',
                field=models.JSONField(null=True),
            ),
            migrations.AddField(
                model_name='classranking',
                name='typical_device',
                field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='results.device'),
            ),
            migrations.AddField(
                model_name='dataversion',
                name='complete',
                field=models.CharField(blank=True, db_default='', default='', max_length=50),
            ),
            migrations.AddField(
                model_name='device',
                name='condition_values',
                field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
            ),
            migrations.AddField(
                model_name='deviceranking',
                name='firmwares',
                field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
            ),
            migrations.AddField(
                model_name='deviceranking',
                name='recommended_figures',
                field=models.JSONField(null=True),
            ),
            migrations.AddField(
                model_name='submission',
                name='told',
                field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
            ),
            migrations.AlterField(
                model_name='auditentry',
                name='action',
                field=models.CharField(choices=[('approved', 'Approved'), ('held', 'Held'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('erased', 'Erased'), ('restored', 'Restored'), ('claimed', 'Claimed'), ('report_closed', 'Closed a report'), ('merged', 'Merged devices'), ('overruled', 'Overruled a class'), ('pinned', 'Pinned a representative'), ('banned', 'Banned a member'), ('unbanned', 'Lifted a ban'), ('imported', 'Imported a thread'), ('notes_removed', 'Removed the notes'), ('network_banned', 'Banned a network'), ('network_unbanned', 'Lifted the ban of a network'), ('moderator_added', 'Made a moderator'), ('moderator_removed', 'Removed a moderator'), ('factor_reset', 'Reset second factors'), ('account_closed', 'Closed an account on request'), ('price_accepted', 'Accepted a price'), ('price_rejected', 'Rejected a price')], max_length=20),
            ),
            migrations.AlterField(
                model_name='claim',
                name='quantity',
                field=models.CharField(choices=[('write_latency_us', 'Write latency'), ('write_latency_4k_qd1_us', 'Write latency, 4 kB, queue depth 1'), ('random_write_4k_qd1_iops', 'Random writes, 4 kB, queue depth 1'), ('random_write_4k_steady_iops', 'Random writes, 4 kB, steady state'), ('random_write_4k_iops', 'Random writes, 4 kB'), ('sequential_write_mb_s', 'Sequential writes'), ('sustained_writes', 'Sustained writes'), ('write_degradation', 'Slower after long writing'), ('content_dependence', 'Depends on data content'), ('alignment_dependence', 'Depends on alignment of writes'), ('partition_dependence', 'Depends on alignment of partitions'), ('trim_dependence', 'Depends on TRIM'), ('iops_per_dollar', 'Sustained writes per dollar'), ('plp_mechanism', 'Power-loss protection'), ('external_power', 'External power backup'), ('separate_controller', 'Separate HBA or controller'), ('longevity', 'Durability'), ('endurance_tbw', 'Endurance, written'), ('endurance_dwpd', 'Endurance, drive writes a day'), ('warranty_years', 'Warranty'), ('mtbf_hours', 'Time between failures'), ('uber', 'Uncorrectable errors'), ('power_idle_w', 'Power, idle'), ('power_active_w', 'Power, active'), ('cache_dram_mb', 'DRAM cache'), ('controller', 'Controller'), ('nand', 'Flash'), ('form_factor', 'Form factor'), ('interface', 'Interface'), ('sector_formats', 'Sector formats, bytes')], max_length=40),
            ),
            migrations.AlterField(
                model_name='claim',
                name='stated_by',
                field=models.CharField(choices=[('maker', 'maker'), ('reviewer', 'reviewer'), ('distributor', 'distributor'), ('competitor', 'competitor')], max_length=20),
            ),
            migrations.AlterField(
                model_name='device',
                name='product',
                field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='devices', to='results.product'),
            ),
            migrations.AlterField(
                model_name='submission',
                name='state',
                field=models.CharField(choices=[('published', 'Published'), ('held', 'Held'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('erased', 'Erased')], default='published', max_length=10),
            ),
            migrations.RunSQL(
                sql=SHOWN_PRICES,
                state_operations=[
                migrations.RemoveConstraint(
                    model_name='pricesighting',
                    name='price_newest_of_an_offer',
                ),
                migrations.RemoveConstraint(
                    model_name='pricesighting',
                    name='price_of_a_line_by_offer',
                ),
                migrations.RemoveIndex(
                    model_name='pricesighting',
                    name='price_cheapest_first',
                ),
                ],
            ),
            migrations.SeparateDatabaseAndState(
                state_operations=[
                    migrations.RenameField(
                        model_name='pricesighting',
                        old_name='newest_as',
                        new_name='shown_as',
                    ),
                    migrations.AlterField(
                        model_name='pricesighting',
                        name='shown_as',
                        field=models.CharField(blank=True, choices=[('new', 'new'), ('used', 'used')], db_column='newest_as', max_length=4),
                    ),
                ],
            ),
            migrations.RunSQL(
                sql=QUEUE,
                state_operations=[migrations.RemoveIndex(
                    model_name='submission',
                    name='submission_waiting',
                ), migrations.RemoveIndex(
                    model_name='submission',
                    name='submission_leased',
                ), migrations.RemoveField(
                    model_name='submission',
                    name='leased_until',
                ), migrations.RemoveField(
                    model_name='submission',
                    name='read_attempts',
                )],
            ),
            migrations.RunSQL(
                sql=METHODS,
                state_operations=[migrations.AlterField(
                    model_name='result',
                    name='method',
                    field=models.CharField(db_column='measured_by', max_length=20),
                )],
            ),
            migrations.RunSQL(
                sql=CLAIMS,
                state_operations=[migrations.AlterField(
                    model_name='claim',
                    name='product',
                    field=models.ForeignKey(db_column='about_id', on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='results.product'),
                )],
            ),
            migrations.CreateModel(
                name='Pool',
                fields=[
                    ('id', models.AutoField(primary_key=True, serialize=False)),
                    ('public_id', models.CharField(max_length=14)),
                    ('position', models.PositiveSmallIntegerField()),
                    ('layout', models.JSONField(default=list)),
                    ('is_told', models.BooleanField(default=False)),
                    ('health', models.CharField(blank=True, max_length=20)),
                    ('properties', models.JSONField(default=dict)),
                    ('platform', models.CharField(blank=True, max_length=100)),
                    ('zfs_version', models.CharField(blank=True, max_length=40)),
                    ('same_as', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='later', to='results.pool')),
                    ('submission', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pools', to='results.submission')),
                    ('logs', models.ManyToManyField(related_name='log_of_pools', through='results.PoolLog', to='results.device')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('submission', 'position'), name='pool_position_once_a_submission'), models.CheckConstraint(condition=models.Q(('position__gte', 1)), name='pool_position_from_one'), models.CheckConstraint(condition=models.Q(('same_as', models.F('id')), _negated=True), name='pool_is_not_the_same_as_itself')],
                },
            ),
            migrations.CreateModel(
                name='PoolLog',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('device', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='pool_logs', to='results.device')),
                    ('pool', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='log_devices', to='results.pool')),
                ],
                options={
                    'indexes': [models.Index(fields=['device', '-pool'], name='pool_log_newest')],
                    'constraints': [models.UniqueConstraint(fields=('pool', 'device'), name='pool_log_once')],
                },
            ),
            migrations.AlterField(
                model_name='result',
                name='device',
                field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='results.device'),
            ),
            migrations.AddField(
                model_name='result',
                name='pool',
                field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='results', to='results.pool'),
            ),
            migrations.CreateModel(
                name='AccessPattern',
                fields=[
                    ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='access_pattern', serialize=False, to='results.result')),
                    ('observed', models.CharField(blank=True, max_length=10)),
                    ('file_systems', models.PositiveIntegerField(null=True)),
                    ('seconds_a_row', models.FloatField(null=True)),
                    ('is_since_boot', models.BooleanField(null=True)),
                    ('rows', models.JSONField(default=list)),
                    ('row_group', models.PositiveIntegerField(null=True)),
                    ('seeks', models.JSONField(default=list)),
                    ('sizes', models.JSONField(default=list)),
                    ('latencies', models.JSONField(default=list)),
                    ('sync_percent', models.FloatField(null=True)),
                    ('log_device', models.CharField(blank=True, max_length=140)),
                    ('log_name', models.CharField(blank=True, max_length=200)),
                ],
                options={
                    'verbose_name': 'access pattern',
                    'verbose_name_plural': 'access patterns',
                },
            ),
            migrations.CreateModel(
                name='FileGrid',
                fields=[
                    ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='file_grid', serialize=False, to='results.result')),
                    ('rows', models.JSONField(default=list)),
                    ('runs', models.PositiveSmallIntegerField(default=1)),
                    ('unit', models.CharField(blank=True, max_length=10)),
                    ('each_synced', models.BooleanField(null=True)),
                    ('flush_timed', models.BooleanField(null=True)),
                    ('doubted', models.JSONField(default=list)),
                    ('log', models.CharField(blank=True, max_length=10)),
                    ('log_device', models.CharField(blank=True, max_length=140)),
                    ('log_name', models.CharField(blank=True, max_length=200)),
                    ('sync_mode', models.CharField(blank=True, max_length=10)),
                    ('record_size', models.PositiveIntegerField(null=True)),
                    ('compression', models.CharField(blank=True, max_length=20)),
                    ('access', models.CharField(blank=True, max_length=10)),
                    ('memory_bytes', models.PositiveBigIntegerField(null=True)),
                    ('arc_bytes', models.PositiveBigIntegerField(null=True)),
                    ('drives', models.CharField(blank=True, max_length=200)),
                ],
                options={
                    'verbose_name': 'grid of a pool',
                    'verbose_name_plural': 'grids of pools',
                },
            ),
            migrations.CreateModel(
                name='PoolIO',
                fields=[
                    ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='pool_io', serialize=False, to='results.result')),
                    ('work', models.CharField(blank=True, max_length=100)),
                    ('direction', models.CharField(blank=True, max_length=10)),
                    ('block_size', models.PositiveIntegerField(null=True)),
                    ('data_bytes', models.PositiveBigIntegerField(null=True)),
                    ('seconds', models.FloatField(null=True)),
                    ('throughput_bytes_s', models.FloatField(null=True)),
                    ('iops', models.FloatField(null=True)),
                    ('p99_us', models.FloatField(null=True)),
                    ('each_synced', models.BooleanField(null=True)),
                    ('is_synced', models.BooleanField(null=True)),
                    ('log', models.CharField(blank=True, max_length=10)),
                    ('log_device', models.CharField(blank=True, max_length=140)),
                    ('log_name', models.CharField(blank=True, max_length=200)),
                    ('sync_mode', models.CharField(blank=True, max_length=10)),
                    ('record_size', models.PositiveIntegerField(null=True)),
                    ('compression', models.CharField(blank=True, max_length=20)),
                    ('access', models.CharField(blank=True, max_length=10)),
                    ('arc_bytes', models.PositiveBigIntegerField(null=True)),
                    ('log_activity', models.JSONField(null=True)),
                ],
                options={
                    'verbose_name': 'workload on a pool',
                    'verbose_name_plural': 'workloads on pools',
                },
            ),
            migrations.CreateModel(
                name='Sustained',
                fields=[
                    ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sustained', serialize=False, to='results.result')),
                    ('verdict', models.CharField(blank=True, choices=[('steady', 'steady state'), ('plateau', 'plateau'), ('not_steady', 'not steady'), ('short', 'too short')], max_length=12)),
                    ('is_on_board', models.BooleanField(default=False)),
                    ('transfer_size', models.PositiveIntegerField(null=True)),
                    ('random_percent', models.PositiveSmallIntegerField(null=True)),
                    ('queue_depth', models.PositiveSmallIntegerField(null=True)),
                    ('workers', models.PositiveSmallIntegerField(null=True)),
                    ('content', models.CharField(blank=True, max_length=20)),
                    ('state_before', models.CharField(blank=True, choices=[('erased', 'secure-erased'), ('preconditioned', 'preconditioned'), ('used', 'as used')], max_length=20)),
                    ('written_before', models.FloatField(null=True)),
                    ('phases', models.JSONField(default=list)),
                    ('window_start_s', models.FloatField(null=True)),
                    ('range_percent', models.FloatField(null=True)),
                    ('rise_percent', models.FloatField(null=True)),
                    ('points', models.JSONField(default=list)),
                    ('first_minute_iops', models.FloatField(null=True)),
                    ('sustained_iops', models.FloatField(null=True)),
                    ('slowest_minute_iops', models.FloatField(null=True)),
                    ('minutes_to_drop', models.PositiveSmallIntegerField(null=True)),
                    ('recovery_percent', models.FloatField(null=True)),
                    ('mean_us', models.FloatField(null=True)),
                    ('p99_us', models.FloatField(null=True)),
                    ('max_us', models.FloatField(null=True)),
                    ('at_minute', models.PositiveSmallIntegerField(null=True)),
                    ('procedure', models.CharField(blank=True, max_length=200)),
                ],
                options={
                    'verbose_name': 'sustained result',
                    'indexes': [models.Index(condition=models.Q(('is_on_board', True)), fields=['transfer_size', 'random_percent'], name='sustained_on_board')],
                },
            ),
            migrations.CreateModel(
                name='SustainedSeries',
                fields=[
                    ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sustained_series', serialize=False, to='results.result')),
                    ('iops', models.BinaryField(null=True)),
                    ('latency', models.BinaryField(null=True)),
                    ('sample_count', models.PositiveIntegerField()),
                ],
            ),
            migrations.CreateModel(
                name='PriceReport',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('capacity_bytes', models.PositiveBigIntegerField(null=True)),
                    ('price', models.DecimalField(decimal_places=2, max_digits=9)),
                    ('currency', models.CharField(max_length=3)),
                    ('condition', models.CharField(choices=[('new', 'new'), ('used', 'used'), ('refurbished', 'refurbished'), ('launch_msrp', 'list price at launch')], max_length=20)),
                    ('seller_kind', models.CharField(choices=[('shop', 'shop'), ('marketplace', 'marketplace'), ('press', 'press')], max_length=20)),
                    ('seen_on', models.DateField()),
                    ('source_url', models.URLField(max_length=500)),
                    ('state', models.CharField(choices=[('waiting', 'Waiting for a moderator'), ('accepted', 'Accepted'), ('rejected', 'Rejected')], default='waiting', max_length=10)),
                    ('reason', models.CharField(blank=True, max_length=300)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='price_reports', to='results.product')),
                    ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='price_reports', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='price_report_waiting')],
                    'constraints': [models.UniqueConstraint(fields=('reporter', 'product', 'capacity_bytes', 'price', 'currency', 'condition', 'seen_on', 'source_url'), name='price_report_once_a_member', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('price__gt', 0), ('price__lte', 2000000)), name='price_report_is_positive'), models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='price_report_has_a_currency'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'accepted', 'rejected'])), name='price_report_state_is_known')],
                },
            ),
            migrations.CreateModel(
                name='ResultPair',
                fields=[
                    ('id', models.AutoField(primary_key=True, serialize=False)),
                    ('change', models.CharField(choices=[('hba_firmware', 'HBA firmware'), ('hba', 'HBA or controller'), ('driver', 'Driver'), ('firmware', 'Drive firmware'), ('system', 'Operating system or its version'), ('zfs_version', 'OpenZFS version'), ('log_device', 'Log device (SLOG)'), ('sync', 'sync of the dataset'), ('write_cache', 'Write cache'), ('layout', 'Layout of the pool'), ('cable', 'Cable, slot or backplane'), ('setting', 'Another setting'), ('wear', 'Age or wear of the drive')], max_length=20)),
                    ('before_value', models.CharField(blank=True, max_length=100)),
                    ('after_value', models.CharField(blank=True, max_length=100)),
                    ('sentence', models.CharField(blank=True, max_length=300)),
                    ('survey_id', models.CharField(max_length=20, null=True, unique=True)),
                    ('source_url', models.URLField(blank=True, max_length=500)),
                    ('quality', models.CharField(blank=True, choices=[('a', 'Raw output'), ('b', 'Table'), ('c', 'Sentence')], max_length=1)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('after', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairs_before', to='results.result')),
                    ('before', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pairs_after', to='results.result')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('before', 'after'), name='pair_once'), models.CheckConstraint(condition=models.Q(('before', models.F('after')), _negated=True), name='pair_is_of_two_results'), models.CheckConstraint(condition=models.Q(('change__in', ['hba_firmware', 'hba', 'driver', 'firmware', 'system', 'zfs_version', 'log_device', 'sync', 'write_cache', 'layout', 'cable', 'setting', 'wear'])), name='pair_change_is_known')],
                },
            ),
            migrations.AddIndex(
                model_name='device',
                index=models.Index(fields=['product'], include=('id', 'capacity_bytes', 'result_count'), name='device_of_product'),
            ),
            migrations.AddIndex(
                model_name='deviceranking',
                index=models.Index(models.F('board'), models.F('device_class'), models.F('high'), models.F('device_id'), condition=models.Q(('is_main', True)), include=('low', 'method', 'unit_count'), name='ranking_class_high'),
            ),
            migrations.AddIndex(
                model_name='deviceranking',
                index=models.Index(models.F('board'), condition=models.Q(('is_main', True)), include=('device_id', 'score'), name='ranking_scores'),
            ),
            migrations.AddIndex(
                model_name='deviceranking',
                index=models.Index(condition=models.Q(('is_main', True), ('recommended_high__isnull', False)), fields=['board', 'device_class', 'recommended_high', 'device_id'], include=('id',), name='ranking_recommended'),
            ),
            migrations.AddIndex(
                model_name='deviceranking',
                index=models.Index(condition=models.Q(('is_main', True), ('recommended_high__isnull', False)), fields=['board', 'recommended_high', 'device_id'], name='ranking_recommended_first'),
            ),
            migrations.AddIndex(
                model_name='pricesighting',
                index=models.Index(condition=models.Q(('shown_as', ''), _negated=True), fields=['product', 'currency', 'price'], name='price_cheapest_first'),
            ),
            migrations.AddConstraint(
                model_name='auditentry',
                constraint=models.CheckConstraint(condition=models.Q(('action__in', ['approved', 'held', 'rejected', 'withdrawn', 'erased', 'restored', 'claimed', 'report_closed', 'merged', 'overruled', 'pinned', 'banned', 'unbanned', 'imported', 'notes_removed', 'network_banned', 'network_unbanned', 'moderator_added', 'moderator_removed', 'factor_reset', 'account_closed', 'price_accepted', 'price_rejected'])), name='audit_action_is_known'),
            ),
            migrations.AddConstraint(
                model_name='pricesighting',
                constraint=models.UniqueConstraint(condition=models.Q(('shown_as', ''), _negated=True), fields=('product', 'capacity_bytes', 'currency', 'shown_as'), name='price_shown_of_an_offer', nulls_distinct=False),
            ),
            migrations.AddConstraint(
                model_name='pricesighting',
                constraint=models.UniqueConstraint(condition=models.Q(('is_offer_price', True)), fields=('currency', 'product', 'shown_as'), name='price_of_a_line_by_offer'),
            ),
            migrations.AddConstraint(
                model_name='submission',
                constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'erased'), _negated=True), models.Q(('note', ''), ('notices', []), ('text', ''), ('text_digest__isnull', True), ('told', {}), ('unit_digests', {})), _connector='OR'), name='submission_erased_is_empty'),
            ),
            migrations.AddConstraint(
                model_name='submission',
                constraint=models.CheckConstraint(condition=models.Q(('state__in', ['published', 'held', 'rejected', 'withdrawn', 'erased', 'waiting'])), name='submission_state_is_known'),
            ),
            migrations.AddIndex(
                model_name='result',
                index=models.Index(condition=models.Q(('copy_of', None), ('is_ranked', False), ('latency_us__isnull', False), ('writers', None)), fields=['id'], name='result_withheld'),
            ),
            migrations.AddIndex(
                model_name='result',
                index=models.Index(condition=models.Q(('pool__isnull', False)), fields=['pool'], name='result_of_pool'),
            ),
            migrations.AddIndex(
                model_name='result',
                index=models.Index(models.F('device'), models.OrderBy(models.F('measured_on'), descending=True, nulls_last=True), models.OrderBy(models.F('id'), descending=True), name='result_newest_of_device'),
            ),
            migrations.AddIndex(
                model_name='result',
                index=models.Index(models.F('device'), models.F('method'), models.F('ranking_unit'), models.OrderBy(models.F('measured_on'), descending=True, nulls_last=True), models.OrderBy(models.F('id'), descending=True), condition=models.Q(('is_ranked', True), models.Q(('wear_percent__isnull', False), ('power_on_hours__isnull', False), ('host_bytes_written__isnull', False), _connector='OR')), name='result_wear_of_units'),
            ),
            migrations.AddIndex(
                model_name='result',
                index=models.Index(models.F('device'), models.F('method'), models.F('latency_us__3'), name='result_of_device'),
            ),
            migrations.AddIndex(
                model_name='result',
                index=models.Index(condition=models.Q(('method', 'fio')), fields=['id'], name='result_by_fio'),
            ),
            migrations.AddConstraint(
                model_name='result',
                constraint=models.CheckConstraint(condition=models.Q(('device__isnull', False), ('pool__isnull', False), _connector='XOR'), name='result_has_one_subject'),
            ),
            migrations.AddConstraint(
                model_name='result',
                constraint=models.CheckConstraint(condition=models.Q(('pool', None), models.Q(('firmware', None), ('is_ranked', False)), _connector='OR'), name='result_of_a_pool_is_not_ranked'),
            ),
            migrations.AddConstraint(
                model_name='result',
                constraint=models.CheckConstraint(condition=models.Q(('method__regex', '^[a-z][a-z0-9_]+$')), name='result_method_is_a_name'),
            ),
            migrations.AddConstraint(
                model_name='result',
                constraint=models.CheckConstraint(condition=models.Q(('latency_us__isnull', False), models.Q(('method__in', ['diskinfo', 'fio']), _negated=True), _connector='XOR'), name='result_has_a_curve_by_its_method'),
            ),
            migrations.AddConstraint(
                model_name='claim',
                constraint=models.UniqueConstraint(fields=('product', 'capacity_bytes', 'quantity', 'source_url', 'value', 'text'), name='claim_once_a_source', nulls_distinct=False),
            ),
            migrations.RunSQL(LEAVE_ROOM),
            migrations.RunSQL(ERASURES),
        ]),
    ]
