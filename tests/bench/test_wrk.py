"""What is read from wrk's output, and that a round without proper answers is no figure."""

import math
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from bench import wrk
from bench.bars import BenchmarkError
from bench.wrk import NOT_MEASURED, Load, Target, median_load, read_wrk, script_target, write_script

PRINTED = """\
Running 4s test @ http://127.0.0.1:8000/
  Latency Distribution
     50%  310.00us
     99%    {p99}
Requests/sec:  {rate}
"""


@pytest.mark.parametrize(("p99", "milliseconds"), [("812.00us", 0.812), ("9.10ms", 9.1), ("1.20s", 1200.0)])
def test_figures_are_read_in_their_units(p99, milliseconds):
    found = read_wrk("page", PRINTED.format(p99=p99, rate="24334.12"))
    assert found == pytest.approx(Load(24334.12, 0.31, milliseconds))


@pytest.mark.parametrize(
    "printed",
    [
        "",
        PRINTED.format(p99="0.00us", rate="0.00"),
        PRINTED.format(p99="1.00ms", rate="5.0") + "  Non-2xx or 3xx responses: 12\n",
        PRINTED.format(p99="1.00ms", rate="5.0") + "  Socket errors: connect 0, read 0, write 0, timeout 3\n",
    ],
    ids=["nothing", "no answer", "errors", "timeouts"],
)
def test_a_round_without_proper_answers_is_not_measured(printed, capsys):
    assert read_wrk("page", printed) is NOT_MEASURED
    assert "page: requests failed, or none was answered" in capsys.readouterr().err


def test_the_figures_of_several_rounds_are_their_medians():
    assert median_load([Load(1, 9, 30), Load(3, 8, 10), Load(2, 7, 20)]) == Load(2, 8, 20)


def test_one_failed_round_fails_the_target():
    assert math.isnan(median_load([Load(1, 9, 30), NOT_MEASURED, Load(2, 7, 20)]).p50_ms)


def test_targets_take_turns_after_a_round_to_warm_up(monkeypatch):
    turns = []

    def run(target, *, connections, seconds):
        turns.append((target.url, connections, seconds))
        return PRINTED.format(p99="1.00ms", rate=f"{len(turns)}.0")

    monkeypatch.setattr(wrk, "_run", run)
    monkeypatch.setattr(wrk, "fetch", lambda _: b"")
    found = wrk.measure_in_turns({"a": Target("a"), "b": Target("b")}, connections=16, rounds=3, seconds=2)
    assert turns == [("a", 16, 1), ("b", 16, 1), *[("a", 16, 2), ("b", 16, 2)] * 3]
    assert {name: load.rate for name, load in found.items()} == {"a": 5.0, "b": 6.0}


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        status = {"/moved": 302, "/gone": 404}.get(self.path, 200)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_urls_that_respond_are_requested_in_turn(site, tmp_path):
    target = script_target(tmp_path / "pages.lua", site, ["/a", "/b"])
    assert (target.url, target.check_url) == (site, f"{site}/a")
    assert '"/a",\n"/b"' in target.script.read_text()


@pytest.mark.parametrize("path", ["/moved", "/gone"])
def test_a_url_without_a_200_response_is_an_error(site, tmp_path, path):
    with pytest.raises(BenchmarkError, match=path):
        script_target(tmp_path / "pages.lua", site, ["/a", path])


def test_a_script_without_urls_is_an_error(tmp_path):
    with pytest.raises(BenchmarkError, match="no address"):
        script_target(tmp_path / "pages.lua", "http://x", [])


def test_the_script_lists_the_urls_in_order(tmp_path):
    script = write_script(tmp_path / "turns.lua", ["/a/", "/b/?c=1"]).read_text()
    assert script.index('"/a/"') < script.index('"/b/?c=1"')
    assert "turn % #addresses + 1" in script
