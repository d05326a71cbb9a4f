"""What the page benchmark makes of wrk's figures, what it asks for, and that its floors are floors."""

from pathlib import Path

import pytest
from django.test import RequestFactory

from bench import pages
from bench.empty_site.wsgi import empty
from tests.factories import make_device, make_result, rank_everything

PRINTED = """\
Running 4s test @ http://127.0.0.1:8000/
  Latency Distribution
     50%  310.00us
     99%    {p99}
Requests/sec:  {rate}
"""


class Done:
    def __init__(self, stdout: str) -> None:
        self.stdout = stdout


def wrk_prints(monkeypatch, text):
    monkeypatch.setattr(pages.subprocess, "run", lambda *_, **__: Done(text))


@pytest.mark.parametrize(("p99", "milliseconds"), [("812.00us", 0.812), ("9.10ms", 9.1), ("1.20s", 1200.0)])
def test_wrks_figures_are_read_in_their_units(monkeypatch, p99, milliseconds):
    wrk_prints(monkeypatch, PRINTED.format(p99=p99, rate="24334.12"))
    assert pages._wrk(pages.Item("page", "http://x/"), seconds=1) == (24334.12, pytest.approx(milliseconds))


@pytest.mark.parametrize(
    "text", ["", PRINTED.format(p99="1.00ms", rate="5.0") + "  Non-2xx or 3xx responses: 12\n"]
)
def test_what_did_not_answer_as_it_should_is_no_figure(monkeypatch, text):
    wrk_prints(monkeypatch, text)
    with pytest.raises(SystemExit, match="page did not answer as it should"):
        pages._wrk(pages.Item("page", "http://x/"), seconds=1)


def test_the_table_has_each_items_ratio_to_nginx_with_as_many_bytes_and_to_the_empty_view():
    items = [
        pages.Item("nginx, whole", "http://x/"),
        pages.Item("nginx, packed", "http://x/", is_compressed=True),
        pages.Item("page", "http://x/"),
        pages.Item("page, packed", "http://x/", pages.BROTLI, is_compressed=True),
        pages.Item("empty", "http://x/"),
    ]
    rates = (2000.0, 4000.0, 1000.0, 3000.0, 250.0)
    measured = {
        item.name: [(rate * part, 8.0 * part) for part in (0.9, 1.0, 1.1)]
        for item, rate in zip(items, rates, strict=True)
    }
    assert pages._table(items, measured).splitlines()[4:] == [
        "| nginx, whole | 1,800 / 2,000 / 2,200 | 8.0 | 1.00 | 8.00 |",
        "| nginx, packed | 3,600 / 4,000 / 4,400 | 8.0 | 1.00 | 16.00 |",
        "| page | 900 / 1,000 / 1,100 | 8.0 | 0.50 | 4.00 |",
        "| page, packed | 2,700 / 3,000 / 3,300 | 8.0 | 0.75 | 12.00 |",
        "| empty | 225 / 250 / 275 | 8.0 | 0.12 | 1.00 |",
    ]


def test_what_more_results_cost_is_told_beside_the_empty_view_of_each_run():
    few = {pages.FIRST: 100.0, "device, made anew": 50.0, "empty": 1000.0}
    many = {"leaderboard from the page cache": 900.0, pages.FIRST: 40.0, pages.FAR: 25.0, "empty": 500.0}
    assert pages.growth_table({1_000_000: many, 10_000: few}).splitlines() == [
        "| of the empty view | 10,000 results | 1,000,000 results | times as long |",
        "|---|---:|---:|---:|",
        f"| {pages.FIRST} | 0.100 | 0.080 | 1.25 |",
        f"| {pages.FAR} | 0.100 | 0.050 | 2.00 |",
    ]


def test_the_leaderboard_says_how_many_pages_it_has():
    assert pages._page_count(b'<span class="number">Page 1 of 59</span>') == 59
    assert pages._page_count(b"<p>Nothing</p>") == 1


def test_a_missing_tool_is_named(monkeypatch, capsys):
    monkeypatch.setattr(pages.shutil, "which", lambda tool: None if tool == "wrk" else "/usr/bin/nginx")
    assert pages.main([]) == 2
    assert "this benchmark needs wrk" in capsys.readouterr().err


def test_the_empty_view_does_nothing():
    assert empty(RequestFactory().get("/")).content == b"ok"


@pytest.mark.parametrize(("results", "devices"), [(1, 1), (5000, 200), (1_000_000, 20_000)])
def test_the_devices_grow_with_the_results_to_those_that_there_may_be(results, devices):
    assert pages.devices_to_draw(results) == devices


def test_a_site_is_measured_with_the_settings_of_docker_compose():
    root = Path(pages.__file__).parents[1]
    of_compose = [f"-c{name}={value}" for name, value in pages.POSTGRES_SETTINGS.items()]
    assert all(one in (root / "docker-compose.yml").read_text() for one in of_compose)


def test_the_table_has_the_middle_of_many_rounds_and_their_ends():
    items = [pages.Item("nginx", "http://x/"), pages.Item("empty", "http://x/")]
    measured = {item.name: [(rate, 1.0) for rate in (3.0, 1.0, 2.0, 9.0, 4.0)] for item in items}
    assert pages._table(items, measured).splitlines()[4] == "| nginx | 1 / 3 / 9 | 1.0 | 1.00 | 1.00 |"


def test_each_address_of_a_leaderboard_is_asked_for_once():
    boards = pages.board_addresses(3)
    assert (boards[0], boards[1], len(boards)) == ("/leaderboard/", "/leaderboard/?page=2", 45)
    assert len(set(boards)) == len(boards)


def test_the_same_pages_are_asked_for_at_every_size():
    assert pages.board_addresses(8) == pages.board_addresses(400)


def test_far_pages_stand_in_the_middle_where_there_are_enough():
    far = pages.far_board_addresses(400)
    assert (far[0], far[7], len(far)) == ("/leaderboard/?page=197", "/leaderboard/?page=204", 120)
    assert not set(far) & set(pages.board_addresses(400))
    assert pages.far_board_addresses(8) == []


@pytest.mark.django_db
def test_none_of_them_is_answered_with_another_address(client):
    make_result(device__slug="sample")
    rank_everything()
    assert {client.get(board).status_code for board in pages.board_addresses(1)} == {200}


@pytest.mark.django_db
def test_devices_are_those_that_the_pages_lead_to(client):
    for slug in ("one", "two"):
        make_result(device=make_device(slug=slug, model_name=slug))
    rank_everything()
    found = pages.device_addresses(lambda path: client.get(path).content, ["/leaderboard/"])
    assert sorted(found) == ["/devices/one/", "/devices/two/"]


def test_without_a_device_there_is_nothing_to_ask_for():
    with pytest.raises(SystemExit):
        pages.device_addresses(lambda _: b"<p>Nothing</p>", ["/leaderboard/"])


def test_the_script_holds_the_addresses_in_their_order(tmp_path):
    script = pages.write_script(tmp_path / "turns.lua", ["/a/", "/b/?c=1"]).read_text()
    assert script.index('"/a/"') < script.index('"/b/?c=1"')
    assert "turn % #addresses + 1" in script


def never() -> bool:
    return False


def test_the_proxy_is_the_projects_own_without_tls(tmp_path):
    program = pages.proxy_nginx(1001, 1002, tmp_path, is_ready=never, inside=1003, plain=1004)
    text = (tmp_path / "proxy.conf").read_text()
    assert "proxy.conf" in " ".join(program.command)
    assert "server 127.0.0.1:1002 max_fails" in text
    assert "listen 127.0.0.1:1001 default_server;" in text
    assert f"pid {tmp_path}/proxy/nginx.pid;" in text
    assert "proxy_cache pages;" in text
    assert not [trace for trace in ("ssl", "web:8000", "/dev/std") if trace in text]


def test_a_place_that_the_configuration_does_not_name_is_told():
    assert pages.placed("listen 8443;", {"8443": "9"}) == "listen 9;"
    with pytest.raises(ValueError, match="does not name web:8000"):
        pages.placed("listen 8443;", {"8443": "9", "web:8000": "here"})
