"""What a soak makes of answers and of memory, and that its visitors do what they are for."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bench import soak
from bench.soak import Load, Memory, Visitor
from tests.concurrency import wait_until


@pytest.fixture(autouse=True)
def one_role(monkeypatch):
    monkeypatch.setattr(soak, "ROLES", {"worker": "worker"})


def filled(sizes):
    """A memory with one role of these sizes, a sample every six seconds, the first five while it was warmed up."""
    memory = Memory(warm_up_s=30)
    memory._samples["worker"] = [(number * 6.0, size, 3) for number, size in enumerate(sizes)]
    return memory


def test_memory_that_is_level_after_the_warm_up_is_flat():
    memory = filled([10, 50, 90, 95, 99, 100, 101, 102, 101, 100, 102, 101])
    assert memory.is_flat
    assert "| worker | 3 | 10.0 | 100.0 | 101.0 |" in memory.table()


def test_steadily_growing_memory_is_reported():
    memory = filled([100 + 10 * number for number in range(12)])
    assert not memory.is_flat
    assert "| 150.0 | 210.0 | +100.00 | **grows** |" in memory.table()


@pytest.mark.parametrize(("seen", "minutes"), [(12, "1.1"), (3, "0.2")], ids=["judged", "warm-up"])
def test_a_process_that_ended_is_not_flat_and_the_others_are_still_reported(seen, minutes):
    memory = filled([100] * 20)
    soak.ROLES["Valkey"] = "valkey"
    memory._samples["Valkey"] = memory._samples["worker"][:seen]
    assert not memory.is_flat
    assert f"| Valkey | 3 | 100.0 | | | | **ended after {minutes} minutes** |" in memory.table()
    assert "| worker | 3 | 100.0 | 100.0 | 100.0 | +0.00 | flat |" in memory.table()


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        is_known = self.headers["If-None-Match"] == '"a"'
        self.send_response(500 if self.path == "/broken" else 304 if is_known else 200)
        self.send_header("ETag", '"a"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def port():
    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        yield server.server_address[1]
        server.shutdown()


def test_visitors_are_counted_by_status_and_send_the_etag_again(port, monkeypatch):
    monkeypatch.setattr(soak, "KINDS", ("conditional read",))
    load = Load(port)
    visiting = threading.Thread(target=load._read_again)
    visiting.start()
    wait_until(lambda: load._statuses["conditional read"][304] >= 3)
    load._is_over.set()
    visiting.join()
    assert load.is_well
    assert load._statuses["conditional read"][200] == 8
    assert "| conditional read | 200: 8, 304:" in load.table()


@pytest.mark.parametrize(("path", "status"), [("/broken", "500: 1"), (None, "broken: 1")])
def test_a_soak_with_a_failed_request_fails(port, monkeypatch, path, status):
    monkeypatch.setattr(soak, "KINDS", ("read",))
    load = Load(port if path else 9)
    Visitor(load, "read").request(path or "/")
    assert not load.is_well
    assert f"| read | {status} |" in load.table()
