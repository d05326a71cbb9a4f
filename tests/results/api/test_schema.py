import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from tests.addresses import every_route

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        return Client().get("/api/v1/schema/").json()


@pytest.fixture(scope="module")
def schemas(schema):
    return schema["components"]["schemas"]


@pytest.fixture(scope="module")
def operations(schema):
    return operations_of(schema)


def test_the_schema_is_valid_openapi(schema):
    validate(schema, cls=OpenAPIV31SpecValidator)
    assert "'nullable'" not in str(schema)  # of OpenAPI 3.0: 3.1 ignores it


def test_the_schema_may_be_asked_for_as_json_and_as_nothing_else(client):
    assert client.get("/api/v1/schema/?format=json").content == client.get("/api/v1/schema/").content
    assert client.get("/api/v1/schema/?format=yaml").status_code == 400
    assert client.get("/api/v1/schema/?profile=some").status_code == 400


def test_each_answer_has_one_type_and_the_other_profile_has_the_rest(client, schemas, operations):
    for operation in operations.values():
        for status, response in operation["responses"].items():
            assert status >= "400" or {*response.get("content", ())} <= {"application/json"}
        assert not {"fields", "format"} & {parameter["name"] for parameter in operation["parameters"]}
    assert not [name for name in schemas if name.endswith("Part")]
    everything = client.get("/api/v1/schema/?profile=all").json()
    listed = operations_of(everything)["results_list"]
    assert [*listed["responses"]["200"]["content"]] == [
        "application/json",
        "text/csv",
        "application/x-ndjson",
    ]
    assert {"fields", "format"} <= {parameter["name"] for parameter in listed["parameters"]}
    assert everything["components"]["schemas"]["ResultPart"]


def test_a_body_has_no_field_with_a_default(schemas):
    bodies = [schema for name, schema in schemas.items() if name.endswith("Request")]
    assert not [field for body in bodies for field in body["properties"].values() if "default" in field]


def operations_of(schema):
    return {
        operation["operationId"]: operation
        for path in schema["paths"].values()
        for operation in path.values()
    }


def test_lists_take_pages_as_large_as_the_schema_says_and_no_larger(client, operations):
    for name, path in (("leaderboard", "/api/v1/leaderboard/"), ("results_list", "/api/v1/results/")):
        sizes = [other for other in operations[name]["parameters"] if other["name"] == "page_size"]
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


def test_a_text_that_is_not_known_is_empty_and_not_null(schemas):
    fields = [field for shape in schemas.values() for field in shape.get("properties", {}).items()]
    texts = {name for name, shape in fields if shape.get("type") == ["string", "null"]}
    days = {name for name, shape in fields if shape.get("format") in {"date", "date-time"}}
    assert texts - days == NULLABLE


def test_whatever_states_protection_says_whether_a_drive_is_probably_protected(schemas):
    stating = {
        name: shape["properties"] for name, shape in schemas.items() if "plp" in shape.get("properties", {})
    }
    silent = {name for name, fields in stating.items() if "plp_probably" not in fields}
    assert silent == {"UnmeasuredProduct"}  # of the API's classes: all of them are protected


def test_the_schema_is_generated_without_a_warning(capsys):
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO())
    assert capsys.readouterr().err == ""


def test_every_operation_has_a_summary_a_described_group_and_its_own_description(schema, operations):
    groups = {tag["name"] for tag in schema["tags"]}
    for name, operation in operations.items():
        assert {*operation["tags"]} <= groups, name
        assert operation["summary"], name
    assert len({operation["description"] for operation in operations.values()}) == len(operations)


def test_the_schema_names_every_resource(schema):
    assert {path: set(methods) for path, methods in schema["paths"].items()} == {
        re.sub(r"<\w+:(\w+)>", r"{\1}", f"/{route.pattern}"): {
            method.lower() for method in route.view.cls().allowed_methods if method != "OPTIONS"
        }
        for route in every_route()
        if route.is_endpoint and route.name != "api-schema"
    }


def test_every_field_is_described_with_the_unit_of_a_figure(schemas):
    for shape, schema in schemas.items():
        for name, value in schema.get("properties", {}).items():
            assert value.get("description"), f"{shape}.{name}"
            for ending, unit in (("_mib_s", "MiB/s"), ("_bytes", "bytes"), ("_us", "µs")):
                is_told = unit.lower() in value["description"].lower()
                assert not name.endswith(ending) or is_told, f"{shape}.{name}"


def test_every_enum_has_one_name_that_parameters_use_and_no_empty_member(schemas, operations):
    enums = {name: other["enum"] for name, other in schemas.items() if "enum" in other}
    assert len({frozenset(values) for values in enums.values()}) == len(enums) > 30
    assert not [name for name, values in enums.items() if {"", None} & {*values}]
    inline = {
        parameter["name"]
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
        if "enum" in parameter["schema"].get("items", parameter["schema"])
    }
    assert inline == {"ordering"}  # each belongs to one operation


def test_only_operations_that_need_a_key_name_it(operations):
    assert {name for name, operation in operations.items() if operation["security"]} == {
        *("claim_submission", "describe_result", "erase_submission", "me", "me_submissions_list"),
        *("restore_submission", "withdraw_submission"),
    }
