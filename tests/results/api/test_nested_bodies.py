"""Deeply nested JSON is refused by every endpoint that takes a body."""

import json

import pytest
from drf_spectacular.generators import SchemaGenerator

from results.core.security.nesting import MAX_DEPTH
from tests.factories import make_member, make_result
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
RESULT_ID = "stored"
DEEPER = (MAX_DEPTH + 1, 300, 1000, 5000)


def writing_operations():
    """(method, path, names of fields) of every writing operation in the schema."""
    schema = SchemaGenerator().get_schema(public=True)
    shapes = schema["components"]["schemas"]
    return [
        (method, path, fields(shapes, operation["requestBody"]) if "requestBody" in operation else None)
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
        if method in {"post", "put", "patch", "delete"}
    ]


def fields(shapes, body):
    def names(shape):
        if "$ref" in shape:
            return names(shapes[shape["$ref"].rpartition("/")[2]])
        inner = [name for one in shape.get("oneOf", ()) for name in names(one)]
        return [*shape.get("properties", ()), *inner]

    return sorted(set(names(body["content"]["application/json"]["schema"])))


def nested(depth, opening="[", closing="]"):
    return opening * depth + "1" + closing * depth


@pytest.fixture(scope="module")
def addresses():
    found = writing_operations()
    assert {path for _, path, names in found if names} >= {
        "/api/v1/submissions/",
        "/api/v1/parse/",
        "/api/v1/results/{public_id}/reports/",
        "/api/v1/claims/",
    }
    return found


@pytest.fixture
def headers(settings):
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, (1_000_000, 60))
    member = make_member()
    make_result(submission__public_id=RESULT_ID, submission__owner=member)
    return bearer(member)


def send(client, method, path, body, headers):
    address = path.replace("{public_id}", RESULT_ID)
    return getattr(client, method)(address, body, content_type="application/json", **headers)


@pytest.mark.parametrize("depth", DEEPER)
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"text":', "}"), ('[{"a":', "}]")])
def test_deeply_nested_json_is_a_bad_request(client, addresses, headers, depth, opening, closing):
    inner = nested(depth, opening, closing)
    for method, path, names in addresses:
        for body in [inner, *(f'{{"{name}": {inner}}}' for name in names or ())]:
            answer = send(client, method, path, body, headers)
            expected = 400 if names else answer.status_code
            assert (answer.status_code, answer.status_code < 500) == (expected, True), (
                method,
                path,
                body[:30],
            )


def test_json_within_the_depth_limit_is_validated_by_field(client, headers):
    body = json.dumps({"reason": "spam", "text": json.loads(nested(MAX_DEPTH - 1))})
    answer = send(client, "post", "/api/v1/results/{public_id}/reports/", body, headers)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["text"])
    answer = send(client, "post", "/api/v1/results/{public_id}/reports/", nested(MAX_DEPTH + 1), headers)
    assert "nested more than 32 levels deep" in answer.json()["detail"]
