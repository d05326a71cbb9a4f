from collections import Counter

import pytest

from results.demo.draw import CLASS_RANGES, draw_runs
from results.kinds.curve.metrics import zil_latency_us
from results.models.fields import BLOCK_SIZES

MANY = list(draw_runs(2000, seed=1))


def test_the_same_seed_draws_the_same_and_another_something_else():
    assert list(draw_runs(50, seed=7)) == list(draw_runs(50, seed=7)) != list(draw_runs(50, seed=8))


def test_every_class_is_drawn_and_some_devices_are_popular():
    assert {run.device.range for run in MANY} == set(CLASS_RANGES)
    counts = Counter(run.device.model_name for run in MANY)
    assert max(counts.values()) > 10 * min(counts.values())


def test_units_of_a_device_differ_and_reappear():
    counts = Counter((run.device.model_name, run.unit) for run in MANY)
    assert max(counts.values()) > 1
    assert len(counts) > len({run.device.model_name for run in MANY})


@pytest.mark.parametrize("drawn", CLASS_RANGES, ids=lambda drawn: drawn.device_class)
def test_latencies_are_within_the_range_of_the_class(drawn):
    floors = [run.device.floor_us for run in MANY if run.device.range is drawn]
    assert drawn.floor_us[0] <= min(floors) <= max(floors) <= drawn.floor_us[1]


def test_figures_are_as_the_tools_print_them():
    for run in MANY:
        measured = [latency for latency in run.curve if latency is not None]
        assert all(latency == round(latency, 1) > 0 for latency in measured)
        assert len(run.curve) == len(BLOCK_SIZES)
        assert (run.curve[0] is None) == (run.device.sector_size == 4096)
        assert zil_latency_us(run.curve)
        assert 0 <= run.percentage_used <= 100
