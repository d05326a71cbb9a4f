import pytest

from slogdb.bench.ranking import _devices_to_draw


@pytest.mark.parametrize(("results", "drawn"), [(200_000, 30_000), (1_000_000, 20_000)])
def test_the_fewer_results_the_more_devices_are_drawn(results, drawn):
    assert _devices_to_draw(results) == drawn
