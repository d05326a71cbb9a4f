"""Records shared by several features."""

from collections.abc import Mapping
from datetime import date

from rest_framework import serializers

from parsers.base.device_class import DeviceClass
from results.core.record import Record, Url, UrlOrEmpty, field
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


class NoticeRecord(Record):
    """A parser's notice about a line."""

    code: str = field("a stable code for programs")
    message: str = field("for people to read")
    line: int | None = field("from 1; null for the entire text")


class LeftOutRecord(Record):
    """A run that was left out, and the reason."""

    code: str = field("a stable code for programs")
    message: str = field("for people to read")
    first_line: int = field("its first line, from 1")
    last_line: int = field("its last line")


class LeftOutLinesRecord(Record):
    """Lines of what was sent that aren't stored, because they aren't output of a tool that we read."""

    first_line: int = field("in the text that was sent, counted from 1")
    last_line: int = field("in the text that was sent")
    tool: str = field("the tool that printed them, if we recognize it but don't read it yet")


class VdevRecord(Record):
    """A top-level vdev."""

    role: str = field("data, log, cache, spare, special or dedup")
    type: str = field("disk, mirror, raidz1 ... as `zpool status` prints it")
    members: int | None = field("null if not stated")


class DescribedPoolRecord(Record):
    """A pool as a text or its sender describes it. Its name is never stored."""

    name: str = field("its layout in words")
    layout: list[VdevRecord] = field("empty if not stated")
    is_layout_told: bool = field("stated by the sender, not by `zpool status`")
    health: str = field("as `zpool status` prints it")
    properties: dict[str, str] = field("as `zfs get` and `zpool get` print them")
    platform: str = field("the operating system, if stated")
    zfs_version: str = field("of OpenZFS, if stated")


class DeviceRecord(Record):
    """A device: a model name with a capacity."""

    slug: str = field("its name in URLs")
    url: Url = field("its page for people")
    model_name: str = field("as the device reports it")
    vendor: str = field("its product's, else as read from the text; or empty")
    capacity_bytes: int | None = field("bytes; null where it isn't known")
    device_class: DeviceClass = field("its class")
    elsewhere_count: int = field("results that were published elsewhere")
    product: str | None = field("the slug of its product")
    plp: Plp = field("power-loss protection, by the catalogue")


class ListedDeviceRecord(DeviceRecord):
    """A device, and whether the site recommends it."""

    is_recommended: bool = field("protected, with enough results from accountable sources")


class PlpStatementRecord(Record):
    """A source's statement about power-loss protection."""

    value: Plp = field("what the source says")
    evidence: PlpEvidence = field("the kind of source")
    url: Url = field("of the source")
    note: str = field("on the source's statement, or empty")


class EnduranceRecord(Record):
    """The rated writes of a capacity; without one, of the largest in the line."""

    capacity_bytes: int | None = field("bytes; null where it isn't known")
    written_bytes: int = field("how many bytes may be written")


class ProductRecord(Record):
    """A product of the catalogue; empty or null where nothing is known."""

    slug: str = field("its name in URLs")
    url: Url = field("its page for people")
    vendor: str = field("who makes it")
    name: str = field("the name of the product")
    device_class: DeviceClass = field("its class")
    segment: Segment = field("the market that it is made for")
    media: str = field("empty where it isn't known")
    interface: str = field("empty where it isn't known")
    form_factors: str = field("empty where they aren't known")
    plp: Plp = field("power-loss protection")
    plp_statements: list[PlpStatementRecord] = field("what sources state about its protection")
    endurance_dwpd_low: float | None = field("drive writes per day")
    endurance_dwpd_high: float | None = field("drive writes per day")
    endurance_years: int | None = field("that the endurance is stated for")
    endurance_tbw: list[EnduranceRecord] = field("how many bytes may be written to each capacity")
    endurance_source_url: UrlOrEmpty = field("or empty")
    launch_year: int | None = field("the year of its first sale, or null")
    flags: list[ProductFlag] = field("what else readers should know about it")
    sources: list[Url] = field("the URLs of its sources in the catalogue")


class ProductClaimRecord(Record):
    """A figure or component that one source states for a product."""

    quantity: ClaimQuantity = field("the quantity that is stated")
    capacity_bytes: int | None = field("marketed bytes; null for the whole line")
    variant: str = field("the models of the line that it is about; empty for all of them")
    value: float | None = field("null where it is stated in words")
    is_below: bool = field("it is less than the value")
    text: str = field("what is stated in words, or empty")
    unit: str = field("the unit of the figure; empty for words")
    stated_by: StatedBy = field("who states it")
    source_url: Url = field("of the source")
    note: str = field("what else the source says, or empty")


class PriceSightingRecord(Record):
    """A price seen on a page on a given day: not the current price."""

    capacity_bytes: int | None = field("marketed bytes; null if the line has one")
    price: float = field("the price that was seen")
    currency: str = field("ISO 4217")
    condition: PriceCondition | None = field("null if the page doesn't say")
    seller_kind: SellerKind = field("where it was seen")
    seen_on: str = field("a date, or the known part of one: 2018-01-30, 2018-01 or 2018")
    source_url: Url = field("of the source")


class LifeCycleRecord(Record):
    """A source's statement about a product's launch, end of sale and successor."""

    launched_on: str = field("a date, or the known part of one; empty where the source does not say")
    end_of_sale: str = field("in words, or empty")
    successor: str | None = field("the slug of a product")
    source_url: Url = field("of the source")
    note: str = field("what else the source says, or empty")


class CaveatRecord(Record):
    """A known problem of a product."""

    kind: CaveatKind = field("the kind of problem")
    summary: str = field("a summary of the problem")
    fixed_in_firmware: str = field("the firmware with a fix, or empty")
    source_url: Url = field("of the source")


class RatedCapacityRecord(Record):
    """The rating of drives of one capacity; the lowest if there are several variants."""

    capacity_bytes: int = field("marketed bytes")
    written_bytes: int = field("how many bytes may be written")
    from_drive_writes: float | None = field(
        "the drive writes per day that it is computed from; null if it is stated"
    )
    years: int = field("the years that the drive writes per day apply to")


class ProductDetailRecord(ProductRecord):
    """A product of the catalogue with its sources' statements and its devices."""

    caveats: list[CaveatRecord] = field("known problems, most severe kind first")
    claims: list[ProductClaimRecord] = field("what sources state, by quantity; never ranked")
    prices: list[PriceSightingRecord] = field("prices that were seen, the latest first: at most 100")
    life_cycle: list[LifeCycleRecord] = field(
        "what sources state about its launch, end of sale and successor"
    )
    endurance: list[RatedCapacityRecord] = field(
        "by capacity: what the catalogue states, else what sources claim"
    )
    devices: list[str] = field("slugs")


class FoundRecord(Record):
    """A device or product found by a search."""

    type: str = field("whether it is a device or a product", choices=FOUND_TYPES)
    url: Url = field("its page for people")
    slug: str = field("its name in URLs")
    vendor: str = field("empty where it isn't known")
    name: str = field("the model name of a device, or the name of a product")
    capacity_bytes: int | None = field("of a device in bytes; null if unknown")
    device_class: DeviceClass = field("its class")
    elsewhere_count: int | None = field("null for a product")
    plp: Plp = field("its power-loss protection")


class SpreadPointRecord(Record, PointSerializer):
    """One block size of a device: the median, lowest and highest of its units."""

    lowest_us: float = field("the lowest of a unit, in µs")
    highest_us: float = field("the highest of a unit, in µs")


class RankedMetricsRecord(Record):
    """The metrics of a device; null where the data for one is missing."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**_metric_fields(METRICS), **super().get_fields()}


class MetricsRecord(Record):
    """The metrics of a run's kind by key; null where the data for one is missing."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return _metric_fields(all_metrics(), is_required=False)


class MeasuredRecord(Record):
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
            "metrics": MetricsRecord(help_text="The metrics of its kind by key."),
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


class IntervalRecord(Record):
    """The figure that a board ranks by, in its metric's unit, and its interval."""

    method: Method = field("how it was measured")
    score: float = field("the median over the units: µs on both boards")
    low: float = field(f"lower end of its {CONFIDENCE_PERCENT} interval")
    high: float = field("its upper end, by which devices are ordered")
    assumed_spread: bool = field(
        "whether the interval rests on an assumed spread, as too few devices have two units"
    )
    unit_count: int = field("independent units: those of one sender count as one")
    result_count: int = field("ranked results that it is based on; devices.csv counts all published ones")


class RecommendedRecord(Record):
    """The figure behind a recommendation: 4 KiB latency in µs, from accountable sources alone."""

    method: Method = field("how it was measured")
    score: float = field("the median over the units that count for a recommendation")
    low: float = field(f"lower end of its {CONFIDENCE_PERCENT} interval")
    high: float = field("its upper end, by which recommended devices are ordered")


class RankingRecord(RankedMetricsRecord, IntervalRecord):
    """A device's row on a board by one method."""

    board: Board = field("sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB")
    formula_version: int = field("of the ranking's formula")
    tier: list[str] = field(
        "the tiers that the interval spans, best first; empty on boards other than sync_write",
        choices=[(tier.key, tier.label) for tier in TIERS],
    )
    last_measured_on: date | None = field("null where no day is known")


class ConditionsStatedRecord(Record):
    """How a device's ranked results by the row's method were measured, as far as they state it."""

    sync_method: list[str] = field("what made each write durable: sync, dsync, fsync, fdatasync")
    pattern: list[str] = field("order of the writes: random, sequential, mixed")
    write_cache: list[str] = field("the device’s write cache: on, off")
    volatile_cache: list[str] = field("whether it has a volatile cache: yes, none")
    kernel_write_cache: list[str] = field("what the kernel believes: write back, write through")
    fua: list[str] = field("used, not used")


class LeaderboardRowRecord(RankingRecord):
    """A row of the leaderboard: position in the requested order, rank, device."""

    position: int | None = field("the position in the requested order, from 1")
    formula_version: int | None = field("of the ranking's formula")  # type: ignore[assignment]
    score: float | None = field(  # type: ignore[assignment]
        "the median over the units: µs on both boards; without a place, the figure of the newest result"
    )
    low: float | None = field(f"lower end of its {CONFIDENCE_PERCENT} interval")  # type: ignore[assignment]
    high: float | None = field("its upper end, by which devices are ordered")  # type: ignore[assignment]
    assumed_spread: bool | None = field(  # type: ignore[assignment]
        "whether the interval rests on an assumed spread, as too few devices have two units"
    )
    conditions: ConditionsStatedRecord = field("the conditions under which it was measured")
    ranking_state: str = field(
        "ranked, unless other devices are included: they have no position, interval, rank and tie group",
        choices=list(INCLUDED.items()),
    )
    not_ranked_reason: str = field("why a device has no place, of its newest result")
    is_recommended: bool = field("protected, with enough results from accountable sources")
    recommended: RecommendedRecord | None = field("null if it isn't recommended")
    is_first_choice: bool = field("whether it is the recommendation of its class")
    methods: list[IntervalRecord] = field(
        "its figures by each method that measured it, the one that ranks it first"
    )
    rank: int | None = field("by the upper end of the interval")
    first_possible: int | None = field("the best rank possible within the intervals")
    last_possible: int | None = field("the worst rank possible within the intervals")
    tie_group: int | None = field("devices of one group are statistically tied")
    device: DeviceRecord = field("the device that was measured")


class DeviceRankingRecord(RankingRecord):
    """A device's row on a board by one method, with its curve."""

    points: list[SpreadPointRecord] = field("one for each block size that was measured")


class DeviceDetailRecord(ListedDeviceRecord):
    """A device with its rankings and firmware versions."""

    firmware_versions: list[str] = field("the versions of its firmware")
    recommended: RecommendedRecord | None = field("null if it isn't recommended")
    is_first_choice: bool = field("whether it is the recommendation of its class")
    rankings: list[DeviceRankingRecord] = field("its row for each board and method, main rows first")
    results_url: Url = field("the address of its results in the API")


class FirmwareFigureRecord(Record):
    """The ranked results of one firmware version by one method."""

    method: Method = field("how it was measured")
    unit_count: int = field("the number of measured units that ran this version")
    latency_us: float = field("4 KiB latency: the median over the units, in µs")
    low_us: float = field("lower end of the interval, in µs")
    high_us: float = field("upper end of the interval, in µs")


class FirmwareRecord(Record):
    """A firmware version of a device."""

    version: str = field("as the device reports it")
    result_count: int = field("published results, ranked or not")
    figures: list[FirmwareFigureRecord] = field("the figures")


class SpreadRecord(Record):
    """The spread between units by one method, as of the last ranking."""

    method: Method = field("how it was measured")
    spread: float = field("between units of one device: standard deviation of the natural logarithm")
    spread_source: str = field("what the spread was estimated from", choices=["class", "all", "guess"])


class ClassBoardRecord(Record):
    """A class on one board; `methods` is empty before the first ranking."""

    board: Board = field("sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB")
    device_count: int = field("the number of devices on the board")
    methods: list[SpreadRecord] = field("the figures by each method")


class UnmeasuredProductRecord(Record):
    """A protected product without a published result."""

    slug: str = field("its name in URLs")
    url: Url = field("its page for people")
    vendor: str = field("who makes it")
    name: str = field("the name of the product")
    plp: Plp = field("power-loss protection")
    evidence: PlpEvidence = field("the strongest source for it")
    evidence_url: Url = field("the source of the evidence")


class ClassRecord(Record):
    """A device class with its boards, best choice and unmeasured products."""

    device_class: DeviceClass = field("its class")
    label: str = field("for people to read")
    boards: list[ClassBoardRecord] = field("its boards")
    recommended_device: str | None = field("the slug of the best protected choice; null if there is none")
    recommended: RecommendedRecord | None = field("null if it isn't recommended")
    unmeasured_products: list[UnmeasuredProductRecord] = field("protected ones without a result")


class BandRecord(Record):
    """The latency that a talk gives for a kind of device; null without one."""

    label: str = field("for people to read")
    device_class: DeviceClass = field("its class")
    segment: str = field("the market that it is made for")
    low_us: float | None = field("in µs, or null")
    high_us: float | None = field("in µs, or null")
    representative: str = field("a representative device, or empty")
    note: str = field("what else the talk says, or empty")
    source: str = field("the source of the figures")
    source_url: Url = field("where it was published, or empty")


class ProblemSerializer(serializers.Serializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(help_text="always about:blank: the code identifies the problem")
    title = serializers.CharField(help_text="the status in words")
    status = serializers.IntegerField(help_text="the status as a number")
    detail = serializers.CharField(help_text="what is wrong and what to do")
    code = serializers.CharField(help_text="a stable code for programs")
    notices = NoticeRecord(many=True, required=False, help_text="the parsers' notices, if a text was refused")
    left_out_lines = LeftOutLinesRecord(many=True, required=False, help_text="lines that aren't stored")
    errors = serializers.DictField(  # type: ignore[assignment] # shadows an attribute of Field
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="what is wrong with each parameter or field; a nested one is named by its path, such as a.b",
    )
