"""Curves by slogprobe. 1.0.0 takes them for curves by fio."""

from django.db import migrations, models

CURVES_OF_FIO = """
    CREATE OR REPLACE FUNCTION results_name_method() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.measured_by = '' OR TG_OP = 'UPDATE' AND NEW.method <> OLD.method THEN  -- by 1.0.0
            NEW.measured_by = NEW.method;
        ELSIF NEW.measured_by IN ('diskinfo', 'fio', 'pg_test_fsync', 'pveperf', 'diskinfo_volume', 'ioping',
                                  'fsync_script') THEN
            NEW.method = NEW.measured_by;
        ELSIF NEW.measured_by = 'slogprobe' THEN
            NEW.method = 'fio';
        ELSE
            NEW.method = 'fio_file';
        END IF;
        RETURN NEW;
    END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0038_log_checks'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='result',
            name='result_has_a_curve_by_its_method',
        ),
        migrations.AlterField(
            model_name='classranking',
            name='method',
            field=models.CharField(blank=True, choices=[('diskinfo', 'diskinfo -wS'), ('slogprobe', 'slogprobe'), ('fio', 'fio, synchronous writes')], max_length=10),
        ),
        migrations.AlterField(
            model_name='deviceranking',
            name='method',
            field=models.CharField(choices=[('diskinfo', 'diskinfo -wS'), ('slogprobe', 'slogprobe'), ('fio', 'fio, synchronous writes')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('latency_us__isnull', False), models.Q(('method__in', ['diskinfo', 'slogprobe', 'fio']), _negated=True), _connector='XOR'), name='result_has_a_curve_by_its_method'),
        ),
        migrations.RunSQL(CURVES_OF_FIO, migrations.RunSQL.noop),
    ]
