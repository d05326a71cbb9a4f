"""The schema matches the site in cases in which the two once disagreed."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT
from jsonschema import Draft202012Validator

from tests import pastes
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        return Client().get("/api/v1/schema/?profile=all").json()


def allows(schema, path, name, value):
    """Whether the schema of a GET's query parameter allows the value."""
    parameters = {
        parameter["name"]: parameter for parameter in schema["paths"][f"/api/v1/{path}/"]["get"]["parameters"]
    }
    if value == [""] and parameters[name].get("allowEmptyValue"):
        return True
    return Draft202012Validator(parameters[name]["schema"]).is_valid(value)


def part_without_a_name(text):
    """A form with a `file` that has no file name, as `curl -F file=text` sends it."""
    lines = [f"--{BOUNDARY}", 'Content-Disposition: form-data; name="file"', "", text, f"--{BOUNDARY}--", ""]
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("path", ["devices", "results", "leaderboard", "compare"])
def test_empty_fields_are_allowed_and_mean_all_fields(client, schema, path):
    for slug in ("one", "two"):
        make_result(device=make_device(slug=slug))
    rank_everything()
    query = {"devices": "one,two"} if path == "compare" else {}
    assert allows(schema, path, "fields", [""])
    response = client.get(f"/api/v1/{path}/", {**query, "fields": ""})
    assert (response.status_code, response.json()) == (200, client.get(f"/api/v1/{path}/", query).json())


@pytest.mark.parametrize("path", ["devices", "products", "leaderboard", "classes"])
def test_page_zero_is_forbidden_by_schema_and_site(client, schema, path):
    assert [allows(schema, path, "page", number) for number in (0, 1)] == [False, True]
    assert [client.get(f"/api/v1/{path}/?page={number}").status_code for number in (0, 1)] == [400, 200]


@pytest.mark.parametrize("slugs", [[], [""], ["one"], ["one", "one"], ["one", ","], list("abcdefg")])
def test_invalid_device_lists_are_forbidden_by_schema_and_site(client, schema, slugs):
    make_result(device=make_device(slug="one"))
    assert not allows(schema, "compare", "devices", slugs)
    assert client.get("/api/v1/compare/", {"devices": ",".join(slugs)}).status_code == 400


@pytest.mark.parametrize(
    ("path", "name", "value", "query"),
    [
        ("results", "device", ["nobody"], {"device": "nobody"}),
        ("results", "firmware", ["9.9"], {"firmware": "9.9"}),
        ("leaderboard", "vendor", ["nobody"], {"vendor": "nobody"}),
        ("compare", "devices", ["nobody", "none"], {"devices": "nobody,none"}),
    ],
)
def test_an_unknown_name_is_allowed_and_not_found(client, schema, path, name, value, query):
    assert allows(schema, path, name, value)
    response = client.get(f"/api/v1/{path}/", query)
    assert (response.status_code, list(response.json()["errors"])) == (404, [name])
    assert "404" in schema["paths"][f"/api/v1/{path}/"]["get"]["responses"]


def test_a_board_without_devices_is_allowed_and_not_found(client, schema):
    key = "nvme-100-4096-fsync-1"
    assert allows(schema, "sustained", "board", key)
    assert client.get(f"/api/v1/sustained/?board={key}").status_code == 404
    assert "404" in schema["paths"]["/api/v1/sustained/"]["get"]["responses"]


@pytest.mark.parametrize(("text", "status"), [("a\0b", 400), ("a\x01\x1f\x7f\u0085b", 201)])
def test_report_accepts_the_control_characters_its_schema_allows(client, schema, text, status):
    make_result(submission__public_id="one")
    shape = schema["components"]["schemas"]["ReportRequest"]["properties"]["text"]
    assert Draft202012Validator(shape).is_valid(text) == (status == 201)
    body = json.dumps({"reason": "figures", "text": text})
    response = client.post("/api/v1/results/one/reports/", body, content_type="application/json")
    assert response.status_code == status


@pytest.mark.parametrize("path", ["parse", "submissions"])
@pytest.mark.parametrize("content_type", ["text/plain", ""])
def test_empty_body_is_allowed_and_refused_as_a_text_without_runs(client, schema, path, content_type):
    assert not schema["paths"][f"/api/v1/{path}/"]["post"]["requestBody"].get("required")
    response = client.generic("POST", f"/api/v1/{path}/", b"", CONTENT_TYPE=content_type)
    assert (response.status_code, response.json()["code"]) == (422, "refused")


@pytest.mark.parametrize(
    ("content_type", "name", "needed"),
    [("application/json", "SubmissionRequest", "text"), (MULTIPART_CONTENT, "SubmissionUpload", "file")],
)
def test_a_body_without_a_text_is_not_allowed(client, schema, content_type, name, needed):
    assert needed in schema["components"]["schemas"][name]["required"]
    assert client.post("/api/v1/parse/", {}, content_type=content_type).status_code == 400


def test_a_file_without_a_name_is_read_as_its_text(client, schema):
    shape = schema["components"]["schemas"]["SubmissionUpload"]["properties"]["file"]
    assert shape["items"] == {"type": "string", "format": "binary"}
    body = part_without_a_name(pastes.FIRST_PASTE)
    response = client.generic("POST", "/api/v1/submissions/", body, MULTIPART_CONTENT)
    assert (response.status_code, len(response.json()["results"])) == (201, 1)


@pytest.mark.parametrize(("count", "status"), [(20, 201), (21, 400)])
def test_site_accepts_as_many_files_as_the_schema_allows(client, schema, count, status):
    shape = schema["components"]["schemas"]["SubmissionUpload"]["properties"]["file"]
    assert shape["maxItems"] == 20
    files = [SimpleUploadedFile("run.txt", pastes.FIRST_PASTE.encode())] + [
        SimpleUploadedFile(f"{number}.txt", b"") for number in range(1, count)
    ]
    assert client.post("/api/v1/submissions/", {"file": files}).status_code == status


def test_empty_file_is_allowed_and_refused_as_a_text_without_runs(client):
    response = client.post("/api/v1/parse/", {"file": SimpleUploadedFile("run.txt", b"")})
    assert (response.status_code, response.json()["code"]) == (422, "refused")


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("", True),
        ("https://forum.example:8443/threads/ü?page=2#post-7", True),
        ("https://forum.example", True),
        ("javascript:alert(1)", False),
        ("https://[::1", False),
        ("https://a b", False),
        ("forum.example/threads/1", False),
    ],
)
def test_source_url_is_accepted_if_its_pattern_allows_it(client, schema, address, is_allowed):
    shape = schema["components"]["schemas"]["SubmissionRequest"]["properties"]["source_url"]
    assert Draft202012Validator(shape).is_valid(address) == is_allowed
    body = json.dumps({"text": pastes.FIRST_PASTE, "source_url": address})
    response = client.post("/api/v1/submissions/", body, content_type="application/json")
    assert response.status_code == (201 if is_allowed else 400)


@pytest.mark.parametrize("path", ["devices/?q", "results/?device", "compare/?devices", "search/?q"])
def test_nul_characters_are_forbidden_by_schema_and_site(client, schema, path):
    name = path.partition("?")[2]
    value = ["a\0", "b"] if name.startswith("device") else "a\0"
    assert not allows(schema, path.partition("/")[0], name, value)
    assert client.get(f"/api/v1/{path}=a%00,b").status_code == 400
