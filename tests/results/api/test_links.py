"""Every link in the schema leads from a response to a successful operation."""

import json
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests import pastes
from tests.factories import make_device, make_member, make_pool, make_product, make_result, rank_everything
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db

SCHEMA = SchemaGenerator().get_schema(public=True)
OPERATIONS = {
    operation["operationId"]: (path, method)
    for path, methods in SCHEMA["paths"].items()
    for method, operation in methods.items()
}
LINKS = [
    (f"{method['operationId']} {status}", name, link)
    for methods in SCHEMA["paths"].values()
    for method in methods.values()
    for status, response in method["responses"].items()
    for name, link in response.get("links", {}).items()
]
PASTE = {"text": pastes.FIRST_PASTE}
BODIES = {
    "describe_result": {"notes": "in a NAS"},
    "report_result": {"reason": "figures", "text": "faster than its link"},
}


@pytest.fixture(scope="module")
def request_operation(django_db_setup, django_db_blocker):
    """A function that calls an operation as the owner of the result `one`.

    The result is of the ranked device `one`, of the product `one`; each test finds it as it was.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield operation_caller()
        transaction.set_rollback(True)


def operation_caller():
    device = make_device(slug="one", vendor="Aldera", product=make_product(slug="one"))
    member = make_member()
    stored = {
        "submission__public_id": "one",
        "submission__owner": member,
        "submission__text": pastes.FIRST_PASTE,
    }
    result = make_result(device=device, firmware__version="1.0", **stored)
    make_pool(submission=result.submission)
    rank_everything()
    keys = {"report_result": bearer()}  # owners can't report their results
    owner = bearer(member)

    def call_operation(operation, values, body=None, **headers):
        path, method = OPERATIONS[operation]
        query = urlencode({name: value for name, value in values.items() if f"{{{name}}}" not in path})
        address = f"{path.format(**values)}?{query}" if query else path.format(**values)
        content = json.dumps(body or BODIES.get(operation, {}))
        return Client().generic(
            method.upper(), address, content, "application/json", **(headers or keys.get(operation, owner))
        )

    return call_operation


def answer_of(request_operation, origin):
    """A response of this operation with this status."""
    match origin:
        case "submit 201":
            return request_operation("submit", {}, PASTE)
        case "submit 200":
            request_operation("submit", {}, PASTE)
            return request_operation("submit", {}, PASTE)
        case "claim_submission 200":
            token = request_operation("submit", {}, PASTE, HTTP_ACCEPT="*/*").json()["claim_token"]
            return request_operation("claim_submission", {}, {"token": token})
        case "restore_submission 200":
            request_operation("withdraw_submission", {"public_id": "one"})
            return request_operation("restore_submission", {"public_id": "one"})
    operation = origin.removesuffix(" 200")
    path, _ = OPERATIONS[operation]
    return request_operation(
        operation, {name: "one" for name in ("slug", "public_id") if f"{{{name}}}" in path}
    )


def found(record, expression):
    for part in expression.removeprefix("$response.body#/").split("/"):
        record = record[int(part) if part.isdigit() else part]
    return record


@pytest.mark.parametrize(
    ("origin", "name", "link"), LINKS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_link_can_be_followed(request_operation, origin, name, link):
    answer = answer_of(request_operation, origin)
    assert answer.status_code == int(origin.rpartition(" ")[2])
    values = {key: found(answer.json(), expression) for key, expression in link["parameters"].items()}
    if name == "restore_submission" and not origin.startswith("withdraw"):
        request_operation("withdraw_submission", values)
    assert request_operation(link["operationId"], values).status_code in (200, 201, 202, 204)
