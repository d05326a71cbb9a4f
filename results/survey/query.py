"""The distribution of each class's devices, and a representative device."""

from typing import Any, NamedTuple

from django.db.models import Count, F, Min, QuerySet

from results.core.subject import DEVICE_COLUMNS, ListedDevice
from results.models import ClassRanking, RepresentativePin, Result
from results.models.choices import Board
from results.models.device import for_device
from results.ranking.boards import ALL_CLASSES, MERGED
from results.ranking.distributions import Distribution
from results.ranking.standing import main_rows


class Representative(NamedTuple):
    """The device that represents its class; `pin_reason` is why a moderator chose it; "" if it was by its figures."""

    device: ListedDevice
    score: float
    digits: int | None
    unit_count: int
    pin_reason: str


def distributions(board: str = Board.SYNC_WRITE) -> dict[str, Distribution]:
    """The distribution of the devices, by class; classes without a device are missing. One query."""
    rows: Any = _classes(board).values_list("device_class", "distribution")
    return {device_class: Distribution(**stored) for device_class, stored in rows}


def fewest_digits(board: str = Board.SYNC_WRITE) -> dict[str, int]:
    """The fewest digits of a figure in each class that has one computed from a rounded one. One query."""
    rounded = main_rows(board).filter(digits__isnull=False)
    return dict(rounded.values_list("device_class").annotate(Min("digits")))


def representatives(board: str = Board.SYNC_WRITE) -> dict[str, Representative]:
    """The representative device, by class: a moderator's choice before the typical one. Three queries."""
    pinned = RepresentativePin.objects.filter(
        device__rankings__board=board,
        device__rankings__is_main=True,
        device__rankings__device_class=F("device_class"),
    )
    pins = {
        device: (value, reason)
        for device, value, reason in pinned.values_list("device", "device_class", "reason")
    }
    chosen = dict(_classes(board).values_list("device_class", "typical_device"))
    chosen |= {device_class: device for device, (device_class, _) in pins.items()}
    shown = main_rows(board).filter(device__in=chosen.values())
    names = for_device(*DEVICE_COLUMNS)
    rows = shown.values_list("device", "device_class", "score", "digits", "unit_count", *names)
    found: dict[str, Representative] = {}
    for device, device_class, score, digits, unit_count, *row in rows:
        if chosen.get(device_class) == device:
            reason = pins[device][1] if device in pins else ""
            found[device_class] = Representative(ListedDevice(*row), score, digits, unit_count, reason)
    return found


def through_file_systems() -> dict[str, int]:
    """The number of devices with sync writes through a file system, which have no rank, by class. One query."""
    results = Result.objects.published().filter(file_sync__isnull=False)
    return dict(results.values_list("device__device_class").annotate(Count("device", distinct=True)))


def _classes(board: str) -> QuerySet[ClassRanking]:
    for_classes = ClassRanking.objects.filter(board=board, method=MERGED, distribution__isnull=False)
    return for_classes.exclude(device_class=ALL_CLASSES)
