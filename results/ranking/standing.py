"""Where a device stands against others than those of its own board, looked up in what the boards keep."""

from typing import NamedTuple

from results.models import ClassRanking, DeviceRanking
from results.models.choices import DeviceClassChoice
from results.ranking.intervals import Interval
from results.ranking.places import ALL_CLASSES
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


def find_standing(ranking: DeviceRanking) -> Standing:
    """One query. Devices without a figure by the ranking's method count nowhere."""
    disks = DeviceClassChoice.HDD.value
    rows = ClassRanking.objects.filter(method=ranking.method, device_class__in=[ALL_CLASSES, disks])
    ends = {row[0]: Ends(*row[1:]) for row in rows.values_list("device_class", "lows_us", "highs_us")}
    everybody, of_disks = ends.get(ALL_CLASSES, Ends()), ends.get(disks, Ends())
    disk_count = len(of_disks.highs)
    return Standing(
        device_count=len(everybody.lows),
        behind_count=count_behind(everybody, Interval(ranking.low_us, ranking.high_us)),
        disk_count=disk_count,
        middle_disk_us=of_disks.highs[(disk_count - 1) // 2] if disk_count else None,
    )


def find_neighbours(ranking: DeviceRanking) -> list[Neighbour]:
    """The nearest devices of the class that the intervals don't set apart, best at worst first. Two queries."""
    alike = DeviceRanking.objects.filter(
        method=ranking.method,
        device_class=ranking.device_class,
        low_us__lte=ranking.high_us,
        high_us__gte=ranking.low_us,
    ).exclude(pk=ranking.pk)
    columns = (
        "device__slug",
        "device__model_name",
        "device__capacity_bytes",
        "device__product__plp",
        "score_us",
        "low_us",
        "high_us",
    )
    before = alike.filter(high_us__lte=ranking.high_us).order_by("-high_us", "-device_id")
    after = alike.filter(high_us__gt=ranking.high_us).order_by("high_us", "device_id")
    rows = [
        *reversed(before.values_list(*columns)[:NEIGHBOURS_A_SIDE]),
        *after.values_list(*columns)[:NEIGHBOURS_A_SIDE],
    ]
    return [Neighbour(*row) for row in rows]
