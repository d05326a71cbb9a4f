import pytest

from results.demo.draw import draw_runs
from results.demo.series import store_series
from results.demo.store import store_runs

RUNS = list(draw_runs(400, seed=3))


@pytest.mark.django_db
def test_every_board_of_the_demo_has_somebody_on_it(client):
    list(store_runs(RUNS))
    store_series(RUNS, 6)
    for path in ("leaderboard/", "leaderboard/?board=zil", "workload/?mix=4k:1"):
        assert len(client.get(f"/api/v1/{path}").json()["results"]) >= 3, path
    sustained = client.get("/api/v1/sustained/").json()
    assert sustained["rows"]
    assert sum(board["device_count"] for board in sustained["boards"]) == 6
