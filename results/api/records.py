"""Records shared by several features, and the columns that they are made of."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from operator import itemgetter
from typing import Any

from django.urls import reverse
from rest_framework import serializers

from parsers.base.device_class import DeviceClass
from results.core.addresses import full_url
from results.core.drive_names import DriveName
from results.core.record import Record, Row, Url, field
from results.core.subject import describe_layout
from results.kinds.curve.metrics import CONFIDENCE_PERCENT, METRICS, throughput_mib_s
from results.kinds.curve.tables import DIGITS, PointRecord
from results.kinds.metric import Metric, Payload
from results.kinds.registry import KINDS, all_methods, all_metrics, kind_of
from results.models.choices import Board, Method, Plp, is_probably_protected
from results.models.fields import BLOCK_SIZES
from results.ranking.tiers import TIERS, tiers_of

FOUND_TYPES = [("device", "a device"), ("product", "a product")]
TIER_CHOICES = [(tier.key, tier.label) for tier in TIERS]
_OWN_DEVICE_FIELDS = ("slug", "model_name", "vendor", "capacity_bytes", "device_class", "elsewhere_count")
DEVICE_FIELDS = (
    *_OWN_DEVICE_FIELDS,
    *("product__slug", "product__plp", "product__plp_statements", "product__vendor__name", "product__name"),
)
PLP_PROBABLY = (
    "`plp` is unknown, but every source says it is protected, at least one on indirect evidence; its product’s "
    "`plp_statements` list them"
)
_OF_DEVICE = itemgetter(*(f"device__{name}" for name in DEVICE_FIELDS))
_RANKING_FIELDS = (
    *("board", "method", "formula_version", "score", "low", "high", "assumed_spread"),
    *("unit_count", "result_count", "last_measured_on"),
)
RANKING_FIELDS = ("metrics", *_RANKING_FIELDS)
CURVE_FIELDS = (*RANKING_FIELDS, "median_us", "lowest_us", "highest_us")


def rounded(value: float | None) -> float | None:
    """Round a computed figure to the precision of measured ones."""
    return None if value is None else round(value, DIGITS)


@cache
def page_prefix(name: str) -> str:
    """A page's URL up to its slug; cached, as reversing it is slow per row."""
    return full_url(reverse(name, args=["-"]).removesuffix("-/"))


def page_of(name: str) -> Callable[[str], str]:
    """From a slug to the URL of its page."""
    return lambda slug: f"{page_prefix(name)}{slug}/"


def page_of_object(source: Any) -> str:
    return full_url(source.get_absolute_url())


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

    name: str = field("its layout in words", "layout", to=describe_layout)
    layout: list[VdevRecord] = field("empty if not stated", to=lambda vdevs: [dict(vdev) for vdev in vdevs])
    is_layout_told: bool = field("stated by the sender, not by `zpool status`", "is_told")
    health: str = field("as `zpool status` prints it")
    properties: dict[str, str] = field("as `zfs get` and `zpool get` print them", to=dict)
    platform: str = field("the operating system, if stated")
    zfs_version: str = field("of OpenZFS, if stated")


class DeviceRecord(Record):
    """A device: a model name with a capacity."""

    first = _OWN_DEVICE_FIELDS

    slug: str = field("its name in URLs")
    url: Url = field("its page for people", "slug", to=page_of("device"))
    model_name: str = field("as the device reports it")
    vendor: str = field(
        "its product's, else as read from the text; or empty",
        lambda row: row["product__vendor__name"] or row["vendor"],
    )
    capacity_bytes: int | None = field("bytes; null where it isn't known")
    device_class: DeviceClass = field("its class")
    elsewhere_count: int = field("results that were published elsewhere")
    product: str | None = field("the slug of its product", "product__slug")
    plp: Plp = field(
        "power-loss protection, by the catalogue", "product__plp", to=lambda plp: plp or "unknown"
    )
    plp_probably: bool = field(
        PLP_PROBABLY,
        lambda row: is_probably_protected(row["product__plp"], row["product__plp_statements"]),
    )
    display_name: str = field(
        "the name people know it by, with its capacity",
        lambda row: (
            DriveName(
                row["model_name"], row["capacity_bytes"], row["product__vendor__name"], row["product__name"]
            ).full
        ),
    )


def device_of(row: Row) -> Row:
    """The device of a row that belongs to one and has its DEVICE_FIELDS."""
    return DeviceRecord.of(dict(zip(DEVICE_FIELDS, _OF_DEVICE(row), strict=True)))


class ListedDeviceRecord(DeviceRecord):
    """A device, and whether the site recommends it."""

    is_recommended: bool = field("protected, with enough results from accountable sources")
    changed_at: datetime = field(
        "when any of its fields last changed, except is_recommended, rankings and firmware_versions"
    )
    id: int = field("a number that identifies it, by which `removed` names it")


class SpreadPointRecord(PointRecord):
    """One block size of a device: the median, lowest and highest of its units."""

    lowest_us: float = field("the lowest of a unit, in µs")
    highest_us: float = field("the highest of a unit, in µs")


def _points(row: Row) -> list[Row]:
    """The measured sizes of a row of CURVE_FIELDS."""
    return [
        {
            "block_size": block_size,
            "latency_us": latency_us,
            "throughput_mib_s": rounded(throughput_mib_s(block_size, latency_us)),
            "lowest_us": lowest_us,
            "highest_us": highest_us,
        }
        for block_size, latency_us, lowest_us, highest_us in zip(
            BLOCK_SIZES, row["median_us"], row["lowest_us"], row["highest_us"], strict=True
        )
        if latency_us is not None
    ]


class RankedMetricsRecord(Record):
    """The metrics of a device; null where the data for one is missing."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**_metric_fields(METRICS), **super().get_fields()}

    @classmethod
    def of(cls, source: Any, /, **given: Any) -> Row:
        return {**{key: source["metrics"].get(key) for key in METRICS}, **super().of(source, **given)}


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
                kind.key: kind.record(
                    required=False,
                    help_text=f"What a run of the kind {kind.key} measured; absent from others.",
                )
                for kind in KINDS.values()
            },
        }

    @staticmethod
    def for_run(method: str, metrics: Mapping[str, float], payload: Payload) -> Row:
        """These fields of a run."""
        kind = kind_of(method)
        return {
            "kind": kind.key,
            "method": method,
            "writers": payload.get("writers") or 1,
            "metrics": {key: metrics.get(key) for key in kind.metrics},
            kind.key: kind.record.of(payload),
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


def recommendation_of(found: Row | None) -> Row:
    """The recommendation fields of a device's record, from its find_recommended row."""
    return {
        "is_recommended": found is not None,
        "is_first_choice": found is not None and found["is_first_choice"],
        "recommended": found and RecommendedRecord.of(found),
    }


class RankingRecord(RankedMetricsRecord, IntervalRecord):
    """A device's row on a board by one method."""

    first = _RANKING_FIELDS

    board: Board = field("sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB")
    formula_version: int = field("of the ranking's formula")
    tier: list[str] = field(
        "the tiers that the interval spans, best first; empty on boards other than sync_write",
        lambda row: (
            [tier.key for tier in tiers_of(row["low"], row["high"])]
            if row["board"] == Board.SYNC_WRITE
            else []
        ),
        choices=TIER_CHOICES,
    )
    last_measured_on: date | None = field("null where no day is known")


class DeviceRankingRecord(RankingRecord):
    """A device's row on a board by one method, with its curve."""

    points: list[SpreadPointRecord] = field("one for each block size that was measured", _points, to=list)


class ProblemRecord(Record):
    """Problem details (RFC 9457)."""

    type: str = field("always about:blank: the code identifies the problem")
    title: str = field("the status in words")
    status: int = field("the status as a number")
    detail: str = field("what is wrong and what to do")
    code: str = field("a stable code for programs")
    notices: list[NoticeRecord] = field("the parsers' notices, if a text was refused", required=False)
    left_out_lines: list[LeftOutLinesRecord] = field("lines that aren't stored", required=False)
    errors: dict[str, list[str]] = field(  # type: ignore[assignment] # shadows an attribute of Field
        "what is wrong with each parameter or field; a nested one is named by its path, such as a.b",
        required=False,
    )
