import http.server
import os
import threading
import time

import pytest

from slogdb.probe import main


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/well" else 503)
        self.end_headers()

    def log_message(self, *_):
        """Stay quiet."""


@pytest.fixture(scope="module")
def server():
    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_an_address_is_well_when_it_answers_200(server):
    assert main([f"{server}/well"]) == 0
    assert main([f"{server}/ill"]) == 1
    assert main(["http://127.0.0.1:9/"]) == 1


def test_a_file_is_well_when_it_is_fresh(tmp_path):
    path = tmp_path / "schedule"
    assert main([str(path), "60"]) == 1
    path.touch()
    assert main([str(path), "60"]) == 0
    os.utime(path, (time.time() - 100, time.time() - 100))
    assert main([str(path), "60"]) == 1


@pytest.mark.parametrize("arguments", [[], ["ftp://x"], ["file", "soon"], ["a", "b", "c"]])
def test_what_makes_no_sense_is_refused(arguments):
    assert main(arguments) == 2
