import pytest

from parsers.base.units import MEBIBYTE
from results.kinds.curve.metrics import FEWEST_POINTS, Fit, fit_curve
from results.models.fields import BLOCK_SIZES
from tests.factories import flat


def line(floor_us, bandwidth_mib_s):
    return [floor_us + size / MEBIBYTE / bandwidth_mib_s * 1e6 for size in BLOCK_SIZES]


def test_straight_line_is_recovered():
    fit = fit_curve(line(25, 500))
    assert fit == Fit(pytest.approx(25), pytest.approx(500))
    assert fit.crossover_bytes == pytest.approx(25e-6 * 500 * MEBIBYTE)


def test_small_sizes_count_as_much_as_large_ones():
    noisy = [latency * (1.02 if slot % 2 else 0.98) for slot, latency in enumerate(line(25, 500))]
    fit = fit_curve(noisy)
    assert fit.flush_floor_us == pytest.approx(25, rel=0.02)
    assert fit.bandwidth_mib_s == pytest.approx(500, rel=0.02)


def test_sizes_that_were_not_measured_are_left_out():
    curve = line(25, 500)
    assert fit_curve([None, *curve[1:14], None]) == Fit(pytest.approx(25), pytest.approx(500))


def test_too_few_points_make_no_line():
    curve = line(25, 500)
    assert fit_curve([*curve[:FEWEST_POINTS], *[None] * (15 - FEWEST_POINTS)]) is not None
    assert fit_curve([*curve[: FEWEST_POINTS - 1], *[None] * (16 - FEWEST_POINTS)]) is None


def test_a_curve_without_floor_or_slope_has_no_fit(subtests):
    for curve in [flat(20), [size / 1000 for size in BLOCK_SIZES], line(25, 500)[::-1]]:
        with subtests.test(curve=curve):
            assert fit_curve(curve) is None
