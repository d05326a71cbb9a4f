"""The OpenAPI document: what drf-spectacular finds out, and what every endpoint here does besides."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer

from results.api.authentication import MayRead, MaySubmit
from results.api.descriptions import describe_fields
from results.api.idempotency import HEADER, LONGEST_KEY
from results.api.names import FIELDS, field_names
from results.api.problems import PROBLEM_TYPE
from results.api.sent_serializers import (
    ParseRequestSerializer,
    SubmissionRequestSerializer,
    SubmissionUploadSerializer,
)

Node = dict[str, Any]
PASTE_BODIES = {
    "text/plain": {"type": "string"},
    "application/json": PolymorphicProxySerializer(
        component_name="PasteRequest",
        serializers=[SubmissionRequestSerializer, ParseRequestSerializer],
        resource_type_field_name=None,
    ),
    "multipart/form-data": SubmissionUploadSerializer,
}
IDEMPOTENCY_KEY = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="drawn by the client: the same request can be sent again under it for a day, and is done once",
)
PROBLEM = {"$ref": "#/components/schemas/Problem"}
SPARSE = "Part"  # what a record is called of which a client asked for some fields only
_EVERYWHERE = {
    "400": "Something in the request is not known or makes no sense; `errors` names it.",
    "401": "The key is unknown, revoked or has expired.",
    "403": "The key is not for this, or its owner is banned.",
    "429": "Too much at once; `Retry-After` says when to go on.",
    "503": "The database is away, or the site is busy; `Retry-After` says when to try again.",
}
_WITH_A_NAME = {"404": "There is no such thing.", "410": "It was taken away; `code` says by whom."}
_FINDS = ("/claims/",)  # finds something by what is sent
_WITH_A_BODY = {
    "411": "The body comes without `Content-Length`.",
    "413": "More than 512 KiB of text; `code` is `too_long`.",
    "415": "The body's content type is not one of those named here, or it was packed.",
    "422": "It can't be done as it is; `notices` say why.",
}
_OF_READS = {
    "ETag": "send it back as `If-None-Match`",
    "Last-Modified": "when something on the site changed last",
}
_OF_SUBMISSIONS = {
    "Location": "the address of the result in the API, or of the submission where there is none"
}
_OF_REFUSALS = {"Retry-After": "seconds"}
_HEADERS = {"429": _OF_REFUSALS, "503": _OF_REFUSALS}


class EndpointSchema(AutoSchema):
    """Adds `fields` where an endpoint can leave fields out, and that a key may be missing where it may."""

    def get_auth(self) -> list[dict[str, list[str]]]:
        found: list[dict[str, list[str]]] = super().get_auth()
        is_needed = any(type(one) in {MayRead, MaySubmit} for one in self.view.get_permissions())
        return found if is_needed or {} in found else [*found, {}]

    def get_override_parameters(self) -> list[Any]:
        record = getattr(self.view, "record", None)
        if self.method != "GET" or record is None:
            return []
        return [
            OpenApiParameter(
                FIELDS,
                {"type": "array", "items": {"type": "string", "enum": list(field_names(record))}},
                explode=False,
                style="form",
                description="only these fields of a record, with commas",
            )
        ]


def complete(result: Node, **_: Any) -> Node:
    """drf-spectacular's hook: the errors of every operation, records in part, bodies without anything beside them."""
    schemas = result["components"]["schemas"]
    describe_fields(schemas)
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            has_name = "{" in path or path.endswith(_FINDS) or _is_asked(operation, "page")
            _add_problems(operation, has_name=has_name, has_body="requestBody" in operation)
            _allow_nothing(operation)
            told = dict(_HEADERS)
            if method == "get":
                _add_parts(operation, schemas)
                operation["responses"]["304"] = {
                    "description": "Not changed since the answer with this `ETag`."
                }
                told["200"] = _OF_READS
            elif operation["operationId"] == "submit":
                told |= dict.fromkeys(("200", "201", "202"), _OF_SUBMISSIONS)
            _add_headers(operation, told)
    for name, schema in schemas.items():
        if name.endswith(("Request", "Upload", "Patch", "Told")) and "properties" in schema:
            schema["additionalProperties"] = False
    return result


def _allow_nothing(operation: Node) -> None:
    """A choice that is sent empty, as forms and spreadsheets do, is one left out."""
    for parameter in operation.get("parameters", []):
        choices = parameter["schema"].get("enum")
        if parameter["in"] == "query" and choices and "" not in choices:
            choices.append("")


def _add_problems(operation: Node, *, has_name: bool, has_body: bool) -> None:
    problems = {**_EVERYWHERE, **(_WITH_A_NAME if has_name else {}), **(_WITH_A_BODY if has_body else {})}
    for status, description in problems.items():
        operation["responses"].setdefault(status, {"description": description})
    for status, response in operation["responses"].items():
        if status >= "400":
            response["content"] = {PROBLEM_TYPE: {"schema": PROBLEM}}
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _add_parts(operation: Node, schemas: Node) -> None:
    """Let a record come with fewer fields, where the operation has `fields`."""
    if not _is_asked(operation, FIELDS):
        return
    answer = operation["responses"]["200"]["content"]["application/json"]
    name = answer["schema"]["$ref"].rpartition("/")[2]
    rows = schemas[name]["properties"].get("results", {})
    is_list = "items" in rows and name.startswith("Paginated")
    record = rows["items"]["$ref"].rpartition("/")[2] if is_list else name
    schemas[f"{record}{SPARSE}"] = {key: value for key, value in schemas[record].items() if key != "required"}
    either = {"anyOf": [{"$ref": f"#/components/schemas/{one}"} for one in (record, f"{record}{SPARSE}")]}
    if is_list:
        rows["items"] = either
    else:
        answer["schema"] = either


def _is_asked(operation: Node, name: str) -> bool:
    """Whether the operation has a parameter of that name."""
    return any(parameter["name"] == name for parameter in operation.get("parameters", []))


def _add_headers(operation: Node, told: dict[str, dict[str, str]]) -> None:
    for status, headers in told.items():
        operation["responses"][status]["headers"] = {
            name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()
        }
