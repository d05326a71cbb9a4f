"""The progress of the worker's reread of the stored texts."""

import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0028_read_only'),
    ]

    operations = [
        migrations.CreateModel(
            name='RereadRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('only_outdated', models.BooleanField()),
                ('after_pk', models.BigIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField()),
                ('failed', models.PositiveIntegerField(default=0)),
                ('changes', models.JSONField(default=dict)),
                ('started_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('touched_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('finished_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='reread_run_is_one_row')],
            },
        ),
    ]
