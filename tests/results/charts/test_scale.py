import re

import pytest

from results.charts.scale import SCALE, speed_scale


def bar_of(svg):
    found = re.search(r'class="bar" width="([\d.]+)%"', svg)
    return float(found[1]) if found else None


def test_the_scale_is_the_same_for_every_drive():
    bars = [bar_of(speed_scale(latency_us)) for latency_us in (10, 100, 1000)]
    assert bars == [pytest.approx(100 * SCALE.up(latency_us), abs=0.01) for latency_us in (10, 100, 1000)]
    assert bars == sorted(bars)
    ticks = {
        re.sub(r".*?<line", "<line", speed_scale(latency_us), count=1) for latency_us in (10, 2000, None)
    }
    assert len(ticks) == 1


@pytest.mark.parametrize(("latency_us", "width"), [(1.2, 1), (5, 1), (10_000, 100), (90_000, 100)])
def test_what_is_beyond_the_scale_ends_at_its_ends(latency_us, width):
    assert bar_of(speed_scale(latency_us)) == width


def test_without_a_measurement_it_is_empty():
    svg = speed_scale(None)
    assert bar_of(svg) is None
    assert 'class="scale is-unknown"' in svg


def test_what_is_only_claimed_is_hatched():
    svg = speed_scale(None, claimed_us=100)
    assert bar_of(svg) is None
    assert f'class="claimed" x2="{bar_of(speed_scale(100)):g}%"' in svg
    assert "claimed" not in speed_scale(20, claimed_us=100)
