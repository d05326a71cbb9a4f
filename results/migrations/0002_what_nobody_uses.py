"""Drop indexes that no query uses, and a trigger that older code needed: the ranking names its devices itself."""

from django.db import migrations

# Django adds an index for `LIKE 'begins%'` to each unique text; nobody searches random ids and digests that way.
LIKE_INDEXES = """
    DROP INDEX IF EXISTS results_submission_public_id_756eb706_like;
    DROP INDEX IF EXISTS results_submission_text_digest_d290caca_like;
    DROP INDEX IF EXISTS results_submission_survey_id_edd19ad1_like;
"""
NAMING = "DROP FUNCTION IF EXISTS results_name_ranking CASCADE"


class Migration(migrations.Migration):
    dependencies = [("results", "0001_squashed_0038_line_prices")]

    operations = [migrations.RunSQL([LIKE_INDEXES, NAMING], migrations.RunSQL.noop)]
