"""Where a device stands against others than those of its own board, looked up in what the boards keep."""

from functools import cache
from typing import NamedTuple

from results.models import DeviceRanking
from results.ranking.compiled import Statement, both, compile_rows, fetch
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
    about = {
        _PK: ranking.pk,
        _METHOD: ranking.method,
        _CLASS: ranking.device_class,
        _LOW: ranking.low_us,
        _HIGH: ranking.high_us,
    }
    rows = fetch(_nearest().about(about))
    return [Neighbour(*row) for _, *row in sorted(rows, key=lambda row: (row[-1], row[0]))]


# They stand in the statement for what is asked for.
_PK, _METHOD, _CLASS, _LOW, _HIGH = -1, "a method", "a class", -2.0, -3.0


@cache
def _nearest() -> Statement:
    """Those before a device and those after it, each with its device's key first."""
    alike = DeviceRanking.objects.filter(
        method=_METHOD, device_class=_CLASS, low_us__lte=_HIGH, high_us__gte=_LOW
    ).exclude(pk=_PK)
    columns = (
        "device_id",
        "device__slug",
        "device__model_name",
        "device__capacity_bytes",
        "device__product__plp",
        "score_us",
        "low_us",
        "high_us",
    )
    before = alike.filter(high_us__lte=_HIGH).order_by("-high_us", "-device_id")
    after = alike.filter(high_us__gt=_HIGH).order_by("high_us", "device_id")
    return both(*(compile_rows(side.values_list(*columns)[:NEIGHBOURS_A_SIDE]) for side in (before, after)))
