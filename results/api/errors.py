"""Every error of the API in one shape: problem details as RFC 9457 has them."""

from collections.abc import Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

import orjson
from django.core.exceptions import ValidationError as FormError
from django.db import IntegrityError
from django.forms import BaseForm, ChoiceField
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
from results.models.member import has_left

PROBLEM_TYPE = "application/problem+json"
KEY_NEEDED = (
    "This needs a key: members make one on their account page. Send it as Authorization: Bearer slogdb_…"
)
CLOSED = Notice("account_closed", "Your account was closed meanwhile, so nothing was stored.")


class RefusedProblem(APIException):
    """The text can't be published; `notices` say why, with the parser's codes and lines."""

    status_code = 422
    default_detail = "There is no benchmark run in this text that can be published."
    default_code = "refused"

    def __init__(self, notices: Sequence[Notice], *, detail: str | None = None) -> None:
        super().__init__(detail)
        self.notices = [asdict(notice) for notice in notices]


class TooLongProblem(APIException):
    """More text than the site takes."""

    status_code = 413
    default_detail = (
        "At most 512 KiB of text: send only the output of the tools, or send it in several parts."
    )
    default_code = "too_long"


class EncodedProblem(APIException):
    """A body in an encoding that nobody undoes here: it would be taken for what it is not."""

    status_code = 415
    default_detail = "Send the body as it is, without Content-Encoding: it is not undone here."
    default_code = "encoded_body"


class GoneProblem(APIException):
    """What was here was taken away; `code` says by whom."""

    status_code = 410
    default_detail = "This was taken away."
    default_code = "gone"


class ConflictProblem(APIException):
    """This can't be done with the thing as it is."""

    status_code = 409
    default_detail = "This can't be done now."
    default_code = "conflict"


class UnknownNameError(ValidationError):
    """A parameter names something that does not exist; `errors` says which parameter."""

    status_code = 404
    default_code = "not_found"


def problem_bytes(status: HTTPStatus, detail: str, *, code: str) -> bytes:
    """A problem that no view made."""
    return orjson.dumps(
        {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail, "code": code}
    )


def form_problem(form: BaseForm) -> ValidationError:
    """What is wrong with the parameters of a read: of a choice, also what there is to choose from."""
    found = form.errors.as_data()
    messages = {name: [_form_message(form, name, one) for one in errors] for name, errors in found.items()}
    codes = {one.code for errors in found.values() for one in errors}
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
    """DRF's exception handler: the status and headers that DRF would give, the body as problem details."""
    if isinstance(error, IntegrityError) and has_left(context["request"].user):
        error = RefusedProblem([CLOSED], detail=CLOSED.message)
    response = exception_handler(error, context)
    if response is None:
        return None
    response.data = {
        "type": "about:blank",
        "title": response.status_text,
        "status": response.status_code,
        **_details(error, response.data, context.get("view")),
    }
    response.content_type = PROBLEM_TYPE
    return response


def _details(error: Exception, data: Any, view: Any) -> dict[str, Any]:
    if isinstance(error, RefusedProblem):
        return {"detail": str(error.detail), "code": error.default_code, "notices": error.notices}
    if isinstance(error, ValidationError):
        return {"detail": "Some parameters can't be used.", "code": error.default_code, "errors": data}
    code = error.get_codes() if isinstance(error, APIException) else "not_found"
    return {"detail": _possible_instead(error, view) or str(data.get("detail", "")), "code": code}


def _possible_instead(error: Exception, view: Any) -> str:
    """What to do in the place of what DRF refuses; empty where its own words, or the view's, say it."""
    match error:
        case NotAuthenticated():
            return KEY_NEEDED
        case UnsupportedMediaType():
            taken = ", ".join(parser.media_type for parser in view.parser_classes)
            return f"{error.detail} Say in Content-Type which of these comes: {taken}."
        case MethodNotAllowed():
            return f"This address takes {', '.join(view.allowed_methods)}."
    return ""
