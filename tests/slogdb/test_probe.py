import http.server
import os
import sqlite3
import threading
import time

import pytest

from slogdb.probe import main


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/well" else 503)
        self.end_headers()
        self.wfile.write(b'{"status": "not ready", "migrations": "missing"}')

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


def test_what_is_ill_says_why(server, capsys):
    main([f"{server}/ill"])
    assert '"migrations": "missing"' in capsys.readouterr().err


def test_a_file_is_well_when_it_is_fresh(tmp_path):
    path = tmp_path / "schedule"
    assert main([str(path), "60"]) == 1
    path.touch()
    assert main([str(path), "60"]) == 0
    os.utime(path, (time.time() - 100, time.time() - 100))
    assert main([str(path), "60"]) == 1


def test_a_schedule_is_fresh_by_whatever_file_is_written_of_it(tmp_path):
    """Python 3.13 keeps a shelf in SQLite, which writes to a log beside it for hours; others add an ending."""
    path = tmp_path / "schedule"
    path.touch()
    os.utime(path, (time.time() - 100, time.time() - 100))
    shelf = sqlite3.connect(path, isolation_level=None)
    shelf.execute("PRAGMA journal_mode = wal")
    shelf.execute("CREATE TABLE dict (key TEXT, value BLOB)")
    os.utime(path, (time.time() - 100, time.time() - 100))
    shelf.execute("INSERT INTO dict VALUES ('entries', '')")
    assert path.stat().st_mtime < time.time() - 60
    assert main([str(path), "60"]) == 0
    shelf.close()
    (tmp_path / "other.dat").touch()
    assert main([str(tmp_path / "other"), "60"]) == 0


@pytest.mark.parametrize("arguments", [[], ["ftp://x"], ["file", "soon"], ["a", "b", "c"]])
def test_what_makes_no_sense_is_refused(arguments):
    assert main(arguments) == 2
