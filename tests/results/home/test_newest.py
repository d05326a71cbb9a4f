import pytest

from results.home.page import newest_results
from tests.factories import make_result

pytestmark = pytest.mark.django_db


def test_the_newest_published_results_come_first(django_assert_num_queries):
    for name in ("first", "second", "third"):
        make_result(device__model_name=name)
    make_result(submission__state="withdrawn")
    with django_assert_num_queries(1):
        rows = newest_results(2)
    assert [row["device__model_name"] for row in rows] == ["third", "second"]
