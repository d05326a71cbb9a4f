"""All tables, as the first 38 migrations left them."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.operations
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.fields.json
import django.db.models.functions.comparison
import django.db.models.functions.text
import django.utils.timezone
import results.models.fields
import results.models.submission
from django.conf import settings
from django.db import migrations, models

# Django's cache, where all processes count attempts to sign in.
CACHE_TABLE = """
    CREATE TABLE results_cache (
        cache_key varchar(255) NOT NULL PRIMARY KEY,
        value text NOT NULL,
        expires timestamp with time zone NOT NULL
    );
    CREATE INDEX results_cache_expires ON results_cache (expires);
"""
AUDIT_IS_KEPT = """
    CREATE FUNCTION results_audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER results_audit_is_kept BEFORE UPDATE OR DELETE ON results_auditentry
    FOR EACH ROW EXECUTE FUNCTION results_audit_is_kept();
"""
# Floats hardly compress.
STORE_UNCOMPRESSED = """
    ALTER TABLE results_classranking
        ALTER COLUMN lows_us SET STORAGE EXTERNAL,
        ALTER COLUMN highs_us SET STORAGE EXTERNAL,
        ALTER COLUMN group_starts_us SET STORAGE EXTERNAL
"""
SORTABLE = (
    "zil_latency_us",
    "latency_4k_us",
    "throughput_128k_mib_s",
    "peak_throughput_mib_s",
    "slow_write_us",
)


def index_operations(key: str) -> list[migrations.RunSQL]:
    """Indexes for lists sorted by a metric, in both directions; nulls are always last.

    They aren't in the models' state: metrics are defined in results.kinds, above the models. They include the metrics:
    only then does PostgreSQL read the expression without visiting the rows.
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

    replaces = [
        ('results', '0001_initial'),
        ('results', '0002_cache_table'),
        ('results', '0003_ends_as_bytes'),
        ('results', '0004_search_devices_by_trigrams'),
        ('results', '0005_erased_index'),
        ('results', '0006_claimed_at'),
        ('results', '0007_late_devices'),
        ('results', '0008_without_needless_indexes'),
        ('results', '0009_closed_accounts'),
        ('results', '0010_sealed_second_factors'),
        ('results', '0011_fewer_bytes_a_result'),
        ('results', '0012_taken_batches'),
        ('results', '0013_index_each_order'),
        ('results', '0014_known_class'),
        ('results', '0015_order_indexes_with_devices'),
        ('results', '0016_device_changes'),
        ('results', '0017_without_ranking_device'),
        ('results', '0018_without_result_public_id'),
        ('results', '0019_counted_changes'),
        ('results', '0020_index_claims'),
        ('results', '0021_late_since'),
        ('results', '0022_notes_by_index'),
        ('results', '0023_order_by_device'),
        ('results', '0024_named_by_older_code'),
        ('results', '0025_index_answers'),
        ('results', '0026_trust'),
        ('results', '0027_trust_data'),
        ('results', '0028_find_copies'),
        ('results', '0029_device_result_count'),
        ('results', '0030_standard_queue'),
        ('results', '0031_metrics'),
        ('results', '0032_published_results_and_dates'),
        ('results', '0033_wear'),
        ('results', '0034_facts_for_buyers'),
        ('results', '0035_prices'),
        ('results', '0036_file_sync'),
        ('results', '0037_writers'),
        ('results', '0038_line_prices'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        django.contrib.postgres.operations.TrigramExtension(),
        migrations.CreateModel(
            name='ClosedAccount',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('closed_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='DayKey',
            fields=[
                ('day', models.DateField(primary_key=True, serialize=False)),
                ('key', models.BinaryField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail address')),
                ('display_name', models.CharField(blank=True, max_length=40)),
                ('forum_handle', models.CharField(blank=True, max_length=60)),
                ('forum_url', models.URLField(blank=True, max_length=500)),
                ('wants_decision_mail', models.BooleanField(default=True, verbose_name='mail me when a moderator decides')),
                ('wants_report_mail', models.BooleanField(default=True, verbose_name='mail me when my result is reported')),
                ('banned_at', models.DateTimeField(blank=True, null=True)),
                ('ban_reason', models.CharField(blank=True, max_length=300)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='member_email_once_in_any_case'), models.CheckConstraint(condition=models.Q(models.Q(('ban_reason', ''), ('banned_at__isnull', True)), models.Q(('banned_at__isnull', False), models.Q(('ban_reason', ''), _negated=True)), _connector='OR'), name='member_is_banned_for_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('prefix', models.CharField(max_length=12)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', "Read, with a member's limits"), ('submit', "Send results and manage the member's own")], max_length=10), size=None)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(null=True)),
                ('last_used_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='key_has_a_name'), models.CheckConstraint(condition=models.Q(('scopes__len__gte', 1), ('scopes__contained_by', ['read', 'submit'])), name='key_scopes_are_known')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('actor_id', models.BigIntegerField(null=True)),
                ('actor_name', models.CharField(max_length=60)),
                ('action', models.CharField(choices=[('approved', 'Approved'), ('held', 'Held'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('erased', 'Erased'), ('restored', 'Restored'), ('claimed', 'Claimed'), ('report_closed', 'Closed a report'), ('merged', 'Merged devices'), ('overruled', 'Overruled a class'), ('pinned', 'Pinned a representative'), ('banned', 'Banned a member'), ('unbanned', 'Lifted a ban'), ('imported', 'Imported a thread')], max_length=20)),
                ('submission', models.CharField(blank=True, db_index=True, max_length=10)),
                ('device', models.CharField(blank=True, max_length=140)),
                ('member_id', models.BigIntegerField(null=True)),
                ('reason', models.CharField(max_length=300)),
            ],
            options={
                'verbose_name_plural': 'audit log',
                'constraints': [models.CheckConstraint(condition=models.Q(('action__in', ['approved', 'held', 'rejected', 'withdrawn', 'erased', 'restored', 'claimed', 'report_closed', 'merged', 'overruled', 'pinned', 'banned', 'unbanned', 'imported'])), name='audit_action_is_known'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='audit_has_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='ClassRanking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_class', models.CharField(blank=True, choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], max_length=10)),
                ('method', models.CharField(choices=[('diskinfo', 'diskinfo -wS'), ('fio', 'fio, synchronous writes')], max_length=10)),
                ('changes', models.BigIntegerField(default=0)),
                ('ranked_changes', models.BigIntegerField(default=0)),
                ('ranked_at', models.DateTimeField(null=True)),
                ('spread', models.FloatField(null=True)),
                ('spread_source', models.CharField(blank=True, max_length=10)),
                ('lows_us', results.models.fields.FloatsField(default=bytes)),
                ('highs_us', results.models.fields.FloatsField(default=bytes)),
                ('group_starts_us', results.models.fields.FloatsField(default=bytes)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('device_class', 'method'), name='class_ranking_once')],
            },
        ),
        migrations.CreateModel(
            name='DataVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.BigIntegerField(default=1)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='data_version_is_one_row')],
            },
        ),
        migrations.CreateModel(
            name='ImportBatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=200)),
                ('source_url', models.URLField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='imports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'import batches',
                'constraints': [models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='import_has_a_title')],
            },
        ),
        migrations.CreateModel(
            name='RememberedAnswer',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('request_digest', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField()),
                ('headers', models.JSONField(default=dict)),
                ('body', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
            options={
                'indexes': [models.Index(django.db.models.fields.json.KeyTextTransform('id', 'body'), name='answer_about')],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('public_id', models.CharField(default=results.models.submission.draw_public_id, max_length=10, unique=True)),
                ('text', models.TextField(blank=True)),
                ('text_digest', models.CharField(max_length=64, null=True, unique=True)),
                ('survey_id', models.CharField(max_length=20, null=True, unique=True)),
                ('unit_digests', models.JSONField(default=dict)),
                ('notices', models.JSONField(default=list)),
                ('parser_version', models.CharField(blank=True, max_length=20)),
                ('state', models.CharField(choices=[('waiting', 'Waiting to be read'), ('published', 'Published'), ('held', 'Held'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('erased', 'Erased')], default='published', max_length=10)),
                ('state_reason', models.CharField(blank=True, max_length=300)),
                ('is_approved', models.BooleanField(default=False)),
                ('needs_review', models.BooleanField(default=False)),
                ('read_attempts', models.PositiveSmallIntegerField(default=0)),
                ('claim_digest', models.CharField(blank=True, max_length=64)),
                ('keeps_unit', models.BooleanField(default=True)),
                ('posted_on', models.DateField(null=True)),
                ('forum_handle', models.CharField(blank=True, max_length=60)),
                ('source_url', models.URLField(blank=True, max_length=500)),
                ('sender_digest', models.CharField(blank=True, max_length=32)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('batch', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='submissions', to='results.importbatch')),
                ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='submissions', to=settings.AUTH_USER_MODEL)),
                ('quality', models.CharField(blank=True, choices=[('a', 'Raw output'), ('b', 'Table'), ('c', 'Sentence')], max_length=1)),
                ('leased_until', models.DateTimeField(null=True)),
                ('figure', models.CharField(blank=True, db_default='', default='', max_length=60)),
                ('measured_on', models.DateField(null=True)),
                ('precision_percent', models.PositiveSmallIntegerField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='submission_waiting'), models.Index(condition=models.Q(('leased_until__isnull', False), ('state', 'waiting')), fields=['leased_until'], name='submission_leased'), models.Index(condition=models.Q(('needs_review', True), ('state', 'held'), _connector='OR'), fields=['id'], name='submission_to_look_at'), django.contrib.postgres.indexes.HashIndex(condition=models.Q(('claim_digest', ''), _negated=True), fields=['claim_digest'], name='submission_to_claim'), models.Index(condition=models.Q(('state', 'erased')), fields=['id'], name='submission_erased')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'published', 'held', 'rejected', 'withdrawn', 'erased'])), name='submission_state_is_known'), models.CheckConstraint(condition=models.Q(('text_digest__isnull', False), ('survey_id__isnull', False), ('state', 'erased'), _connector='OR'), name='submission_has_an_identity'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'erased'), _negated=True), models.Q(('notices', []), ('text', ''), ('text_digest__isnull', True), ('unit_digests', {})), _connector='OR'), name='submission_erased_is_empty')],
            },
        ),
        migrations.CreateModel(
            name='Vendor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, unique=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='vendor_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Product',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('patterns', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=500), blank=True, default=list, size=None)),
                ('example_model', models.CharField(blank=True, max_length=100)),
                ('device_class', models.CharField(choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk')], max_length=10)),
                ('segment', models.CharField(choices=[('consumer', 'Consumer'), ('prosumer', 'Prosumer'), ('enterprise', 'Enterprise')], max_length=10)),
                ('media', models.CharField(blank=True, max_length=80)),
                ('interface', models.CharField(blank=True, max_length=80)),
                ('form_factors', models.CharField(blank=True, max_length=80)),
                ('plp', models.CharField(choices=[('yes', 'Protected'), ('by_design', 'Safe by design'), ('external', 'Needs a battery or UPS'), ('partial', 'Partly protected'), ('no', 'Not protected'), ('disputed', 'Disputed'), ('unknown', 'Protection unknown')], default='unknown', max_length=10)),
                ('plp_statements', models.JSONField(blank=True, default=list)),
                ('endurance_dwpd_low', models.DecimalField(blank=True, decimal_places=2, max_digits=6, null=True)),
                ('endurance_dwpd_high', models.DecimalField(blank=True, decimal_places=2, max_digits=6, null=True)),
                ('endurance_years', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('endurance_tbw', models.JSONField(blank=True, default=list)),
                ('endurance_source_url', models.URLField(blank=True, max_length=500)),
                ('launch_year', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1980), django.core.validators.MaxValueValidator(2100)])),
                ('flags', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), blank=True, default=list, size=None)),
                ('sources', django.contrib.postgres.fields.ArrayField(base_field=models.URLField(max_length=500), blank=True, default=list, size=None)),
                ('line_digest', models.CharField(blank=True, max_length=64)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('vendor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='products', to='results.vendor')),
                ('aliases', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), blank=True, default=list, size=None)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='product_has_a_name'), models.CheckConstraint(condition=models.Q(('device_class__in', ['optane', 'nvdimm', 'nvram', 'nvme', 'sas_ssd', 'sata_ssd', 'sshd', 'hdd'])), name='product_class_is_known'), models.CheckConstraint(condition=models.Q(('segment__in', ['consumer', 'prosumer', 'enterprise'])), name='product_segment_is_known'), models.CheckConstraint(condition=models.Q(('plp__in', ['yes', 'by_design', 'external', 'partial', 'no', 'disputed', 'unknown'])), name='product_plp_is_known'), models.CheckConstraint(condition=models.Q(('plp', 'unknown'), models.Q(('plp_statements', []), _negated=True), _connector='OR'), name='product_plp_has_a_source'), models.CheckConstraint(condition=models.Q(models.Q(('endurance_dwpd_high__isnull', True), ('endurance_dwpd_low__isnull', True), ('endurance_years__isnull', True)), models.Q(('endurance_dwpd_high__gte', models.F('endurance_dwpd_low')), ('endurance_dwpd_high__isnull', False), ('endurance_dwpd_low__gt', 0), ('endurance_dwpd_low__isnull', False), ('endurance_years__gt', 0), ('endurance_years__isnull', False)), _connector='OR'), name='product_dwpd_is_a_range_over_years')],
            },
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=140, unique=True)),
                ('vendor', models.CharField(blank=True, max_length=60)),
                ('model_name', models.CharField(max_length=100)),
                ('capacity_bytes', models.PositiveBigIntegerField(blank=True, null=True)),
                ('read_class', models.CharField(choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], max_length=10)),
                ('class_overrule', models.CharField(blank=True, choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], max_length=10)),
                ('class_overrule_reason', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('product', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='devices', to='results.product')),
                ('searched', models.GeneratedField(db_persist=True, expression=django.db.models.functions.text.Concat('vendor', models.Value(' '), 'model_name'), output_field=models.CharField(max_length=161))),
                ('known_class', models.CharField(blank=True, choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], db_default='', max_length=10)),
                ('device_class', models.GeneratedField(choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.NullIf('class_overrule', models.Value('')), django.db.models.functions.comparison.NullIf('known_class', models.Value('')), 'read_class'), output_field=models.CharField(max_length=10))),
                ('result_count', models.PositiveIntegerField(db_default=0, default=0)),
                ('dirty_since', models.DateTimeField(null=True)),
                ('elsewhere_count', models.PositiveIntegerField(db_default=0, default=0)),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['searched'], name='device_trigrams', opclasses=['gin_trgm_ops'])],
                'constraints': [models.UniqueConstraint(fields=('model_name', 'capacity_bytes'), name='device_is_model_and_capacity', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('model_name', ''), _negated=True), name='device_has_a_model_name'), models.CheckConstraint(condition=models.Q(('capacity_bytes__isnull', True), ('capacity_bytes__gt', 0), _connector='OR'), name='device_capacity_is_positive'), models.CheckConstraint(condition=models.Q(('read_class__in', ['optane', 'nvdimm', 'nvram', 'nvme', 'sas_ssd', 'sata_ssd', 'sshd', 'hdd', 'unknown'])), name='device_class_is_known'), models.CheckConstraint(condition=models.Q(('known_class__in', ['', 'optane', 'nvdimm', 'nvram', 'nvme', 'sas_ssd', 'sata_ssd', 'sshd', 'hdd', 'unknown'])), name='device_known_class_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('class_overrule', ''), ('class_overrule_reason', '')), models.Q(('class_overrule__in', ['optane', 'nvdimm', 'nvram', 'nvme', 'sas_ssd', 'sata_ssd', 'sshd', 'hdd', 'unknown']), models.Q(('class_overrule_reason', ''), _negated=True)), _connector='OR'), name='device_class_is_overruled_for_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='Firmware',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('version', models.CharField(max_length=40)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='firmwares', to='results.device')),
            ],
            options={
                'verbose_name_plural': 'firmware',
                'constraints': [models.UniqueConstraint(fields=('device', 'version'), name='firmware_version_once_a_device'), models.CheckConstraint(condition=models.Q(('version', ''), _negated=True), name='firmware_has_a_version')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('public_id', models.CharField(max_length=14)),
                ('position', models.PositiveSmallIntegerField()),
                ('has_unit', models.BooleanField(default=False)),
                ('ranking_unit', results.models.fields.UnitField()),
                ('method', models.CharField(max_length=20)),
                ('latency_us', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(null=True), null=True, size=15)),
                ('is_complete', models.BooleanField()),
                ('is_ranked', models.BooleanField()),
                ('not_ranked_reason', models.CharField(blank=True, max_length=300)),
                ('flags', models.JSONField(default=list)),
                ('platform', models.CharField(blank=True, max_length=100)),
                ('path', models.CharField(blank=True, max_length=100)),
                ('attachment', models.CharField(blank=True, max_length=100)),
                ('write_cache_enabled', models.BooleanField(null=True)),
                ('sector_size', models.PositiveIntegerField(null=True)),
                ('power_on_hours', models.PositiveIntegerField(null=True)),
                ('wear_percent', models.PositiveSmallIntegerField(null=True)),
                ('host_bytes_written', models.DecimalField(decimal_places=0, max_digits=24, null=True)),
                ('first_line', models.PositiveSmallIntegerField(null=True)),
                ('last_line', models.PositiveSmallIntegerField(null=True)),
                ('notes', models.CharField(blank=True, max_length=1000)),
                ('told_conditions', models.JSONField(default=dict)),
                ('parser_version', models.CharField(blank=True, max_length=20)),
                ('measured_on', models.DateField(null=True)),
                ('device', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='results.device')),
                ('firmware', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='results.firmware')),
                ('submission', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='results', to='results.submission')),
                ('copy_of', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='copies', to='results.result')),
                ('metrics', models.JSONField(default=dict)),
                ('ranked_value', results.models.fields.RealField(null=True)),
                ('wear_source', models.CharField(max_length=100, null=True)),
                ('raw_wear', models.CharField(max_length=100, null=True)),
                ('tails', models.JSONField(null=True)),
                ('sync_method', models.CharField(max_length=20, null=True)),
                ('writers', models.PositiveSmallIntegerField(null=True)),
            ],
            options={
                'indexes': [models.Index(models.F('device'), models.F('method'), models.F('latency_us__3'), name='result_of_device'), models.Index(condition=models.Q(('copy_of__isnull', False)), fields=['copy_of'], name='result_copies'), models.Index(condition=models.Q(('method', 'fio')), fields=['id'], name='result_by_fio'), models.Index(condition=models.Q(('latency_us__isnull', True)), fields=['id'], name='result_without_curve')],
                'constraints': [models.UniqueConstraint(fields=('submission', 'position'), name='result_position_once_a_submission'), models.CheckConstraint(condition=models.Q(('method__regex', '^[a-z][a-z0-9_]+$')), name='result_method_is_a_name'), models.CheckConstraint(condition=models.Q(('position__gte', 1)), name='result_position_from_one'), models.CheckConstraint(condition=models.Q(('ranked_value__isnull', True), ('ranked_value__gt', 0), _connector='OR'), name='result_ranked_value_is_positive'), models.CheckConstraint(condition=models.Q(models.Q(('is_ranked', True), ('not_ranked_reason', '')), models.Q(('is_ranked', False), models.Q(('not_ranked_reason', ''), _negated=True)), _connector='OR'), name='result_says_why_it_is_not_ranked'), models.CheckConstraint(condition=models.Q(('is_ranked', False), ('ranked_value__isnull', False), _connector='OR'), name='result_ranked_has_its_ranked_value'), models.CheckConstraint(condition=models.Q(('latency_us__len', 15), results.models.fields.AllPositive('latency_us')), name='result_latency_us_is_a_curve'), models.CheckConstraint(condition=models.Q(('latency_us__isnull', False), models.Q(('method__in', ['diskinfo', 'fio']), _negated=True), _connector='XOR'), name='result_has_a_curve_by_its_method')],
            },
        ),
        migrations.CreateModel(
            name='DeviceAlias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=140, unique=True)),
                ('model_name', models.CharField(max_length=100)),
                ('capacity_bytes', models.PositiveBigIntegerField(blank=True, null=True)),
                ('reason', models.CharField(max_length=300)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='aliases', to='results.device')),
            ],
            options={
                'verbose_name_plural': 'device aliases',
                'constraints': [models.UniqueConstraint(fields=('model_name', 'capacity_bytes'), name='alias_is_model_and_capacity', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='alias_has_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='DeviceRanking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('method', models.CharField(choices=[('diskinfo', 'diskinfo -wS'), ('fio', 'fio, synchronous writes')], max_length=10)),
                ('device_class', models.CharField(choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], max_length=10)),
                ('formula_version', models.PositiveSmallIntegerField()),
                ('unit_count', models.PositiveIntegerField()),
                ('result_count', models.PositiveIntegerField()),
                ('median_us', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(null=True), size=15)),
                ('lowest_us', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(null=True), size=15)),
                ('highest_us', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(null=True), size=15)),
                ('last_measured_on', models.DateField(null=True)),
                ('score_us', results.models.fields.RealField()),
                ('low_us', results.models.fields.RealField()),
                ('high_us', results.models.fields.RealField()),
                ('unit_deviation', results.models.fields.RealField(null=True)),
                ('unit_differences', django.contrib.postgres.fields.ArrayField(base_field=results.models.fields.RealField(), default=list, size=None)),
                ('board_spread', models.FloatField(null=True)),
                ('device', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rankings', to='results.device')),
                ('model_name', models.CharField(db_default='', max_length=100)),
                ('capacity_bytes', models.PositiveBigIntegerField(null=True)),
                ('recommended_high_us', results.models.fields.RealField(null=True)),
                ('metrics', models.JSONField(default=dict)),
            ],
            options={
                'indexes': [models.Index(fields=['method', 'device_class', 'board_spread'], name='ranking_class_spread'), models.Index(condition=models.Q(('unit_count__gt', 1)), fields=['method', 'device_class'], include=('unit_differences',), name='ranking_class_pairs'), models.Index(condition=models.Q(('recommended_high_us__isnull', False)), fields=['method', 'device_class', 'recommended_high_us', 'device_id'], name='ranking_recommended'), models.Index(models.F('method'), models.OrderBy(models.F('last_measured_on'), nulls_last=True), models.F('high_us'), models.F('device_id'), name='ranking_by_day_up'), models.Index(models.F('method'), models.OrderBy(models.F('last_measured_on'), descending=True, nulls_last=True), models.F('high_us'), models.F('device_id'), name='ranking_by_day_down'), models.Index(models.F('method'), models.OrderBy(models.F('unit_count'), nulls_last=None), models.F('high_us'), models.F('device_id'), name='ranking_by_units_up'), models.Index(models.F('method'), models.OrderBy(models.F('unit_count'), descending=True, nulls_last=None), models.F('high_us'), models.F('device_id'), name='ranking_by_units_down'), models.Index(models.F('method'), models.OrderBy(models.F('result_count'), nulls_last=None), models.F('high_us'), models.F('device_id'), name='ranking_by_results_up'), models.Index(models.F('method'), models.OrderBy(models.F('result_count'), descending=True, nulls_last=None), models.F('high_us'), models.F('device_id'), name='ranking_by_results_down'), models.Index(models.F('method'), django.db.models.expressions.CombinedExpression(models.F('high_us'), '/', models.F('low_us')), models.F('high_us'), models.F('device_id'), include=('low_us',), name='ranking_by_interval'), models.Index(models.F('method'), models.F('high_us'), models.F('device_id'), include=('low_us',), name='ranking_overall_high'), models.Index(models.F('method'), models.F('device_class'), models.F('high_us'), models.F('device_id'), include=('low_us',), name='ranking_class_high'), models.Index(models.F('method'), models.F('model_name'), models.F('capacity_bytes'), include=('device_id',), name='ranking_by_device')],
                'constraints': [models.UniqueConstraint(fields=('device', 'method'), name='ranking_once_a_device_and_method'), models.CheckConstraint(condition=models.Q(('unit_count__gte', 1), ('result_count__gte', models.F('unit_count'))), name='ranking_rests_on_results'), models.CheckConstraint(condition=models.Q(('median_us__len', 15), results.models.fields.AllPositive('median_us')), name='deviceranking_median_us_is_a_curve')],
            },
        ),
        migrations.CreateModel(
            name='FileSync',
            fields=[
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='file_sync', serialize=False, to='results.result')),
                ('layer', models.CharField(blank=True, max_length=20)),
                ('rows', models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name='PriceSighting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('capacity_bytes', models.PositiveBigIntegerField(blank=True, null=True)),
                ('price', models.DecimalField(decimal_places=2, max_digits=9)),
                ('currency', models.CharField(max_length=3)),
                ('condition', models.CharField(blank=True, choices=[('new', 'new'), ('used', 'used'), ('refurbished', 'refurbished'), ('launch_msrp', 'list price at launch')], max_length=20)),
                ('seller_kind', models.CharField(choices=[('shop', 'shop'), ('marketplace', 'marketplace'), ('press', 'press')], max_length=20)),
                ('seen_on', models.CharField(max_length=10)),
                ('source_url', models.URLField(max_length=500)),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prices', to='results.product')),
                ('is_added', models.BooleanField(default=False)),
                ('newest_as', models.CharField(blank=True, choices=[('new', 'new'), ('used', 'used')], max_length=4)),
                ('is_line_price', models.BooleanField(default=False)),
                ('is_offer_price', models.BooleanField(default=False)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('newest_as', ''), _negated=True), fields=['product', 'currency', 'price'], name='price_cheapest_first')],
                'constraints': [models.UniqueConstraint(fields=('product', 'capacity_bytes', 'price', 'currency', 'condition', 'seller_kind', 'seen_on', 'source_url'), name='price_seen_once_a_source', nulls_distinct=False), models.UniqueConstraint(condition=models.Q(('newest_as', ''), _negated=True), fields=('product', 'capacity_bytes', 'currency', 'newest_as'), name='price_newest_of_an_offer', nulls_distinct=False), models.UniqueConstraint(condition=models.Q(('is_line_price', True)), fields=('currency', 'product'), name='price_of_a_line'), models.UniqueConstraint(condition=models.Q(('is_offer_price', True)), fields=('currency', 'product', 'newest_as'), name='price_of_a_line_by_offer'), models.CheckConstraint(condition=models.Q(('price__gt', 0), ('price__lte', 2000000)), name='price_is_positive'), models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='price_has_a_currency'), models.CheckConstraint(condition=models.Q(('seen_on__gte', '1980'), ('seen_on__lt', '2101'), ('seen_on__regex', '^\\d{4}(-\\d{2}(-\\d{2})?)?$')), name='price_was_seen_on_a_date')],
            },
        ),
        migrations.CreateModel(
            name='LifeCycle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('launched_on', models.CharField(blank=True, max_length=10)),
                ('end_of_sale', models.CharField(blank=True, max_length=200)),
                ('source_url', models.URLField(max_length=500)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='life_cycle', to='results.product')),
                ('successor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='results.product', to_field='slug')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('launched_on', ''), ('launched_on__regex', '^\\d{4}(-\\d{2}(-\\d{2})?)?$'), _connector='OR'), name='life_cycle_begins_on_a_date'), models.CheckConstraint(condition=models.Q(('successor__isnull', False), models.Q(('end_of_sale', ''), ('launched_on', ''), ('note', ''), _negated=True), _connector='OR'), name='life_cycle_says_something')],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('capacity_bytes', models.PositiveBigIntegerField(blank=True, null=True)),
                ('quantity', models.CharField(choices=[('write_latency_us', 'Write latency'), ('write_latency_4k_qd1_us', 'Write latency, 4 kB, queue depth 1'), ('random_write_4k_qd1_iops', 'Random writes, 4 kB, queue depth 1'), ('random_write_4k_steady_iops', 'Random writes, 4 kB, steady state'), ('random_write_4k_iops', 'Random writes, 4 kB'), ('sequential_write_mb_s', 'Sequential writes'), ('plp_mechanism', 'Power-loss protection'), ('endurance_tbw', 'Endurance, written'), ('endurance_dwpd', 'Endurance, drive writes a day'), ('warranty_years', 'Warranty'), ('mtbf_hours', 'Time between failures'), ('uber', 'Uncorrectable errors'), ('power_idle_w', 'Power, idle'), ('power_active_w', 'Power, active'), ('cache_dram_mb', 'DRAM cache'), ('controller', 'Controller'), ('nand', 'Flash'), ('form_factor', 'Form factor'), ('interface', 'Interface'), ('sector_formats', 'Sector formats, bytes')], max_length=40)),
                ('value', models.DecimalField(blank=True, decimal_places=3, max_digits=16, null=True)),
                ('unit', models.CharField(blank=True, max_length=10)),
                ('stated_by', models.CharField(choices=[('maker', 'maker'), ('reviewer', 'reviewer'), ('distributor', 'distributor')], max_length=20)),
                ('source_url', models.URLField(max_length=500)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='results.product')),
                ('is_below', models.BooleanField(default=False)),
                ('text', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('product', 'capacity_bytes', 'quantity', 'source_url', 'value', 'text'), name='claim_once_a_source', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('value__gt', 0), models.Q(('quantity', 'cache_dram_mb'), ('value', 0)), _connector='OR'), name='claim_is_positive'), models.CheckConstraint(condition=models.Q(models.Q(('is_below', False), ('unit', ''), ('value__isnull', True), models.Q(('text', ''), _negated=True)), models.Q(('text', ''), ('value__isnull', False), models.Q(('unit', ''), _negated=True)), _connector='OR'), name='claim_is_a_figure_or_a_text')],
            },
        ),
        migrations.CreateModel(
            name='Caveat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('firmware_bug', 'Firmware bug'), ('fake_or_counterfeit', 'Fakes are sold'), ('silent_revision', 'Changed under the same name'), ('smr', 'Shingled recording (SMR)'), ('write_cliff', 'Writes slow down'), ('compression', 'Speed depends on compression'), ('thermal', 'Heat'), ('needs_setting', 'Needs a setting'), ('platform_limit', 'Limits')], max_length=20)),
                ('summary', models.CharField(max_length=300)),
                ('fixed_in_firmware', models.CharField(blank=True, max_length=60)),
                ('source_url', models.URLField(max_length=500)),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='caveats', to='results.product')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('summary', ''), _negated=True), name='caveat_says_something')],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('figures', "The figures can't be right"), ('device', 'It is another device'), ('personal', 'It holds personal data'), ('spam', 'It is spam'), ('other', 'Something else')], max_length=10)),
                ('text', models.CharField(blank=True, max_length=1000)),
                ('network', models.CharField(blank=True, max_length=32)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to=settings.AUTH_USER_MODEL)),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='results.result')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['id'], name='report_open')],
                'constraints': [models.CheckConstraint(condition=models.Q(('reason__in', ['figures', 'device', 'personal', 'spam', 'other'])), name='report_reason_is_known')],
            },
        ),
        migrations.CreateModel(
            name='RepresentativePin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_class', models.CharField(choices=[('optane', 'Optane'), ('nvdimm', 'NVDIMM'), ('nvram', 'NVRAM card'), ('nvme', 'NVMe SSD'), ('sas_ssd', 'SAS SSD'), ('sata_ssd', 'SATA SSD'), ('sshd', 'Hybrid disk'), ('hdd', 'Hard disk'), ('unknown', 'Class unknown')], max_length=10, unique=True)),
                ('reason', models.CharField(max_length=300)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pins', to='results.device')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='pin_has_a_reason')],
            },
        ),
        migrations.RunSQL(CACHE_TABLE, "DROP TABLE results_cache"),
        migrations.RunSQL("ALTER TABLE results_daykey SET UNLOGGED", migrations.RunSQL.noop),
        migrations.RunSQL(AUDIT_IS_KEPT, "DROP FUNCTION results_audit_is_kept CASCADE"),
        migrations.RunSQL(STORE_UNCOMPRESSED, migrations.RunSQL.noop),
        *(operation for key in SORTABLE for operation in index_operations(key)),
    ]
