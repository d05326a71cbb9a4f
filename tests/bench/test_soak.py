"""What a soak makes of answers and of memory, and that its visitors do what they are for."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bench import soak
from bench.soak import Load, Memory, Visitor
from tests.concurrency import wait_until


def test_memory_is_judged_after_the_warm_up_and_of_every_role_to_the_end(monkeypatch):
    """A sample every six seconds, the first five while it is warmed up."""
    for sizes, verdict in (
        ([10, 50, 90, 95, 99, 100, 101, 102, 101, 100, 102, 101], "100.0 | 101.0 | +1.07 | flat"),
        ([100 + 10 * number for number in range(12)], "150.0 | 210.0 | +100.00 | **grows**"),
    ):
        monkeypatch.setattr(soak, "ROLES", {"worker": "worker"})
        memory = Memory(warm_up_s=30)
        memory._samples["worker"] = [(number * 6.0, size, 3) for number, size in enumerate(sizes)]
        assert memory.is_flat is verdict.endswith("flat")
        assert f"| {verdict} |" in memory.table()
    for seen in (8, 3):  # the second ends while it is warmed up
        monkeypatch.setattr(soak, "ROLES", {"worker": "worker", "Valkey": "valkey"})
        memory._samples["worker"] = [(number * 6.0, 100, 3) for number in range(12)]
        memory._samples["Valkey"] = memory._samples["worker"][:seen]
        assert not memory.is_flat
        assert f"| **ended after {(seen - 1) / 10:.1f} minutes** |" in memory.table()


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        is_known = self.headers["If-None-Match"] == '"a"'
        self.send_response(500 if self.path == "/broken" else 304 if is_known else 200)
        self.send_header("ETag", '"a"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Nothing."""


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
    assert "| conditional read | 200: 8, 304:" in load.table()


@pytest.mark.parametrize(("path", "status"), [("/broken", "500: 1"), (None, "broken: 1")])
def test_a_soak_with_a_failed_request_fails(port, monkeypatch, path, status):
    monkeypatch.setattr(soak, "KINDS", ("read",))
    load = Load(port if path else 9)
    Visitor(load, "read").request(path or "/")
    assert not load.is_well
    assert f"| read | {status} |" in load.table()
