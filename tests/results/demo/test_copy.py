import pytest
from django.db import IntegrityError

from results.demo.store import copy_unsaved, draw_ids
from results.models import Result
from tests.factories import make_result

pytestmark = pytest.mark.django_db
AWKWARD = 'tab\t line\n back\\slash \\N "quoted" {brace} é'


def row_of(result):
    return Result.objects.values().get(public_id=result.public_id) | {"changed_at": None}


@pytest.mark.parametrize(
    "values",
    [
        {"path": AWKWARD, "flags": [{"code": AWKWARD}], "told_conditions": {AWKWARD: None}},
        {"tails": None, "is_ranked": False, "not_ranked_reason": "x", "write_cache_enabled": False},
        {"host_bytes_written": 10**23, "measured_on": None, "path": ""},
    ],
)
def test_a_copied_row_is_the_row_that_it_was(values):
    result = make_result([None, *[0.1] * 13, 8388607.0], **values)
    before = row_of(result)
    result.delete()
    copy_unsaved([Result(**before)])
    assert row_of(result) == before


def test_copying_no_rows_does_nothing():
    copy_unsaved([])
    assert Result.objects.count() == 0


def test_copying_an_existing_row_fails():
    result = make_result(20)
    with pytest.raises(IntegrityError):
        copy_unsaved([result])


def test_drawn_ids_come_from_the_tables_sequence():
    assert make_result(20).pk < min(draw_ids(Result, 3)) == max(draw_ids(Result, 1)) - 3
