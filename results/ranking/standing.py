"""A device's places and ranks, an estimate for an unpublished run, and a summary line."""

from array import array
from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Case, FilteredRelation, FloatField, Q, QuerySet, Value, When
from django.db.models.functions import Cast
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual

from parsers.base.device_class import DeviceClass
from results.core.drive_names import DriveName
from results.core.formats import format_range
from results.core.public import reader
from results.core.subject import DEVICE_COLUMNS, ListedDevice, drive_name
from results.kinds.curve.metrics import ranked_metric
from results.models import ClassRanking, Device, DeviceRanking
from results.models.choices import DEVICE_CLASSES, METHOD_LABELS, PROTECTED, Badge, Board, Method, Plp
from results.models.device import for_device
from results.models.fields import floats_from_bytes
from results.ranking.boards import ALL_CLASSES, ClassBoard, ends_by_class, ends_of
from results.ranking.intervals import GUESSED_SPREAD, Interval, half_width, interval
from results.ranking.recommend import is_recommended, is_too_slow, vouched_interval
from results.ranking.tiers import tier_text
from results.ranking.ties import (
    METHOD_FACTOR,
    Ends,
    MethodEnds,
    Place,
    Span,
    count_behind,
    find_place,
    find_places,
    format_places,
    replace_span,
)


class Standing(NamedTuple):
    """A device compared with all classes, and with the hard disks that pools are often made of."""

    device_count: int  # of all classes
    behind_count: int  # of those, clearly slower, or probably if a spread is assumed
    is_assumed: bool
    disk_count: int
    middle_disk_us: float | None  # the worse end of the middle hard disk's interval


@dataclass(frozen=True, slots=True)
class RankedDevice(ListedDevice):
    """A ranked device in a list, with its interval: RANKED_COLUMNS."""

    method: str
    score: float
    low: float
    assumed_spread: bool
    digits: int | None
    high: float


RANKED_COLUMNS = (*for_device(*DEVICE_COLUMNS), "method", "score", "low", "assumed_spread", "digits", "high")
NEIGHBORS_A_SIDE = 3


def span_of(ranking: DeviceRanking | RankedDevice) -> Span:
    """The row's interval and its method."""
    return Span(ranking.method, ranking.low, ranking.high)


def main_rows(board: str = Board.SYNC_WRITE) -> QuerySet[DeviceRanking]:
    """The rows of a board's list: one for each device."""
    return DeviceRanking.objects.filter(board=board, is_main=True)


def with_main_row(devices: QuerySet[Device]) -> QuerySet[Device]:
    """Devices with their row of the default board's list as `main`, which is null for unranked ones."""
    is_main = Q(rankings__board=Board.SYNC_WRITE, rankings__is_main=True)
    return devices.annotate(main=FilteredRelation("rankings", condition=is_main))


def standing_among(ranking: DeviceRanking, all_classes: Ends, disks: Ends) -> Standing:
    """The device's standing among all classes and the hard disks of its board."""
    disk_ends = sorted(high for for_method in disks.by_method.values() for high in for_method.highs)
    return Standing(
        device_count=len(all_classes),
        behind_count=count_behind(all_classes, span_of(ranking)),
        is_assumed=all_classes.is_assumed,
        disk_count=len(disk_ends),
        middle_disk_us=disk_ends[(len(disk_ends) - 1) // 2] if disk_ends else None,
    )


def find_neighbors(ranking: DeviceRanking, factor: float) -> list[RankedDevice]:
    """The nearest devices of the class, by their worse ends, that are surely neither better nor worse. One query."""
    margin = Case(When(method=ranking.method, then=1.0), default=Value(factor), output_field=FloatField())
    close = main_rows(ranking.board).filter(
        GreaterThanOrEqual(Cast("high", FloatField()) * margin, Value(ranking.low)),
        LessThanOrEqual(Cast("low", FloatField()), Value(ranking.high) * margin),
        device_class=ranking.device_class,
    )
    close = close.exclude(pk=ranking.pk)
    before = close.filter(high__lte=ranking.high).order_by("-high", "-device_id")
    after = close.filter(high__gt=ranking.high).order_by("high", "device_id")
    nearest = (side.values_list("device_id", *RANKED_COLUMNS)[:NEIGHBORS_A_SIDE] for side in (before, after))
    rows = reduce(lambda queryset, other: queryset.union(other, all=True), nearest)
    return [RankedDevice(*row) for _, *row in sorted(rows, key=lambda row: (row[-1], row[0]))]


# The current intervals of the classes that these devices are in. An index holds them, so this reads no table.
_INTERVALS = """
    SELECT device_class, method, string_agg(float4send(low), ''::bytea), string_agg(float4send(high), ''::bytea),
           (SELECT factor FROM results_classranking AS merged WHERE merged.board = %(board)s
            AND merged.device_class = ranking.device_class AND merged.method = ''),
           array_agg(ARRAY[device_id::float8, low, high]) FILTER (
               WHERE device_id = ANY(%(devices)s::bigint[]))
    FROM results_deviceranking AS ranking
    WHERE is_main AND board = %(board)s AND device_class IN (
        SELECT device_class FROM results_deviceranking
        WHERE is_main AND board = %(board)s AND device_id = ANY(%(devices)s::bigint[]))
    GROUP BY device_class, method ORDER BY device_class
"""


class Rank(NamedTuple):
    """A device's rank in its class on a board, and its possible places by the intervals; all count from 1."""

    board: str
    device_class: str
    device_count: int
    rank: int
    first_possible: int
    last_possible: int


def ranks_of(device_ids: Collection[int], board: str = Board.SYNC_WRITE) -> dict[int, Rank]:
    """Ranks by device, without unranked ones. One query."""
    if not device_ids:
        return {}
    ranks: dict[int, Rank] = {}
    with reader().cursor() as cursor:
        cursor.execute(_INTERVALS, {"devices": list(device_ids), "board": str(board)})
        rows = cursor.fetchall()
    for device_class, in_class in groupby(rows, itemgetter(0)):
        methods = list(in_class)
        ends = Ends(
            {
                method: MethodEnds(*(array("f", sorted(floats_from_bytes(side))) for side in sides))
                for _, method, *sides, _, _ in methods
            },
            factor=methods[0][4] or METHOD_FACTOR,
        )
        spans = {
            int(pk): Span(method, low, high)
            for _, method, *_, requested in methods
            for pk, low, high in requested or ()
        }
        places = zip(spans, find_places(ends, spans.values()), strict=True)
        ranks |= {pk: Rank(board, device_class, len(ends), *place[:3]) for pk, place in places}
    return ranks


@dataclass(frozen=True, slots=True)
class Estimate:
    """The interval and the place of this run alone; `results_before` counts what the device itself already has."""

    span: Span
    place: Place
    device_count: int
    results_before: int


def estimate_place(board: ClassBoard, *, method: str, device_id: int | None, score: float) -> Estimate:
    """The place on `board` of a device with this run by `method` alone; `score` is the figure that it ranks by.

    A new device has no id.
    """
    ranking = main_rows(board.board).filter(device=device_id).first()
    alone = estimated_span(board, method=method, score=score)
    ends = replace_span(ends_of(board), span_of(ranking) if ranking else None, alone)
    return Estimate(
        span=alone,
        place=find_place(ends, alone),
        device_count=len(ends),
        results_before=ranking.result_count if ranking else 0,
    )


def estimated_span(board: ClassBoard, *, method: str, score: float) -> Span:
    """The interval of a device with one unit, by the method's spread on the board. One query."""
    return Span(method, *interval(score, half_width(_spread_of(board, method), 1)))


def _spread_of(board: ClassBoard, method: str) -> float:
    """The method's spread on the board as of its last pass."""
    rows = ClassRanking.objects.filter(**board._asdict(), method=method)
    return rows.values_list("spread", flat=True).first() or GUESSED_SPREAD


NOT_RANKED = "no ranked result yet"


@dataclass(frozen=True, slots=True)
class Figures:
    """A device, and its place in its class and overall; no place without ranked results."""

    device: Device
    ranking: DeviceRanking | None = None
    place: Place | None = None
    device_count: int = 0
    standing: Standing | None = None
    factor: float = METHOD_FACTOR  # between methods, in its class

    @property
    def name(self) -> DriveName:
        return drive_name(self.device)

    @property
    def class_label(self) -> str:
        return DEVICE_CLASSES[self.device.device_class]

    @property
    def protection(self) -> Badge:
        """The badge from results.models.choices.plp_badge."""
        return self.device.plp_badge

    @property
    def is_recommended(self) -> bool:
        """Whether the site recommends it: protected, with enough results from accountable sources."""
        return self.ranking is not None and is_recommended(self.ranking.recommended_high, self.device.product)

    @property
    def recommendation(self) -> str:
        """Why a protected device with ranked results is not recommended; "" for all others."""
        if self.ranking is None or self.is_recommended or self.protection.value not in PROTECTED:
            return ""
        is_slow = is_too_slow(self.ranking.device_class, self.ranking.metrics.get("latency_4k_us"))
        return "far slower than its class" if is_slow else "too few results to judge speed"

    @property
    def tone(self) -> str:
        """Green for recommended devices, a warning for unprotected ones."""
        if self.is_recommended:
            return "good"
        return "" if Plp(self.protection.value) in {*PROTECTED, Plp.UNKNOWN} else "warn"

    @property
    def rank_text(self) -> str:
        """The possible places by the interval: "rank 3–7 of 44"; "" without a place."""
        return f"rank {format_places(self.place)} of {self.device_count}" if self.place else ""

    @property
    def metric(self) -> str:
        """The metric that the device is ranked by, and the method if it isn't diskinfo."""
        label = ranked_metric(Board.SYNC_WRITE).label
        method = self.ranking.method if self.ranking else Method.DISKINFO
        return label if method == Method.DISKINFO else f"{label} by {METHOD_LABELS[method]}"

    @property
    def interval(self) -> Interval | None:
        """The interval behind the recommendation, or the row's; None without a ranking."""
        if self.ranking is None:
            return None
        vouched = vouched_interval(self.ranking) if self.is_recommended else None
        return vouched or Interval(self.ranking.low, self.ranking.high)

    @property
    def tier(self) -> str:
        """How fast it is in a word, by the row's interval: "very good or excellent"; "" without a ranking."""
        return tier_text(self.ranking.low, self.ranking.high) if self.ranking else ""

    @property
    def latency_text(self) -> str:
        """The ranked latency's interval: "4 KiB latency 12.3–14.5 µs"; "" without a ranking."""
        if self.ranking is None or self.interval is None:
            return ""
        return f"{self.metric} {format_range(*self.interval, self.ranking.digits)} µs"

    @property
    def summary(self) -> str:
        """Everything in one line, without the name."""
        speed = [self.rank_text, self.latency_text] if self.ranking else [NOT_RANKED]
        parts = [self.class_label, *speed, in_a_sentence(self.protection.label), self.recommendation]
        return ", ".join(filter(None, parts))


def in_a_sentence(label: str) -> str:
    """A label as used within a sentence; acronyms such as UPS are unchanged."""
    return f"{label[:1].lower()}{label[1:]}"


def find_figures(device: Device) -> Figures:
    """The figures of the device's main row on the board that is the default. Two queries."""
    return figures_of(device, main_rows().filter(device=device).first())


def figures_of(device: Device, ranking: DeviceRanking | None) -> Figures:
    """The figures of a main row on the board that is the default. One query, none without a row."""
    if ranking is None:
        return Figures(device)
    classes = (ranking.device_class, ALL_CLASSES, DeviceClass.HDD.value)
    ends = ends_by_class(ranking.board, *classes)
    own_class, *others = (ends.get(device_class, Ends()) for device_class in classes)
    place = find_place(own_class, span_of(ranking))
    count = max(len(own_class), place.last_possible)
    return Figures(device, ranking, place, count, standing_among(ranking, *others), own_class.factor)
