"""What a client did wrong is told in words that say what to do instead."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests import pastes
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
JSON = "application/json"


def detail_of(response):
    assert response["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["detail"]


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("devices/p3700/", "There is no device “p3700”. /api/v1/search/?q=… finds devices by their names."),
        (
            "devices/p3700/firmware/",
            "There is no device “p3700”. /api/v1/search/?q=… finds devices by their names.",
        ),
        ("products/p3700/", "There is no product “p3700”. /api/v1/products/?q=… finds them by name."),
        ("results/p3700/", "There is no published result “p3700”."),
        ("submissions/p3700/", "There is no submission “p3700”."),
        ("devices/?page=7", "There is no page 7: `next` of the last one is null."),
    ],
)
def test_what_there_is_not_is_named(client, path, says):
    assert detail_of(client.get(f"/api/v1/{path}")) == (404, says)


def test_a_report_of_nothing_names_what_there_is_not(client):
    sent = json.dumps({"reason": "figures"})
    response = client.post("/api/v1/results/p3700/reports/", sent, content_type=JSON)
    assert detail_of(response) == (404, "There is no published result “p3700”.")


def test_who_brings_no_key_reads_how_to_bring_one(client):
    status, detail = detail_of(client.get("/api/v1/me/"))
    assert status == 401
    assert "Authorization: Bearer slogdb_…" in detail


def test_a_body_of_another_type_is_told_which_there_are(client):
    response = client.post("/api/v1/submissions/", "a=b", content_type="application/x-www-form-urlencoded")
    status, detail = detail_of(response)
    assert status == 415
    assert detail.endswith("which of these comes: text/plain, application/json, multipart/form-data.")


def test_a_body_that_was_packed_is_told_to_come_as_it_is(client):
    response = client.post(
        "/api/v1/submissions/", b"\x1f\x8b", content_type="text/plain", HTTP_CONTENT_ENCODING="gzip"
    )
    assert detail_of(response)[0] == 415
    assert "Content-Encoding" in response.json()["detail"]


def test_a_parse_without_readings_is_told_what_it_lacks(client):
    sent = json.dumps({"parser_version": "1.0", "text": "hello", "devices": []})
    response = client.post("/api/v1/submissions/", sent, content_type=JSON)
    assert response.json()["errors"] == {"readings": ["This field is required."]}


def test_a_parse_that_is_not_its_text_is_not_said_to_lack_a_run(client):
    sent = json.dumps({"parser_version": "1.0", "text": pastes.FIRST_PASTE, "readings": [{"kind": "fio"}]})
    status, detail = detail_of(client.post("/api/v1/submissions/", sent, content_type=JSON))
    assert (status, "no benchmark run" in detail) == (422, False)


def test_a_file_that_is_sent_as_text_is_told_where_files_go(client):
    response = client.post("/api/v1/submissions/", {"text": SimpleUploadedFile("run.txt", b"hello")})
    assert response.json()["errors"]["text"] == ["Expected text. Send files as `file`."]


def test_another_method_is_told_which_there_are(client):
    assert detail_of(client.get("/api/v1/submissions/")) == (405, "This address takes POST, OPTIONS.")


def test_what_is_sent_without_the_last_slash_is_not_lost_in_a_redirect(client):
    response = client.post("/api/v1/submissions", "text", content_type="text/plain")
    assert detail_of(response) == (404, "This address ends with a slash: /api/v1/submissions/")
    assert client.get("/api/v1/devices").status_code == 301


def test_json_that_is_no_object_is_told_so(client):
    response = client.post("/api/v1/submissions/", "[]", content_type=JSON)
    assert detail_of(response)[0] == 400
    assert response.json()["errors"] == {"non_field_errors": ["This takes a JSON object, not list."]}


def test_a_reason_there_is_not_is_told_which_there_are(client):
    sent = json.dumps({"reason": "ugly"})
    response = client.post("/api/v1/results/p3700/reports/", sent, content_type=JSON, **bearer())
    (message,) = response.json()["errors"]["reason"]
    assert message.startswith("Unknown reason. Allowed: figures, ")
