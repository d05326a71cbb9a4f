import pytest
from django.db import DatabaseError

from results.models import Result
from results.submissions.intake.store import upsert_results
from tests.factories import make_result

pytestmark = pytest.mark.django_db


def values_of(result):
    return Result.objects.filter(pk=result.pk).values().get()


def unsaved(result, **changes):
    return Result(**{**values_of(result), "id": None, **changes})


def test_rows_survive_the_round_trip():
    result = make_result(20.1, flags=[{"code": "é", "effect": "noted", "message": 'a "quoted" \\ line\n'}])
    before = values_of(result)
    upsert_results([unsaved(result)])
    assert values_of(result) == before


@pytest.mark.parametrize(
    ("name", "value"), [("latency_us", [1.0]), ("method", "guess"), ("position", 0), ("path", "x" * 101)]
)
def test_constraints_hold(name, value):
    changed = unsaved(make_result(20), **{"public_id": "another", name: value})
    with pytest.raises(DatabaseError):
        upsert_results([changed])
