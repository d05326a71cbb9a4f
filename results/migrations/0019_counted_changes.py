"""Has the notes of changed results say, too, by how many more of a device's results are published."""

from importlib import import_module

from django.db import migrations, models

# As in 0016 no plan may be much the worse for other numbers of rows: OFFSET has single rows looked up by an index.
# A result that goes with its submission is counted by what goes first: after it there is nothing left to look up.
FUNCTIONS = """
    CREATE OR REPLACE FUNCTION results_note_results() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_devicechange (device_id, mark, published_count)
        SELECT device_id, uuid_hash_extended(gen_random_uuid(), 0),
               CASE TG_OP WHEN 'DELETE' THEN -published ELSE published END
        FROM (
            SELECT device_id, count(*) FILTER (WHERE state = 'published') AS published
            FROM changed LEFT JOIN LATERAL (
                SELECT state FROM results_submission WHERE id = changed.submission_id OFFSET 0
            ) AS submission ON true
            GROUP BY device_id
        ) AS device;
        RETURN NULL;
    END $$;

    CREATE OR REPLACE FUNCTION results_note_moved_results() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_devicechange (device_id, mark, published_count)
        SELECT device_id, uuid_hash_extended(gen_random_uuid(), 0), sum(more)
        FROM (
            SELECT device_id, 0 AS more FROM before
            UNION SELECT device_id, 0 FROM after
            UNION ALL
            SELECT device_id, CASE state WHEN 'published' THEN side ELSE 0 END
            FROM (
                (SELECT id, device_id, submission_id, -1 AS side FROM before
                 EXCEPT SELECT id, device_id, submission_id, -1 FROM after)
                UNION ALL
                (SELECT id, device_id, submission_id, 1 FROM after
                 EXCEPT SELECT id, device_id, submission_id, 1 FROM before)
            ) AS moved
            CROSS JOIN LATERAL (
                SELECT state FROM results_submission WHERE id = moved.submission_id OFFSET 0
            ) AS submission
        ) AS device
        GROUP BY device_id;
        RETURN NULL;
    END $$;

    CREATE OR REPLACE FUNCTION results_note_submissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_devicechange (device_id, mark, published_count)
        SELECT device_id, uuid_hash_extended(gen_random_uuid(), 0), sum(more)
        FROM (
            SELECT id, sum(CASE state WHEN 'published' THEN side ELSE 0 END) AS more
            FROM (
                (SELECT id, state, text = '', -1 AS side FROM before
                 EXCEPT SELECT id, state, text = '', -1 FROM after)
                UNION ALL
                (SELECT id, state, text = '', 1 FROM after
                 EXCEPT SELECT id, state, text = '', 1 FROM before)
            ) AS sides
            GROUP BY id
        ) AS other
        CROSS JOIN LATERAL (
            SELECT device_id FROM results_result WHERE submission_id = other.id OFFSET 0
        ) AS result
        GROUP BY device_id;
        RETURN NULL;
    END $$;

    CREATE FUNCTION results_note_gone_submissions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO results_devicechange (device_id, mark, published_count)
        SELECT device_id, uuid_hash_extended(gen_random_uuid(), 0), -count(*)
        FROM before
        CROSS JOIN LATERAL (
            SELECT device_id FROM results_result WHERE submission_id = before.id OFFSET 0
        ) AS result
        WHERE state = 'published'
        GROUP BY device_id;
        RETURN NULL;
    END $$;
    CREATE TRIGGER results_note_deleted AFTER DELETE ON results_submission
        REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION results_note_gone_submissions();
"""
# Who writes meanwhile waits, so that nothing is counted by neither the old functions nor what is there.
LOCKED = "LOCK TABLE results_submission, results_result, results_devicechange IN SHARE ROW EXCLUSIVE MODE"
COUNTED = """
    INSERT INTO results_devicechange (device_id, mark, published_count)
    SELECT result.device_id, uuid_hash_extended(gen_random_uuid(), 0),
           count(*) FILTER (WHERE submission.state = 'published')
    FROM results_result AS result JOIN results_submission AS submission ON submission.id = result.submission_id
    GROUP BY result.device_id
"""
_BEFORE: str = import_module("results.migrations.0016_device_changes").FUNCTIONS
NOT_COUNTED = _BEFORE.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
NOT_COUNTED += "DROP FUNCTION results_note_gone_submissions CASCADE;"


class Migration(migrations.Migration):
    dependencies = [("results", "0018_without_result_public_id")]

    operations = [
        migrations.RunSQL(LOCKED, migrations.RunSQL.noop),
        migrations.AddField(
            model_name="devicechange",
            name="published_count",
            field=models.IntegerField(db_default=0),
        ),
        migrations.RunSQL(FUNCTIONS + COUNTED, NOT_COUNTED),
    ]
