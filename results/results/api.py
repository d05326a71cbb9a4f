"""Results: the list, newest first; one result with its conditions, kept text, owner's notes and reports."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet, Sum
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import MaySubmit, key_owner
from results.api.errors import GoneProblem
from results.api.filters import ResultFilter
from results.api.lists import ByCursor, RowList
from results.api.result_serializers import ResultDetailSerializer, ResultSerializer
from results.api.rows import RESULT_FIELDS, Row, result_record
from results.api.views import ReadEndpoint
from results.core.addresses import full_url
from results.core.data_version import cached_count
from results.kinds.latency_curve.metrics import METRICS, stored_metric
from results.models import Device, Result, Submission
from results.models.choices import State
from results.models.conditions import CONDITION_FIELDS
from results.models.result import OWNER_FIELDS, submission_id_of
from results.models.submission import split_notices
from results.submissions.edit import NotAllowedError, describe
from results.submissions.intake.other_results import same_run
from results.submissions.serializers import ResultPatchSerializer

SUBMISSION_FIELDS = (
    "state",
    "state_reason",
    "figure",
    "precision_percent",
    "quality",
    "forum_handle",
    "note",
    "notices",
    "text",
)
_REASONS_GONE = {
    State.WITHDRAWN: "Its owner has withdrawn this result.",
    State.REJECTED: "A moderator has rejected this result.",
    State.ERASED: "This result was erased.",
}
_NOT_YET = {
    State.HELD: "A moderator will look at this result before it is shown.",
}


class ResultList(RowList):
    """Published results, newest first."""

    queryset = Result.objects.published().values(*RESULT_FIELDS)
    record = ResultSerializer
    pagination_class = ByCursor
    filterset_class = ResultFilter
    ordering_fields = {"measured_on": "measured_on"}

    def ordering_names(self) -> Sequence[str]:
        return ("measured_on", *METRICS)

    def ordering_column(self, name: str) -> Any:
        return stored_metric(name) if name in METRICS else super().ordering_column(name)

    def count(self, found: QuerySet) -> int:
        """The number of results; without filters the sum of the devices' counts and the few of pools, since
        counting rows is slow."""
        if any(self.request.query_params.get(name) for name in ResultFilter.base_filters):
            return cached_count(found.order_by().query.sql_with_params(), found.count)
        total: int = Device.objects.aggregate(total=Sum("result_count", default=0))["total"]
        return total + Result.objects.published().filter(pool__isnull=False).count()

    def rows(self, page: Sequence[Row]) -> list[Row]:
        return [result_record(row) for row in page]


class ResultDetail(ReadEndpoint):
    """One published run. Removed ones are a 410, ones that wait for review a 404, each with a code."""

    operation_id = "result"
    record = ResultDetailSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in SAFE_METHODS else MaySubmit()]

    @extend_schema(
        operation_id="describe_result", request=ResultPatchSerializer, responses=ResultDetailSerializer
    )
    def patch(self, request: Request, public_id: str) -> Response:
        """The owner's notes, and the conditions that the text does not state."""
        sent = ResultPatchSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        owned = Result.objects.named([public_id]).filter(submission__owner=key_owner(request))
        result = owned.first()
        if result is None:
            raise NotFound("None of your results has this id.")
        description = {
            "notes": result.notes,
            "told_conditions": result.told_conditions,
            **sent.validated_data,
        }
        try:
            describe(result, **description)
        except NotAllowedError as error:
            raise ValidationError({"told_conditions": [str(error)]}) from error
        except Result.DoesNotExist as error:
            raise _unknown(public_id) from error
        return Response(_detail(_row(public_id)))

    def find(self, public_id: str) -> Row:
        row = _row(public_id)
        if row["submission__state"] != State.PUBLISHED:
            raise _not_shown(row["submission__state"])
        return _detail(row)


def _row(public_id: str) -> Row:
    """The result with its submission's fields; raises Http404, or GoneProblem for an erased one."""
    found = Result.objects.named([public_id])
    of_submission = [f"submission__{name}" for name in SUBMISSION_FIELDS]
    names = (*RESULT_FIELDS, *CONDITION_FIELDS, *OWNER_FIELDS, "parser_version", "copy_of_id", *of_submission)
    row: Row | None = found.values(*names).first()
    if row is not None:
        return row
    erased = Submission.objects.filter(public_id=submission_id_of(public_id), state=State.ERASED)
    raise _not_shown(State.ERASED) if erased.exists() else _unknown(public_id)


def _unknown(public_id: str) -> Http404:
    return Http404(f"There is no published result “{public_id}”.")


def _not_shown(state: str) -> GoneProblem | NotFound:
    reason = _REASONS_GONE.get(State(state))
    if reason is not None:
        return GoneProblem(reason, code=state)
    return NotFound(_NOT_YET[State(state)], code=state)


def _detail(row: Row) -> Row:
    written = row["host_bytes_written"]
    notices, _left_out = split_notices(row["submission__notices"])
    conditions = {name: row[name] for name in CONDITION_FIELDS}
    return {
        **result_record(row),
        **{name: row[f"submission__{name}"] for name in SUBMISSION_FIELDS},
        "quality": row["submission__quality"] or None,
        "notices": notices,
        "parser_version": row["parser_version"],
        "conditions": {
            **conditions,
            "percentage_used": None if row["wear_source"] else row["wear_percent"],
            "host_bytes_written": None if written is None else int(written),
        },
        **{name: row[name] for name in OWNER_FIELDS},
        "also_posted": [
            {
                "id": one.public_id,
                "url": full_url(one.get_absolute_url()),
                "source_url": one.submission.source_url,
            }
            for one in same_run(row["id"], row["copy_of_id"])
        ],
    }
