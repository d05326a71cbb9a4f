import json
import logging
import logging.config

import pytest

from slogdb.logs import logging_settings, request_id, told_path

FORGED = "a\n2026-01-01 00:00:00 ERROR slogdb: forged\x1b[31m\u2028"


@pytest.fixture
def told(capfd):
    """Logs once by the settings given, and gives what came out; the suite's own logging is put back after it."""
    root = logging.getLogger()
    before = root.handlers[:], root.level

    def told(*, is_json, work):
        logging.config.dictConfig(logging_settings(is_json=is_json, level="INFO"))
        work(logging.getLogger("sample"))
        return capfd.readouterr().err

    token = request_id.set("")
    yield told
    request_id.reset(token)
    root.handlers[:], root.level = before
    root.setLevel(before[1])


def fail(log):
    try:
        int(FORGED)
    except ValueError:
        log.exception("failed")


@pytest.mark.parametrize("is_json", [True, False])
def test_what_people_send_begins_no_line(told, is_json):
    said = told(is_json=is_json, work=lambda log: log.info("got %s", FORGED))
    assert len(said.splitlines()) == 1
    assert "\x1b" not in said


def test_a_traceback_in_plain_lines_is_indented(told):
    first, *rest = told(is_json=False, work=fail).splitlines()
    assert first.endswith("ERROR sample: failed")
    assert rest
    assert all(line.startswith("  ") for line in rest)


def test_a_record_is_one_object_with_what_it_names(told):
    token = request_id.set("r-1")
    try:
        said = told(is_json=True, work=lambda log: log.warning("slow", extra={"ms": 12.5}))
    finally:
        request_id.reset(token)
    record = json.loads(said)
    assert record.pop("time").endswith("+00:00")
    assert record == {
        "level": "WARNING",
        "logger": "sample",
        "message": "slow",
        "ms": 12.5,
        "request_id": "r-1",
    }


def test_a_traceback_is_a_field(told):
    record = json.loads(told(is_json=True, work=fail))
    assert (record["message"], record["level"]) == ("failed", "ERROR")
    assert record["traceback"].startswith("Traceback (most recent call last)")


def test_who_asked_is_in_no_record(told):
    extra = {"request": "<WSGIRequest with everything>", "data": "body", "status_code": 500}
    said = told(is_json=True, work=lambda log: log.error("Internal Server Error", extra=extra))
    assert json.loads(said)["status_code"] == 500
    assert "everything" not in said
    assert "body" not in said


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
def test_rows_that_postgresql_quotes_are_in_no_line(told, is_json):
    said = told(is_json=is_json, work=refuse)
    assert said.count("violates unique constraint") == 3
    assert "The above exception was the direct cause" in said
    assert "owner@" not in said
    assert "SERIAL42" not in said


def test_the_key_of_a_new_password_is_in_no_path():
    assert told_path("/account/password/reset/key/2-d1abc-0f/") == "/account/password/reset/key/…"
    assert told_path("/account/password/reset/") == "/account/password/reset/"
