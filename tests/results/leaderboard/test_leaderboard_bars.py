from itertools import pairwise

import pytest

from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_bars_have_the_order_of_the_table_below(client):
    for name, latency_us in [("slow", 900), ("fast", 20)]:
        make_result(latency_us, device=make_device(model_name=name))
    rank_everything()
    response = client.get("/leaderboard/?view=bars")
    assert [row["model_name"] for row in response.context["bars"]["rows"]] == ["fast", "slow"]
    assert response.text.count('<svg class="bar"') == 2
    assert '<table class="board' in response.text
    assert "chart_svg" not in response.context


@pytest.mark.parametrize(("query", "first"), [("", "10 µs"), ("&scale=linear", "0 µs")])
def test_the_axis_is_logarithmic_or_begins_at_nothing(client, query, first):
    make_result(30)
    rank_everything()
    bars = client.get(f"/leaderboard/?view=bars{query}").context["bars"]
    assert bars["ticks"][0]["label"] == first


def test_a_phone_gets_the_labels_that_do_not_touch(client):
    for latency_us in (60, 500):
        make_result(latency_us)
    rank_everything()
    bars = client.get("/leaderboard/?view=bars").context["bars"]
    left = [float(tick["x"].rstrip("%")) for tick in bars["ticks"] if not tick["css"]]
    assert len(left) < len(bars["ticks"])
    assert bars["ticks"][0]["css"] == bars["ticks"][-1]["css"] == ""
    assert all(after - before >= 20 for before, after in pairwise(left))


def test_without_a_device_there_is_no_axis(client):
    response = client.get("/leaderboard/?view=bars")
    assert (response.status_code, response.context["bars"]) == (200, {})
