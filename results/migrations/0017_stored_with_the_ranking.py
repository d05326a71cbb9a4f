"""What pages computed from results is stored when they are ranked, and the newest results of a device are indexed."""

import django.db.models.deletion
from django.db import migrations, models

# A sweep ranks dirty devices and boards within minutes of the upgrade.
RANK_ANEW = """
    UPDATE results_device SET dirty_since = now() WHERE dirty_since IS NULL AND result_count > 0;
    UPDATE results_classranking SET changes = changes + 1 WHERE method = '';
"""
# A full ranking with a new formula writes every row: with room beside the old version, no index changes.
LEAVE_ROOM = "ALTER TABLE results_deviceranking SET (fillfactor = 50)"


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0016_pools'),
    ]

    operations = [
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
        migrations.AddIndex(
            model_name='result',
            index=models.Index(models.F('device'), models.OrderBy(models.F('measured_on'), descending=True, nulls_last=True), models.OrderBy(models.F('id'), descending=True), name='result_newest_of_device'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(models.F('device'), models.F('method'), models.F('ranking_unit'), models.OrderBy(models.F('measured_on'), descending=True, nulls_last=True), models.OrderBy(models.F('id'), descending=True), condition=models.Q(('is_ranked', True), models.Q(('wear_percent__isnull', False), ('power_on_hours__isnull', False), ('host_bytes_written__isnull', False), _connector='OR')), name='result_wear_of_units'),
        ),
        migrations.RemoveIndex(
            model_name='deviceranking',
            name='ranking_recommended',
        ),
        migrations.AlterField(
            model_name='device',
            name='product',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='devices', to='results.product'),
        ),
        migrations.AddIndex(
            model_name='device',
            index=models.Index(fields=['product'], include=('id', 'capacity_bytes', 'result_count'), name='device_of_product'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(condition=models.Q(('is_main', True), ('recommended_high__isnull', False)), fields=['board', 'device_class', 'recommended_high', 'device_id'], include=('id',), name='ranking_recommended'),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(condition=models.Q(('is_main', True), ('recommended_high__isnull', False)), fields=['board', 'recommended_high', 'device_id'], name='ranking_recommended_first'),
        ),
        migrations.RunSQL(LEAVE_ROOM, "ALTER TABLE results_deviceranking RESET (fillfactor)"),
        migrations.RunSQL(RANK_ANEW, migrations.RunSQL.noop),
    ]
