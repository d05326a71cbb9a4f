"""The comparison of two results in the API."""

from datetime import datetime

import django_filters
from drf_spectacular.utils import OpenApiParameter

from results.api.errors import form_problem
from results.api.filters import ChoicesFilter
from results.api.lists import RowList
from results.api.paging import ByChangeOrPage
from results.api.records import page_of_object, rounded
from results.api.views import ReadEndpoint
from results.compare.results.query import PairForm
from results.core.addresses import address, full_url, with_query
from results.core.record import Record, Row, Url, field, null_if_empty
from results.models import ResultPair
from results.models.choices import Change, Quality
from results.models.result import PUBLIC_ID

_ID_SCHEMA = {"type": "string", "pattern": PUBLIC_ID}


class PairedResultRecord(Record):
    """One of the two results."""

    id: str = field("its id", "public_id")
    url: Url = field("its page for people", page_of_object)
    device: str | None = field("the device's slug; null for a pool", "device.slug")
    pool: str | None = field("the pool's id; null for a device", "pool.public_id")


class MetricRatioRecord(Record):
    """A metric that both results have."""

    key: str = field("its key", "metric.key")
    unit: str = field("empty for plain numbers", "metric.unit")
    is_lower_better: bool | None = field(
        "the lowest value is the best; null if neither is better",
        lambda ratio: ratio.metric.is_lower_better if ratio.metric.is_judged else None,
    )
    a: float = field("the first result's value", lambda ratio: ratio.readings[0].value)
    b: float = field("the second result's value", lambda ratio: ratio.readings[1].value)
    ratio: float = field("b / a", to=rounded)
    noise_factor: float | None = field(
        "nine in ten pairs of single runs of one device model differ by less; null if unknown",
        "noise.factor",
        to=rounded,
    )
    exceeds_noise: bool | None = field("whether they differ by more than that; null if unknown")


class ConditionRecord(Record):
    """What each result states; null if nothing, which equals no value."""

    condition: str = field("the condition in which the runs differ", "key")
    a: str | None = field("what the first states", lambda row: row.stated[0], to=null_if_empty)
    b: str | None = field("what the second states", lambda row: row.stated[1], to=null_if_empty)
    differs: bool = field("whether both state it, with different values")


class StoredPairRecord(Record):
    """A pair before and after one change, linked by the owner of both results or shipped with the site."""

    before: str = field("the id of the first result", "before.public_id")
    after: str = field("the id of the second result", "after.public_id")
    url: Url = field(
        "their comparison for people",
        lambda pair: full_url(
            with_query(address("compare-results"), a=pair.before.public_id, b=pair.after.public_id)
        ),
    )
    change: Change = field("what was changed between them")
    before_value: str = field("what it was before; empty if not stated")
    after_value: str = field("what it was after; empty if not stated")
    sentence: str = field("what its owner or its source says")
    source_url: str = field("where both were published, if elsewhere")
    quality: Quality | None = field("of that source; null for a member’s pair", to=null_if_empty)
    id: int = field("a number that identifies it")
    changed_at: datetime = field("when any of its fields last changed")


class PairRecord(Record):
    """Two results of one kind."""

    kind: str = field("what both measured", "kind.key")
    a: PairedResultRecord = field("the first result")
    b: PairedResultRecord = field("the second result")
    ratios: list[MetricRatioRecord] = field("of the metrics that both have")
    conditions: list[ConditionRecord] = field("how and on what they were measured")
    change: StoredPairRecord | None = field(
        "what was changed between them, if they are linked as a pair", "stored"
    )
    flush_note: str = field("what a flush costs, if one of the two runs flushed nothing; else empty")
    is_of_one_condition: bool = field(
        "exactly one condition differs, and all are stated", "conditions.has_one_difference"
    )


class PairComparison(ReadEndpoint):
    """Two results of one kind: metric ratios, noise, and different conditions."""

    operation_id = "compare_results"
    query = (
        OpenApiParameter(
            "a", _ID_SCHEMA, required=True, description="id of a result; 404 for an unknown one"
        ),
        OpenApiParameter("b", _ID_SCHEMA, required=True, description="id of another result of the same kind"),
    )
    record = PairRecord

    def find(self) -> Row:
        form = PairForm(self.request.query_params)
        if not form.is_valid():
            raise form_problem(form)
        return PairRecord.of(form.cleaned_data["pair"])


class PairFilter(django_filters.FilterSet):
    """Filter linked pairs by what was changed."""

    change = ChoicesFilter(field_name="change", choices=Change.choices, label="what was changed")


class PairList(RowList):
    """Linked pairs of results before and after one change, newest first."""

    queryset = ResultPair.objects.published().select_related("before", "after").order_by("-id")
    record = StoredPairRecord
    pagination_class = ByChangeOrPage
    resource = "pairs"
    ordering_fields = {"change": "change", "changed_at": "changed_at"}
    filterset_class = PairFilter
