"""Predictions of what one writer waits for, next to what was measured on published pools."""

import pytest

from results.guide.felt import predictions
from tests.factories import make_device, make_pool, make_result, make_workload, rank_everything

pytestmark = pytest.mark.django_db


def pool_with_log(**payload):
    device = make_device()
    make_result(20, device=device)
    rank_everything()
    pool = make_pool(submission__survey_id="p1")
    pool.logs.add(device)
    make_workload(pool, 1, **{"each_synced": True, "log": "device", "log_name": "Sample log", **payload})
    return pool


def test_a_published_pool_with_a_ranked_log_is_predicted(client, django_assert_num_queries):
    pool = pool_with_log(iops=10_000.0, sync_mode="standard")
    with django_assert_num_queries(2):
        (found,) = predictions()
    assert [round(us) for us in (found.log_us, found.predicted_us, found.measured_us)] == [20, 75, 100]
    assert found.difference == "−25 %"
    make_workload(pool, 2, iops=40_000.0, each_synced=True, log="device", sync_mode="disabled")
    (found,) = predictions()
    assert (round(found.predicted_us), found.difference) == (100, "+0 %")
    page = client.get("/about/").text
    assert "What a client feels" in page
    assert "Sample log" in page


@pytest.mark.parametrize(
    "payload", [{"access": "nfs"}, {"writers": 4}, {"each_synced": False}, {"log": "none"}]
)
def test_others_are_not(payload):
    pool_with_log(**payload)
    assert predictions() == []
