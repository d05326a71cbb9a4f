import pytest

from results.ranking.newest import count_everything, newest_results
from tests.factories import make_device, make_result, make_submission

pytestmark = pytest.mark.django_db


def test_the_newest_published_results_come_first(django_assert_num_queries):
    for name in ("first", "second", "third"):
        make_result(device__model_name=name)
    make_result(submission__state="withdrawn")
    with django_assert_num_queries(1):
        rows = newest_results(2)
    assert [row["device__model_name"] for row in rows] == ["third", "second"]


def test_only_what_is_published_is_counted():
    device = make_device()
    submission = make_submission()
    make_result(device=device, submission=submission)
    make_result(device=device, submission=submission, position=2, public_id="second")
    make_result(submission__state="held")
    assert count_everything() == {"devices": 1, "results": 2, "submissions": 1}
