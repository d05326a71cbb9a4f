"""The content of an API request: plain text, JSON with a text, or files."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from rest_framework.request import Request

from parsers.base.readings import Notice
from results.api.authentication import member_of
from results.api.errors import RefusedProblem, TooLongProblem
from results.api.renderers import PlainTextParser
from results.core.security.digests import digest_sender
from results.core.security.rate_limits import sender_address
from results.kinds.answers import SenderAnswers, clean_answers
from results.kinds.registry import all_questions
from results.submissions.api.serializers import SubmissionRequestSerializer, SubmissionUploadSerializer
from results.submissions.intake.receive import (
    IMPOSSIBLE_DAY,
    PasteTooLongError,
    Sender,
    SubmissionRefusedError,
    check_size,
    is_possible_day,
    join_parts,
    parts_of_files,
)
from results.submissions.note import LinkInNoteError, read_note, read_timings

UNSUPPORTED = "The parts of this request don't fit together; see `notices`."


@dataclass(frozen=True, slots=True)
class Sent:
    """The paste and who sent it."""

    raw: str | bytes
    sender: Sender

    @property
    def fingerprint(self) -> bytes:
        """A fingerprint of the content, to tell different requests apart."""
        raw = self.raw if isinstance(self.raw, bytes) else self.raw.encode("utf-8", "surrogatepass")
        fields = (
            self.sender.forum_handle,
            self.sender.source_url,
            self.sender.keeps_unit,
            self.sender.measured_on,
            self.sender.note,
            self.sender.answers.stored,
        )
        return raw + repr(fields).encode("utf-8", "surrogatepass")


def read_sent(request: Request) -> Sent:
    """The paste and sender of a request; raises ValidationError, RefusedProblem and TooLongProblem."""
    owner = member_of(request)
    sender = Sender(owner=owner, sender_digest=digest_sender(sender_address(request)))
    if not request.content_type or request.content_type.startswith(PlainTextParser.media_type):
        # DRF returns {} for an empty body, and accepts no other without a content type
        return Sent(request.data if isinstance(request.data, bytes) else b"", sender)
    try:
        raw, data = _read_fields(request)
    except PasteTooLongError as error:
        raise TooLongProblem from error
    except SubmissionRefusedError as error:
        raise RefusedProblem(error.notices, detail=UNSUPPORTED) from error
    stated = ("forum_handle", "source_url", "keeps_unit", "measured_on")
    about = {name: data[name] for name in stated if name in data}
    day = about.get("measured_on")
    if day is not None and not is_possible_day(day):  # a schema can't state today's date
        raise RefusedProblem([Notice("impossible_day", IMPOSSIBLE_DAY)], detail=IMPOSSIBLE_DAY)
    try:
        about["note"] = read_note(data["note"])
        timings = read_timings("\n".join(data.get("timings", ())))
    except ValueError as error:
        code = "link_in_note" if isinstance(error, LinkInNoteError) else "timings"
        raise RefusedProblem([Notice(code, str(error))], detail=str(error)) from error
    answers, faults = clean_answers(data.get("told", {}), all_questions())
    if faults:
        notices = [Notice("told", f"{name}, {key}: {fault}") for (name, key), fault in faults.items()]
        raise RefusedProblem(notices, detail=notices[0].message)
    about["answers"] = SenderAnswers(answers, timings)
    return Sent(raw, replace(sender, **about))


def _read_fields(request: Request) -> tuple[str | bytes, Mapping[str, Any]]:
    if request.FILES or (isinstance(request.data, QueryDict) and "file" in request.data):
        data = _valid(SubmissionUploadSerializer, request)
        files = parts_of_files((upload.name, upload.read()) for upload in data["file"])
        return join_parts([data["text"], *files]), data
    data = _valid(SubmissionRequestSerializer, request)
    check_size(data["text"])
    return data["text"], data


def _valid(shape: Any, request: Request) -> Mapping[str, Any]:
    serializer = shape(data=request.data)
    serializer.is_valid(raise_exception=True)
    data: Mapping[str, Any] = serializer.validated_data
    return data
