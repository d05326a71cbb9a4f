"""The list of erasures: a table to which triggers add in each transaction that erases, whatever code runs it."""

import uuid

import django.db.models.functions.datetime
from django.db import migrations, models

LIST_ERASURES = """
    CREATE FUNCTION results_list_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_erasure (line) VALUES (to_jsonb(NEW) ->> TG_ARGV[0]) ON CONFLICT DO NOTHING;
        RETURN NULL;
    END $$;
    CREATE TRIGGER results_list_erasure AFTER INSERT OR UPDATE OF state ON results_submission
    FOR EACH ROW WHEN (NEW.state = 'erased') EXECUTE FUNCTION results_list_erasure('public_id');
    CREATE TRIGGER results_list_erasure AFTER INSERT ON results_closedaccount
    FOR EACH ROW EXECUTE FUNCTION results_list_erasure('digest');
"""
FORMER_ERASURES = """
    INSERT INTO results_erasure (line)
    SELECT public_id FROM results_submission WHERE state = 'erased' UNION SELECT digest FROM results_closedaccount
"""


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0004_conditions_of_runs'),
    ]

    operations = [
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('line', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Installation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lineage', models.UUIDField(default=uuid.uuid4)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='installation_is_one_row')],
            },
        ),
        migrations.RunSQL(
            [LIST_ERASURES, FORMER_ERASURES], "DROP FUNCTION results_list_erasure CASCADE"
        ),
    ]
