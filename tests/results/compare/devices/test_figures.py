import pytest

from results.compare.devices.figures import metric_rows, point_rows
from results.compare.devices.query import compare_devices
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def fill(**latencies_us):
    """A device per name, each with a unit per latency."""
    for slug, latencies in latencies_us.items():
        device = make_device(slug=slug, model_name=slug)
        for latency_us in latencies:
            make_result(latency_us, device=device, method="fio" if slug.startswith("fio") else "diskinfo")
    rank_everything()
    return compare_devices(list(latencies_us))


def test_devices_far_apart_have_a_best_in_every_row():
    compared = fill(slow=[5000], fast=[10])
    for row in [*metric_rows(compared), *point_rows(compared), *point_rows(compared, is_throughput=True)]:
        assert list(row.marks) == ["", "best"], row.figure.key


def test_devices_whose_intervals_overlap_are_tied():
    rows = metric_rows(fill(one=[20], other=[22]))
    assert {row.marks for row in rows} == {("tie", "tie")}
    assert all(row.is_all_tied for row in rows)


def test_row_with_a_missing_value_is_not_all_tied():
    compared = fill(one=[[20.0] * 15], other=[[20.0] * 9 + [None] * 6])
    tied = {row.figure.block_size: row.is_all_tied for row in point_rows(compared)}
    assert (tied[4096], tied[8 * 1024**2]) == (True, False)


def test_points_are_latencies_or_throughputs():
    compared = fill(one=[20], other=[40])
    latency, throughput = (
        point_rows(compared, is_throughput=is_throughput)[8] for is_throughput in (False, True)
    )
    for row, unit, values in ((latency, "µs", (20, 40)), (throughput, "MiB/s", (6250, 3125))):
        assert (row.figure.block_size, row.figure.unit, row.values) == (131072, unit, values)


def test_others_are_multiples_of_the_baseline():
    rows = {row.figure.key: row for row in metric_rows(fill(one=[20], other=[50]), baseline="one")}
    assert rows["zil_latency_us"].times == (1, pytest.approx(2.5))
    assert rows["throughput_128k_mib_s"].times == (1, pytest.approx(0.4))


def test_figures_of_two_methods_are_compared_beyond_the_factor_and_have_no_multiples():
    rows = metric_rows(fill(one=[20], fio=[50]), baseline="one")
    assert {row.marks for row in rows} == {("tie", "tie")}
    rows = metric_rows(fill(first=[20], fio_far=[500]), baseline="first")
    assert {row.marks for row in rows} == {("best", "")}
    assert {row.times for row in rows} == {(1, None)}


def test_a_device_without_a_ranking_has_empty_values():
    make_result(device__slug="bare", not_ranked_reason="cached")
    make_result(20, device=make_device(slug="one"))
    rank_everything()
    (first, *_) = metric_rows(compare_devices(["one", "bare"]))
    assert (first.values, first.marks) == ((20, None), ("", ""))


def test_unmeasured_figures_have_no_row():
    make_result(device__slug="bare", not_ranked_reason="cached")
    assert metric_rows(compare_devices(["bare"])) == []
