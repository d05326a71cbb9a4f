import json

import pytest
from django.db import OperationalError

from parsers.base.device_class import DeviceClass
from results.survey import api as classes

pytestmark = pytest.mark.django_db
PROBLEM = "application/problem+json"


def problem_of(response):
    assert response["Content-Type"] == PROBLEM
    problem = response.json()
    assert (problem["status"], problem["type"]) == (response.status_code, "about:blank")
    assert problem["title"]
    assert problem["detail"]
    assert problem["code"]
    return problem


@pytest.mark.parametrize("path", ["/api/", "/api/v1/nowhere/", "/api/v2/devices/", "/api/v1/devices/a/b/c/"])
def test_unknown_url_is_a_problem_not_a_page(client, path):
    assert problem_of(client.get(path))["code"] == "not_found"


def test_foreign_host_is_a_problem(client):
    response = client.get("/api/v1/classes/", HTTP_HOST="evil.example")
    assert problem_of(response)["status"] == 400


def test_unavailable_database_is_a_problem_with_retry_after(client, monkeypatch):
    def fail(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(classes, "count_by_class", fail)
    response = client.get("/api/v1/classes/")
    assert problem_of(response)["status"] == 503
    assert (response["Retry-After"], response["Cache-Control"]) == ("10", "no-store")


def test_server_error_is_a_problem_without_internals(client, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("private words")

    monkeypatch.setattr(classes, "count_by_class", fail)
    client.raise_request_exception = False
    response = client.get("/api/v1/classes/")
    assert problem_of(response)["status"] == 500
    assert "private" not in response.text


@pytest.mark.parametrize("length", ["99999999999", "-1", "a lot"])
def test_invalid_or_too_large_content_length_is_a_problem(client, length):
    response = client.post("/api/v1/submissions/", "x", content_type="text/plain", CONTENT_LENGTH=length)
    problem = problem_of(response)
    assert (problem["status"], problem["code"]) == (413, "too_long")


def test_body_without_a_length_is_a_problem(client):
    response = client.generic(
        "POST", "/api/v1/submissions/", b"", content_type="text/plain", HTTP_TRANSFER_ENCODING="chunked"
    )
    assert problem_of(response)["status"] == 411


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_unsupported_method_is_a_problem_without_a_key_too(client, method):
    response = getattr(client, method)("/api/v1/devices/?nonsense=1")
    assert problem_of(response)["code"] == "method_not_allowed"
    assert response["Allow"] == "GET, HEAD, OPTIONS"


def test_scripts_of_other_sites_can_read(client):
    for path in ("/api/v1/classes/", "/api/v1/nowhere/"):
        response = client.get(path, HTTP_ORIGIN="https://other.example")
        assert response["Access-Control-Allow-Origin"] == "*"
        exposed = set(response["Access-Control-Expose-Headers"].split(", "))
        assert {"Deprecation", "ETag", "Link", "Sunset"} < exposed
    assert "Access-Control-Allow-Origin" not in client.get("/about/", HTTP_ORIGIN="https://other.example")


@pytest.mark.parametrize("path", ["parse", "check", "drives/check", "lookup"])
def test_scripts_of_other_sites_may_post_where_nothing_is_stored(client, path):
    for address in (f"/api/v1/{path}/", f"/api/v1/{path}"):
        response = client.options(address, HTTP_ACCESS_CONTROL_REQUEST_METHOD="POST")
        assert (response.status_code, response["Access-Control-Allow-Origin"]) == (204, "*")
        assert "POST" in response["Access-Control-Allow-Methods"]
        assert "Content-Type" in response["Access-Control-Allow-Headers"]
    answer = client.post(f"/api/v1/{path}", "x", content_type="text/plain")
    assert problem_of(answer)["detail"] == f"This address ends with a slash: /api/v1/{path}/"
    assert "X-Request-Id" in answer["Access-Control-Expose-Headers"].split(", ")


def test_preflight_request_is_answered(client):
    response = client.options(
        "/api/v1/devices/", HTTP_ORIGIN="https://other.example", HTTP_ACCESS_CONTROL_REQUEST_METHOD="GET"
    )
    assert (response.status_code, response.content) == (204, b"")
    assert response["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "Authorization" in response["Access-Control-Allow-Headers"]


def test_problems_are_json_that_every_library_reads(client):
    assert json.loads(client.get("/api/v1/devices/?class=floppy").content)["errors"]["class"] == [
        f"Unknown class. Allowed: {', '.join(DeviceClass)}."
    ]
