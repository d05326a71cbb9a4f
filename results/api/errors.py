"""All errors of the API as problem details (RFC 9457)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, TypeVar

import orjson
from django.core.exceptions import ValidationError as FormError
from django.db import IntegrityError
from django.forms import BaseForm, ChoiceField
from django.http import HttpResponse
from rest_framework.exceptions import (
    APIException,
    MethodNotAllowed,
    NotAuthenticated,
    UnsupportedMediaType,
    ValidationError,
)
from rest_framework.response import Response
from rest_framework.views import exception_handler

from parsers.base.readings import Notice
from results.api.renderers import to_json
from results.core.middleware import TOO_LARGE
from results.core.reader import ReadingError
from results.models.member import has_left

T = TypeVar("T")

PROBLEM_TYPE = "application/problem+json"
MAX_PROBLEMS = 20  # that an answer lists
MAX_LEFT_OUT_LINES = 100
LONGEST_MESSAGE, LONGEST_PATH = 2000, 100  # characters; some repeat what was sent
MAX_BYTES = 40 * 1024  # of what is listed, so that no answer to a bad request exceeds 64 KiB
KEY_NEEDED = (
    "This needs an API key: create one on your account page. Send it as Authorization: Bearer slogdb_…"
)
CLOSED = Notice("account_closed", "Your account was closed in the meantime, so nothing was stored.")


class RefusedProblem(APIException):
    """The text can't be published; `notices` are the parsers' reasons, `left_out_lines` what wasn't recognized."""

    status_code = 422
    default_detail = "There is no benchmark run in this text that can be published."
    default_code = "refused"

    def __init__(
        self,
        notices: Sequence[Notice],
        *,
        detail: str | None = None,
        left_out_lines: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(detail)
        self.notices = [asdict(notice) for notice in notices]
        self.left_out_lines = list(left_out_lines)


class TooLongProblem(APIException):
    """The text exceeds the size limit."""

    status_code = 413
    default_detail = TOO_LARGE
    default_code = "too_long"


class UnreadProblem(APIException):
    """A text couldn't be read in time, or at all."""

    status_code = 422

    def __init__(self, error: ReadingError) -> None:
        super().__init__(error.notice.message, error.notice.code)


class EncodedProblem(APIException):
    """The body has a Content-Encoding, which is not supported."""

    status_code = 415
    default_detail = "Send the body uncompressed: Content-Encoding is not supported."
    default_code = "encoded_body"


class GoneProblem(APIException):
    """The resource was removed; `code` states who removed it."""

    status_code = 410
    default_detail = "This was removed."
    default_code = "gone"


class ConflictProblem(APIException):
    """The resource's state does not allow this."""

    status_code = 409
    default_detail = "This can't be done now."
    default_code = "conflict"


class UnknownNameError(ValidationError):
    """A parameter names something that does not exist; see `errors`."""

    status_code = 404
    default_code = "not_found"


def plain_problem(
    status: HTTPStatus, detail: str, *, code: str, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """A problem for responses made outside of views."""
    problem = _problem(status, status.phrase, detail=detail, code=code)
    return HttpResponse(orjson.dumps(problem), status=status, content_type=PROBLEM_TYPE, headers=headers)


def _problem(status: int, title: str, **details: Any) -> dict[str, Any]:
    return {"type": "about:blank", "title": title, "status": status, **details}


def form_problem(form: BaseForm) -> ValidationError:
    """A form's errors by parameter; for a choice, with the allowed values."""
    found = form.errors.as_data()
    messages = {
        name: [_form_message(form, name, error) for error in errors] for name, errors in found.items()
    }
    codes = {error.code for errors in found.values() for error in errors}
    return (UnknownNameError if codes == {UnknownNameError.default_code} else ValidationError)(messages)


def _form_message(form: BaseForm, name: str, error: FormError) -> str:
    message = " ".join(error.messages)
    field = form.fields.get(name)
    if error.code != "invalid_choice" or not isinstance(field, ChoiceField):
        return message
    choices: Any = field.choices  # pairs; Django allows more, which no form here uses
    allowed = ", ".join(str(value) for value, _ in choices if value)
    return f"Unknown {name}. Allowed: {allowed}."


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Render exceptions as problem details, with DRF's status and headers."""
    if isinstance(error, IntegrityError) and has_left(context["request"].user):
        error = RefusedProblem([CLOSED], detail=CLOSED.message)
    if isinstance(error, ReadingError):
        error = UnreadProblem(error)
    response = exception_handler(error, context)
    if response is None:
        return None
    details = _details(error, response.data, context.get("view"))
    response.data = _problem(response.status_code, response.status_text, **details)
    response.content_type = PROBLEM_TYPE
    return response


def _details(error: Exception, data: Any, view: Any) -> dict[str, Any]:
    if isinstance(error, RefusedProblem):
        notices = [{**notice, "message": _short(notice["message"])} for notice in error.notices]
        listed = _first(notices)
        return {
            "detail": _short(error.detail) + unlisted(len(notices) - len(listed)),
            "code": error.default_code,
            "notices": listed,
            "left_out_lines": error.left_out_lines[:MAX_LEFT_OUT_LINES],
        }
    if isinstance(error, ValidationError):
        problems = [(path[:LONGEST_PATH], _first([*map(_short, some)])) for path, some in _flat(data)]
        errors = _first(problems)
        return {
            "detail": "Some parameters are invalid." + unlisted(len(problems) - len(errors)),
            "code": error.default_code,
            "errors": dict(errors),
        }
    code = error.get_codes() if isinstance(error, APIException) else "not_found"
    return {"detail": _short(_hint(error, view) or data.get("detail", "")), "code": code}


def _short(message: object) -> str:
    return str(message)[:LONGEST_MESSAGE]


def unlisted(count: int) -> str:
    """A sentence behind the problems that are listed; "" if that is all of them."""
    return f" Problems that aren’t listed: {count:,}." if count > 0 else ""


def _first(problems: Sequence[T]) -> list[T]:
    """The first of them, as many as an answer may list; at least one."""
    listed: list[T] = []
    size = 0
    for problem in problems[:MAX_PROBLEMS]:
        size += len(to_json(problem))
        if listed and size > MAX_BYTES:
            break
        listed.append(problem)
    return listed


def _flat(errors: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield the messages by the path of their field, such as told_conditions.host or file.0."""
    if isinstance(errors, Mapping):
        for name, detail in errors.items():
            is_of_object = path and name == "non_field_errors"
            yield from _flat(detail, path if is_of_object else f"{path}.{name}" if path else str(name))
    else:
        yield path, [str(message) for message in errors]


def _hint(error: Exception, view: Any) -> str:
    """What to do instead; empty where the exception's own message is enough."""
    match error:
        case NotAuthenticated():
            return KEY_NEEDED
        case UnsupportedMediaType():
            accepted = ", ".join(parser.media_type for parser in view.parser_classes)
            return f"{error.detail} Set Content-Type to one of: {accepted}."
        case MethodNotAllowed():
            return f"Allowed methods: {', '.join(view.allowed_methods)}."
    return ""
