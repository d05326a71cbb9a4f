"""Devices side by side: which ones were meant, what was measured of each, and under which conditions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from results.models import Device, DeviceRanking
from results.models.choices import Method
from results.ranking.conditions import Conditions, find_conditions
from results.ranking.intervals import Interval
from results.ranking.places import ends_by_class
from results.ranking.ties import Ends, Place, find_place

MOST_DEVICES = 6


@dataclass(frozen=True, slots=True)
class Resolved:
    """Slugs as they were asked for, turned into those of devices: no spelling that was merged, none twice.

    A device of which nothing is published is unknown as one that never was.
    """

    slugs: tuple[str, ...]
    unknown: tuple[str, ...]


class UnknownDevicesError(Exception):
    """There are no such devices, or no longer: somebody merged them, or took their results back, a moment ago."""

    def __init__(self, resolved: Resolved) -> None:
        super().__init__(", ".join(resolved.unknown))
        self.resolved = resolved


@dataclass(frozen=True, slots=True)
class Compared:
    """A device with its row of the ranking, and its place in its class; None where nothing of it is ranked."""

    device: Device
    ranking: DeviceRanking | None
    place: Place | None
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def method(self) -> str:
        return self.ranking.method if self.ranking else ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A condition in which the runs differ, and by slug what they state; "" where nothing is stated."""

    condition: str
    stated: Mapping[str, str]


def resolve_devices(asked: Iterable[str]) -> Resolved:
    """The devices behind these slugs, in the order asked for. One query, two where a slug is no device's own."""
    wanted = list(dict.fromkeys(asked))
    own = set(Device.objects.shown().filter(slug__in=wanted).values_list("slug", flat=True))
    others = [slug for slug in wanted if slug not in own]
    merged = _merged(others) if others else {}
    resolved = {slug: slug if slug in own else merged.get(slug, "") for slug in wanted}
    return Resolved(
        slugs=tuple(dict.fromkeys(slug for slug in resolved.values() if slug)),
        unknown=tuple(slug for slug, found in resolved.items() if not found),
    )


def _merged(slugs: Sequence[str]) -> dict[str, str]:
    devices = Device.objects.shown().filter(aliases__slug__in=slugs)
    return dict(devices.values_list("aliases__slug", "slug"))


def compare_devices(slugs: Sequence[str], *, method: str = "") -> list[Compared]:
    """These devices in this order, by `method` or by what each was measured with, diskinfo before fio.

    Three queries, and one a method for the places. Raises UnknownDevicesError for slugs of which `resolve_devices`
    would say that they are unknown.
    """
    shown = Device.objects.shown().filter(slug__in=slugs).select_related("product__vendor")
    devices = {device.slug: device for device in shown}
    if unknown := tuple(slug for slug in slugs if slug not in devices):
        raise UnknownDevicesError(Resolved(tuple(slug for slug in slugs if slug in devices), unknown))
    rankings = _rankings(devices.values(), method)
    conditions = find_conditions(rankings.values())
    classes = {device.device_class for device in devices.values()}
    boards = {
        used: ends_by_class(used, *classes) for used in {ranking.method for ranking in rankings.values()}
    }
    found = []
    for slug in slugs:
        device = devices[slug]
        ranking = rankings.get(device.id)
        place = _place(ranking, boards[ranking.method]) if ranking else None
        found.append(Compared(device, ranking, place, conditions.get(device.id, Conditions())))
    return found


def find_differences(compared: Sequence[Compared]) -> list[Difference]:
    """The conditions of which the ranked runs state more than one value."""
    ranked = [one for one in compared if one.ranking]
    by_condition: dict[str, dict[str, tuple[str, ...]]] = {
        "method": {one.device.slug: (Method(one.method).label,) for one in ranked},
        "write cache": {one.device.slug: one.conditions.write_cache for one in ranked},
        "operating system": {one.device.slug: one.conditions.systems for one in ranked},
        "controller": {one.device.slug: one.conditions.controllers for one in ranked},
        "HBA": {one.device.slug: one.conditions.hbas for one in ranked},
    }
    if by_condition["HBA"] == by_condition["controller"]:  # all of it in owners' words
        del by_condition["HBA"]
    return [
        Difference(condition, {slug: " and ".join(values) for slug, values in stated.items()})
        for condition, stated in by_condition.items()
        if len({value.casefold() for values in stated.values() for value in values}) > 1
    ]


def has_one_method(compared: Iterable[Compared]) -> bool:
    """Whether the figures may be set against each other: those of two methods may not."""
    return len({one.method for one in compared if one.ranking}) < 2


def _rankings(devices: Iterable[Device], method: str) -> dict[int, DeviceRanking]:
    """By device the ranking to compare by."""
    rankings = DeviceRanking.objects.filter(device__in=devices)
    if method:
        rankings = rankings.filter(method=method)
    last_wins = sorted(rankings, key=lambda ranking: ranking.method == Method.DISKINFO)
    return {ranking.device_id: ranking for ranking in last_wins}


def _place(ranking: DeviceRanking, ends: Mapping[str, Ends]) -> Place:
    own = ends.get(ranking.device_class, Ends())
    return find_place(own, Interval(ranking.low_us, ranking.high_us))
