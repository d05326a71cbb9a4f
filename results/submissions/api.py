"""The API of submissions: preview, submit, and status."""

from dataclasses import asdict
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from parsers.base.readings import ParsedPaste
from results.api.authentication import MaySubmit, MaySubmitOrAnonymous, key_owner
from results.api.errors import GoneProblem, RefusedProblem, TooLongProblem
from results.api.idempotency import answer_once, idempotency_key
from results.api.renderers import OrjsonParser, PlainTextParser
from results.api.rows import (
    RESULT_FIELDS,
    Row,
    hidden_record,
    measured_record,
    rank_record,
    submission_record,
)
from results.api.schema import IDEMPOTENCY_KEY
from results.api.views import Endpoint, ReadEndpoint
from results.catalogue.matching.devices import class_with
from results.core.addresses import full_url
from results.core.subject import describe_layout
from results.kinds.envelope import DescribedPool, Run
from results.kinds.registry import kind_of
from results.models import Device, Result, Submission
from results.models.choices import Board, Plp, State, SubjectKind
from results.models.conditions import CONDITION_FIELDS
from results.ranking.standing import Estimate, Rank, ranks_of
from results.ranking.tiers import tiers_of
from results.submissions.api_request import Sent, read_sent
from results.submissions.edit import erase
from results.submissions.intake.receive import (
    PasteTooLongError,
    SubmissionRefusedError,
    nothing_to_publish,
    preview_text,
    receive_submission,
)
from results.submissions.line_numbers import left_out_records, sent_left_out, sent_notices
from results.submissions.note import note_beside
from results.submissions.preview import estimate_run
from results.submissions.serializers import (
    PASTE_BODIES,
    ParsedSerializer,
    ReceivedSerializer,
    SubmissionSerializer,
)


class Parse(Endpoint):
    """What would be published of a text, and its rank. Nothing is stored."""

    parser_classes = [PlainTextParser, OrjsonParser, MultiPartParser]
    permission_classes = [MaySubmitOrAnonymous]

    @extend_schema(operation_id="parse", request=PASTE_BODIES, responses={200: ParsedSerializer})
    def post(self, request: Request) -> Response:
        try:
            sent = read_sent(request)
            preview = preview_text(sent.raw, sent.sender)
        except PasteTooLongError as error:
            raise TooLongProblem from error
        except SubmissionRefusedError as error:
            raise _refused(error) from error
        paste, found = preview.paste, preview.found
        if not found.runs:
            raise _refused(nothing_to_publish(paste, found))
        return Response(
            {
                "run_count": found.count,
                "left_out": [asdict(one) for one in sent_left_out(paste, found.left_out)],
                "left_out_lines": left_out_records(paste.left_out_lines),
                "parser_version": paste.parser_version,
                "runs": [
                    _record(run, device, paste)
                    for run, device in zip(found.runs, preview.devices, strict=True)
                ],
                "notices": [asdict(notice) for notice in sent_notices(paste, found)],
                "text": paste.text,
                "note": note_beside(paste, sent.sender.note),
            }
        )


def _refused(error: SubmissionRefusedError) -> RefusedProblem:
    detail = error.notices[0].message if error.notices[0].code == "told" else None
    return RefusedProblem(error.notices, detail=detail, left_out_lines=left_out_records(error.left_out_lines))


def _record(run: Run, device: Device | None, paste: ParsedPaste) -> Row:
    kind, product = kind_of(run.method), device.product if device else None
    metrics = kind.compute(run.payload)
    estimate = estimate_run(run, device) if device else None
    return {
        "subject": SubjectKind.POOL if run.pool else SubjectKind.DEVICE,
        "pool": _pool_record(run.pool) if run.pool else None,
        "model_name": run.model_name,
        "vendor": product.vendor.name if product else run.vendor,
        "capacity_bytes": run.capacity_bytes,
        "device_class": class_with(device, run) if device else None,
        "firmware_version": run.firmware_version or None,
        "product": product.slug if product else None,
        "plp": product.plp if product else Plp.UNKNOWN,
        "is_complete": run.is_complete,
        "is_ranked": run.is_ranked,
        "not_ranked_reason": run.not_ranked_reason,
        "flags": [flag.stored for flag in run.flags],
        "measured_on": run.measured_on,
        "conditions": {name: getattr(run, name) for name in ("percentage_used", *CONDITION_FIELDS)},
        "first_line": paste.sent_line(run.first_line),
        "last_line": paste.sent_line(run.last_line),
        **measured_record(str(run.method), metrics, run.payload),
        "board": Board.SYNC_WRITE if kind.ranked_by.get(Board.SYNC_WRITE) in metrics else None,
        "tier": [tier.key for tier in tiers_of(estimate.span.low, estimate.span.high)] if estimate else [],
        "rank": _rank(class_with(device, run), estimate) if device and estimate else None,
    }


def _pool_record(pool: DescribedPool) -> Row:
    return {
        "position": pool.position,
        "name": describe_layout(pool.layout),
        "layout": [dict(vdev) for vdev in pool.layout],
        "is_layout_told": pool.is_told,
        "health": pool.health,
        "properties": dict(pool.properties),
        "platform": pool.platform,
        "zfs_version": pool.zfs_version,
        "log_devices": [
            {"model_name": one.model_name, "capacity_bytes": one.capacity_bytes} for one in pool.logs
        ],
    }


def _rank(device_class: str, found: Estimate) -> Row:
    place = found.place
    rank = Rank(
        Board.SYNC_WRITE,
        device_class,
        found.device_count,
        place.rank,
        place.first_possible,
        place.last_possible,
    )
    return rank_record(rank)


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
                ReceivedSerializer, "Read, stored and published; it is ranked now or within seconds."
            ),
            200: OpenApiResponse(ReceivedSerializer, "The same text was already submitted."),
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
    record = SubmissionSerializer

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
        record["notices"] = [asdict(notice) for notice in sent_notices(paste, found)]
        record["left_out"] = [asdict(one) for one in sent_left_out(paste, found.left_out)]
    if submission.state != State.PUBLISHED:
        record = hidden_record(record)
    return Response(
        {
            **record,
            "left_out_lines": left_out_records(paste.left_out_lines),
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
