"""Migration 0031 makes metrics of what results had as columns, there and back."""

import pytest

from results.models import DeviceRanking, Result
from tests.factories import CURVE, make_result, rank_everything
from tests.results.models.test_fewer_bytes import fetch, migrate

pytestmark = pytest.mark.django_db(transaction=True)


def stored(model, *columns):
    return list(model.objects.order_by("id").values_list("metrics", *columns))


def test_metrics_are_made_of_the_columns_and_the_curve():
    make_result(CURVE)
    make_result([None] * 3 + [200.0] + [None] * 11, method="fio")
    make_result([20.0] * 5 + [None] * 10, not_ranked_reason="cut short")
    rank_everything()
    results, rankings = stored(Result, "ranked_value"), stored(DeviceRanking)
    try:
        migrate("0030_standard_queue")
        columns = fetch("SELECT zil_latency_us, peak_throughput_mib_s FROM results_result ORDER BY id")
    finally:
        migrate()
    assert columns == [
        (pytest.approx(metrics.get("zil_latency_us")), pytest.approx(metrics["peak_throughput_mib_s"]))
        if "zil_latency_us" in metrics
        else (None, pytest.approx(metrics["peak_throughput_mib_s"]))
        for metrics, _ in results
    ]
    migrated = stored(Result, "ranked_value")
    assert [value for _, value in migrated] == [value for _, value in results]
    for after, before in zip([*migrated, *stored(DeviceRanking)], [*results, *rankings], strict=True):
        assert after[0] == pytest.approx(before[0], rel=1e-6)
