"""The three verdicts of the audit, from an advisory service that says what the test wants."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.audit import CLEAN, HOLES, NOT_AUDITED, audit, verdict_on

HOLE = {
    "id": "PYSEC-2030-1", "summary": "x", "details": "x", "modified": "2030-01-01T00:00:00Z",
    "affected": [{"package": {"name": "django", "ecosystem": "PyPI"}, "ranges": [], "versions": ["5.2.0"]}],
}  # fmt: skip


@contextmanager
def service(holes: dict[str, dict[str, object]]) -> Iterator[str]:
    """The address of one that speaks OSV and knows of these holes, by package."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            hole = holes.get(query["package"]["name"])
            body = json.dumps({"vulns": [hole]} if hole else {}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("holes", "code", "expected"),
    [({}, CLEAN, "AUDITED: none of "), ({"django": HOLE}, HOLES, "HOLES: django 5.2.")],
)
def test_known_vulnerabilities_determine_the_verdict(holes, code, expected):
    with service(holes) as address:
        found, verdict = audit("--vulnerability-service=osv", f"--osv-url={address}")
    assert (found, verdict[: len(expected)]) == (code, expected)


def test_an_unreachable_service_is_not_a_pass():
    code, verdict = audit("--vulnerability-service=osv", "--osv-url=http://127.0.0.1:9/", "--timeout=2")
    assert (code, verdict[:12]) == (NOT_AUDITED, "NOT AUDITED:")


def test_unknown_packages_are_not_a_pass():
    known = {"name": "django", "version": "5.2.1", "vulns": []}
    code, verdict = verdict_on([known, {"name": "celery", "skip_reason": "Dependency not found on PyPI"}])
    assert (code, "does not know 1 (celery" in verdict) == (NOT_AUDITED, True)
    assert verdict_on([])[0] == NOT_AUDITED
