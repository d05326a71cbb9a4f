"""JSON that is nested deeply, or has too many members, is refused by every endpoint that takes a body."""

import json

import pytest
from drf_spectacular.generators import SchemaGenerator

from results.api.errors import MAX_PROBLEMS
from results.core.security.bodies import MAX_DEPTH, MAX_MEMBERS
from tests import pastes
from tests.factories import make_member, make_result
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
RESULT_ID = "stored"
DEEPER = (MAX_DEPTH + 1, 300, 1000, 5000)
MAX_BYTES = 64 * 1024  # of the answer to a bad request


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
        inner = [name for other in shape.get("oneOf", ()) for name in names(other)]
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


def test_json_with_too_many_members_is_a_short_refusal(client, addresses, headers):
    hostile = {
        "1,000 keys": dict.fromkeys(map(str, range(1000)), ""),
        "keys within the limit": dict.fromkeys(map(str, range(MAX_MEMBERS)), ""),
        "long keys": {f"{number}{'k' * 2000}": "" for number in range(100)},
        "100,000 items": [1] * 100_000,
        "100,000 texts": ["x"] * 100_000,
    }
    for method, path, names in addresses:
        for name, value in hostile.items():
            for body in [value, *({field: value} for field in names or ())]:
                answer = send(client, method, path, json.dumps(body), headers)
                is_refused = 400 <= answer.status_code < (500 if names else 600)
                sent = (method, path, name, list(body)[:1], answer.status_code)
                assert is_refused or not names, sent
                assert len(answer.content) <= MAX_BYTES, sent


def test_an_error_lists_the_first_problems_and_the_allowed_names_once(client, headers):
    body = json.dumps({"reason": "spam", **dict.fromkeys(map(str, range(100)), "")})
    problem = send(client, "post", "/api/v1/results/{public_id}/reports/", body, headers).json()
    assert len(problem["errors"]) == MAX_PROBLEMS
    assert problem["detail"] == "Some parameters are invalid. Problems that aren’t listed: 80."
    assert json.dumps(problem).count("Allowed:") == 1


@pytest.mark.parametrize(
    ("answers", "status", "reason"),
    [
        ([], 400, "Expected a dictionary"),
        ("all", 400, "Expected a dictionary"),
        (7, 400, "Expected a dictionary"),
        ({"all": []}, 400, "Expected a dictionary"),
        ({"all": {"sync": []}}, 400, "Not a valid string"),
        ({"all": {"sync": {}}}, 400, "Not a valid string"),
        ({"line--1": {"sync": "always"}}, 422, "a line such as “line-12”, or a timing such as “timing-1”"),
        ({"line-0": {"sync": "always"}}, 422, "a line such as “line-12”, or a timing such as “timing-1”"),
        (
            {f"line-{10**9}": {"sync": "always"}},
            422,
            "a line such as “line-12”, or a timing such as “timing-1”",
        ),
        ({"7": {"sync": "always"}}, 422, "a line such as “line-12”, or a timing such as “timing-1”"),
        ({"line-9999": {"sync": "always"}}, 422, "There is no line-9999"),
        ({"timing-1": {"sync": "always"}}, 422, "There is no timing-1"),
        ({f"line-{number}": {"sync": "always"} for number in range(1, 102)}, 400, "At most 100 answers"),
        ({"all": dict.fromkeys(map(str, range(101)), "")}, 400, "At most 100 answers"),
        ({"all": dict.fromkeys(map(str, range(100)), "")}, 422, "There is no such question. Allowed:"),
        ({"all": {"series_device": "a " * 50}}, 422, "Nobody has measured"),
    ],
)
def test_answers_that_cannot_be_used_are_a_short_refusal(client, headers, answers, status, reason):
    for path in ("/api/v1/parse/", "/api/v1/submissions/"):
        body = json.dumps({"text": pastes.FIRST_PASTE, "told": answers})
        answer = send(client, "post", path, body, headers)
        assert (answer.status_code, len(answer.content) <= MAX_BYTES) == (status, True)
        assert reason in answer.text
