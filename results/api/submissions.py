"""Submissions: one request reads, stores and ranks what it brings; and what became of one."""

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import MaySubmit, MaySubmitOrIsNobody, key_owner
from results.api.endpoint import Endpoint, ReadEndpoint
from results.api.idempotency import answer_once, seed_of
from results.api.own import own_submission
from results.api.parsing import OrjsonParser, PlainTextParser
from results.api.pastes import Sent, read_sent
from results.api.problems import RefusedProblem, TooLongProblem
from results.api.result_serializers import ReceivedSerializer, SubmissionSerializer
from results.api.rows import RESULT_FIELDS, Row, absolute, hidden_record, submission_record
from results.api.schema import IDEMPOTENCY_KEY, PASTE_BODIES
from results.ingest.own import erase
from results.ingest.receive import (
    PasteTooLongError,
    Received,
    SubmissionRefusedError,
    receive_submission,
)
from results.models import Result, Submission
from results.models.choices import State
from results.ranking.ranks import ranks_of


class SubmissionList(Endpoint):
    """Where pastes are sent, with a key or without."""

    parser_classes = [PlainTextParser, OrjsonParser, MultiPartParser]
    permission_classes = [MaySubmitOrIsNobody]

    @extend_schema(
        operation_id="submit",
        request=PASTE_BODIES,
        parameters=[IDEMPOTENCY_KEY],
        responses={
            201: OpenApiResponse(
                ReceivedSerializer, "Read, stored and shown; it counts in the ranking now or in seconds."
            ),
            200: OpenApiResponse(ReceivedSerializer, "The same text had been sent before."),
            202: OpenApiResponse(ReceivedSerializer, "Taken, and read in a moment: look at its address."),
        },
    )
    def post(self, request: Request) -> Response:
        sent = read_sent(request)
        seed = seed_of(request)
        try:
            return answer_once(seed, sent.fingerprint, lambda: _receive(sent, seed))
        except PasteTooLongError as error:
            raise TooLongProblem from error
        except SubmissionRefusedError as error:
            raise RefusedProblem(error.notices) from error


class SubmissionDetail(ReadEndpoint):
    """What became of a submission."""

    record = SubmissionSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in SAFE_METHODS else MaySubmit()]

    @extend_schema(operation_id="submission", responses=SubmissionSerializer)
    def get(self, request: Request, **names: str) -> HttpResponse:
        return super().get(request, **names)

    @extend_schema(operation_id="erase_submission", responses={204: None})
    def delete(self, request: Request, public_id: str) -> Response:
        """Erase what the key's owner has sent, text and all, for good; again changes nothing."""
        erase(own_submission(request, public_id), key_owner(request))
        return Response(status=204)

    def find(self, **names: str) -> Row:
        submission = Submission.objects.filter(public_id=names["public_id"]).first()
        if submission is None:
            raise Http404(f"There is no submission “{names['public_id']}”.")
        if submission.state == State.PUBLISHED:
            return full_record(submission)
        return hidden_record(submission_record(submission, [], {}))


def full_record(submission: Submission) -> Row:
    """The submission with its results and their ranks, whatever its state. Two queries."""
    rows = list(Result.objects.filter(submission=submission).order_by("position").values(*RESULT_FIELDS))
    return submission_record(submission, rows, ranks_of({row["device_id"] for row in rows}))


def _receive(sent: Sent, seed: str) -> Response:
    return _answer(receive_submission(sent.raw, sent.sender_with(seed)))


def _answer(received: Received) -> Response:
    submission = received.submission
    record: dict[str, Any] = full_record(submission)
    if submission.state != State.PUBLISHED:
        record = hidden_record(record)
    results = record["results"]
    where = ("api-result", results[0]["id"]) if results else ("api-submission", submission.public_id)
    status = 202 if submission.state == State.WAITING else 201 if received.is_new else 200
    return Response(
        {**record, "is_new": received.is_new, "claim_token": received.claim_token},
        status=status,
        headers={"Location": absolute(reverse(where[0], args=[where[1]]))},
    )
