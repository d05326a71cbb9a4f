import json
import logging
import logging.config
import re

import pytest
import structlog
from django.core.exceptions import DisallowedHost

from slogdb.logging import SENT_BY_ANYBODY, logging_settings, without_keys

FORGED = "a\n2026-01-01 00:00:00 ERROR slogdb: forged\x1b[31m\u2028"


@pytest.fixture
def logged(capfd):
    """Logs once with the settings given, and returns what was written; the suite's own logging is restored."""
    root = logging.getLogger()
    before = root.handlers[:], root.level

    def logged(*, is_json, work):
        settings = logging_settings(is_json=is_json, level="INFO", logs_requests=True)
        logging.config.dictConfig(settings)
        work(logging.getLogger("sample"))
        return capfd.readouterr().err

    yield logged
    root.handlers[:], root.level = before
    root.setLevel(before[1])


def fail(log):
    try:
        int(FORGED)
    except ValueError:
        log.exception("failed")


@pytest.mark.parametrize("is_json", [True, False])
def test_user_input_cannot_start_a_log_line(logged, is_json):
    lines = logged(is_json=is_json, work=lambda log: log.info("got %s", FORGED))
    assert len(lines.splitlines()) == 1
    assert "\x1b" not in lines


def test_a_traceback_in_plain_lines_is_indented(logged):
    first, *rest = logged(is_json=False, work=fail).splitlines()
    assert "[error] failed [sample]" in re.sub(r"\s+", " ", first)
    assert rest
    assert all(line.startswith("  ") for line in rest)


def test_a_record_is_one_object_with_the_id_of_the_request(logged):
    with structlog.contextvars.bound_contextvars(request_id="r-1"):
        record = json.loads(logged(is_json=True, work=lambda log: log.warning("slow by %d", 3)))
    assert record.pop("time").endswith("Z")
    assert record == {"level": "warning", "logger": "sample", "message": "slow by 3", "request_id": "r-1"}


def test_a_structlog_event_has_its_keys(logged):
    record = json.loads(
        logged(is_json=True, work=lambda _: structlog.get_logger("sample").info("slow", ms=3))
    )
    assert (record["message"], record["ms"], record["logger"]) == ("slow", 3, "sample")


def test_a_traceback_is_a_field(logged):
    record = json.loads(logged(is_json=True, work=fail))
    assert (record["message"], record["level"]) == ("failed", "error")
    assert record["exception"].startswith("Traceback (most recent call last)")


def test_extras_of_django_records_are_not_logged(logged):
    extra = {"request": "<WSGIRequest with everything>", "data": "body", "status_code": 500}
    line = logged(is_json=True, work=lambda log: log.error("Internal Server Error", extra=extra))
    assert json.loads(line).keys() == {"time", "level", "logger", "message"}


ROW = "(7, owner@example.org, a\npaste of SERIAL42)"


class RefusedError(Exception):
    """Says what psycopg says."""

    def __init__(self):
        super().__init__(f'violates unique constraint "email"\nDETAIL:  Failing row contains {ROW}.')


def refuse_row():
    raise RefusedError


def refuse(log):
    """As Django chains what PostgreSQL says, and as Celery writes it into its message."""
    try:
        try:
            refuse_row()
        except RefusedError as cause:
            raise RefusedError from cause
    except RefusedError:
        log.exception("raised unexpected: %r", RefusedError())


@pytest.mark.parametrize("is_json", [True, False])
def test_rows_quoted_by_postgresql_are_not_logged(logged, is_json):
    lines = logged(is_json=is_json, work=refuse)
    assert lines.count("violates unique constraint") == 3
    assert "The above exception was the direct cause" in lines
    assert "owner@" not in lines
    assert "SERIAL42" not in lines


def test_password_reset_keys_are_not_logged(logged):
    path = "/account/password/reset/key/2-d1abc-0f/"
    assert without_keys(path) == "/account/password/reset/key/…/"
    assert without_keys("/account/password/reset/") == "/account/password/reset/"
    line = logged(is_json=True, work=lambda log: log.warning("Forbidden: %s", path))
    assert json.loads(line)["message"] == "Forbidden: /account/password/reset/key/…/"


@pytest.fixture
def request_lines(client, settings):
    """Sends requests, and returns what was logged of them."""

    def request_lines(path, **headers):
        with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as lines:
            response = client.get(path, **headers)
        return response, [line for line in lines if line["event"].startswith("request_")]

    return request_lines


@pytest.mark.django_db
def test_a_request_is_one_line_without_who_sent_it(request_lines):
    sender = {"REMOTE_ADDR": "192.0.2.7", "HTTP_USER_AGENT": "Browser", "HTTP_COOKIE": "sessionid=1"}
    response, lines = request_lines("/healthz?q=secret", **sender)
    (line,) = [line for line in lines if line["log_level"] != "debug"]
    assert line.pop("ms") >= 0
    assert line == {
        "event": "request_finished",
        "log_level": "info",
        "request": "GET /healthz",
        "code": 200,
        "view": "healthz",
        "request_id": response["X-Request-ID"],
    }
    assert not re.search(r"192\.0\.2\.7|Browser|secret|sessionid", str(lines))


@pytest.mark.django_db
def test_an_id_is_taken_from_a_trusted_proxy_only(request_lines, settings):
    given = {"HTTP_X_REQUEST_ID": "0123456789abcdef"}
    first, second = (request_lines("/healthz", **given)[0]["X-Request-ID"] for _ in range(2))
    assert len({first, second, "0123456789abcdef"}) == 3
    settings.DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
    assert request_lines("/healthz", **given)[0]["X-Request-ID"] == "0123456789abcdef"


def test_what_anybody_can_send_is_a_line_at_info(logged):
    def refuse(_):
        for name in SENT_BY_ANYBODY:
            error = DisallowedHost("Invalid HTTP_HOST header")
            logging.getLogger(f"django.security.{name}").error("refused", exc_info=error)

    lines = [json.loads(line) for line in logged(is_json=True, work=refuse).splitlines()]
    assert [(line["level"], "exception" in line) for line in lines] == [("info", False)] * len(
        SENT_BY_ANYBODY
    )


def test_a_wrong_host_raises_no_alarm(client, caplog):
    assert client.get("/", HTTP_HOST="evil.example").status_code == 400
    found = [
        (record.levelname, record.exc_info)
        for record in caplog.records
        if record.name == "django.security.DisallowedHost"
    ]
    assert found == [("INFO", None)]
