import pytest
from django.db import connection

from results.models import Result
from results.models.choices import State
from results.models.result import public_id_of, submission_id_of
from tests.factories import make_result, make_submission

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("position", "public_id"), [(1, "pasted"), (2, "pasted-2"), (12, "pasted-12")])
def test_a_public_id_names_a_run_of_a_submission(position, public_id):
    assert public_id_of("pasted", position) == public_id
    assert submission_id_of(public_id) == "pasted"


def test_named_finds_exactly_the_requested_runs():
    pasted, other = make_submission(public_id="pasted"), make_submission(public_id="other")
    for submission in (pasted, other):
        for position in (1, 2, 12):
            public_id = public_id_of(submission.public_id, position)
            make_result(submission=submission, position=position, public_id=public_id)
    found = Result.objects.named(["pasted-2", "other", "pasted-3", "nowhere"])
    assert sorted(found.values_list("public_id", flat=True)) == ["other", "pasted-2"]


def test_named_uses_an_index():
    statement = Result.objects.named(["pasted-2"])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "Seq Scan" not in statement.explain()


@pytest.mark.parametrize("state", State)
def test_only_what_is_published_is_public(state):
    kept = {"submission__text_digest": None} if state == State.ERASED else {}
    make_result(submission__state=state, **kept)
    assert Result.objects.published().exists() is (state == State.PUBLISHED)
