"""1.0.0 works on this database: what it reads and writes is as it was, and nothing refuses what it does.

What it can't show, it doesn't find. A later release drops all of this.
"""

import django.db.models.deletion
from django.db import migrations, models

# They aren't in the models: this release doesn't use them. 1.0.0 has its worker read imported texts, by these columns.
QUEUE = """
    ALTER TABLE results_submission
        ADD COLUMN IF NOT EXISTS leased_until timestamptz,
        ADD COLUMN IF NOT EXISTS read_attempts smallint NOT NULL DEFAULT 0 CHECK (read_attempts >= 0);
    ALTER TABLE results_submission ALTER COLUMN read_attempts SET DEFAULT 0;
    CREATE INDEX IF NOT EXISTS submission_waiting ON results_submission (id) WHERE state = 'waiting';
    CREATE INDEX IF NOT EXISTS submission_leased ON results_submission (leased_until)
        WHERE state = 'waiting' AND leased_until IS NOT NULL;
"""

# 1.0.0 fails at a method that it doesn't know. A result of such a method has a known one in 1.0.0's column, and no
# payload: lists show it without figures. Results of pools have no device, so lists leave them out.
METHODS = """
    ALTER TABLE results_result ADD COLUMN measured_by varchar(20) NOT NULL DEFAULT 'diskinfo';
    UPDATE results_result SET measured_by = method WHERE method <> 'diskinfo';
    ALTER TABLE results_result ALTER COLUMN measured_by SET DEFAULT '';
    CREATE FUNCTION results_name_method() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.measured_by = '' OR TG_OP = 'UPDATE' AND NEW.method <> OLD.method THEN  -- by 1.0.0
            NEW.measured_by = NEW.method;
        ELSIF NEW.measured_by IN ('diskinfo', 'fio', 'pg_test_fsync', 'pveperf', 'diskinfo_volume', 'ioping',
                                  'fsync_script') THEN
            NEW.method = NEW.measured_by;
        ELSE
            NEW.method = 'fio_file';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER results_name_method BEFORE INSERT OR UPDATE OF method, measured_by ON results_result
    FOR EACH ROW EXECUTE FUNCTION results_name_method();
    UPDATE results_result SET measured_by = measured_by WHERE method <> 'diskinfo';
"""
# Nor does it know some quantities: such claims have no product in its column.
CLAIMS = """
    ALTER TABLE results_claim ADD COLUMN about_id bigint REFERENCES results_product ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED;
    UPDATE results_claim SET about_id = product_id;
    SET CONSTRAINTS ALL IMMEDIATE;
    SET CONSTRAINTS ALL DEFERRED;
    ALTER TABLE results_claim ALTER COLUMN product_id DROP NOT NULL;
    CREATE FUNCTION results_name_product() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.about_id IS NULL OR TG_OP = 'UPDATE' AND NEW.product_id <> OLD.product_id THEN  -- by 1.0.0
            NEW.about_id = NEW.product_id;
        ELSIF NEW.quantity IN ('sustained_writes', 'write_degradation', 'content_dependence', 'alignment_dependence',
                               'partition_dependence', 'trim_dependence', 'iops_per_dollar', 'external_power',
                               'separate_controller', 'longevity') THEN
            NEW.product_id = NULL;
        ELSE
            NEW.product_id = NEW.about_id;
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER results_name_product BEFORE INSERT OR UPDATE OF product_id, about_id, quantity ON results_claim
    FOR EACH ROW EXECUTE FUNCTION results_name_product();
    UPDATE results_claim SET about_id = about_id;
    SET CONSTRAINTS ALL IMMEDIATE;
    SET CONSTRAINTS ALL DEFERRED;
    ALTER TABLE results_claim ALTER COLUMN about_id SET NOT NULL;
    CREATE INDEX results_claim_about_id ON results_claim (about_id);
"""

# Deleting a row deletes what newer tables store about it, as Django does for models that it knows.
NEW_TABLES = [
    f"results_{name}"
    for name in (
        "accesspattern", "filegrid", "poolio", "sustained", "sustainedseries",  # payloads of results
        "pool", "poollog", "pricereport", "resultpair",
    )
]
DELETIONS = f"""
    DO $$
    DECLARE
        one record;
    BEGIN
        FOR one IN
            SELECT conrelid::regclass AS source, conname, pg_get_constraintdef(pg_constraint.oid) AS definition,
                   CASE attname WHEN 'same_as_id' THEN 'SET NULL' ELSE 'CASCADE' END AS action
            FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
            WHERE contype = 'f' AND confdeltype = 'a' AND (
                conrelid = ANY (ARRAY{NEW_TABLES}::regclass[])
                OR conrelid = 'results_result'::regclass AND attname = 'pool_id')
        LOOP
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s',
                one.source, one.conname, one.conname,
                replace(one.definition, ' DEFERRABLE', format(' ON DELETE %s DEFERRABLE', one.action)));
        END LOOP;
    END $$
"""
# Nor does it know of pools, and what a sender told about them.
ERASURES = """
    CREATE FUNCTION results_erase_pools() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM results_pool WHERE submission_id = NEW.id;
        NEW.told = '{}';
        RETURN NEW;
    END $$;
    CREATE TRIGGER results_erase_pools BEFORE UPDATE OF state ON results_submission
    FOR EACH ROW WHEN (NEW.state = 'erased') EXECUTE FUNCTION results_erase_pools();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0024_shown_prices'),
    ]

    operations = [
        migrations.AddField(
            model_name='dataversion',
            name='complete',
            field=models.CharField(blank=True, db_default='', default='', max_length=50),
        ),
        migrations.AlterField(
            model_name='pricesighting',
            name='shown_as',
            field=models.CharField(blank=True, choices=[('new', 'new'), ('used', 'used')], db_column='newest_as', max_length=4),
        ),
        migrations.RemoveConstraint(
            model_name='submission',
            name='submission_state_is_known',
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['published', 'held', 'rejected', 'withdrawn', 'erased', 'waiting'])), name='submission_state_is_known'),
        ),
        migrations.RunSQL(QUEUE, migrations.RunSQL.noop),
        migrations.RemoveIndex(
            model_name='result',
            name='result_of_device',
        ),
        migrations.RemoveIndex(
            model_name='result',
            name='result_by_fio',
        ),
        migrations.RemoveIndex(
            model_name='result',
            name='result_wear_of_units',
        ),
        migrations.RemoveConstraint(
            model_name='result',
            name='result_method_is_a_name',
        ),
        migrations.RemoveConstraint(
            model_name='result',
            name='result_has_a_curve_by_its_method',
        ),
        migrations.RunSQL(METHODS, state_operations=[
            migrations.AlterField(
                model_name='result',
                name='method',
                field=models.CharField(db_column='measured_by', max_length=20),
            ),
        ]),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(models.F('device'), models.F('method'), models.F('latency_us__3'), name='result_of_device'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('method', 'fio')), fields=['id'], name='result_by_fio'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(models.F('device'), models.F('method'), models.F('ranking_unit'), models.OrderBy(models.F('measured_on'), descending=True, nulls_last=True), models.OrderBy(models.F('id'), descending=True), condition=models.Q(('is_ranked', True), models.Q(('wear_percent__isnull', False), ('power_on_hours__isnull', False), ('host_bytes_written__isnull', False), _connector='OR')), name='result_wear_of_units'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('method__regex', '^[a-z][a-z0-9_]+$')), name='result_method_is_a_name'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('latency_us__isnull', False), models.Q(('method__in', ['diskinfo', 'fio']), _negated=True), _connector='XOR'), name='result_has_a_curve_by_its_method'),
        ),
        migrations.RemoveConstraint(
            model_name='claim',
            name='claim_once_a_source',
        ),
        migrations.RunSQL(CLAIMS, state_operations=[
            migrations.AlterField(
                model_name='claim',
                name='product',
                field=models.ForeignKey(db_column='about_id', on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='results.product'),
            ),
        ]),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(fields=('product', 'capacity_bytes', 'quantity', 'source_url', 'value', 'text'), name='claim_once_a_source', nulls_distinct=False),
        ),
        migrations.RunSQL(DELETIONS, migrations.RunSQL.noop),
        migrations.RunSQL(ERASURES, "DROP FUNCTION results_erase_pools CASCADE"),
    ]
