"""Submissions: one request reads, stores and ranks what it brings."""

from django.db import transaction
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from results.api.parsing import OrjsonParser, PlainTextParser
from results.api.problems import RefusedProblem, TooLongProblem
from results.api.rows import RESULT_FIELDS, Row, absolute, result_record
from results.api.serializers import (
    ProblemSerializer,
    SubmissionRequestSerializer,
    SubmissionSerializer,
    SubmissionUploadSerializer,
)
from results.ingest.digests import digest_network
from results.ingest.receive import (
    PasteTooLongError,
    Received,
    Sender,
    SubmissionRefusedError,
    join_parts,
    receive_submission,
)
from results.network import sender_address
from results.tasks import hurry_ranking


class SubmissionList(APIView):
    """Where pastes are sent."""

    parser_classes = [PlainTextParser, OrjsonParser, MultiPartParser]

    @extend_schema(
        request={
            "text/plain": {"type": "string"},
            "application/json": SubmissionRequestSerializer,
            "multipart/form-data": SubmissionUploadSerializer,
        },
        responses={
            201: SubmissionSerializer,
            200: OpenApiResponse(SubmissionSerializer, "The same text had been sent before."),
            400: ProblemSerializer,
            413: ProblemSerializer,
            415: ProblemSerializer,
            422: ProblemSerializer,
        },
    )
    def post(self, request: Request) -> Response:
        try:
            received = receive_submission(*_sent(request))
        except PasteTooLongError as error:
            raise TooLongProblem from error
        except SubmissionRefusedError as error:
            raise RefusedProblem(error.notices) from error
        transaction.on_commit(lambda: hurry_ranking(received.boards))
        return _answer(received)


def _sent(request: Request) -> tuple[str | bytes, Sender]:
    """The paste in a request, and who sent it; raises ValidationError and what join_parts does."""
    network = digest_network(sender_address(request))
    if request.content_type.startswith(PlainTextParser.media_type):
        raw = request.data if isinstance(request.data, bytes) else b""  # DRF gives {} for an empty body
        return raw, Sender(network=network)
    is_upload = bool(request.FILES)
    serializer = (SubmissionUploadSerializer if is_upload else SubmissionRequestSerializer)(data=request.data)
    serializer.is_valid(raise_exception=True)
    sent = serializer.validated_data
    parts = join_parts([sent["text"], *(one.read() for one in sent.get("file", []))])
    return parts, Sender(network=network, forum_handle=sent["forum_handle"], source_url=sent["source_url"])


def _answer(received: Received) -> Response:
    submission = received.submission
    rows: list[Row] = list(submission.results.order_by("position").values(*RESULT_FIELDS))
    location = absolute(reverse("api-result", args=[rows[0]["public_id"]])) if rows else ""
    record = {
        "id": submission.public_id,
        "url": absolute(submission.get_absolute_url()),
        "is_new": received.is_new,
        "state": submission.state,
        "results": [result_record(row) for row in rows],
        "notices": submission.notices,
    }
    return Response(record, status=201 if received.is_new else 200, headers={"Location": location})
