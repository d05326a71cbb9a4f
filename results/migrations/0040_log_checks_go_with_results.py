"""Deleting a result deletes its check of a log, also by 1.0.0, whose models don't know it: as in 0026."""

from django.db import migrations

DELETION = """
    DO $$
    DECLARE
        name text;
    BEGIN
        SELECT conname INTO STRICT name FROM pg_constraint
        WHERE conrelid = 'results_logcheck'::regclass AND contype = 'f';
        EXECUTE format('ALTER TABLE results_logcheck DROP CONSTRAINT %I, ADD CONSTRAINT %I FOREIGN KEY (result_id)
            REFERENCES results_result ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED', name, name);
    END $$
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0039_slogprobe")]

    operations = [migrations.RunSQL(DELETION, migrations.RunSQL.noop)]
