"""Where a device stands against others than those of its own board, looked up in what the boards keep."""

from functools import reduce
from typing import NamedTuple

from results.models import DeviceRanking
from results.ranking.intervals import Interval
from results.ranking.ties import Ends, count_behind


class Standing(NamedTuple):
    """A device against all classes, and against the hard disks that a pool is often made of."""

    device_count: int  # of all classes, by the same method
    behind_count: int  # of those, surely slower
    disk_count: int
    middle_disk_us: float | None  # the upper end of the middle hard disk's interval


class Neighbour(NamedTuple):
    """A device of the same class whose interval overlaps."""

    slug: str
    model_name: str
    capacity_bytes: int | None
    plp: str | None
    score_us: float
    low_us: float
    high_us: float


NEIGHBOURS_A_SIDE = 3
_OF_NEIGHBOUR = (
    "device__slug",
    "device__model_name",
    "device__capacity_bytes",
    "device__product__plp",
    "score_us",
    "low_us",
    "high_us",
)


def standing_among(ranking: DeviceRanking, everybody: Ends, disks: Ends) -> Standing:
    """Against the boards of all classes and of hard disks. Devices without a figure by its method count nowhere."""
    disk_count = len(disks.highs)
    return Standing(
        device_count=len(everybody.lows),
        behind_count=count_behind(everybody, Interval(ranking.low_us, ranking.high_us)),
        disk_count=disk_count,
        middle_disk_us=disks.highs[(disk_count - 1) // 2] if disk_count else None,
    )


def find_neighbours(ranking: DeviceRanking) -> list[Neighbour]:
    """The nearest devices of the class that the intervals don't set apart, best at worst first. One query."""
    alike = DeviceRanking.objects.filter(
        method=ranking.method,
        device_class=ranking.device_class,
        low_us__lte=ranking.high_us,
        high_us__gte=ranking.low_us,
    ).exclude(pk=ranking.pk)
    before = alike.filter(high_us__lte=ranking.high_us).order_by("-high_us", "-device_id")
    after = alike.filter(high_us__gt=ranking.high_us).order_by("high_us", "device_id")
    nearest = (side.values_list("device_id", *_OF_NEIGHBOUR)[:NEIGHBOURS_A_SIDE] for side in (before, after))
    rows = reduce(lambda one, other: one.union(other, all=True), nearest)
    return [Neighbour(*row) for _, *row in sorted(rows, key=lambda row: (row[-1], row[0]))]
