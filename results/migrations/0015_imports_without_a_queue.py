"""Imported texts no longer wait to be read. Those that did are published without results, until they are reread."""

from django.db import migrations, models

PUBLISH = "UPDATE results_submission SET state = 'published', parser_version = '' WHERE state = 'waiting'"


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0014_scores_of_a_board'),
    ]

    operations = [
        migrations.RunSQL(PUBLISH, migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='submission',
            name='submission_state_is_known',
        ),
        migrations.RemoveIndex(
            model_name='submission',
            name='submission_waiting',
        ),
        migrations.RemoveIndex(
            model_name='submission',
            name='submission_leased',
        ),
        migrations.RemoveField(
            model_name='submission',
            name='leased_until',
        ),
        migrations.RemoveField(
            model_name='submission',
            name='read_attempts',
        ),
        migrations.AlterField(
            model_name='submission',
            name='state',
            field=models.CharField(choices=[('published', 'Published'), ('held', 'Held'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('erased', 'Erased')], default='published', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['published', 'held', 'rejected', 'withdrawn', 'erased'])), name='submission_state_is_known'),
        ),
    ]
