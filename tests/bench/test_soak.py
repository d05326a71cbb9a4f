"""What a soak makes of answers and of memory, and that its visitors do what they are for."""

import json

import pytest

from bench.soak import KINDS, ROLES, Load, Memory, Visitor
from tests.concurrency import wait_until
from tests.serving import Handler, serving


def test_memory_is_judged_after_the_warm_up_and_of_every_role_to_the_end():
    """A sample every six seconds, the first five while it is warmed up."""
    for sizes, verdict in (
        ([10, 50, 90, 95, 99, 100, 101, 102, 101, 100, 102, 101], "100.0 | 101.0 | +1.07 | flat"),
        ([100 + 10 * number for number in range(12)], "150.0 | 210.0 | +100.00 | **grows**"),
    ):
        memory = Memory(warm_up_s=30)
        for role in ROLES:
            memory.samples[role] = [(number * 6.0, size, 3) for number, size in enumerate(sizes)]
        assert memory.is_flat is verdict.endswith("flat")
        assert f"| {verdict} |" in memory.table()
    for seen in (8, 3):  # the second ends while it is warmed up
        for role in ROLES:
            memory.samples[role] = [(number * 6.0, 100, 3) for number in range(12)]
        assert memory.is_flat
        del memory.samples["Valkey"][seen:]
        assert not memory.is_flat
        assert f"| **ended after {(seen - 1) / 10:.1f} minutes** |" in memory.table()


SHOWN = json.dumps({"results": [], "files": [{"name": "results.csv"}]}).encode()


class Answer(Handler):
    """A site whose pages, lists and files are all the same."""

    def respond(self, _):
        is_known = self.headers["If-None-Match"] == '"a"'
        status = 500 if self.path == "/broken" else 304 if is_known else 200
        self.answer(b"" if is_known else SHOWN, status, ETag='"a"')


@pytest.fixture
def port():
    with serving(Answer) as port:
        yield port


def test_visitors_are_counted_by_status_and_send_the_etag_again(port):
    load = Load(port)
    assert not load.is_well
    with load.at_work():
        wait_until(lambda: load.is_well and "| conditional read | 200: 8, 304:" in load.table())
    assert load.is_well


@pytest.mark.parametrize(("path", "status"), [("/broken", "500: 1"), (None, "broken: 1")])
def test_a_soak_with_a_failed_request_fails(port, path, status):
    load = Load(port if path else 9)
    for kind in KINDS:
        load.count(kind, 200, 0.01)
    assert load.is_well
    Visitor(load, "read").request(path or "/")
    assert not load.is_well
    assert status in load.table()
