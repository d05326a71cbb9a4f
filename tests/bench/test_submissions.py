"""What the benchmark of submissions sends is a run, and is not counted unless it is stored and ranked."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.db import connection

from bench import submissions
from bench.bars import BenchmarkError
from bench.submissions import NEW_MODELS, known_models, run_of, submit_many
from parsers.paste import parse_paste
from results.kinds.registry import find_runs
from tests.factories import make_device, make_product, make_result, rank_everything


def test_each_text_is_from_another_unit():
    found = [
        find_runs(parse_paste(run_of(number, NEW_MODELS[0]), unit_key=b"key")).runs for number in range(2)
    ]
    assert [len(runs) for runs in found] == [1, 1]
    assert found[0][0].is_ranked
    assert found[0][0].unit != found[1][0].unit


@pytest.mark.django_db
def test_known_models_are_the_most_popular_one_and_those_with_few_results(monkeypatch):
    monkeypatch.setattr(submissions, "MIN_RESULTS", 2)
    product = make_product()
    for name, count in (("single", 1), ("many", 4), ("some", 3), ("few", 2), ("unknown", 9)):
        of = None if name == "unknown" else product
        device = make_device(model_name=name, capacity_bytes=10**11, product=of)
        for latency in range(count):
            make_result(20 + latency, device=device)
    rank_everything()
    popular, usual = known_models(connection.connection)
    assert (popular.name, popular.result_count) == ("many", 4)
    assert popular.latency_us == pytest.approx(21.5, abs=1)
    assert [model.name for model in usual] == ["some", "few"]


class Site(BaseHTTPRequestHandler):
    """Answers submissions as the server's `status` and `is_ranked` say, and shows their results as `shown`."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        result = {"id": "a", "is_ranked": self.server.is_ranked, "not_ranked_reason": "held back"}
        self.answer(self.server.status, {"results": [result]})

    def do_GET(self):
        self.answer(self.server.shown, {})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        server.status, server.is_ranked, server.shown = 201, True, 200
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        yield server
        server.shutdown()


def send(site, **options):
    return submit_many(site.server_address[1], NEW_MODELS, 20, **options)


def test_a_submission_that_is_not_stored_is_an_error(site):
    site.status = 422
    with pytest.raises(BenchmarkError, match="answered with 422"):
        send(site)


def test_too_few_ranked_submissions_are_an_error(site):
    site.is_ranked = False
    assert len(send(site)) == 18
    with pytest.raises(BenchmarkError, match="only 0 of 20"):
        send(site, is_ranked=True)
