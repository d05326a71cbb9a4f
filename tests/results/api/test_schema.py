import re
from io import StringIO

import pytest
from django.core.management import call_command
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from tests.addresses import every_route


@pytest.mark.django_db
def test_the_schema_is_valid_openapi(client):
    response = client.get("/api/v1/schema/")
    validate(response.json(), cls=OpenAPIV31SpecValidator)
    assert '"nullable"' not in response.text  # of OpenAPI 3.0: 3.1 ignores it


@pytest.mark.django_db
def test_the_schema_may_be_asked_for_as_json_and_as_nothing_else(client):
    assert client.get("/api/v1/schema/?format=json").content == client.get("/api/v1/schema/").content
    assert client.get("/api/v1/schema/?format=yaml").status_code == 400
    assert client.get("/api/v1/schema/?profile=some").status_code == 400


@pytest.mark.django_db
def test_each_answer_has_one_type_and_the_other_profile_has_the_rest(client):
    schema, everything = (client.get(f"/api/v1/schema/{query}").json() for query in ("", "?profile=all"))
    for operation in operations_of(schema).values():
        for status, response in operation["responses"].items():
            assert status >= "400" or {*response.get("content", ())} <= {"application/json"}
        assert not {"fields", "format"} & {parameter["name"] for parameter in operation["parameters"]}
    assert not [name for name in schema["components"]["schemas"] if name.endswith("Part")]
    listed = operations_of(everything)["results_list"]
    assert [*listed["responses"]["200"]["content"]] == [
        "application/json",
        "text/csv",
        "application/x-ndjson",
    ]
    assert {"fields", "format"} <= {parameter["name"] for parameter in listed["parameters"]}
    assert everything["components"]["schemas"]["ResultPart"]


@pytest.mark.django_db
def test_include_of_results_is_deprecated_and_names_what_replaces_it(client):
    (include,) = [
        parameter
        for parameter in operations_of(client.get("/api/v1/schema/").json())["results_list"]["parameters"]
        if parameter.get("deprecated")
    ]
    assert include["name"] == "include"
    assert "use ranking_state" in include["description"]


@pytest.mark.django_db
def test_a_body_needs_no_field_that_has_a_default(client):
    schemas = client.get("/api/v1/schema/").json()["components"]["schemas"]
    assert schemas["SubmissionRequest"]["required"] == ["text"]
    bodies = [schema for name, schema in schemas.items() if name.endswith("Request")]
    assert not [field for body in bodies for field in body["properties"].values() if "default" in field]


def operations_of(schema):
    return {
        operation["operationId"]: operation
        for path in schema["paths"].values()
        for operation in path.values()
    }


def test_every_link_names_an_operation_its_parameters_and_a_field(client):
    schema = client.get("/api/v1/schema/").json()
    operations = operations_of(schema)
    links = [
        (origin, response, link)
        for origin in operations.values()
        for response in origin["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert links
    for origin, response, link in links:
        target = operations[link["operationId"]]
        assert link["parameters"].keys() <= {parameter["name"] for parameter in target["parameters"]}
        for expression in link["parameters"].values():
            shape = response["content"]["application/json"]["schema"]
            for part in expression.removeprefix("$response.body#/").split("/"):
                shape = part_of(schema, shape, part)
            assert shape, (origin["operationId"], expression)


@pytest.mark.django_db
def test_lists_take_pages_as_large_as_the_schema_says_and_no_larger(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    for path in ("/api/v1/leaderboard/", "/api/v1/results/"):
        sizes = [other for other in paths[path]["get"]["parameters"] if other["name"] == "page_size"]
        largest = sizes[0]["schema"]["maximum"]
        statuses = [client.get(path, {"page_size": size}).status_code for size in (largest, largest + 1)]
        assert statuses == [200, 400], path


# Texts that are null if unknown: slugs, ids and links of what there is none of, and those from before the rule
NULLABLE = {
    *(
        "recommended_device",
        "product",
        "device",
        "successor",
        "pool",
        "same_as",
        "baseline",
        "board",
        "layer",
    ),
    *(
        "next",
        "previous",
        "later",
        "form_factors",
        "end_of_sale",
        "seen_latest_price",
        "seen_price_per_gb",
        "a",
        "b",
    ),
    *("firmware_version", "firmware", "protection_fault", "sync_method", "wear_source", "raw_wear"),
}


def test_a_text_that_is_not_known_is_empty_and_not_null(client):
    shapes = client.get("/api/v1/schema/").json()["components"]["schemas"].values()
    fields = [field for shape in shapes for field in shape.get("properties", {}).items()]
    texts = {name for name, shape in fields if shape.get("type") == ["string", "null"]}
    days = {name for name, shape in fields if shape.get("format") in {"date", "date-time"}}
    assert texts - days == NULLABLE


def test_whatever_states_protection_says_whether_a_drive_is_probably_protected(client):
    schemas = client.get("/api/v1/schema/").json()["components"]["schemas"]
    stating = {
        name: shape["properties"] for name, shape in schemas.items() if "plp" in shape.get("properties", {})
    }
    silent = {name for name, fields in stating.items() if "plp_probably" not in fields}
    assert silent == {"UnmeasuredProduct"}  # of the API's classes: all of them are protected


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
    operations = operations_of(schema)
    response = operations[origin]["responses"]["201" if origin == "submit" else "200"]
    assert targets <= response["links"].keys()


def test_the_schema_is_generated_without_a_warning(capsys):
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO())
    assert capsys.readouterr().err == ""


@pytest.mark.django_db
def test_every_operation_has_a_summary_and_a_described_group(client):
    schema = client.get("/api/v1/schema/").json()
    groups = [tag["name"] for tag in schema["tags"]]
    for name, operation in operations_of(schema).items():
        assert set(operation["tags"]) <= set(groups), name
        assert operation["summary"]
    assert schema["paths"]["/api/v1/results/{public_id}/"]["get"]["summary"] == "One published run"


@pytest.mark.django_db
def test_the_schema_names_every_resource(client):
    schema = client.get("/api/v1/schema/").json()
    assert schema["openapi"].startswith("3.1")
    assert {path: set(methods) for path, methods in schema["paths"].items()} == {
        re.sub(r"<\w+:(\w+)>", r"{\1}", f"/{route.pattern}"): {
            method.lower() for method in route.view.cls().allowed_methods if method != "OPTIONS"
        }
        for route in every_route()
        if route.is_endpoint and route.name != "api-schema"
    }
    bodies = schema["paths"]["/api/v1/submissions/"]["post"]["requestBody"]["content"]
    assert sorted(bodies) == ["application/json", "multipart/form-data", "text/plain"]


@pytest.mark.django_db
def test_the_schema_names_the_headers_that_a_client_sends_and_reads(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    submit = paths["/api/v1/submissions/"]["post"]
    assert [(parameter["name"], parameter["in"]) for parameter in submit["parameters"]] == [
        ("Idempotency-Key", "header")
    ]
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
    enums = {
        name: other["enum"] for name, other in schema["components"]["schemas"].items() if "enum" in other
    }
    assert len({frozenset(values) for values in enums.values()}) == len(enums) > 30
    assert not [name for name, values in enums.items() if {"", None} & {*values}]
    inline = {
        parameter["name"]
        for operations in schema["paths"].values()
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
        if "enum" in parameter["schema"].get("items", parameter["schema"])
    }
    assert inline == {"ordering"}  # each belongs to one operation


@pytest.mark.django_db
def test_only_operations_that_need_a_key_name_it(client):
    paths = client.get("/api/v1/schema/").json()["paths"]
    needing = {
        operation["operationId"]
        for operations in paths.values()
        for operation in operations.values()
        if operation["security"]
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
    descriptions = [
        operation["description"] for operations in paths.values() for operation in operations.values()
    ]
    assert len(set(descriptions)) == len(descriptions)
