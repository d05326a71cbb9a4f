"""Every error of the API in one shape: problem details as RFC 9457 has them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from parsers.kinds import Notice

PROBLEM_TYPE = "application/problem+json"


class RefusedProblem(APIException):
    """The text can't be published; `notices` say why, with the parser's codes and lines."""

    status_code = 422
    default_detail = "There is no benchmark run in this text that can be published."
    default_code = "refused"

    def __init__(self, notices: Sequence[Notice]) -> None:
        super().__init__()
        self.notices = [asdict(notice) for notice in notices]


class TooLongProblem(APIException):
    """More text than the site takes."""

    status_code = 413
    default_detail = (
        "At most 512 KiB of text: send only the output of the tools, or send it in several parts."
    )
    default_code = "too_long"


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: the status and headers that DRF would give, the body as problem details."""
    response = exception_handler(error, context)
    if response is None:
        return None
    response.data = {
        "type": "about:blank",
        "title": response.status_text,
        "status": response.status_code,
        **_details(error, response.data),
    }
    response.content_type = PROBLEM_TYPE
    return response


def _details(error: Exception, data: Any) -> dict[str, Any]:
    if isinstance(error, RefusedProblem):
        return {"detail": str(error.detail), "code": error.default_code, "notices": error.notices}
    if isinstance(error, ValidationError):
        return {"detail": "Some parameters can't be used.", "code": "invalid", "errors": data}
    code = error.default_code if isinstance(error, APIException) else "not_found"
    return {"detail": str(data.get("detail", "")), "code": code}
