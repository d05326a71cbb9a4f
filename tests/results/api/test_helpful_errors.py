"""Errors explain what to do instead."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
JSON = "application/json"


def detail_of(response):
    assert response["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["detail"]


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        (
            "devices/p3700/firmware/",
            "There is no device “p3700”. /api/v1/search/?q=… finds devices by their names.",
        ),
        ("devices/?page=7", "There is no page 7: `next` of the last one is null."),
    ],
)
def test_404_names_what_does_not_exist(client, path, detail):
    assert detail_of(client.get(f"/api/v1/{path}")) == (404, detail)


def test_report_on_an_unknown_result_names_it(client):
    body = json.dumps({"reason": "figures"})
    response = client.post("/api/v1/results/p3700/reports/", body, content_type=JSON)
    assert detail_of(response) == (404, "There is no published result “p3700”.")


def test_compressed_body_is_refused_with_an_explanation(client):
    response = client.post(
        "/api/v1/submissions/", b"\x1f\x8b", content_type="text/plain", HTTP_CONTENT_ENCODING="gzip"
    )
    assert detail_of(response)[0] == 415
    assert "Content-Encoding" in response.json()["detail"]


def test_file_body_as_text_is_pointed_to_the_file_field(client):
    response = client.post("/api/v1/submissions/", {"text": SimpleUploadedFile("run.txt", b"hello")})
    assert response.json()["errors"]["text"] == ["Expected text. Send files as `file`."]


def test_post_without_the_trailing_slash_is_not_redirected(client):
    response = client.post("/api/v1/submissions", "text", content_type="text/plain")
    assert detail_of(response) == (404, "This address ends with a slash: /api/v1/submissions/")
    assert client.get("/api/v1/devices").status_code == 301


def test_json_that_is_not_an_object_is_explained(client):
    response = client.post("/api/v1/submissions/", "[]", content_type=JSON)
    assert detail_of(response)[0] == 400
    assert response.json()["errors"] == {"non_field_errors": ["Expected a JSON object, not list."]}


def test_unknown_reason_lists_the_allowed_ones(client):
    body = json.dumps({"reason": "ugly"})
    response = client.post("/api/v1/results/p3700/reports/", body, content_type=JSON, **bearer())
    (message,) = response.json()["errors"]["reason"]
    assert message.startswith("Unknown reason. Allowed: figures, ")
