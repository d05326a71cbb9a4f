"""Results: the list, newest first; one result with its conditions, kept text, owner's notes and reports."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet, Sum
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import MaySubmit, key_owner
from results.api.errors import GoneProblem, UnknownNameError
from results.api.filters import NamesFilter, ResultFilter, refuse_too_many
from results.api.lists import RowList
from results.api.paging import ByChange
from results.api.records import NoticeRecord, page_of_object
from results.api.result_records import RESULT_FIELDS, ConditionsRecord, ResultRecord
from results.api.views import ReadEndpoint
from results.catalogue.facets import filter_by_facets
from results.catalogue.product_facts import DEVICES
from results.core.data_version import cached_count
from results.core.record import Record, Row, Url, field
from results.kinds.curve.metrics import METRICS, stored_metric
from results.models import Device, Product, Result, Submission
from results.models.choices import Quality, State
from results.models.conditions import CONDITION_FIELDS
from results.models.result import OWNER_FIELDS, no_such_result, submission_id_of
from results.models.submission import split_notices
from results.submissions.api.serializers import ResultPatchSerializer
from results.submissions.edit import NotAllowedError, describe
from results.submissions.intake.other_results import same_run

SUBMISSION_FIELDS = (
    *("state", "state_reason", "figure", "precision_percent", "quality", "forum_handle"),
    *("note", "notices", "text"),
)
_REASONS_GONE = {
    State.WITHDRAWN: "Its owner has withdrawn this result.",
    State.REJECTED: "A moderator has rejected this result.",
    State.ERASED: "This result was erased.",
}
_NOT_YET = {State.HELD: "A moderator will look at this result before it is shown."}


class AlsoPostedRecord(Record):
    """Another result of the same run."""

    id: str = field("its id", "public_id")
    url: Url = field("its page for people", page_of_object)
    source_url: str = field("where it was published, or empty", "submission.source_url")


class _DetailRecord(Record):
    """What a result's list leaves out."""

    first: ClassVar[Sequence[str]] = SUBMISSION_FIELDS

    state: State = field("its state", "submission__state")
    state_reason: str = field("the moderator's reason, or empty", "submission__state_reason")
    figure: str = field(
        "as the source of a published figure states it; empty for others", "submission__figure"
    )
    precision_percent: int | None = field(
        "how far off the latency computed from `figure` may be", "submission__precision_percent"
    )
    quality: Quality | None = field(
        "quality of the source of published figures: a raw output, b table, c sentence; null for others",
        lambda row: row["submission__quality"] or None,
    )
    forum_handle: str = field("who measured it, or empty", "submission__forum_handle")
    parser_version: str = field("of the parsers that read it")
    conditions: ConditionsRecord = field("the conditions under which it was measured", lambda row: row)
    note: str = field("the sender's note about the submission", "submission__note")
    notes: str = field("the owner's notes")
    told_conditions: dict[str, str] = field("conditions stated by the owner, not by the text")
    also_posted: list[AlsoPostedRecord] = field(
        "the same run in other submissions; it counts once",
        lambda row: same_run(row["id"], row["copy_of_id"]),
    )
    notices: list[NoticeRecord] = field(
        "the parsers' notices", lambda row: split_notices(row["submission__notices"])[0]
    )
    text: str = field("the lines that we read, masked", "submission__text")


class ResultDetailRecord(ResultRecord, _DetailRecord):
    """A run with its conditions and the kept text that it was read from."""

    @classmethod
    def of(cls, source: Any, /, **given: Any) -> Row:
        return {**ResultRecord.of(source), **_DetailRecord.of(source, **given)}


class ResultListFilter(ResultFilter):
    """Filter results by what the catalogue knows, too: product and vendor."""

    product = NamesFilter(method="filter_product", help_text="product slugs; 404 if one is unknown.")
    vendor = NamesFilter(
        method="filter_vendor", help_text="vendor names, in any case; 404 if one is unknown."
    )

    def filter_product(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        refuse_too_many(name, value)
        known = set(Product.objects.filter(slug__in=value).values_list("slug", flat=True))
        if unknown := [slug for slug in value if slug not in known]:
            raise UnknownNameError({name: [f"There is no product “{slug}”." for slug in unknown]})
        return queryset.filter(device__in=Device.objects.shown().filter(product__slug__in=value))

    def filter_vendor(self, queryset: QuerySet[Result], name: str, value: list[str]) -> QuerySet[Result]:
        refuse_too_many(name, value)
        names, shown = [vendor.lower() for vendor in value], Device.objects.shown()
        unknown = [one for one in names if not filter_by_facets(shown, {name: [one]}, DEVICES).exists()]
        if unknown:
            raise UnknownNameError({name: [f"We have no devices from “{one}”." for one in unknown]})
        return queryset.filter(device__in=filter_by_facets(shown, {name: names}, DEVICES))


class ResultList(RowList):
    """Published results, newest first."""

    queryset = Result.objects.published().values(*RESULT_FIELDS)
    record = ResultRecord
    pagination_class = ByChange
    resource = "results"
    filterset_class = ResultListFilter
    ordering_fields = {"measured_on": "measured_on", "changed_at": "changed_at"}

    def ordering_names(self) -> Sequence[str]:
        return (*self.ordering_fields, *METRICS)

    def ordering_column(self, name: str) -> Any:
        return stored_metric(name) if name in METRICS else super().ordering_column(name)

    def count(self, found: QuerySet) -> int:
        """The number of results; without filters the sum of the devices' counts and the few of pools, since
        counting rows is slow."""
        if any(self.request.query_params.get(name) for name in ResultListFilter.base_filters):
            return cached_count(found.order_by().query.sql_with_params(), found.count)
        total: int = Device.objects.aggregate(total=Sum("result_count", default=0))["total"]
        return total + Result.objects.published().filter(pool__isnull=False).count()


class ResultDetail(ReadEndpoint):
    """One published run. Removed ones are a 410, ones that wait for review a 404, each with a code."""

    operation_id = "result"
    record = ResultDetailRecord

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in SAFE_METHODS else MaySubmit()]

    @extend_schema(
        operation_id="describe_result", request=ResultPatchSerializer, responses=ResultDetailRecord
    )
    def patch(self, request: Request, public_id: str) -> Response:
        """The owner's notes, and the conditions that the text does not state."""
        sent = ResultPatchSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        owned = Result.objects.named([public_id]).filter(submission__owner=key_owner(request))
        result = owned.first()
        if result is None:
            raise NotFound("None of your results has this id.")
        try:
            describe(result, **sent.validated_data)
        except NotAllowedError as error:
            raise ValidationError({"told_conditions": [str(error)]}) from error
        except Result.DoesNotExist as error:
            raise no_such_result(public_id) from error
        return Response(ResultDetailRecord.of(_row(public_id)))

    def find(self, public_id: str) -> Row:
        row = _row(public_id)
        if row["submission__state"] != State.PUBLISHED:
            raise _not_shown(row["submission__state"])
        return ResultDetailRecord.of(row)


def _row(public_id: str) -> Row:
    """The result with its submission's fields; raises Http404, or GoneProblem for an erased one."""
    found = Result.objects.named([public_id])
    for_submission = [f"submission__{name}" for name in SUBMISSION_FIELDS]
    names = (
        *RESULT_FIELDS,
        *CONDITION_FIELDS,
        *OWNER_FIELDS,
        "parser_version",
        "copy_of_id",
        *for_submission,
    )
    row: Row | None = found.values(*names).first()
    if row is not None:
        return row
    erased = Submission.objects.filter(public_id=submission_id_of(public_id), state=State.ERASED)
    raise _not_shown(State.ERASED) if erased.exists() else no_such_result(public_id)


def _not_shown(state: str) -> GoneProblem | NotFound:
    reason = _REASONS_GONE.get(State(state))
    if reason is not None:
        return GoneProblem(reason, code=state)
    return NotFound(_NOT_YET[State(state)], code=state)
