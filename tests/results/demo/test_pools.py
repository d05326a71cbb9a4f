import pytest

from results.demo.draw import draw_runs
from results.demo.pools import store_pools
from results.demo.store import store_runs
from results.models import Pool, Result

RUNS = list(draw_runs(400, seed=3))


@pytest.mark.django_db
def test_made_up_pools_have_results_and_most_a_log_device_that_has_some_of_its_own(client):
    list(store_runs(RUNS))
    store_pools(RUNS, 6)
    assert Pool.objects.count() == 6
    assert Result.objects.filter(pool__isnull=False).count() == 14  # two have no log device, but a grid
    assert [len(entry.file_grid.rows) for entry in Result.objects.filter(method="iozone")] == [5, 5]
    with_log = [pool for pool in Pool.objects.all() if any(vdev["role"] == "log" for vdev in pool.layout)]
    assert len(with_log) == 4
    for pool in with_log:
        (log,) = pool.logs.all()
        assert log.result_count
        assert pool.get_absolute_url() in client.get(log.get_absolute_url()).text
