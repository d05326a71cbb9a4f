"""Has what notes changes look rows up by their indexes also where a session planned that with empty tables."""

from django.db import migrations

# 0016 says why a plan has to do for other numbers of rows. Of a table without any PostgreSQL would rather read all, and goes
# on to do so until it is analyzed again: a bulk import into a new site spent most of its first minute there.
FUNCTIONS = (
    "results_note_results",
    "results_note_moved_results",
    "results_note_submissions",
    "results_note_gone_submissions",
    "results_note_firmware",
)
BY_INDEX = [f"ALTER FUNCTION {name} SET enable_seqscan = off" for name in FUNCTIONS]
AS_BEFORE = [f"ALTER FUNCTION {name} RESET enable_seqscan" for name in FUNCTIONS]


class Migration(migrations.Migration):
    dependencies = [("results", "0021_late_since")]

    operations = [migrations.RunSQL(BY_INDEX, AS_BEFORE)]
