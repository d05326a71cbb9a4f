from io import StringIO

import pytest
from django.core.management import call_command


def test_the_schema_is_generated_without_a_warning(capsys):
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO())
    assert capsys.readouterr().err == ""


@pytest.mark.django_db
def test_the_schema_names_every_resource(client):
    schema = client.get("/api/v1/schema/").json()
    assert schema["openapi"].startswith("3.1")
    assert {path: sorted(methods) for path, methods in schema["paths"].items()} == {
        "/api/v1/": ["get"],
        "/api/v1/compare/": ["get"],
        "/api/v1/bands/": ["get"],
        "/api/v1/claims/": ["post"],
        "/api/v1/classes/": ["get"],
        "/api/v1/devices/": ["get"],
        "/api/v1/devices/{slug}/": ["get"],
        "/api/v1/devices/{slug}/firmware/": ["get"],
        "/api/v1/leaderboard/": ["get"],
        "/api/v1/me/": ["get"],
        "/api/v1/me/submissions/": ["get"],
        "/api/v1/parse/": ["post"],
        "/api/v1/products/": ["get"],
        "/api/v1/products/{slug}/": ["get"],
        "/api/v1/results/": ["get"],
        "/api/v1/results/{public_id}/": ["get", "patch"],
        "/api/v1/results/{public_id}/reports/": ["post"],
        "/api/v1/search/": ["get"],
        "/api/v1/submissions/": ["post"],
        "/api/v1/submissions/{public_id}/": ["delete", "get"],
        "/api/v1/submissions/{public_id}/restore/": ["post"],
        "/api/v1/submissions/{public_id}/withdraw/": ["post"],
    }
    bodies = schema["paths"]["/api/v1/submissions/"]["post"]["requestBody"]["content"]
    assert sorted(bodies) == ["application/json", "multipart/form-data", "text/plain"]


@pytest.mark.django_db
def test_the_schema_names_the_headers_that_a_client_sends_and_reads(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    submit = paths["/api/v1/submissions/"]["post"]
    assert [(one["name"], one["in"]) for one in submit["parameters"]] == [("Idempotency-Key", "header")]
    assert all("Location" in submit["responses"][status]["headers"] for status in ("200", "201", "202"))
    for operation in (submit, paths["/api/v1/leaderboard/"]["get"]):
        assert all("Retry-After" in operation["responses"][status]["headers"] for status in ("429", "503"))
    assert "ETag" in paths["/api/v1/leaderboard/"]["get"]["responses"]["200"]["headers"]


@pytest.mark.django_db
def test_the_schema_says_of_each_field_what_it_is(client):
    schemas = client.get("/api/v1/schema/").json()["components"]["schemas"]
    silent = [
        f"{shape}.{name}"
        for shape, schema in schemas.items()
        for name, value in schema.get("properties", {}).items()
        if not value.get("description")
    ]
    assert silent == []


@pytest.mark.django_db
def test_the_schema_says_of_a_figure_what_unit_it_is_in(client):
    schemas = client.get("/api/v1/schema/").json()["components"]["schemas"]
    for shape, schema in schemas.items():
        for name, value in schema.get("properties", {}).items():
            for ending, unit in (("_mib_s", "MiB/s"), ("_bytes", "bytes"), ("_us", "µs")):
                assert not name.endswith(ending) or unit in value["description"], f"{shape}.{name}"


@pytest.mark.django_db
def test_the_schema_says_of_each_operation_what_it_does(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    said = [one["description"] for operations in paths.values() for one in operations.values()]
    assert len(set(said)) == len(said)
