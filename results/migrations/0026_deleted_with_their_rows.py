"""Deleting a row deletes what newer tables store about it, also by 1.0.0, whose models don't know them."""

from django.db import migrations

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


class Migration(migrations.Migration):
    dependencies = [("results", "0025_previous_release")]

    operations = [migrations.RunSQL(DELETIONS, migrations.RunSQL.noop)]
