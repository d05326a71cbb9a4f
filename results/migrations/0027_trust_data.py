"""Remove network digests under the permanent key, keep day keys out of log and backups, rename effects of flags.

Results without a serial number counted as one unit per network; until reread, they count per submission.
"""

from django.db import migrations

FORGET_NETWORKS = [
    """
    UPDATE results_result AS result SET ranking_unit = convert_to(submission.public_id, 'UTF8')
    FROM results_submission AS submission
    WHERE submission.id = result.submission_id AND NOT result.has_unit
        AND submission.batch_id IS NULL AND submission.owner_id IS NULL AND submission.sender_digest <> ''
    """,
    "UPDATE results_submission SET sender_digest = '' WHERE batch_id IS NULL AND sender_digest <> ''",
]
RENAME_EFFECT = """
    UPDATE results_result
    SET flags = replace(flags::text, '"effect": "held"', '"effect": "waits"')::jsonb
    WHERE flags::text LIKE '%"effect": "held"%'
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0026_trust")]

    operations = [
        migrations.RunSQL("ALTER TABLE results_daykey SET UNLOGGED", "ALTER TABLE results_daykey SET LOGGED"),
        migrations.RunSQL(FORGET_NETWORKS, migrations.RunSQL.noop),
        migrations.RunSQL(RENAME_EFFECT, migrations.RunSQL.noop),
    ]
