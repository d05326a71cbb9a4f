"""1.0.0 works on this database: what it reads and writes is as it was, and nothing refuses what it does.

What it can't show, it doesn't find. A later release drops all of this.
"""

import django.db.models.deletion
from django.db import migrations, models

from results.migrations._previous_release import CLAIMS, ERASURES, METHODS, QUEUE

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
        migrations.RunSQL(ERASURES, "DROP FUNCTION results_erase_pools CASCADE"),
    ]
