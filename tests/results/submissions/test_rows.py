from datetime import UTC, datetime

import pytest
from django.db import DatabaseError

from results.models import Result, Submission
from results.models.choices import State
from results.models.fields import bytes_of_unit
from results.submissions.read import save_read_submissions, upsert_results
from tests.factories import make_result

pytestmark = pytest.mark.django_db


def values_of(result):
    return Result.objects.filter(pk=result.pk).values().get()


def row_of(result, **changes):
    row = values_of(result)
    del row["id"]
    row["ranking_unit"] = rf"\x{bytes_of_unit(row['ranking_unit']).hex()}"
    return {**row, **changes}


def test_rows_survive_the_round_trip_through_json():
    result = make_result(20.1, flags=[{"code": "é", "effect": "noted", "message": 'a "quoted" \\ line\n'}])
    before = values_of(result)
    upsert_results([row_of(result)])
    assert values_of(result) == before


def test_a_reread_run_keeps_its_id_and_the_owners_notes():
    result = make_result(20, notes="in the attic")
    upsert_results([row_of(result, notes="", platform="FreeBSD 14.1")])
    kept = Result.objects.get()
    assert (kept.pk, kept.notes, kept.platform) == (result.pk, "in the attic", "FreeBSD 14.1")


@pytest.mark.parametrize(
    ("name", "value"), [("latency_us", [1.0]), ("method", "guess"), ("position", 0), ("path", "x" * 101)]
)
def test_constraints_hold(name, value):
    row = row_of(make_result(20), **{"public_id": "another", name: value})
    with pytest.raises(DatabaseError):
        upsert_results([row])


def test_each_of_many_submissions_gets_its_results():
    made = [make_result(20).submission for _ in range(4)]
    until = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    Submission.objects.exclude(pk=made[1].pk).update(state=State.WAITING, leased_until=until)
    for number, submission in enumerate(made):
        submission.state, submission.state_reason = State.REJECTED, f"reason {number}"
        submission.notices = [{"code": "x", "message": f"line {number}", "line": number}]
    assert save_read_submissions(made[:3], leased_until=until) == {made[0].pk, made[2].pk}
    kept = Submission.objects.order_by("pk").values_list("state", "state_reason", "notices")
    assert [one[1] for one in kept] == ["reason 0", "", "reason 2", ""]
    assert kept[2][2] == made[2].notices
