import math

import pytest

from results.kinds.curve.metrics import (
    FORMULA_CHANGES,
    FORMULA_VERSION,
    iops,
    peak_throughput_mib_s,
    throughput_mib_s,
    zil_latency_us,
)
from results.models.fields import BLOCK_SIZES
from tests.factories import flat


def test_throughput_is_size_divided_by_time():
    assert throughput_mib_s(131072, 7868.0) == pytest.approx(15.9, abs=0.05)


def test_iops_are_sequential_writes_per_second():
    assert iops(20.0) == 50_000


def test_zil_latency_of_a_flat_curve_is_its_latency():
    assert zil_latency_us(flat(42.5)) == pytest.approx(42.5)


def test_the_zil_latency_is_the_geometric_mean_from_4_to_128_kib_and_of_nothing_else():
    curve = [1.0] * 3 + [10, 20, 40, 80, 160, 320] + [1e6] * 6
    assert zil_latency_us(curve) == pytest.approx(math.sqrt(10 * 320))


def test_zil_latency_needs_all_six_sizes(subtests):
    for slot in range(3, 9):
        with subtests.test(slot=slot):
            curve = flat(20)
            curve[slot] = None
            assert zil_latency_us(curve) is None


def test_the_peak_is_the_best_throughput_of_any_size():
    four_mib = BLOCK_SIZES.index(4 << 20)
    curve = [1e6] * 15
    curve[four_mib] = 2000.0
    assert peak_throughput_mib_s(curve) == pytest.approx(2000)
    assert peak_throughput_mib_s([None] * 15) is None


def test_the_formula_has_the_version_of_its_last_change():
    versions = [change.version for change in FORMULA_CHANGES]
    assert versions == list(range(1, FORMULA_VERSION + 1))
