import pytest

from results.charts.axes import block_axis, is_ranked, linear_axis, log_axis, throughput_label


@pytest.mark.parametrize(
    ("block_size", "share"), [(512, 0), (4096, 3 / 14), (131072, 8 / 14), (8 * 1024**2, 1)]
)
def test_each_doubling_of_the_block_size_has_equal_width(block_size, share):
    assert block_axis().up(block_size) == pytest.approx(share)


def test_ranked_sizes_run_from_edge_to_edge():
    axis = block_axis(is_ranked_only=True)
    assert [axis.up(size) for size in axis.ticks] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    sizes = (2048, 4096, 131072, 262144)
    assert [is_ranked(size) for size in sizes] == [False, True, True, False]


def test_linear_block_axis_begins_at_zero():
    axis = block_axis(is_linear=True)
    assert axis.up(4 * 1024**2) == 0.5
    assert axis.ticks == tuple(megabytes * 1024**2 for megabytes in (2, 4, 6, 8))
    assert block_axis(is_linear=True, is_ranked_only=True).ticks == (32768, 65536, 98304, 131072)


@pytest.mark.parametrize(
    ("values", "high", "count"), [([23.0, 6400.0], 7000, 8), ([95.0], 100, 6), ([0.3], 0.35, 8)]
)
def test_linear_axis_begins_at_zero_and_has_few_labels(values, high, count):
    axis = linear_axis(values)
    assert (axis.low, axis.high, len(axis.ticks)) == (0, pytest.approx(high), count)
    assert axis.up(high / 2) == pytest.approx(0.5)


def test_axis_ends_at_round_values_around_the_latencies():
    axis = log_axis([23.0, 6400.0])
    assert (axis.low, axis.high) == (20, 10_000)
    assert axis.ticks == (100, 1000, 10_000)


def test_a_narrow_axis_has_labels_at_one_two_and_five():
    assert log_axis([9000.0, 70_000.0]).ticks == (5000, 10_000, 20_000, 50_000, 100_000)


def test_axis_of_a_flat_curve_has_a_range():
    axis = log_axis([50.0, 50.0])
    assert axis.low < 50 < axis.high
    assert 0 < axis.up(50.0) < 1


def test_the_axis_is_logarithmic():
    axis = log_axis([11.0, 900.0])
    assert axis.up(axis.low) == 0
    assert axis.up(axis.high) == 1
    assert axis.up(100.0) == pytest.approx(0.5)


def test_axis_without_values_is_refused():
    with pytest.raises(ValueError, match="empty"):
        log_axis([])


@pytest.mark.parametrize(("rate", "label"), [(0.5, "0.5"), (200.0, "200"), (2000.0, "2,000")])
def test_throughput_ticks_have_no_unit(rate, label):
    assert throughput_label(rate) == label
