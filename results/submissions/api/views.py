"""The API of submissions: preview, submit, and status."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import MaySubmit, MaySubmitOrAnonymous, key_owner
from results.api.errors import GoneProblem, RefusedProblem, TooLongProblem
from results.api.idempotency import answer_once, idempotency_key
from results.api.records import LeftOutLinesRecord, LeftOutRecord, NoticeRecord
from results.api.renderers import OrjsonParser, PlainTextParser
from results.api.result_records import RESULT_FIELDS
from results.api.schema import IDEMPOTENCY_KEY
from results.api.views import Endpoint, ReadEndpoint
from results.core.addresses import full_url
from results.core.record import Row
from results.models import Result, Submission
from results.models.choices import State
from results.ranking.standing import ranks_of
from results.submissions.api.records import (
    ParsedRecord,
    ReceivedRecord,
    SubmissionRecord,
    hidden_record,
    submission_record,
)
from results.submissions.api.request import Sent, read_sent
from results.submissions.api.serializers import PASTE_BODIES
from results.submissions.edit import erase
from results.submissions.intake.receive import (
    PasteTooLongError,
    SubmissionRefusedError,
    nothing_to_publish,
    preview_text,
    receive_submission,
)
from results.submissions.note import note_beside
from results.submissions.text.sent_lines import sent_left_out, sent_notices


class Parse(Endpoint):
    """What would be published of a text, and its rank. Nothing is stored."""

    parser_classes = [PlainTextParser, OrjsonParser, MultiPartParser]
    permission_classes = [MaySubmitOrAnonymous]

    @extend_schema(operation_id="parse", request=PASTE_BODIES, responses={200: ParsedRecord})
    def post(self, request: Request) -> Response:
        try:
            sent = read_sent(request)
            preview = preview_text(sent.raw, sent.sender)
        except PasteTooLongError as error:
            raise TooLongProblem from error
        except SubmissionRefusedError as error:
            raise _refused(error) from error
        if not preview.found.runs:
            raise _refused(nothing_to_publish(preview.paste, preview.found))
        return Response(ParsedRecord.of(preview, note=note_beside(preview.paste, sent.sender.note)))


def _refused(error: SubmissionRefusedError) -> RefusedProblem:
    detail = error.notices[0].message if error.notices[0].code == "told" else None
    return RefusedProblem(
        error.notices, detail=detail, left_out_lines=LeftOutLinesRecord.all_of(error.left_out_lines)
    )


class SubmissionList(Endpoint):
    """Submits pastes, with or without an API key."""

    parser_classes = [PlainTextParser, OrjsonParser, MultiPartParser]
    permission_classes = [MaySubmitOrAnonymous]

    @extend_schema(
        operation_id="submit",
        request=PASTE_BODIES,
        parameters=[IDEMPOTENCY_KEY],
        responses={
            201: OpenApiResponse(
                ReceivedRecord, "Read, stored and published; it is ranked now or within seconds."
            ),
            200: OpenApiResponse(ReceivedRecord, "The same text was already submitted."),
        },
    )
    def post(self, request: Request) -> Response:
        sent = read_sent(request)
        key = idempotency_key(request)
        try:
            return answer_once(key, sent.fingerprint, lambda: _receive(sent))
        except PasteTooLongError as error:
            raise TooLongProblem from error
        except SubmissionRefusedError as error:
            raise _refused(error) from error


class SubmissionDetail(ReadEndpoint):
    """The state of a submission and its results."""

    operation_id = "submission"
    record = SubmissionRecord

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in SAFE_METHODS else MaySubmit()]

    @extend_schema(operation_id="erase_submission", responses={204: None})
    def delete(self, request: Request, public_id: str) -> Response:
        """Erase a submission of the key's owner permanently, including its text. Idempotent."""
        erase(editable_submission(request, public_id), key_owner(request))
        return Response(status=204)

    def find(self, public_id: str) -> Row:
        submission = Submission.objects.filter(public_id=public_id).first()
        if submission is None:
            raise Http404(f"There is no submission “{public_id}”.")
        if submission.state == State.ERASED:
            raise GoneProblem("This submission was erased.", code=State.ERASED)
        if submission.state == State.PUBLISHED:
            return full_record(submission)
        return hidden_record(submission_record(submission, [], {}))


def full_record(submission: Submission) -> Row:
    """The submission with its results and their ranks, whatever its state. Two queries."""
    rows = list(Result.objects.filter(submission=submission).order_by("position").values(*RESULT_FIELDS))
    return submission_record(
        submission, rows, ranks_of({row["device_id"] for row in rows if row["is_ranked"]})
    )


def _receive(sent: Sent) -> Response:
    received = receive_submission(sent.raw, sent.sender)
    submission, paste, found = received.submission, received.paste, received.found
    record: dict[str, Any] = full_record(submission)
    if received.is_new:
        record["notices"] = NoticeRecord.all_of(sent_notices(paste, found))
        record["left_out"] = LeftOutRecord.all_of(sent_left_out(paste, found.left_out))
    if submission.state != State.PUBLISHED:
        record = hidden_record(record)
    return Response(
        {
            **record,
            "left_out_lines": LeftOutLinesRecord.all_of(paste.left_out_lines),
            "is_new": received.is_new,
            "claim_token": received.claim_token,
        },
        status=201 if received.is_new else 200,
        headers={"Location": full_url(reverse("api-submission", args=[submission.public_id]))},
    )


def editable_submission(request: Request, public_id: str) -> Submission:
    """The submission, if it belongs to the key's owner; otherwise raises NotFound."""
    submission = Submission.objects.filter(owner=key_owner(request), public_id=public_id).first()
    if submission is None:
        raise NotFound("None of your submissions has this id.")
    return submission
