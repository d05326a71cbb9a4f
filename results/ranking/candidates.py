"""Which devices a few words may mean, and which go with one: for a form that adds a device to a comparison."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Q

from results.models import Device, DeviceRanking

MOST_CANDIDATES = 12
MOST_SUGGESTED = 60
_FIELDS = ("slug", "model_name", "capacity_bytes")


class Candidate(NamedTuple):
    """A device that may be meant."""

    slug: str
    model_name: str
    capacity_bytes: int | None


def find_candidates(text: str, *, except_slugs: Iterable[str] = ()) -> list[Candidate]:
    """The devices that a slug, a name or words of one may mean; one alone where that leaves no doubt. Two queries."""
    devices = Device.objects.shown().exclude(slug__in=except_slugs).order_by("model_name", "capacity_bytes")
    exact = devices.filter(Q(slug=text.lower()) | Q(model_name__iexact=text)).values_list(*_FIELDS)
    if found := [Candidate(*row) for row in exact[:MOST_CANDIDATES]]:
        return found
    for word in text.split():
        devices = devices.filter(Q(model_name__icontains=word) | Q(vendor__icontains=word))
    return [Candidate(*row) for row in devices.values_list(*_FIELDS)[:MOST_CANDIDATES]]


def suggest_devices(device_class: str, *, except_slugs: Iterable[str]) -> list[Candidate]:
    """The first ranked devices of a class, or of all where it is empty, a method after the other. One query."""
    rankings = DeviceRanking.objects.exclude(device__slug__in=except_slugs)
    if device_class:
        rankings = rankings.filter(device_class=device_class)
    rows = rankings.order_by("method", "high_us").values_list(*(f"device__{name}" for name in _FIELDS))
    return list(dict.fromkeys(Candidate(*row) for row in rows[:MOST_SUGGESTED]))
