"""Serializers and parameter checks shared by several features."""

from collections.abc import Iterable, Mapping
from functools import cache

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Serializer

from parsers.base.device_class import DeviceClass
from results.kinds.flags import INCLUDED
from results.kinds.latency_curve.kind import PointSerializer
from results.kinds.latency_curve.metrics import CONFIDENCE_PERCENT, METRICS
from results.kinds.metric import Metric
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

FOUND_TYPES = [("device", "a device"), ("product", "a product")]
CLASSES = [(value.value, value.name) for value in DeviceClass]


class TextListField(serializers.ListField):
    """A list of texts."""

    child = serializers.CharField()


class NoticeSerializer(serializers.Serializer):
    """A parser's notice about a line."""

    code = serializers.CharField(help_text="a stable code for programs")
    message = serializers.CharField(help_text="for people to read")
    line = serializers.IntegerField(allow_null=True, help_text="from 1; null for the entire text")


class LeftOutSerializer(serializers.Serializer):
    """A run that was left out, and the reason."""

    code = serializers.CharField(help_text="a stable code for programs")
    message = serializers.CharField(help_text="for people to read")
    first_line = serializers.IntegerField(help_text="its first line, from 1")
    last_line = serializers.IntegerField(help_text="its last line")


class LeftOutLinesSerializer(serializers.Serializer):
    """Lines of what was sent that aren't stored, because they aren't output of a tool that we read."""

    first_line = serializers.IntegerField(help_text="in the text that was sent, counted from 1")
    last_line = serializers.IntegerField(help_text="in the text that was sent")
    tool = serializers.CharField(
        allow_blank=True, help_text="the tool that printed them, if we recognize it but don't read it yet"
    )


class VdevSerializer(serializers.Serializer):
    """A top-level vdev."""

    role = serializers.CharField(help_text="data, log, cache, spare, special or dedup")
    type = serializers.CharField(help_text="disk, mirror, raidz1 ... as `zpool status` prints it")
    members = serializers.IntegerField(allow_null=True, help_text="null if not stated")


class DescribedPoolSerializer(serializers.Serializer):
    """A pool as a text or its sender describes it. Its name is never stored."""

    name = serializers.CharField(help_text="its layout in words")
    layout = VdevSerializer(many=True, help_text="empty if not stated")
    is_layout_told = serializers.BooleanField(help_text="stated by the sender, not by `zpool status`")
    health = serializers.CharField(allow_blank=True, help_text="as `zpool status` prints it")
    properties = serializers.DictField(
        child=serializers.CharField(), help_text="as `zfs get` and `zpool get` print them"
    )
    platform = serializers.CharField(allow_blank=True, help_text="the operating system, if stated")
    zfs_version = serializers.CharField(allow_blank=True, help_text="of OpenZFS, if stated")


class DeviceSerializer(serializers.Serializer):
    """A device: a model name with a capacity."""

    slug = serializers.CharField(help_text="its name in URLs")
    url = serializers.URLField(help_text="its page for people")
    model_name = serializers.CharField(help_text="as the device reports it")
    vendor = serializers.CharField(
        allow_blank=True, help_text="its product's, else as read from the text; or empty"
    )
    capacity_bytes = serializers.IntegerField(allow_null=True, help_text="bytes; null where it isn't known")
    device_class = serializers.ChoiceField(choices=CLASSES, help_text="its class")
    elsewhere_count = serializers.IntegerField(help_text="results that were published elsewhere")
    product = serializers.CharField(allow_null=True, help_text="the slug of its product")
    plp = serializers.ChoiceField(choices=Plp.choices, help_text="power-loss protection, by the catalogue")


class ListedDeviceSerializer(DeviceSerializer):
    """A device, and whether the site recommends it."""

    is_recommended = serializers.BooleanField(
        help_text="protected, with enough results from accountable sources"
    )


class PlpStatementSerializer(serializers.Serializer):
    """A source's statement about power-loss protection."""

    value = serializers.ChoiceField(choices=Plp.choices, help_text="what the source says")
    evidence = serializers.ChoiceField(choices=PlpEvidence.choices, help_text="the kind of source")
    url = serializers.URLField(help_text="of the source")
    note = serializers.CharField(allow_blank=True, help_text="on the source's statement, or empty")


class EnduranceSerializer(serializers.Serializer):
    """The rated writes of a capacity; without one, of the largest in the line."""

    capacity_bytes = serializers.IntegerField(allow_null=True, help_text="bytes; null where it isn't known")
    written_bytes = serializers.IntegerField(help_text="how many bytes may be written")


class ProductSerializer(serializers.Serializer):
    """A product of the catalogue; empty or null where nothing is known."""

    slug = serializers.CharField(help_text="its name in URLs")
    url = serializers.URLField(help_text="its page for people")
    vendor = serializers.CharField(help_text="who makes it")
    name = serializers.CharField(help_text="the name of the product")
    device_class = serializers.ChoiceField(choices=CLASSES, help_text="its class")
    segment = serializers.ChoiceField(choices=Segment.choices, help_text="the market that it is made for")
    media = serializers.CharField(allow_blank=True, help_text="empty where it isn't known")
    interface = serializers.CharField(allow_blank=True, help_text="empty where it isn't known")
    form_factors = serializers.CharField(allow_blank=True, help_text="empty where they aren't known")
    plp = serializers.ChoiceField(choices=Plp.choices, help_text="power-loss protection")
    plp_statements = PlpStatementSerializer(many=True, help_text="what sources state about its protection")
    endurance_dwpd_low = serializers.FloatField(allow_null=True, help_text="drive writes per day")
    endurance_dwpd_high = serializers.FloatField(allow_null=True, help_text="drive writes per day")
    endurance_years = serializers.IntegerField(allow_null=True, help_text="that the endurance is stated for")
    endurance_tbw = EnduranceSerializer(many=True, help_text="how many bytes may be written to each capacity")
    endurance_source_url = serializers.URLField(allow_blank=True, help_text="or empty")
    launch_year = serializers.IntegerField(allow_null=True, help_text="the year of its first sale, or null")
    flags = serializers.ListField(
        child=serializers.ChoiceField(choices=ProductFlag.choices),
        help_text="what else readers should know about it",
    )
    sources = serializers.ListField(
        child=serializers.URLField(), help_text="the URLs of its sources in the catalogue"
    )


class ProductClaimSerializer(serializers.Serializer):
    """A figure or component that one source states for a product."""

    quantity = serializers.ChoiceField(choices=ClaimQuantity.choices, help_text="the quantity that is stated")
    capacity_bytes = serializers.IntegerField(
        allow_null=True, help_text="marketed bytes; null for the whole line"
    )
    variant = serializers.CharField(
        allow_blank=True, help_text="the models of the line that it is about; empty for all of them"
    )
    value = serializers.FloatField(allow_null=True, help_text="null where it is stated in words")
    is_below = serializers.BooleanField(help_text="it is less than the value")
    text = serializers.CharField(allow_blank=True, help_text="what is stated in words, or empty")
    unit = serializers.CharField(allow_blank=True, help_text="the unit of the figure; empty for words")
    stated_by = serializers.ChoiceField(choices=StatedBy.choices, help_text="who states it")
    source_url = serializers.URLField(help_text="of the source")
    note = serializers.CharField(allow_blank=True, help_text="what else the source says, or empty")


class PriceSightingSerializer(serializers.Serializer):
    """A price seen on a page on a given day: not the current price."""

    capacity_bytes = serializers.IntegerField(
        allow_null=True, help_text="marketed bytes; null if the line has one"
    )
    price = serializers.FloatField(help_text="the price that was seen")
    currency = serializers.CharField(help_text="ISO 4217")
    condition = serializers.ChoiceField(
        choices=PriceCondition.choices, allow_null=True, help_text="null if the page doesn't say"
    )
    seller_kind = serializers.ChoiceField(choices=SellerKind.choices, help_text="where it was seen")
    seen_on = serializers.CharField(help_text="a date, or the known part of one: 2018-01-30, 2018-01 or 2018")
    source_url = serializers.URLField(help_text="of the source")


class LifeCycleSerializer(serializers.Serializer):
    """A source's statement about a product's launch, end of sale and successor."""

    launched_on = serializers.CharField(
        allow_blank=True,
        help_text="a date, or the known part of one; empty where the source does not say",
    )
    end_of_sale = serializers.CharField(allow_blank=True, help_text="in words, or empty")
    successor = serializers.CharField(allow_null=True, help_text="the slug of a product")
    source_url = serializers.URLField(help_text="of the source")
    note = serializers.CharField(allow_blank=True, help_text="what else the source says, or empty")


class CaveatSerializer(serializers.Serializer):
    """A known problem of a product."""

    kind = serializers.ChoiceField(choices=CaveatKind.choices, help_text="the kind of problem")
    summary = serializers.CharField(help_text="a summary of the problem")
    fixed_in_firmware = serializers.CharField(allow_blank=True, help_text="the firmware with a fix, or empty")
    source_url = serializers.URLField(help_text="of the source")


class RatedCapacitySerializer(serializers.Serializer):
    """The rating of drives of one capacity; the lowest if there are several variants."""

    capacity_bytes = serializers.IntegerField(help_text="marketed bytes")
    written_bytes = serializers.IntegerField(help_text="how many bytes may be written")
    from_drive_writes = serializers.FloatField(
        allow_null=True, help_text="the drive writes per day that it is computed from; null if it is stated"
    )
    years = serializers.IntegerField(help_text="the years that the drive writes per day apply to")


class ProductDetailSerializer(ProductSerializer):
    """A product of the catalogue with its sources' statements and its devices."""

    caveats = CaveatSerializer(many=True, help_text="known problems, most severe kind first")
    claims = ProductClaimSerializer(many=True, help_text="what sources state, by quantity; never ranked")
    prices = PriceSightingSerializer(
        many=True, help_text="prices that were seen, the latest first: at most 100"
    )
    life_cycle = LifeCycleSerializer(
        many=True, help_text="what sources state about its launch, end of sale and successor"
    )
    endurance = RatedCapacitySerializer(
        many=True, help_text="by capacity: what the catalogue states, else what sources claim"
    )
    devices = TextListField(help_text="slugs")


class FoundSerializer(serializers.Serializer):
    """A device or product found by a search."""

    type = serializers.ChoiceField(choices=FOUND_TYPES, help_text="whether it is a device or a product")
    url = serializers.URLField(help_text="its page for people")
    slug = serializers.CharField(help_text="its name in URLs")
    vendor = serializers.CharField(allow_blank=True, help_text="empty where it isn't known")
    name = serializers.CharField(help_text="the model name of a device, or the name of a product")
    capacity_bytes = serializers.IntegerField(
        allow_null=True, help_text="of a device in bytes; null if unknown"
    )
    device_class = serializers.ChoiceField(choices=CLASSES, help_text="its class")
    elsewhere_count = serializers.IntegerField(allow_null=True, help_text="null for a product")
    plp = serializers.ChoiceField(choices=Plp.choices, help_text="its power-loss protection")


class SpreadPointSerializer(PointSerializer):
    """One block size of a device: the median, lowest and highest of its units."""

    lowest_us = serializers.FloatField(help_text="the lowest of a unit, in µs")
    highest_us = serializers.FloatField(help_text="the highest of a unit, in µs")


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
            "kind": serializers.ChoiceField(
                choices=[(kind.key, kind.label) for kind in KINDS.values()],
                help_text="what was measured; names the object with the figures",
            ),
            "method": serializers.ChoiceField(
                choices=list(all_methods().items()), help_text="how it was measured"
            ),
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

    method = serializers.ChoiceField(choices=Method.choices, help_text="how it was measured")
    score = serializers.FloatField(help_text="the median over the units: µs on both boards")
    low = serializers.FloatField(help_text=f"lower end of its {CONFIDENCE_PERCENT} interval")
    high = serializers.FloatField(help_text="its upper end, by which devices are ordered")
    assumed_spread = serializers.BooleanField(
        help_text="whether the interval rests on an assumed spread, as too few devices have two units"
    )
    unit_count = serializers.IntegerField(help_text="independent units: those of one sender count as one")
    result_count = serializers.IntegerField(
        help_text="ranked results that it is based on; devices.csv counts all published ones"
    )


class RecommendedSerializer(serializers.Serializer):
    """The figure behind a recommendation: 4 KiB latency in µs, from accountable sources alone."""

    method = serializers.ChoiceField(choices=Method.choices, help_text="how it was measured")
    score = serializers.FloatField(help_text="the median over the units that count for a recommendation")
    low = serializers.FloatField(help_text=f"lower end of its {CONFIDENCE_PERCENT} interval")
    high = serializers.FloatField(help_text="its upper end, by which recommended devices are ordered")


class RankingSerializer(RankedMetricsSerializer, IntervalSerializer):
    """A device's row on a board by one method."""

    board = serializers.ChoiceField(
        choices=Board.choices, help_text="sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB"
    )
    formula_version = serializers.IntegerField(help_text="of the ranking's formula")
    tier = serializers.ListField(
        child=serializers.ChoiceField(choices=[(tier.key, tier.label) for tier in TIERS]),
        help_text="the tiers that the interval spans, best first; empty on boards other than sync_write",
    )
    last_measured_on = serializers.DateField(allow_null=True, help_text="null where no day is known")


class ConditionsStatedSerializer(serializers.Serializer):
    """How a device's ranked results by the row's method were measured, as far as they state it."""

    sync_method = TextListField(help_text="what made each write durable: sync, dsync, fsync, fdatasync")
    pattern = TextListField(help_text="order of the writes: random, sequential, mixed")
    write_cache = TextListField(help_text="the device’s write cache: on, off")
    volatile_cache = TextListField(help_text="whether it has a volatile cache: yes, none")
    kernel_write_cache = TextListField(help_text="what the kernel believes: write back, write through")
    fua = TextListField(help_text="used, not used")


class LeaderboardRowSerializer(RankingSerializer):
    """A row of the leaderboard: position in the requested order, rank, device."""

    position = serializers.IntegerField(
        allow_null=True, help_text="the position in the requested order, from 1"
    )
    formula_version = serializers.IntegerField(allow_null=True, help_text="of the ranking's formula")
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
    conditions = ConditionsStatedSerializer(help_text="the conditions under which it was measured")
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
    recommended = RecommendedSerializer(allow_null=True, help_text="null if it isn't recommended")
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
    device = DeviceSerializer(help_text="the device that was measured")


class DeviceRankingSerializer(RankingSerializer):
    """A device's row on a board by one method, with its curve."""

    points = SpreadPointSerializer(many=True, help_text="one for each block size that was measured")


class DeviceDetailSerializer(ListedDeviceSerializer):
    """A device with its rankings and firmware versions."""

    firmware_versions = TextListField(help_text="the versions of its firmware")
    recommended = RecommendedSerializer(allow_null=True, help_text="null if it isn't recommended")
    is_first_choice = serializers.BooleanField(help_text="whether it is the recommendation of its class")
    rankings = DeviceRankingSerializer(
        many=True, help_text="its row for each board and method, main rows first"
    )
    results_url = serializers.URLField(help_text="the address of its results in the API")


class FirmwareFigureSerializer(serializers.Serializer):
    """The ranked results of one firmware version by one method."""

    method = serializers.ChoiceField(choices=Method.choices, help_text="how it was measured")
    unit_count = serializers.IntegerField(help_text="the number of measured units that ran this version")
    latency_us = serializers.FloatField(help_text="4 KiB latency: the median over the units, in µs")
    low_us = serializers.FloatField(help_text="lower end of the interval, in µs")
    high_us = serializers.FloatField(help_text="upper end of the interval, in µs")


class FirmwareSerializer(serializers.Serializer):
    """A firmware version of a device."""

    version = serializers.CharField(help_text="as the device reports it")
    result_count = serializers.IntegerField(help_text="published results, ranked or not")
    figures = FirmwareFigureSerializer(many=True, help_text="the figures")


class SpreadSerializer(serializers.Serializer):
    """The spread between units by one method, as of the last ranking."""

    method = serializers.ChoiceField(choices=Method.choices, help_text="how it was measured")
    spread = serializers.FloatField(
        help_text="between units of one device: standard deviation of the natural logarithm"
    )
    spread_source = serializers.ChoiceField(
        choices=["class", "all", "guess"], help_text="what the spread was estimated from"
    )


class ClassBoardSerializer(serializers.Serializer):
    """A class on one board; `methods` is empty before the first ranking."""

    board = serializers.ChoiceField(
        choices=Board.choices, help_text="sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB"
    )
    device_count = serializers.IntegerField(help_text="the number of devices on the board")
    methods = SpreadSerializer(many=True, help_text="the figures by each method")


class UnmeasuredProductSerializer(serializers.Serializer):
    """A protected product without a published result."""

    slug = serializers.CharField(help_text="its name in URLs")
    url = serializers.URLField(help_text="its page for people")
    vendor = serializers.CharField(help_text="who makes it")
    name = serializers.CharField(help_text="the name of the product")
    plp = serializers.ChoiceField(choices=Plp.choices, help_text="power-loss protection")
    evidence = serializers.ChoiceField(choices=PlpEvidence.choices, help_text="the strongest source for it")
    evidence_url = serializers.URLField(help_text="the source of the evidence")


class ClassSerializer(serializers.Serializer):
    """A device class with its boards, best choice and unmeasured products."""

    device_class = serializers.ChoiceField(choices=CLASSES, help_text="its class")
    label = serializers.CharField(help_text="for people to read")  # type: ignore[assignment] # shadows an attribute of Field
    boards = ClassBoardSerializer(many=True, help_text="its boards")
    recommended_device = serializers.CharField(
        allow_null=True, help_text="the slug of the best protected choice; null if there is none"
    )
    recommended = RecommendedSerializer(allow_null=True, help_text="null if it isn't recommended")
    unmeasured_products = UnmeasuredProductSerializer(many=True, help_text="protected ones without a result")


class BandSerializer(serializers.Serializer):
    """The latency that a talk gives for a kind of device; null without one."""

    label = serializers.CharField(help_text="for people to read")  # type: ignore[assignment] # shadows an attribute of Field
    device_class = serializers.ChoiceField(choices=CLASSES, help_text="its class")
    segment = serializers.CharField(allow_blank=True, help_text="the market that it is made for")
    low_us = serializers.FloatField(allow_null=True, help_text="in µs, or null")
    high_us = serializers.FloatField(allow_null=True, help_text="in µs, or null")
    representative = serializers.CharField(allow_blank=True, help_text="a representative device, or empty")
    note = serializers.CharField(allow_blank=True, help_text="what else the talk says, or empty")
    source = serializers.CharField(help_text="the source of the figures")  # type: ignore[assignment] # shadows an attribute of Field
    source_url = serializers.URLField(help_text="where it was published, or empty")


class ProblemSerializer(serializers.Serializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(help_text="always about:blank: the code identifies the problem")
    title = serializers.CharField(help_text="the status in words")
    status = serializers.IntegerField(help_text="the status as a number")
    detail = serializers.CharField(help_text="what is wrong and what to do")
    code = serializers.CharField(help_text="a stable code for programs")
    notices = NoticeSerializer(
        many=True, required=False, help_text="the parsers' notices, if a text was refused"
    )
    left_out_lines = LeftOutLinesSerializer(many=True, required=False, help_text="lines that aren't stored")
    errors = serializers.DictField(  # type: ignore[assignment] # shadows an attribute of Field
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="what is wrong with each parameter or field; a nested one is named by its path, such as a.b",
    )


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
        errors = {name: [f"Unknown {what}."] for name in unknown}
        raise ValidationError({**errors, unknown[0]: [f"Unknown {what}. Allowed: {allowed}."]})


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
    """Raise ValidationError for repeated parameters that take one value, and for repeated values."""
    repeated = [name for name in params if name not in plural and len(params.getlist(name)) > 1]
    if repeated:
        allowed = ", ".join(sorted(plural)) or "none"
        message = f"This parameter takes one value. Parameters that take several: {allowed}."
        raise ValidationError({name: [message] for name in repeated})
    given = {name: ",".join(params.getlist(name)).split(",") for name in params}
    twice = [name for name, values in given.items() if name in plural and len(set(values)) < len(values)]
    if twice:
        raise ValidationError({name: ["Give each value once."] for name in twice})


def values_of(params: QueryDict, name: str) -> list[str]:
    """The values of a repeated or comma-separated parameter, without empty ones."""
    return [value for text in params.getlist(name) for value in text.split(",") if value]


@cache
def field_names(record: type[Serializer]) -> tuple[str, ...]:
    """The names of a record's fields, in its order."""
    return tuple(record().fields)
