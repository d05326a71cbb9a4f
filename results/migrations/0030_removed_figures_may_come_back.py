"""Don't list figures as erased if they were removed because no file has them any more: they may come back.

Whichever release removes them erases their submission and then frees its number.
"""

from django.db import migrations

UNLIST = """
    CREATE FUNCTION results_unlist_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM results_erasure WHERE line = NEW.public_id;
        RETURN NULL;
    END $$;
    CREATE TRIGGER results_unlist_erasure AFTER UPDATE OF survey_id ON results_submission
    FOR EACH ROW WHEN (NEW.state = 'erased' AND OLD.survey_id IS NOT NULL AND NEW.survey_id IS NULL)
    EXECUTE FUNCTION results_unlist_erasure();
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0029_reread_run")]

    operations = [migrations.RunSQL(UNLIST, "DROP FUNCTION results_unlist_erasure CASCADE")]
