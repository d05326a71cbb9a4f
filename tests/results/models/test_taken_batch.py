"""What the migration to batches does with texts that were being read, and failed before."""

import pytest
from django.db import connection

from results.models import Submission
from results.models.choices import State
from tests.factories import make_submission
from tests.results.models.test_fewer_bytes import migrate

pytestmark = pytest.mark.django_db(transaction=True)
CLAIMED = "UPDATE results_submission SET claimed_at = now() WHERE read_attempts IN (1, 3)"


def test_a_text_that_was_being_read_is_free_and_keeps_its_failures():
    for attempts in (0, 1, 2, 3):
        make_submission(state=State.WAITING, read_attempts=attempts)
    try:
        migrate("0011_fewer_bytes_a_result")
        with connection.cursor() as cursor:
            cursor.execute(CLAIMED)
    finally:
        migrate()
    assert list(Submission.objects.order_by("id").values_list("read_attempts", flat=True)) == [0, 0, 2, 2]
