import pytest

from results.charts.axes import across, latency_axis, latency_label


@pytest.mark.parametrize(
    ("block_size", "share"), [(512, 0), (4096, 3 / 14), (131072, 8 / 14), (8 * 1024**2, 1)]
)
def test_each_doubling_of_the_block_size_is_one_step_across(block_size, share):
    assert across(block_size) == pytest.approx(share)


def test_the_axis_ends_at_nice_values_around_the_latencies():
    axis = latency_axis([23.0, 6400.0])
    assert (axis.low_us, axis.high_us) == (20, 10_000)
    assert axis.ticks_us == (100, 1000, 10_000)


def test_a_narrow_axis_has_labels_at_one_two_and_five():
    assert latency_axis([9000.0, 70_000.0]).ticks_us == (5000, 10_000, 20_000, 50_000, 100_000)


def test_a_flat_curve_still_has_an_axis_with_room():
    axis = latency_axis([50.0, 50.0])
    assert axis.low_us < 50 < axis.high_us
    assert 0 < axis.up(50.0) < 1


def test_the_axis_is_logarithmic():
    axis = latency_axis([11.0, 900.0])
    assert axis.up(axis.low_us) == 0
    assert axis.up(axis.high_us) == 1
    assert axis.up(100.0) == pytest.approx(0.5)


def test_no_latency_is_refused():
    with pytest.raises(ValueError, match="empty"):
        latency_axis([])


@pytest.mark.parametrize(
    ("latency_us", "label"),
    [(0.5, "0.5 µs"), (20.0, "20 µs"), (1000.0, "1 ms"), (500_000.0, "500 ms"), (2_000_000.0, "2 s")],
)
def test_ticks_are_written_in_the_unit_that_is_shortest(latency_us, label):
    assert latency_label(latency_us) == label
