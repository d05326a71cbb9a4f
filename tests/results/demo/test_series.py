import pytest

from parsers.paste import parse_paste
from results.demo.draw import draw_runs
from results.demo.ladder import PATHS
from results.demo.series import series_text, store_series
from results.demo.store import store_runs

RUNS = list(draw_runs(400, seed=3))


def test_the_texts_of_made_up_series_are_in_the_kept_form():
    texts = [series_text(made) for made in RUNS if made.device.range.device_class in PATHS][:9]
    assert [text for text in texts if parse_paste(text, unit_key=b"").text != text] == []


@pytest.mark.django_db
def test_every_board_of_the_demo_has_somebody_on_it(client):
    list(store_runs(RUNS))
    store_series(RUNS, 6)
    for path in ("leaderboard/", "leaderboard/?board=zil", "workload/?mix=4k:1"):
        assert len(client.get(f"/api/v1/{path}").json()["results"]) >= 3, path
    sustained = client.get("/api/v1/sustained/").json()
    assert sustained["rows"]
    assert sum(board["device_count"] for board in sustained["boards"]) == 6
