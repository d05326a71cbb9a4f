"""API for members: the key, and their submissions: list, withdraw, restore, claim."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import MayRead, MaySubmit, key_of, key_owner
from results.api.errors import ConflictProblem
from results.api.lists import RowList
from results.api.paging import ByCursor
from results.api.result_records import RESULT_FIELDS
from results.api.views import Endpoint, PrivateRead, ReadEndpoint
from results.core.record import Record, Row, field
from results.models import Result, Submission
from results.models.choices import Scope
from results.ranking.standing import ranks_of
from results.submissions.api.records import SubmissionRecord, submission_record
from results.submissions.api.serializers import StrictSerializer
from results.submissions.api.views import editable_submission, full_record
from results.submissions.claim import ClaimError, claim_submission
from results.submissions.edit import NotAllowedError, restore, withdraw


class MeRecord(Record):
    """The key's owner and its scopes."""

    display_name: str = field("of the key's owner, or empty", "owner.display_name")
    key_name: str = field("the name that the owner gave the key", "name")
    scopes: list[Scope] = field("the scopes of the key")
    expires_at: datetime | None = field("when the key expires; null for never")


class OwnSubmissionRecord(SubmissionRecord):
    """A submission as its owner sees it: with its results in any state."""

    state_reason: str = field("the moderator's reason, or empty")
    created_at: datetime = field("when it was sent")
    keeps_unit: bool = field("results of one unit can be linked")


class ClaimRequestSerializer(StrictSerializer):
    """The token that came with the answer to a submission."""

    token = serializers.CharField(
        trim_whitespace=False, min_length=1, max_length=200, help_text="from the answer to the submission"
    )


class Me(PrivateRead, ReadEndpoint):
    """The key's owner and scopes."""

    permission_classes = [MayRead]

    @extend_schema(operation_id="me", responses=MeRecord)
    def get(self, request: Request, **names: str) -> HttpResponse:
        return super().get(request, **names)

    def find(self) -> Row:
        return MeRecord.of(key_of(self.request))


class OwnSubmissionList(PrivateRead, RowList):
    """All submissions of the key's owner, in any state, newest first."""

    queryset = Submission.objects.none()
    record = OwnSubmissionRecord
    pagination_class = ByCursor
    permission_classes = [MayRead]
    ordering_fields = {"created_at": "created_at", "state": "state"}

    def get_queryset(self) -> QuerySet[Submission]:
        return Submission.objects.filter(owner=key_owner(self.request)).defer("text")

    def rows(self, page: Sequence[Submission]) -> list[Row]:
        results = Result.objects.filter(submission__in=page).order_by("submission_id", "position")
        rows = list(results.values("submission_id", *RESULT_FIELDS))
        ranks = ranks_of({row["device_id"] for row in rows if row["is_ranked"]})
        runs: dict[int, list[Row]] = defaultdict(list)
        for row in rows:
            runs[row["submission_id"]].append(row)
        return [
            OwnSubmissionRecord.of(submission, **submission_record(submission, runs[submission.pk], ranks))
            for submission in page
        ]


class _Change(Endpoint):
    """An action of an owner on a submission."""

    permission_classes = [MaySubmit]

    def change(self, request: Request, public_id: str, do: Callable[..., None]) -> Response:
        """The submission after the action; raises NotFound, ConflictProblem."""
        submission = editable_submission(request, public_id)
        try:
            do(submission, key_owner(request))
        except NotAllowedError as error:
            raise ConflictProblem(str(error)) from error
        return own_answer(submission)


class Withdraw(_Change):
    """Remove a published submission from the public pages and the ranking, until it is restored."""

    @extend_schema(operation_id="withdraw_submission", request=None, responses=OwnSubmissionRecord)
    def post(self, request: Request, public_id: str) -> Response:
        return self.change(request, public_id, withdraw)


class Restore(_Change):
    """Publish a withdrawn submission again."""

    @extend_schema(operation_id="restore_submission", request=None, responses=OwnSubmissionRecord)
    def post(self, request: Request, public_id: str) -> Response:
        return self.change(request, public_id, restore)


class Claims(Endpoint):
    """Make the key's owner the owner of a submission that was sent without an account."""

    permission_classes = [MaySubmit]

    @extend_schema(
        operation_id="claim_submission", request=ClaimRequestSerializer, responses=OwnSubmissionRecord
    )
    def post(self, request: Request) -> Response:
        sent = ClaimRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        try:
            submission = claim_submission(sent.validated_data["token"], key_owner(request))
        except ClaimError as error:
            raise NotFound(str(error)) from error
        return own_answer(submission)


def own_answer(submission: Submission) -> Response:
    """The submission as its owner sees it."""
    submission.refresh_from_db()
    return Response(OwnSubmissionRecord.of(submission, **full_record(submission)))
