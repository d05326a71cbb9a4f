"""A device's places and ranks, an estimate for an unpublished run, and a summary line."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from parsers.base.device_class import DeviceClass
from results.core.formats import format_device, format_range
from results.core.public import reader
from results.kinds.latency_curve.metrics import ranked_metric
from results.models import ClassRanking, Device, DeviceRanking
from results.models.choices import DEVICE_CLASSES, PROTECTED, Method
from results.ranking.boards import ALL_CLASSES, Board, ends_by_class, ends_of
from results.ranking.intervals import GUESSED_SPREAD, Interval, half_width, interval
from results.ranking.recommend import is_recommended, is_too_slow
from results.ranking.ties import Ends, Place, count_behind, find_place, format_places, replace_interval


class Standing(NamedTuple):
    """A device compared with all classes, and with the hard disks that pools are often made of."""

    device_count: int  # of all classes, by the same method
    behind_count: int  # of those, certainly slower
    disk_count: int
    middle_disk_us: float | None  # the upper end of the middle hard disk's interval


class Neighbour(NamedTuple):
    """A device of the same class whose interval overlaps."""

    slug: str
    model_name: str
    capacity_bytes: int | None
    plp: str | None
    plp_statements: list[dict[str, str]] | None
    elsewhere_count: int
    result_count: int
    score_us: float
    low_us: float
    high_us: float


NEIGHBOURS_A_SIDE = 3
_OF_NEIGHBOUR = (
    "device__slug",
    "device__model_name",
    "device__capacity_bytes",
    "device__product__plp",
    "device__product__plp_statements",
    "device__elsewhere_count",
    "device__result_count",
    "score_us",
    "low_us",
    "high_us",
)


def standing_among(ranking: DeviceRanking, all_classes: Ends, disks: Ends) -> Standing:
    """The device's standing on the boards of all classes and of hard disks, among devices of the same method."""
    disk_count = len(disks.highs)
    return Standing(
        device_count=len(all_classes.lows),
        behind_count=count_behind(all_classes, Interval(ranking.low_us, ranking.high_us)),
        disk_count=disk_count,
        middle_disk_us=disks.highs[(disk_count - 1) // 2] if disk_count else None,
    )


def find_neighbours(ranking: DeviceRanking) -> list[Neighbour]:
    """The nearest devices of the class whose intervals overlap, by the interval's upper end. One query."""
    overlapping = DeviceRanking.objects.filter(
        method=ranking.method,
        device_class=ranking.device_class,
        low_us__lte=ranking.high_us,
        high_us__gte=ranking.low_us,
    ).exclude(pk=ranking.pk)
    before = overlapping.filter(high_us__lte=ranking.high_us).order_by("-high_us", "-device_id")
    after = overlapping.filter(high_us__gt=ranking.high_us).order_by("high_us", "device_id")
    nearest = (side.values_list("device_id", *_OF_NEIGHBOUR)[:NEIGHBOURS_A_SIDE] for side in (before, after))
    rows = reduce(lambda one, other: one.union(other, all=True), nearest)
    return [Neighbour(*row) for _, *row in sorted(rows, key=lambda row: (row[-1], row[0]))]


# An index holds method, class and both ends, so this reads no table. The ORM has no lateral joins.
_RANKS = """
    SELECT own.device_id, own.method, own.device_class, counted.*
    FROM results_deviceranking AS own CROSS JOIN LATERAL (
        SELECT count(*),
               1 + count(*) FILTER (WHERE other.high_us < own.high_us),
               1 + count(*) FILTER (WHERE other.high_us < own.low_us),
               count(*) FILTER (WHERE other.low_us <= own.high_us)
        FROM results_deviceranking AS other
        WHERE other.method = own.method AND other.device_class = own.device_class OFFSET 0
    ) AS counted
    WHERE own.device_id = ANY(%s)
"""


class Rank(NamedTuple):
    """A device's rank in its class by a method, and its possible places by the intervals; all count from 1."""

    device_class: str
    method: str
    device_count: int
    rank: int
    first_possible: int
    last_possible: int


def ranks_of(device_ids: Collection[int]) -> dict[tuple[int, str], Rank]:
    """Ranks by device and method, without unranked ones. One query."""
    if not device_ids:
        return {}
    with reader().cursor() as cursor:
        cursor.execute(_RANKS, [list(device_ids)])
        rows = cursor.fetchall()
    return {
        (device_id, method): Rank(device_class, method, count, rank, first, max(rank, last))
        for device_id, method, device_class, count, rank, first, last in rows
    }


@dataclass(frozen=True, slots=True)
class Estimate:
    """The place of this run alone on its board; `results_before` counts what the device itself already has."""

    place: Place
    device_count: int
    results_before: int


def estimate_place(board: Board, *, device_id: int | None, score_us: float) -> Estimate:
    """The place on `board` of a device with this run alone; `score_us` is the ranked latency.

    A new device has no id.
    """
    ranking = DeviceRanking.objects.filter(method=board.method, device=device_id).first()
    current = Interval(ranking.low_us, ranking.high_us) if ranking else None
    alone = interval(score_us, half_width(_spread_of(board), 1))
    ends = replace_interval(ends_of(board), current, alone)
    return Estimate(
        place=find_place(ends, alone),
        device_count=len(ends.highs),
        results_before=ranking.result_count if ranking else 0,
    )


def _spread_of(board: Board) -> float:
    """The board's spread as of its last pass."""
    rows = ClassRanking.objects.filter(device_class=board.device_class, method=board.method)
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

    @property
    def name(self) -> str:
        return device_name(self.device)

    @property
    def class_label(self) -> str:
        return DEVICE_CLASSES[self.device.device_class]

    @property
    def protection(self) -> dict[str, str]:
        """The badge from results.models.choices.plp_badge."""
        return self.device.plp_badge

    @property
    def is_recommended(self) -> bool:
        """Whether the site recommends it: protected, with enough results from accountable sources."""
        plp = self.device.product.plp if self.device.product else None
        return self.ranking is not None and is_recommended(self.ranking.recommended_high_us, plp)

    @property
    def recommendation(self) -> str:
        """Why a protected device with ranked results is not recommended; "" for all others."""
        if self.ranking is None or self.is_recommended or self.protection["value"] not in PROTECTED:
            return ""
        is_slow = is_too_slow(self.ranking.device_class, self.ranking.metrics.get("latency_4k_us"))
        return "far slower than its class" if is_slow else "too few results to judge speed"

    @property
    def tone(self) -> str:
        """Green for recommended devices, a warning for unprotected ones."""
        if self.is_recommended:
            return "good"
        return "warn" if self.protection["tag"] == "tag-warn" else ""

    @property
    def rank_text(self) -> str:
        """The possible places by the interval: "rank 3–7 of 44"; "" without a place."""
        return f"rank {format_places(self.place)} of {self.device_count}" if self.place else ""

    @property
    def metric(self) -> str:
        """The metric that the device is ranked by."""
        method = self.ranking.method if self.ranking else Method.DISKINFO
        label = ranked_metric(method).label
        return f"{label} by fio" if method == Method.FIO else label

    @property
    def latency_text(self) -> str:
        """The ranked latency's interval: "ZIL latency 12.3–14.5 µs"; "" without a ranking."""
        if self.ranking is None:
            return ""
        return f"{self.metric} {format_range(self.ranking.low_us, self.ranking.high_us)} µs"

    @property
    def summary(self) -> str:
        """Everything in one line, without the name."""
        speed = [self.rank_text, self.latency_text] if self.ranking else [NOT_RANKED]
        parts = [self.class_label, *speed, in_a_sentence(self.protection["label"]), self.recommendation]
        return ", ".join(filter(None, parts))


def in_a_sentence(label: str) -> str:
    """A label as used within a sentence; acronyms such as UPS are unchanged."""
    return f"{label[:1].lower()}{label[1:]}"


def device_name(device: Device) -> str:
    """Model name, and capacity if known."""
    return format_device(device.model_name, device.capacity_bytes)


def find_figures(device: Device) -> Figures:
    """The figures by diskinfo, or by fio if there are no others. Two queries."""
    rankings = {ranking.method: ranking for ranking in DeviceRanking.objects.filter(device=device)}
    ranking = rankings.get(Method.DISKINFO) or rankings.get(Method.FIO)
    if ranking is None:
        return Figures(device)
    classes = (ranking.device_class, ALL_CLASSES, DeviceClass.HDD.value)
    ends = ends_by_class(ranking.method, *classes)
    own_class, *others = (ends.get(device_class, Ends()) for device_class in classes)
    place = find_place(own_class, Interval(ranking.low_us, ranking.high_us))
    count = max(len(own_class.highs), place.last_possible)
    return Figures(device, ranking, place, count, standing_among(ranking, *others))
