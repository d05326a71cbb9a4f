"""What commands say when a disk is full; tests/faults/test_full_disk.py fills one."""

import pytest
from django.db import OperationalError
from psycopg.errors import DiskFull

from results.management.full_disk import explain, is_of_full_disk
from results.operations.postgres_tools import ToolError

EXTEND = 'could not extend file "base/16386/2619": No space left on device'


def of_django(text):
    error = OperationalError(text)
    error.__cause__ = DiskFull(text)
    return error


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (DiskFull(f"{EXTEND}\nHINT:  Check free disk space."), EXTEND),
        (of_django("kein Speicherplatz\nTIPP"), "kein Speicherplatz"),
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
        (
            ToolError(f"pg_restore --exit-on-error failed:\npg_restore: error: {EXTEND}\nCommand was: COPY"),
            f"pg_restore: error: {EXTEND}",
        ),
    ],
    ids=["PostgreSQL", "Django", "system", "program"],
)
def test_a_full_disk_is_said_first_with_its_cause_in_one_line(error, cause):
    assert is_of_full_disk(error)
    assert explain(error) == (
        'A disk is full: free some space (docs/day-two.md, "A full disk"), and run this again. '
        f"The cause: {cause}"
    )


def test_any_other_error_says_what_it_says():
    assert explain(ToolError("no pg_dump here")) == "no pg_dump here"
