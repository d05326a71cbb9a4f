"""Add columns for copies, senders, quality of published figures, recommendations, claims and aliases."""

import django.contrib.postgres.fields
import django.db.models.deletion
import results.models.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0025_index_answers'),
    ]

    operations = [
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('capacity_bytes', models.PositiveBigIntegerField(blank=True, null=True)),
                ('quantity', models.CharField(max_length=40)),
                ('value', models.DecimalField(decimal_places=3, max_digits=16)),
                ('unit', models.CharField(max_length=10)),
                ('stated_by', models.CharField(max_length=20)),
                ('source_url', models.URLField(max_length=500)),
                ('note', models.CharField(blank=True, max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name='DayKey',
            fields=[
                ('day', models.DateField(primary_key=True, serialize=False)),
                ('key', models.BinaryField(max_length=32)),
            ],
        ),
        migrations.RemoveIndex(
            model_name='submission',
            name='submission_network',
        ),
        migrations.RenameField(
            model_name='submission',
            old_name='network',
            new_name='sender_digest',
        ),
        migrations.AddField(
            model_name='deviceranking',
            name='recommended_high_us',
            field=results.models.fields.RealField(null=True),
        ),
        migrations.AddField(
            model_name='product',
            name='aliases',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), blank=True, default=list, size=None),
        ),
        migrations.AddField(
            model_name='result',
            name='copy_of',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='copies', to='results.result'),
        ),
        migrations.AddField(
            model_name='submission',
            name='quality',
            field=models.CharField(blank=True, choices=[('a', 'Raw output'), ('b', 'Table'), ('c', 'Sentence')], max_length=1),
        ),
        migrations.AddIndex(
            model_name='deviceranking',
            index=models.Index(condition=models.Q(('recommended_high_us__isnull', False)), fields=['method', 'device_class', 'recommended_high_us', 'device_id'], name='ranking_recommended'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('copy_of__isnull', False)), fields=['copy_of'], name='result_copies'),
        ),
        migrations.AddField(
            model_name='claim',
            name='product',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='results.product'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(fields=('product', 'capacity_bytes', 'quantity', 'source_url'), name='claim_once_a_source', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(('value__gt', 0)), name='claim_is_positive'),
        ),
    ]
