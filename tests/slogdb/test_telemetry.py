"""Traces and error reports, in processes of their own: both change what a process has loaded."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import brotli
import pytest
from structlog.contextvars import bound_contextvars

from slogdb.telemetry import public_event
from tests.serving import Handler, serving

ROOT = Path(__file__).resolve().parents[2]
UNPACKED = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}
SECRETS = (b"192.0.2.77", b"secret-agent", b"secret-query", b"secret-cookie")
PLAIN_STORAGE = "django.contrib.staticfiles.storage.StaticFilesStorage"
SCRIPT = """
import sys
from wsgiref.util import setup_testing_defaults
from slogdb.wsgi import application
from django.db import connection
from django.urls import path
from slogdb import urls

def fail(request):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::int", [request.GET["q"]])

urls.urlpatterns.insert(0, path("fails/", fail))
for where in ("/healthz", "/fails/"):
    environ = {
        "PATH_INFO": where, "QUERY_STRING": "q=secret-query", "REMOTE_ADDR": "192.0.2.77", "HTTP_HOST": "127.0.0.1",
        "HTTP_USER_AGENT": "secret-agent", "HTTP_X_REQUEST_ID": "the-id-in-the-log",
        "HTTP_COOKIE": "other=secret-cookie",
    }
    setup_testing_defaults(environ)
    application(environ, lambda *_: None)
print([name for name in ("opentelemetry.instrumentation", "sentry_sdk") if name in sys.modules])
if "opentelemetry.instrumentation" in sys.modules:
    from opentelemetry import trace
    trace.get_tracer_provider().force_flush()
if "sentry_sdk" in sys.modules:
    import sentry_sdk
    sentry_sdk.flush()
"""


@pytest.fixture
def collector():
    """A server that takes whatever is sent to it."""
    received = []

    class Collector(Handler):
        def respond(self, sent):
            received.append((self.path, UNPACKED[self.headers.get("Content-Encoding")](sent)))
            self.answer()

    with serving(Collector) as port:
        yield port, received


def loaded_by(**environment):
    """What a site so configured has loaded after two requests."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={
            **os.environ,
            "SLOGDB_STATIC_STORAGE": PLAIN_STORAGE,
            "SLOGDB_TRUSTED_PROXIES": "1",
            **environment,
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_telemetry_is_not_imported_unless_configured():
    assert loaded_by() == "[]"


def test_traces_and_errors_are_sent_without_data_about_the_sender(collector):
    port, received = collector
    loaded = loaded_by(
        OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{port}",
        OTEL_EXPORTER_OTLP_COMPRESSION="none",
        SLOGDB_SENTRY_DSN=f"http://key@127.0.0.1:{port}/1",
    )
    assert "opentelemetry" in loaded
    assert "sentry_sdk" in loaded
    traces = b"".join(body for path, body in received if path == "/v1/traces")
    for content in (b"healthz", b"SELECT", b"InvalidTextRepresentation", b", in fail"):
        assert content in traces
    errors = b"".join(body for path, body in received if path.endswith("/envelope/"))
    assert b"DataError" in errors
    assert b'"vars"' not in errors
    for sent in (traces, errors):
        assert b"the-id-in-the-log" in sent
        assert [secret for secret in SECRETS if secret in sent] == []


@pytest.mark.parametrize(("name", "expected"), [("", {}), ("req-1", {"tags": {"request_id": "req-1"}})])
def test_an_event_has_what_failed_and_where(name, expected):
    event = {
        "exception": {
            "values": [{"type": "ValueError", "value": "not a number: 'serial'", "stacktrace": {}}]
        },
        "logentry": {"message": "No backup: %s", "params": ["serial"], "formatted": "No backup: serial"},
        "contexts": {"celery": {"args": ["serial"]}},
        "user": {"ip_address": "192.0.2.77"},
        "breadcrumbs": {"values": [1]},
        "extra": {"sys.argv": ["x"]},
        "request": {
            "method": "POST",
            "url": "https://slogdb.example/submit/?q=1",
            "data": {"text": "serial"},
            "cookies": {"sessionid": "1"},
            "headers": {"User-Agent": "x"},
            "query_string": "q=1",
            "env": {"REMOTE_ADDR": "192.0.2.77"},
        },
    }
    with bound_contextvars(request_id=name):
        found = public_event(event, None), public_event({"level": "error"}, None)
    assert found[0] == {
        "exception": {"values": [{"type": "ValueError", "value": "", "stacktrace": {}}]},
        "logentry": {"message": "No backup: %s"},
        "request": {"method": "POST", "url": "https://slogdb.example/submit/"},
        **expected,
    }
    assert found[1] == {"level": "error", **expected}
