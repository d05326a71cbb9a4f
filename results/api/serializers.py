"""Serializers and parameter checks shared by several features."""

from collections.abc import Iterable, Mapping
from functools import cache

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

from parsers.base.device_class import DeviceClass
from results.kinds.base import INCLUDED, Metric
from results.kinds.latency_curve.kind import PointSerializer
from results.kinds.latency_curve.metrics import CONFIDENCE_PERCENT, METRICS
from results.kinds.registry import KINDS, all_methods, all_metrics
from results.models.choices import (
    Board,
    CaveatKind,
    ClaimQuantity,
    Method,
    Plp,
    PlpEvidence,
    PriceCondition,
    ProductFlag,
    Segment,
    SellerKind,
    StatedBy,
)
from results.ranking.tiers import TIERS

CLASSES = [(value.value, value.name) for value in DeviceClass]


class NoticeSerializer(serializers.Serializer):
    """A parser's notice about a line."""

    code = serializers.CharField()
    message = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)


class LeftOutSerializer(serializers.Serializer):
    """A run that was left out, and the reason."""

    code = serializers.CharField()
    message = serializers.CharField()
    first_line = serializers.IntegerField()
    last_line = serializers.IntegerField()


class LeftOutLinesSerializer(serializers.Serializer):
    """Lines of what was sent that aren't stored, because they aren't output of a tool that we read."""

    first_line = serializers.IntegerField(help_text="in the text that was sent, counted from 1")
    last_line = serializers.IntegerField(help_text="in the text that was sent")
    tool = serializers.CharField(
        allow_blank=True, help_text="the tool that printed them, if we recognize it but don't read it yet"
    )


class DeviceSerializer(serializers.Serializer):
    """A device: a model name with a capacity."""

    slug = serializers.CharField()
    url = serializers.URLField()
    model_name = serializers.CharField()
    vendor = serializers.CharField(allow_blank=True)
    capacity_bytes = serializers.IntegerField(allow_null=True)
    device_class = serializers.ChoiceField(choices=CLASSES)
    elsewhere_count = serializers.IntegerField()
    product = serializers.CharField(allow_null=True, help_text="the slug of its product")
    plp = serializers.ChoiceField(choices=Plp.choices, help_text="power-loss protection, by the catalogue")


class ListedDeviceSerializer(DeviceSerializer):
    """A device, and whether the site recommends it."""

    is_recommended = serializers.BooleanField(
        help_text="protected, with enough results from accountable sources"
    )


class PlpStatementSerializer(serializers.Serializer):
    """A source's statement about power-loss protection."""

    value = serializers.ChoiceField(choices=Plp.choices)
    evidence = serializers.ChoiceField(choices=PlpEvidence.choices)
    url = serializers.URLField()
    note = serializers.CharField(allow_blank=True)


class EnduranceSerializer(serializers.Serializer):
    """The rated writes of a capacity; without one, of the largest in the line."""

    capacity_bytes = serializers.IntegerField(allow_null=True)
    written_bytes = serializers.IntegerField()


class ProductSerializer(serializers.Serializer):
    """A product of the catalogue; empty or null where nothing is known."""

    slug = serializers.CharField()
    url = serializers.URLField()
    vendor = serializers.CharField()
    name = serializers.CharField()
    device_class = serializers.ChoiceField(choices=CLASSES)
    segment = serializers.ChoiceField(choices=Segment.choices)
    media = serializers.CharField(allow_blank=True)
    interface = serializers.CharField(allow_blank=True)
    form_factors = serializers.CharField(allow_blank=True)
    plp = serializers.ChoiceField(choices=Plp.choices)
    plp_statements = PlpStatementSerializer(many=True)
    endurance_dwpd_low = serializers.FloatField(allow_null=True, help_text="drive writes per day")
    endurance_dwpd_high = serializers.FloatField(allow_null=True)
    endurance_years = serializers.IntegerField(allow_null=True)
    endurance_tbw = EnduranceSerializer(many=True)
    endurance_source_url = serializers.URLField(allow_blank=True)
    launch_year = serializers.IntegerField(allow_null=True)
    flags = serializers.ListField(child=serializers.ChoiceField(choices=ProductFlag.choices))
    sources = serializers.ListField(child=serializers.URLField())


class ProductClaimSerializer(serializers.Serializer):
    """A figure or component that one source states for a product."""

    quantity = serializers.ChoiceField(choices=ClaimQuantity.choices)
    capacity_bytes = serializers.IntegerField(allow_null=True)
    value = serializers.FloatField(allow_null=True)
    is_below = serializers.BooleanField()
    text = serializers.CharField(allow_blank=True)
    unit = serializers.CharField(allow_blank=True)
    stated_by = serializers.ChoiceField(choices=StatedBy.choices)
    source_url = serializers.URLField()
    note = serializers.CharField(allow_blank=True)


class PriceSightingSerializer(serializers.Serializer):
    """A price seen on a page on a given day: not the current price."""

    capacity_bytes = serializers.IntegerField(allow_null=True)
    price = serializers.FloatField()
    currency = serializers.CharField(help_text="ISO 4217")
    condition = serializers.ChoiceField(choices=PriceCondition.choices, allow_blank=True)
    seller_kind = serializers.ChoiceField(choices=SellerKind.choices)
    seen_on = serializers.CharField(help_text="a date, or the known part of one: 2018-01-30, 2018-01 or 2018")
    source_url = serializers.URLField()


class LifeCycleSerializer(serializers.Serializer):
    """A source's statement about a product's launch, end of sale and successor."""

    launched_on = serializers.CharField(
        allow_blank=True,
        help_text="a date, or the known part of one; empty where the source does not say",
    )
    end_of_sale = serializers.CharField(allow_blank=True)
    successor = serializers.CharField(allow_null=True, help_text="the slug of a product")
    source_url = serializers.URLField()
    note = serializers.CharField(allow_blank=True)


class CaveatSerializer(serializers.Serializer):
    """A known problem of a product."""

    kind = serializers.ChoiceField(choices=CaveatKind.choices)
    summary = serializers.CharField()
    fixed_in_firmware = serializers.CharField(allow_blank=True)
    source_url = serializers.URLField()


class ProductDetailSerializer(ProductSerializer):
    """A product of the catalogue with its sources' statements and its devices."""

    caveats = CaveatSerializer(many=True)
    claims = ProductClaimSerializer(many=True)
    prices = PriceSightingSerializer(many=True)
    life_cycle = LifeCycleSerializer(many=True)
    devices = serializers.ListField(child=serializers.CharField(), help_text="slugs")


class FoundSerializer(serializers.Serializer):
    """A device or product found by a search."""

    type = serializers.ChoiceField(choices=["device", "product"])
    url = serializers.URLField()
    slug = serializers.CharField()
    vendor = serializers.CharField(allow_blank=True)
    name = serializers.CharField(help_text="the model name of a device, or the name of a product")
    capacity_bytes = serializers.IntegerField(
        allow_null=True, help_text="of a device in bytes; null if unknown"
    )
    device_class = serializers.ChoiceField(choices=CLASSES)
    elsewhere_count = serializers.IntegerField(allow_null=True)
    plp = serializers.ChoiceField(choices=Plp.choices)


class SpreadPointSerializer(PointSerializer):
    """One block size of a device: the median, lowest and highest of its units."""

    lowest_us = serializers.FloatField()
    highest_us = serializers.FloatField()


class RankedMetricsSerializer(serializers.Serializer):
    """The metrics of a device; null where the data for one is missing."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**_metric_fields(METRICS), **super().get_fields()}


class MetricsSerializer(serializers.Serializer):
    """The metrics of a run's kind by key; null where the data for one is missing."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return _metric_fields(all_metrics(), is_required=False)


class MeasuredSerializer(serializers.Serializer):
    """What a run measured: its kind and method, its metrics, and one object, named by its kind."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {
            "kind": serializers.ChoiceField(choices=[(kind.key, kind.label) for kind in KINDS.values()]),
            "method": serializers.ChoiceField(choices=list(all_methods().items())),
            "writers": serializers.IntegerField(
                min_value=1,
                help_text="the number of concurrent writers: fio's jobs times the writes each had in flight",
            ),
            **super().get_fields(),
            "metrics": MetricsSerializer(help_text="The metrics of its kind by key."),
            **{
                kind.key: kind.serializer(
                    required=False,
                    help_text=f"What a run of the kind {kind.key} measured; absent from others.",
                )
                for kind in KINDS.values()
            },
        }


def _metric_fields(
    metrics: Mapping[str, Metric], *, is_required: bool = True
) -> dict[str, serializers.Field]:
    return {
        metric.key: serializers.FloatField(
            allow_null=True, required=is_required, help_text=f"{metric.meaning} In {metric.unit}."
        )
        for metric in metrics.values()
    }


class IntervalSerializer(serializers.Serializer):
    """The figure that a board ranks by, in its metric's unit, and its interval."""

    method = serializers.ChoiceField(choices=Method.choices)
    score = serializers.FloatField(help_text="the median over the units: µs on both boards")
    low = serializers.FloatField(help_text=f"lower end of its {CONFIDENCE_PERCENT} interval")
    high = serializers.FloatField(help_text="its upper end, by which devices are ordered")
    assumed_spread = serializers.BooleanField(
        help_text="whether the interval rests on an assumed spread, as too few devices have two units"
    )
    unit_count = serializers.IntegerField()
    result_count = serializers.IntegerField()


class RecommendedSerializer(serializers.Serializer):
    """The figure behind a recommendation: 4 KiB latency in µs, from accountable sources alone."""

    method = serializers.ChoiceField(choices=Method.choices)
    score = serializers.FloatField(help_text="the median over the units that count for a recommendation")
    low = serializers.FloatField(help_text=f"lower end of its {CONFIDENCE_PERCENT} interval")
    high = serializers.FloatField(help_text="its upper end, by which recommended devices are ordered")


class RankingSerializer(RankedMetricsSerializer, IntervalSerializer):
    """A device's row on a board by one method."""

    board = serializers.ChoiceField(choices=Board.choices)
    formula_version = serializers.IntegerField()
    tier = serializers.ListField(
        child=serializers.ChoiceField(choices=[(tier.key, tier.label) for tier in TIERS]),
        help_text="the tiers that the interval spans, best first; empty on boards other than sync_write",
    )
    last_measured_on = serializers.DateField(allow_null=True)


class ConditionsStatedSerializer(serializers.Serializer):
    """How a device's ranked results by the row's method were measured, as far as they state it."""

    sync_method = serializers.ListField(
        child=serializers.CharField(), help_text="what made each write durable: sync, dsync, fsync, fdatasync"
    )
    pattern = serializers.ListField(
        child=serializers.CharField(), help_text="order of the writes: random, sequential, mixed"
    )
    write_cache = serializers.ListField(
        child=serializers.CharField(), help_text="the device’s write cache: on, off"
    )


class LeaderboardRowSerializer(RankingSerializer):
    """A row of the leaderboard: position in the requested order, rank, device."""

    position = serializers.IntegerField(allow_null=True)
    formula_version = serializers.IntegerField(allow_null=True)
    score = serializers.FloatField(
        allow_null=True,
        help_text="the median over the units: µs on both boards; without a place, the figure of the newest result",
    )
    low = serializers.FloatField(allow_null=True, help_text=f"lower end of its {CONFIDENCE_PERCENT} interval")
    high = serializers.FloatField(allow_null=True, help_text="its upper end, by which devices are ordered")
    assumed_spread = serializers.BooleanField(
        allow_null=True,
        help_text="whether the interval rests on an assumed spread, as too few devices have two units",
    )
    conditions = ConditionsStatedSerializer()
    ranking_state = serializers.ChoiceField(
        choices=list(INCLUDED.items()),
        help_text="ranked, unless other devices are included: they have no position, interval, rank and tie group",
    )
    not_ranked_reason = serializers.CharField(
        allow_blank=True, help_text="why a device has no place, of its newest result"
    )
    is_recommended = serializers.BooleanField(
        help_text="protected, with enough results from accountable sources"
    )
    recommended = RecommendedSerializer(allow_null=True)
    is_first_choice = serializers.BooleanField(help_text="whether it is the recommendation of its class")
    methods = IntervalSerializer(
        many=True, help_text="its figures by each method that measured it, the one that ranks it first"
    )
    rank = serializers.IntegerField(allow_null=True, help_text="by the upper end of the interval")
    first_possible = serializers.IntegerField(
        allow_null=True, help_text="the best rank possible within the intervals"
    )
    last_possible = serializers.IntegerField(
        allow_null=True, help_text="the worst rank possible within the intervals"
    )
    tie_group = serializers.IntegerField(
        allow_null=True, help_text="devices of one group are statistically tied"
    )
    device = DeviceSerializer()


class DeviceRankingSerializer(RankingSerializer):
    """A device's row on a board by one method, with its curve."""

    points = SpreadPointSerializer(many=True)


class DeviceDetailSerializer(ListedDeviceSerializer):
    """A device with its rankings and firmware versions."""

    firmware_versions = serializers.ListField(child=serializers.CharField())
    recommended = RecommendedSerializer(allow_null=True)
    is_first_choice = serializers.BooleanField(help_text="whether it is the recommendation of its class")
    rankings = DeviceRankingSerializer(many=True)
    results_url = serializers.URLField()


class FirmwareFigureSerializer(serializers.Serializer):
    """The ranked results of one firmware version by one method."""

    method = serializers.ChoiceField(choices=Method.choices)
    unit_count = serializers.IntegerField()
    latency_us = serializers.FloatField(help_text="4 KiB latency: the median over the units, in µs")
    low_us = serializers.FloatField()
    high_us = serializers.FloatField()


class FirmwareSerializer(serializers.Serializer):
    """A firmware version of a device."""

    version = serializers.CharField()
    result_count = serializers.IntegerField(help_text="published results, ranked or not")
    figures = FirmwareFigureSerializer(many=True)


class SpreadSerializer(serializers.Serializer):
    """The spread between units by one method, as of the last ranking."""

    method = serializers.ChoiceField(choices=Method.choices)
    spread = serializers.FloatField(
        help_text="between units of one device: standard deviation of the natural logarithm"
    )
    spread_source = serializers.ChoiceField(
        choices=["class", "all", "guess"], help_text="what the spread was estimated from"
    )


class BoardSerializer(serializers.Serializer):
    """A class on one board; `methods` is empty before the first ranking."""

    board = serializers.ChoiceField(choices=Board.choices)
    device_count = serializers.IntegerField()
    methods = SpreadSerializer(many=True)


class UnmeasuredProductSerializer(serializers.Serializer):
    """A protected product without a published result."""

    slug = serializers.CharField()
    url = serializers.URLField()
    vendor = serializers.CharField()
    name = serializers.CharField()
    plp = serializers.ChoiceField(choices=Plp.choices)
    evidence = serializers.ChoiceField(choices=PlpEvidence.choices, help_text="the strongest source for it")
    evidence_url = serializers.URLField()


class ClassSerializer(serializers.Serializer):
    """A device class with its boards, best choice and unmeasured products."""

    device_class = serializers.ChoiceField(choices=CLASSES)
    label = serializers.CharField()  # type: ignore[assignment] # shadows an attribute of Field
    boards = BoardSerializer(many=True)
    recommended_device = serializers.CharField(
        allow_null=True, help_text="the slug of the best protected choice; null if there is none"
    )
    recommended = RecommendedSerializer(allow_null=True)
    unmeasured_products = UnmeasuredProductSerializer(many=True)


class BandSerializer(serializers.Serializer):
    """The latency that a talk gives for a kind of device; null without one."""

    label = serializers.CharField()  # type: ignore[assignment] # shadows an attribute of Field
    device_class = serializers.ChoiceField(choices=CLASSES)
    segment = serializers.CharField(allow_blank=True)
    low_us = serializers.FloatField(allow_null=True)
    high_us = serializers.FloatField(allow_null=True)
    representative = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)
    source = serializers.CharField()  # type: ignore[assignment] # shadows an attribute of Field
    source_url = serializers.URLField()


class ProblemSerializer(serializers.Serializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    notices = NoticeSerializer(many=True, required=False)
    left_out_lines = LeftOutLinesSerializer(many=True, required=False)
    errors = serializers.DictField(required=False)  # type: ignore[assignment] # shadows an attribute of Field


CURSOR, FIELDS, FORMAT, ORDERING, PAGE, PAGE_SIZE = (
    "cursor",
    "fields",
    "format",
    "ordering",
    "page",
    "page_size",
)
EMPTY_NUMBER = "Give a number, or leave it out."
NUMBERS = (PAGE, PAGE_SIZE, "min_units")


def refuse_unknown(names: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raise ValidationError for unknown names; `what` is what they name."""
    unknown = sorted(set(names) - set(known))
    if unknown:
        allowed = ", ".join(sorted(known)) or "none"
        raise ValidationError({name: [f"Unknown {what}. Allowed: {allowed}."] for name in unknown})


def refuse_empty_numbers(params: Mapping[str, str]) -> None:
    """Raise ValidationError for number parameters without a value."""
    empty = [name for name in NUMBERS if params.get(name) == ""]
    if empty:
        raise ValidationError({name: [EMPTY_NUMBER] for name in empty})


def refuse_nul(params: QueryDict) -> None:
    """Raise ValidationError for NUL characters, which PostgreSQL refuses."""
    broken = [name for name in params if any("\0" in value for value in params.getlist(name))]
    if broken:
        raise ValidationError({name: ["NUL characters are not allowed here."] for name in broken})


def refuse_repeated(params: QueryDict, plural: Iterable[str]) -> None:
    """Raise ValidationError for repeated parameters that take one value."""
    repeated = [name for name in params if name not in plural and len(params.getlist(name)) > 1]
    if repeated:
        allowed = ", ".join(sorted(plural)) or "none"
        message = f"This parameter takes one value. Parameters that take several: {allowed}."
        raise ValidationError({name: [message] for name in repeated})


def values_of(params: QueryDict, name: str) -> list[str]:
    """The values of a repeated or comma-separated parameter, without empty ones."""
    return [value for text in params.getlist(name) for value in text.split(",") if value]


@cache
def field_names(record: type[Serializer]) -> tuple[str, ...]:
    """The names of a record's fields, in its order."""
    return tuple(record().fields)
