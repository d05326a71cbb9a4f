"""Notes which devices' results have changed, in whatever way they were written."""

import django.db.models.deletion
from django.db import migrations, models

# Once for each statement and not for each row; a transition table has only the rows that the statement changed.
# Of an upsert both triggers run, each about its own rows. 122 random bits are hashed to the 64 of a mark.
# A session plans each once, for as many rows as it meets first: so no plan may be much the worse for other numbers. Hence
# EXCEPT and not a join of both tables, and OFFSET, for which results are always looked up by the index.
FUNCTIONS = """
    CREATE FUNCTION results_note_results() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_devicechange (device_id, mark)
        SELECT device_id, uuid_hash_extended(gen_random_uuid(), 0)
        FROM (SELECT DISTINCT device_id FROM changed) AS device;
        RETURN NULL;
    END $$;

    CREATE FUNCTION results_note_moved_results() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_devicechange (device_id, mark)
        SELECT device_id, uuid_hash_extended(gen_random_uuid(), 0)
        FROM (SELECT device_id FROM before UNION SELECT device_id FROM after) AS device;
        RETURN NULL;
    END $$;

    CREATE FUNCTION results_note_submissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_devicechange (device_id, mark)
        SELECT device_id, uuid_hash_extended(gen_random_uuid(), 0)
        FROM (
            SELECT DISTINCT result.device_id
            FROM (
                SELECT id, state, text = '' FROM before EXCEPT SELECT id, state, text = '' FROM after
            ) AS other
            CROSS JOIN LATERAL (
                SELECT device_id FROM results_result WHERE submission_id = other.id OFFSET 0
            ) AS result
        ) AS device;
        RETURN NULL;
    END $$;

    CREATE FUNCTION results_note_firmware() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_devicechange (device_id, mark)
        SELECT device_id, uuid_hash_extended(gen_random_uuid(), 0)
        FROM (SELECT DISTINCT device_id FROM results_result WHERE firmware_id = NEW.id) AS device;
        RETURN NULL;
    END $$;
"""
TRIGGERS = """
    CREATE TRIGGER results_note_inserted AFTER INSERT ON results_result
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION results_note_results();
    CREATE TRIGGER results_note_updated AFTER UPDATE ON results_result
        REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION results_note_moved_results();
    CREATE TRIGGER results_note_deleted AFTER DELETE ON results_result
        REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION results_note_results();
    CREATE TRIGGER results_note_updated AFTER UPDATE ON results_submission
        REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION results_note_submissions();
    CREATE TRIGGER results_note_renamed AFTER UPDATE OF version ON results_firmware
        FOR EACH ROW WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION results_note_firmware();
"""
REMOVED = """
    DROP FUNCTION results_note_results CASCADE;
    DROP FUNCTION results_note_moved_results CASCADE;
    DROP FUNCTION results_note_submissions CASCADE;
    DROP FUNCTION results_note_firmware CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0015_order_indexes_with_devices")]

    operations = [
        migrations.CreateModel(
            name="DeviceChange",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "device_id", "mark", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("mark", models.BigIntegerField()),
                (
                    "device",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="results.device",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(FUNCTIONS + TRIGGERS, REMOVED),
    ]
