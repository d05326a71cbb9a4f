import json

import pytest
from django.db import OperationalError

from parsers.base.readings import DeviceClass
from results.survey import api as classes

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
def test_an_unknown_address_is_a_problem_and_no_page(client, path):
    assert problem_of(client.get(path))["code"] == "not_found"


def test_an_unknown_address_elsewhere_is_a_page(client):
    assert client.get("/nowhere/")["Content-Type"].startswith("text/html")


def test_a_host_that_is_none_of_the_sites_is_a_problem(client):
    response = client.get("/api/v1/classes/", HTTP_HOST="evil.example")
    assert problem_of(response)["status"] == 400


@pytest.mark.django_db
def test_a_database_that_is_away_is_a_problem_that_says_when_to_come_back(client, monkeypatch):
    def fail(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(classes, "count_by_class", fail)
    response = client.get("/api/v1/classes/")
    assert problem_of(response)["status"] == 503
    assert (response["Retry-After"], response["Cache-Control"]) == ("10", "no-store")


@pytest.mark.django_db
def test_a_fault_of_ours_is_a_problem_that_tells_nothing(client, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("private words")

    monkeypatch.setattr(classes, "count_by_class", fail)
    client.raise_request_exception = False
    response = client.get("/api/v1/classes/")
    assert problem_of(response)["status"] == 500
    assert "private" not in response.text


@pytest.mark.parametrize("length", ["99999999999", "-1", "a lot"])
def test_a_body_that_is_too_long_by_its_own_word_is_a_problem(client, length):
    response = client.post("/api/v1/submissions/", "x", content_type="text/plain", CONTENT_LENGTH=length)
    problem = problem_of(response)
    assert (problem["status"], problem["code"]) == (413, "too_long")


def test_a_body_that_does_not_say_how_long_it_is_is_a_problem(client):
    response = client.generic(
        "POST", "/api/v1/submissions/", b"", content_type="text/plain", HTTP_TRANSFER_ENCODING="chunked"
    )
    assert problem_of(response)["status"] == 411


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_a_method_that_an_address_does_not_know_is_a_problem_whoever_asks(client, method):
    response = getattr(client, method)("/api/v1/devices/?nonsense=1")
    assert problem_of(response)["code"] == "method_not_allowed"
    assert response["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.django_db
def test_scripts_of_other_sites_may_read(client):
    for path in ("/api/v1/classes/", "/api/v1/nowhere/"):
        response = client.get(path, HTTP_ORIGIN="https://other.example")
        assert response["Access-Control-Allow-Origin"] == "*"
        assert "ETag" in response["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Origin" not in client.get("/about/", HTTP_ORIGIN="https://other.example")


def test_a_browser_that_asks_before_is_told_what_it_may_do(client):
    response = client.options(
        "/api/v1/devices/", HTTP_ORIGIN="https://other.example", HTTP_ACCESS_CONTROL_REQUEST_METHOD="GET"
    )
    assert (response.status_code, response.content) == (204, b"")
    assert response["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "Authorization" in response["Access-Control-Allow-Headers"]


@pytest.mark.django_db
def test_problems_are_json_that_every_library_reads(client):
    assert json.loads(client.get("/api/v1/devices/?class=floppy").content)["errors"]["class"] == [
        f"Unknown class. Allowed: {', '.join(DeviceClass)}."
    ]
