"""Boards of sustained IOPS: steady series of one class, order, size, sync and number of writes in flight."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.http import Http404

from results.core.formats import format_block_size
from results.kinds.dates import DATE_FIELDS
from results.kinds.flags import Effect
from results.kinds.sustained.kind import SUSTAINED
from results.kinds.sustained.models import COLUMNS
from results.kinds.sustained.on_device import pattern_label
from results.models import Result
from results.models.choices import DEVICE_CLASSES
from results.models.conditions import FLUSH_OFF, SYNC_METHODS
from results.models.device import of_device
from results.models.result import ResultQuerySet
from results.ranking.senders import Candidate, candidates_by_device, counted, independent_units

KEY = re.compile(r"([a-z_]{1,20})-([0-9]{1,3})-([0-9]{1,10})-([a-z]{1,20})-([0-9]{1,4})")
WITHIN = 0.1  # steady rounds are within 10 % of their mean, so figures closer than that are a tie
MOST_OTHERS = 50
NO_SYNC, SYNCED = "none", "synced"
Row = Mapping[str, Any]

VALUES = (
    "id",
    "public_id",
    "device_id",
    "ranking_unit",
    "method",
    "sync_method",
    "block_align",
    "writers",
    "metrics",
    "submission__source_url",
    *DATE_FIELDS,
    *(f"sustained__{name}" for name in COLUMNS if name not in {"points", "phases"}),
    *of_device(
        "slug", "page", "model_name", "capacity_bytes", "device_class", "elsewhere_count", "result_count"
    ),
    *of_device("product_id", "product__plp", "product__plp_statements"),
)


class Load(NamedTuple):
    """How the devices of a board were written."""

    device_class: str
    random_percent: int
    transfer_size: int
    sync: str  # a method of syncing each write, or "none"
    in_flight: int

    @property
    def key(self) -> str:
        return "-".join(map(str, self))

    @property
    def label(self) -> str:
        """As in "NVMe SSD: random, 4 KiB, not synced, 32 in flight"."""
        sync = "not synced" if self.sync == FLUSH_OFF else f"each write by {SYNC_METHODS[self.sync]}"
        return (
            f"{DEVICE_CLASSES[self.device_class]}: {pattern_label(self.random_percent)}, "
            f"{format_block_size(self.transfer_size)}, {sync}, {self.in_flight} in flight"
        )

    @classmethod
    def from_key(cls, key: str) -> "Load":
        """Raises ValueError for what is no key of a board."""
        match = KEY.fullmatch(key)
        if match is None or match[1] not in DEVICE_CLASSES or match[4] not in SYNC_METHODS:
            raise ValueError("There is no such board.")
        if not 0 < int(match[3]) < 2**31:
            raise ValueError("There is no such board.")
        return cls(match[1], int(match[2]), int(match[3]), match[4], int(match[5]))


@dataclass(frozen=True, slots=True)
class Placed:
    """A device on a board: the median over its units, what its results range over, and its possible places."""

    device_id: int
    result_id: int  # the newest
    iops: float
    low: float
    high: float
    unit_count: int
    result_count: int
    first_place: int = 0
    last_place: int = 0

    @property
    def places(self) -> str:
        ends = dict.fromkeys([self.first_place, self.last_place])
        return "–".join(map(str, ends))


def on_boards() -> ResultQuerySet:
    """The results that count on a board, unless others are vouched for (results.ranking.senders)."""
    waits = Q(flags__contains=[{"effect": Effect.WAITS.value}], submission__is_approved=False)
    published = Result.objects.published().filter(method__in=SUSTAINED.methods, copy_of=None)
    return published.filter(~waits, sustained__is_on_board=True)


def find_boards() -> list[tuple[Load, int]]:
    """All boards with the number of their devices, the fullest first. One query."""
    names = (
        "device__device_class",
        "sustained__random_percent",
        "sustained__transfer_size",
        "sync_method",
        "writers",
    )
    counted = on_boards().values_list(*names).annotate(devices=Count("device", distinct=True)).order_by()
    found = [
        (Load(device_class, share, size, sync, writers or 1), count)
        for device_class, share, size, sync, writers, count in counted
    ]
    return sorted(found, key=lambda one: (-one[1], one[0]))


def choose_board(key: str | None, boards: Sequence[tuple[Load, int]]) -> Load | None:
    """The board of a URL, without a key the fullest. Raises ValueError for no key, Http404 for an empty board."""
    if key is None:
        return boards[0][0] if boards else None
    load = Load.from_key(key)
    if load not in [one for one, _ in boards]:
        raise Http404("There are no results on this board.")
    return load


def find_placed(load: Load) -> list[Placed]:
    """The devices of a board, the fastest first. One query."""
    rows = on_boards().filter(
        device__device_class=load.device_class,
        sustained__random_percent=load.random_percent,
        sustained__transfer_size=load.transfer_size,
        sync_method=load.sync,
        writers=load.in_flight if load.in_flight > 1 else None,
    )
    by_device = candidates_by_device(rows, "sustained__sustained_iops")
    return place(_device(device_id, counted(results)) for device_id, results in by_device.items())


def _device(device_id: int, results: Sequence[Candidate]) -> Placed:
    """A device without its places, from those of its results that count."""
    medians = [median(values) for values in independent_units(one.measured for one in results)]
    return Placed(
        device_id,
        max(one.result_id for one in results),
        median(medians),
        min(medians) * (1 - WITHIN),
        max(medians) * (1 + WITHIN),
        len(medians),
        len(results),
    )


def place(found: Iterable[Placed]) -> list[Placed]:
    """The devices with their possible places: A is surely faster than B if A's low end is above B's high one."""
    ordered = sorted(found, key=lambda one: (-one.low, one.device_id))
    lows, highs = sorted(one.low for one in ordered), sorted(one.high for one in ordered)
    count = len(ordered)
    return [
        replace(
            one,
            first_place=1 + count - bisect_right(lows, one.high),
            last_place=count - bisect_left(highs, one.low),
        )
        for one in ordered
    ]


def rows_of(placed: Sequence[Placed]) -> dict[int, Row]:
    """The newest results of these devices, by the device's id. One query, or none."""
    ids = [one.result_id for one in placed]
    rows = Result.objects.filter(pk__in=ids).values(*VALUES) if ids else []
    return {row["device_id"]: row for row in rows}


def find_lines(placed: Sequence[Placed]) -> dict[int, Row]:
    """What the charts of these devices' newest results draw, by the result's id. One query, or none."""
    ids = [one.result_id for one in placed]
    names = [f"sustained__{name}" for name in COLUMNS]
    rows = Result.objects.filter(pk__in=ids).values("id", *names) if ids else []
    return {row["id"]: {name: row[f"sustained__{name}"] for name in COLUMNS} for row in rows}


def find_others() -> list[Row]:
    """The newest results with sustained IOPS that aren't on a board: plateaus, and figures without a series."""
    rows = Result.objects.published().filter(
        method__in=SUSTAINED.methods,
        copy_of=None,
        sustained__is_on_board=False,
        sustained__sustained_iops__isnull=False,
    )
    return list(rows.order_by("-id").values(*VALUES)[:MOST_OTHERS])
