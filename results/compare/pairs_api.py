"""The comparison of two results in the API."""

from collections.abc import Sequence

import django_filters
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from results.api.errors import form_problem
from results.api.filters import ChoicesFilter
from results.api.lists import RowList
from results.api.rows import Row, rounded
from results.api.views import ReadEndpoint
from results.compare.flush import flush_note
from results.compare.pairs import DifferentKindsError, MetricRatio, PairForm, find_pair
from results.core.addresses import address, full_url, with_query
from results.core.record import Record, Url, field
from results.models import Result, ResultPair
from results.models.choices import Change, Quality
from results.models.result import PUBLIC_ID

_ID_SCHEMA = {"type": "string", "pattern": PUBLIC_ID}


class PairedResultRecord(Record):
    """One of the two results."""

    id: str = field("its id")
    url: Url = field("its page for people")
    device: str | None = field("the device's slug; null for a pool")
    pool: str | None = field("the pool's id; null for a device")


class MetricRatioRecord(Record):
    """A metric that both results have."""

    key: str = field("its key")
    unit: str = field("empty for plain numbers")
    is_lower_better: bool | None = field("the lowest value is the best; null if neither is better")
    a: float = field("the first result's value")
    b: float = field("the second result's value")
    ratio: float = field("b / a")
    noise_factor: float | None = field(
        "nine in ten pairs of single runs of one device model differ by less; null if unknown"
    )
    exceeds_noise: bool | None = field("whether they differ by more than that; null if unknown")


class ConditionRecord(Record):
    """What each result states; null if nothing, which equals no value."""

    condition: str = field("the condition in which the runs differ")
    a: str | None = field("what the first states")
    b: str | None = field("what the second states")
    differs: bool = field("whether both state it, with different values")


class StoredPairRecord(Record):
    """A pair before and after one change, linked by the owner of both results or shipped with the site."""

    before: str = field("the id of the first result")
    after: str = field("the id of the second result")
    url: Url = field("their comparison for people")
    change: Change = field("what was changed between them")
    before_value: str = field("what it was before; empty if not stated")
    after_value: str = field("what it was after; empty if not stated")
    sentence: str = field("what its owner or its source says")
    source_url: str = field("where both were published, if elsewhere")
    quality: Quality | None = field("of that source; null for a member’s pair")


class PairRecord(Record):
    """Two results of one kind."""

    kind: str = field("what both measured")
    a: PairedResultRecord = field("the first result")
    b: PairedResultRecord = field("the second result")
    ratios: list[MetricRatioRecord] = field("of the metrics that both have")
    conditions: list[ConditionRecord] = field("how and on what they were measured")
    change: StoredPairRecord | None = field("what was changed between them, if they are linked as a pair")
    flush_note: str = field("what a flush costs, if one of the two runs flushed nothing; else empty")
    is_of_one_condition: bool = field("exactly one condition differs, and all are stated")


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
        try:
            pair = find_pair(form.cleaned_data["a"], form.cleaned_data["b"])
        except DifferentKindsError as error:
            raise ValidationError({"b": ["These two results measured different things."]}) from error
        return {
            "kind": pair.kind.key,
            "a": _result(pair.a),
            "b": _result(pair.b),
            "ratios": [_ratio(one) for one in pair.ratios],
            "conditions": [
                {"condition": one.key, "a": one.a or None, "b": one.b or None, "differs": one.differs}
                for one in pair.conditions
            ],
            "change": pair_record(pair.stored) if pair.stored else None,
            "flush_note": flush_note(pair),
            "is_of_one_condition": pair.is_of_one_condition,
        }


def _result(one: Result) -> Row:
    return {
        "id": one.public_id,
        "url": full_url(one.get_absolute_url()),
        "device": one.device.slug if one.device else None,
        "pool": one.pool.public_id if one.pool else None,
    }


def _ratio(one: MetricRatio) -> Row:
    return {
        "key": one.metric.key,
        "unit": one.metric.unit,
        "is_lower_better": one.metric.is_lower_better if one.metric.is_judged else None,
        "a": one.a,
        "b": one.b,
        "ratio": rounded(one.ratio),
        "noise_factor": rounded(one.noise_factor),
        "exceeds_noise": one.exceeds_noise,
    }


class PairFilter(django_filters.FilterSet):
    """Filter linked pairs by what was changed."""

    change = ChoicesFilter(field_name="change", choices=Change.choices, label="what was changed")


class PairList(RowList):
    """Linked pairs of results before and after one change, newest first."""

    queryset = ResultPair.objects.published().select_related("before", "after").order_by("-id")
    record = StoredPairRecord
    ordering_fields = {"change": "change"}
    filterset_class = PairFilter

    def rows(self, page: Sequence[ResultPair]) -> list[Row]:
        return [pair_record(one) for one in page]


_COPIED = ("change", "before_value", "after_value", "sentence", "source_url")


def pair_record(one: ResultPair) -> Row:
    """StoredPairRecord's shape."""
    before, after = one.before.public_id, one.after.public_id
    return {
        "before": before,
        "after": after,
        "url": full_url(with_query(address("compare-results"), a=before, b=after)),
        **{name: getattr(one, name) for name in _COPIED},
        "quality": one.quality or None,
    }
