from django.db import migrations, models
import django.db.models.deletion

# What Django adds to each unique text for `LIKE 'begins%'`, which nobody asks of random ids and digests.
LIKE_INDEXES = (
    ("results_result", "public_id", "results_result_public_id_12262983_like"),
    ("results_submission", "public_id", "results_submission_public_id_756eb706_like"),
    ("results_submission", "text_digest", "results_submission_text_digest_d290caca_like"),
    ("results_submission", "survey_id", "results_submission_survey_id_edd19ad1_like"),
)


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0007_late_devices'),
    ]

    operations = [
        migrations.AlterField(
            model_name='result',
            name='submission',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='results', to='results.submission'),
        ),
        *(
            migrations.RunSQL(
                f'DROP INDEX "{index}"',
                f'CREATE INDEX "{index}" ON {table} ({column} varchar_pattern_ops)',
            )
            for table, column, index in LIKE_INDEXES
        ),
    ]
