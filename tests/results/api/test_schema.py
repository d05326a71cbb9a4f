from io import StringIO

import pytest
from django.core.management import call_command
from openapi_spec_validator import OpenAPIV31SpecValidator, validate


@pytest.mark.django_db
def test_the_schema_is_valid_openapi(client):
    response = client.get("/api/v1/schema/")
    validate(response.json(), cls=OpenAPIV31SpecValidator)
    assert '"nullable"' not in response.text  # of OpenAPI 3.0: 3.1 ignores it


@pytest.mark.django_db
def test_the_schema_may_be_asked_for_as_json_and_as_nothing_else(client):
    assert client.get("/api/v1/schema/?format=json").content == client.get("/api/v1/schema/").content
    assert client.get("/api/v1/schema/?format=yaml").status_code == 400


def test_every_link_names_an_operation_its_parameters_and_a_field(client):
    schema = client.get("/api/v1/schema/").json()
    operations = {one["operationId"]: one for path in schema["paths"].values() for one in path.values()}
    links = [
        (origin, response, link)
        for origin in operations.values()
        for response in origin["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert links
    for origin, response, link in links:
        target = operations[link["operationId"]]
        assert link["parameters"].keys() <= {one["name"] for one in target["parameters"]}
        for expression in link["parameters"].values():
            shape = response["content"]["application/json"]["schema"]
            for part in expression.removeprefix("$response.body#/").split("/"):
                shape = part_of(schema, shape, part)
            assert shape, (origin["operationId"], expression)


@pytest.mark.django_db
def test_lists_take_pages_as_large_as_the_schema_says_and_no_larger(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    for path in ("/api/v1/leaderboard/", "/api/v1/results/"):
        sizes = [one for one in paths[path]["get"]["parameters"] if one["name"] == "page_size"]
        largest = sizes[0]["schema"]["maximum"]
        asked = [client.get(path, {"page_size": size}).status_code for size in (largest, largest + 1)]
        assert asked == [200, 400], path


def part_of(schema, shape, part):
    """The schema of a property, or of the items, of this schema."""
    while "$ref" in shape or "anyOf" in shape or "allOf" in shape:
        shape = (shape.get("anyOf") or shape.get("allOf") or [shape])[0]
        if "$ref" in shape:
            shape = schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    return shape["items"] if part.isdigit() else shape["properties"][part]


@pytest.mark.parametrize(
    ("origin", "targets"),
    [
        ("submit", {"result", "report_result", "withdraw_submission", "restore_submission", "submission"}),
        ("submission", {"result", "report_result"}),
        ("devices_list", {"device", "device_firmware", "results_list", "leaderboard"}),
        ("products_list", {"product"}),
        ("classes_list", {"leaderboard", "devices_list"}),
    ],
)
@pytest.mark.django_db
def test_schema_links_to_the_next_operations(client, origin, targets):
    schema = client.get("/api/v1/schema/").json()
    operations = {one["operationId"]: one for path in schema["paths"].values() for one in path.values()}
    response = operations[origin]["responses"]["201" if origin == "submit" else "200"]
    assert targets <= response["links"].keys()


def test_the_schema_is_generated_without_a_warning(capsys):
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO())
    assert capsys.readouterr().err == ""


@pytest.mark.django_db
def test_every_operation_has_a_summary_and_a_described_group(client):
    schema = client.get("/api/v1/schema/").json()
    groups = [one["name"] for one in schema["tags"]]
    for path in schema["paths"].values():
        for operation in path.values():
            assert set(operation["tags"]) <= set(groups), operation["operationId"]
            assert operation["summary"]
    assert schema["paths"]["/api/v1/results/{public_id}/"]["get"]["summary"] == "One published run"


@pytest.mark.django_db
def test_the_schema_names_every_resource(client):
    schema = client.get("/api/v1/schema/").json()
    assert schema["openapi"].startswith("3.1")
    assert {path: sorted(methods) for path, methods in schema["paths"].items()} == {
        "/api/v1/": ["get"],
        "/api/v1/compare/": ["get"],
        "/api/v1/compare/grids/": ["get"],
        "/api/v1/compare/results/": ["get"],
        "/api/v1/access-patterns/": ["get"],
        "/api/v1/grid-remarks/": ["get"],
        "/api/v1/compare/pairs/": ["get"],
        "/api/v1/compare/sets/": ["get"],
        "/api/v1/compare/sets/{public_id}/": ["get"],
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
        "/api/v1/pools/": ["get"],
        "/api/v1/pools/{public_id}/": ["get"],
        "/api/v1/products/": ["get"],
        "/api/v1/products/{slug}/": ["get"],
        "/api/v1/results/": ["get"],
        "/api/v1/results/{public_id}/": ["get", "patch"],
        "/api/v1/results/{public_id}/reports/": ["post"],
        "/api/v1/search/": ["get"],
        "/api/v1/shortlist/": ["get"],
        "/api/v1/traits/": ["get"],
        "/api/v1/submissions/": ["post"],
        "/api/v1/submissions/{public_id}/": ["delete", "get"],
        "/api/v1/submissions/{public_id}/restore/": ["post"],
        "/api/v1/submissions/{public_id}/withdraw/": ["post"],
        "/api/v1/sustained/": ["get"],
        "/api/v1/workload/": ["get"],
    }
    bodies = schema["paths"]["/api/v1/submissions/"]["post"]["requestBody"]["content"]
    assert sorted(bodies) == ["application/json", "multipart/form-data", "text/plain"]


@pytest.mark.django_db
def test_the_schema_names_the_headers_that_a_client_sends_and_reads(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    submit = paths["/api/v1/submissions/"]["post"]
    assert [(one["name"], one["in"]) for one in submit["parameters"]] == [("Idempotency-Key", "header")]
    assert all("Location" in submit["responses"][status]["headers"] for status in ("200", "201"))
    for operation in (submit, paths["/api/v1/leaderboard/"]["get"]):
        assert all("Retry-After" in operation["responses"][status]["headers"] for status in ("429", "503"))
    assert "ETag" in paths["/api/v1/leaderboard/"]["get"]["responses"]["200"]["headers"]


@pytest.mark.django_db
def test_schema_describes_every_field(client):
    schemas = client.get("/api/v1/schema/").json()["components"]["schemas"]
    undescribed = [
        f"{shape}.{name}"
        for shape, schema in schemas.items()
        for name, value in schema.get("properties", {}).items()
        if not value.get("description")
    ]
    assert undescribed == []


@pytest.mark.django_db
def test_every_enum_has_one_name_that_parameters_use_and_no_empty_member(client):
    schema = client.get("/api/v1/schema/").json()
    enums = {name: one["enum"] for name, one in schema["components"]["schemas"].items() if "enum" in one}
    assert len({frozenset(values) for values in enums.values()}) == len(enums) > 30
    assert not [name for name, values in enums.items() if {"", None} & {*values}]
    inline = {
        parameter["name"]
        for operations in schema["paths"].values()
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
        if "enum" in parameter["schema"].get("items", parameter["schema"])
    }
    assert inline == {"fields", "ordering"}  # each belongs to one operation


@pytest.mark.django_db
def test_only_operations_that_need_a_key_name_it(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    needing = {
        operation["operationId"]
        for operations in paths.values()
        for operation in operations.values()
        if operation.get("security")
    }
    assert needing == {
        *("claim_submission", "describe_result", "erase_submission", "me", "me_submissions_list"),
        *("restore_submission", "withdraw_submission"),
    }


@pytest.mark.django_db
def test_schema_states_the_unit_of_every_figure(client):
    schemas = client.get("/api/v1/schema/").json()["components"]["schemas"]
    for shape, schema in schemas.items():
        for name, value in schema.get("properties", {}).items():
            for ending, unit in (("_mib_s", "MiB/s"), ("_bytes", "bytes"), ("_us", "µs")):
                assert not name.endswith(ending) or unit.lower() in value["description"].lower(), (
                    f"{shape}.{name}"
                )


@pytest.mark.django_db
def test_schema_describes_every_operation_differently(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    descriptions = [one["description"] for operations in paths.values() for one in operations.values()]
    assert len(set(descriptions)) == len(descriptions)
