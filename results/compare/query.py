"""Queries of comparisons: devices, their conditions, and suggestions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Case, Q, TextField, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce, NullIf

from results.catalogue.facts import DEVICES, FACTS, FactCell, ProductFact, expressions, fact_cells
from results.core.systems import system_of
from results.models import Device, DeviceRanking, Result
from results.models.choices import PAGE_CACHE, Board, DataContent, Method, Pattern
from results.ranking.boards import ends_by_class
from results.ranking.recommend import best_of_each_class
from results.ranking.standing import main_rows, span_of
from results.ranking.ties import METHOD_FACTOR, Ends, Place, find_place

_INSTANCE = re.compile(r"([a-z][a-z_-]{1,20})\d{1,3}")  # mps0 and mps1 are one driver
# Owners' wording, by the first word
_CACHE_STATES = {"on": "enabled", "enabled": "enabled", "off": "disabled", "disabled": "disabled"}


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a device's ranked runs were measured, each value once; empty if unknown.

    The owner's statement applies where the text states nothing. Only owners name an HBA.
    """

    systems: tuple[str, ...] = ()
    write_cache: tuple[str, ...] = ()
    controllers: tuple[str, ...] = ()
    hbas: tuple[str, ...] = ()
    firmware_versions: tuple[str, ...] = ()
    sync_methods: tuple[str, ...] = ()
    data_contents: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    page_caches: tuple[str, ...] = ()


def find_conditions(rankings: Iterable[DeviceRanking]) -> dict[int, Conditions]:
    """The conditions by device, for its row's method. One query, none without rows."""
    methods = {ranking.device_id: ranking.method for ranking in rankings}
    rows: Any = (
        Result.objects.filter(device_id__in=methods, is_ranked=True)
        .values("device_id", "method")
        .annotate(
            platforms=ArrayAgg(_text_or_owner("platform"), distinct=True),
            attachments=ArrayAgg(_text_or_owner("attachment"), distinct=True),
            hbas=ArrayAgg(_owner_condition("attachment"), distinct=True),
            caches=ArrayAgg(
                Case(
                    When(write_cache_enabled=True, then=Value("enabled")),
                    When(write_cache_enabled=False, then=Value("disabled")),
                    default=_owner_condition("write_cache"),
                    output_field=TextField(),
                ),
                distinct=True,
            ),
            versions=ArrayAgg("firmware__version", distinct=True),
            sync_methods=ArrayAgg("sync_method", distinct=True),
            contents=ArrayAgg("data_content", distinct=True),
            patterns=ArrayAgg("pattern", distinct=True),
            direct=ArrayAgg("is_direct", distinct=True),
        )
    )
    return {
        row["device_id"]: Conditions(
            systems=_unique(system_of(platform or "") for platform in row["platforms"]),
            write_cache=_unique(map(cache_state, row["caches"])),
            controllers=_unique(driver_of(attachment or "") for attachment in row["attachments"]),
            hbas=_unique(row["hbas"]),
            firmware_versions=_unique(row["versions"]),
            sync_methods=_unique(row["sync_methods"]),
            data_contents=_unique(DataContent(one).label for one in row["contents"] if one),
            patterns=_unique(Pattern(one).label for one in row["patterns"] if one),
            page_caches=_unique(PAGE_CACHE.get(one) for one in row["direct"]),
        )
        for row in rows
        if row["method"] == methods[row["device_id"]]
    }


def _owner_condition(name: str) -> KeyTextTransform:
    return KeyTextTransform(name, "told_conditions", output_field=TextField())


def _text_or_owner(name: str) -> Coalesce:
    return Coalesce(NullIf(name, Value("")), _owner_condition(name), output_field=TextField())


def cache_state(stated: str | None) -> str | None:
    words = re.findall(r"[a-z]+", (stated or "").lower())
    return _CACHE_STATES.get(words[0]) if words else None


def driver_of(attachment: str) -> str:
    """The driver without its instance number; an owner's wording unchanged."""
    match = _INSTANCE.fullmatch(attachment)
    return match[1] if match else attachment


def _unique(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))


@dataclass(frozen=True, slots=True)
class Resolved:
    """Requested slugs as devices' current slugs, without duplicates.

    A device without published results counts as unknown.
    """

    slugs: tuple[str, ...]
    unknown: tuple[str, ...]


class UnknownDevicesError(Exception):
    """Devices that don't exist, or were merged or withdrawn a moment ago."""

    def __init__(self, resolved: Resolved) -> None:
        super().__init__(", ".join(resolved.unknown))
        self.resolved = resolved


@dataclass(frozen=True, slots=True)
class Compared:
    """A device with its facts, ranking and place; None if it isn't ranked."""

    device: Device
    ranking: DeviceRanking | None
    place: Place | None
    conditions: Conditions = field(default_factory=Conditions)
    factor: float = METHOD_FACTOR  # between methods

    @property
    def method(self) -> str:
        return self.ranking.method if self.ranking else ""

    def fact(self, fact: ProductFact, today: date) -> FactCell:
        """A fact of its product, for its capacity."""
        (cell,) = fact_cells(vars(self.device), [fact], DEVICES, today)
        return cell


@dataclass(frozen=True, slots=True)
class Difference:
    """A condition in which the runs differ, and what they state by slug, or ""."""

    condition: str
    stated: Mapping[str, str]


def resolve_devices(slugs: Iterable[str]) -> Resolved:
    """Resolve slugs to devices, in order. One query, two if any may be an alias."""
    requested = list(dict.fromkeys(slugs))
    known = set(Device.objects.shown().filter(slug__in=requested).values_list("slug", flat=True))
    others = [slug for slug in requested if slug not in known]
    merged = _merged(others) if others else {}
    resolved = {slug: slug if slug in known else merged.get(slug, "") for slug in requested}
    return Resolved(
        slugs=tuple(dict.fromkeys(slug for slug in resolved.values() if slug)),
        unknown=tuple(slug for slug, found in resolved.items() if not found),
    )


def _merged(slugs: Sequence[str]) -> dict[str, str]:
    devices = Device.objects.shown().filter(aliases__slug__in=slugs)
    return dict(devices.values_list("aliases__slug", "slug"))


def compare_devices(slugs: Sequence[str], *, method: str = "") -> list[Compared]:
    """Load devices in this order, each with its main row, or with that by `method`; only main rows have places.

    Four queries. Raises UnknownDevicesError for slugs that `resolve_devices` would report as unknown.
    """
    shown = Device.objects.shown().filter(slug__in=slugs).select_related("product__vendor")
    shown = shown.annotate(**expressions(FACTS.values(), DEVICES))
    devices = {device.slug: device for device in shown}
    if unknown := tuple(slug for slug in slugs if slug not in devices):
        raise UnknownDevicesError(Resolved(tuple(slug for slug in slugs if slug in devices), unknown))
    rankings = _rankings(devices.values(), method)
    conditions = find_conditions(rankings.values())
    classes = {device.device_class for device in devices.values()}
    ends = ends_by_class(Board.SYNC_WRITE, *classes)
    found = []
    for slug in slugs:
        device = devices[slug]
        ranking = rankings.get(device.id)
        place = _place(ranking, ends) if ranking and ranking.is_main else None
        of_class = ends.get(device.device_class, Ends())
        conditions_of = conditions.get(device.id, Conditions())
        found.append(Compared(device, ranking, place, conditions_of, of_class.factor))
    return found


def find_differences(compared: Sequence[Compared]) -> list[Difference]:
    """The conditions for which the ranked runs state more than one value."""
    ranked = [one for one in compared if one.ranking]
    by_condition: dict[str, dict[str, tuple[str, ...]]] = {
        "method": {one.device.slug: (Method(one.method).label,) for one in ranked},
        "write cache": {one.device.slug: one.conditions.write_cache for one in ranked},
        "operating system": {one.device.slug: one.conditions.systems for one in ranked},
        "controller": {one.device.slug: one.conditions.controllers for one in ranked},
        "sync method": {one.device.slug: one.conditions.sync_methods for one in ranked},
        "data written": {one.device.slug: one.conditions.data_contents for one in ranked},
        "order of writes": {one.device.slug: one.conditions.patterns for one in ranked},
        "page cache": {one.device.slug: one.conditions.page_caches for one in ranked},
        "HBA": {one.device.slug: one.conditions.hbas for one in ranked},
    }
    if by_condition["HBA"] == by_condition["controller"]:  # both are stated by owners alone
        del by_condition["HBA"]
    return [
        Difference(condition, {slug: " and ".join(values) for slug, values in stated.items()})
        for condition, stated in by_condition.items()
        if len({value.casefold() for values in stated.values() for value in values}) > 1
    ]


def has_one_method(compared: Iterable[Compared]) -> bool:
    """Whether one method measured all of them."""
    return len({one.method for one in compared if one.ranking}) < 2


def _rankings(devices: Iterable[Device], method: str) -> dict[int, DeviceRanking]:
    """The ranking to compare by, per device."""
    rankings = DeviceRanking.objects.filter(board=Board.SYNC_WRITE, device__in=devices)
    rankings = rankings.filter(method=method) if method else rankings.filter(is_main=True)
    return {ranking.device_id: ranking for ranking in rankings}


def _place(ranking: DeviceRanking, ends: Mapping[str, Ends]) -> Place:
    of_class = ends.get(ranking.device_class, Ends())
    return find_place(of_class, span_of(ranking))


MOST_CANDIDATES = 12
MOST_SUGGESTED = 60
_CANDIDATE_FIELDS = ("slug", "model_name", "capacity_bytes")


class Candidate(NamedTuple):
    """A device that a search text may refer to."""

    slug: str
    model_name: str
    capacity_bytes: int | None


def find_candidates(text: str, *, except_slugs: Iterable[str] = ()) -> list[Candidate]:
    """Devices by slug or name, or else by words of their names. Two queries."""
    devices = Device.objects.shown().exclude(slug__in=except_slugs).order_by("model_name", "capacity_bytes")
    exact = devices.filter(Q(slug=text.lower()) | Q(model_name__iexact=text)).values_list(*_CANDIDATE_FIELDS)
    if found := [Candidate(*row) for row in exact[:MOST_CANDIDATES]]:
        return found
    for word in text.split():
        by_vendor = Q(vendor__icontains=word) | Q(product__vendor__name__icontains=word)
        devices = devices.filter(Q(model_name__icontains=word) | by_vendor)
    return [Candidate(*row) for row in devices.values_list(*_CANDIDATE_FIELDS)[:MOST_CANDIDATES]]


def suggest_devices(device_class: str, *, except_slugs: Iterable[str]) -> list[Candidate]:
    """The best ranked devices of a class, or of all if empty. One query."""
    rankings = main_rows().exclude(device__slug__in=except_slugs)
    if device_class:
        rankings = rankings.filter(device_class=device_class)
    rows = rankings.order_by("high", "device_id").values_list(
        *(f"device__{name}" for name in _CANDIDATE_FIELDS)
    )
    return [Candidate(*row) for row in rows[:MOST_SUGGESTED]]


_FIELDS = (
    "device__slug",
    "device__model_name",
    "device__capacity_bytes",
    "device_class",
    "method",
    "score",
    "low",
    "high",
    "unit_count",
)


class Rival(NamedTuple):
    """A ranked device with its interval."""

    slug: str
    model_name: str
    capacity_bytes: int | None
    device_class: str
    method: str
    score: float
    low: float
    high: float
    unit_count: int


def best_of_classes(count: int) -> dict[str, list[Rival]]:
    """The best recommended devices of each class, best first. Two queries."""
    keys = best_of_each_class(count)
    rows = DeviceRanking.objects.filter(pk__in=keys).values_list("pk", *_FIELDS)
    rivals = {key: Rival(*row) for key, *row in rows}
    found: dict[str, list[Rival]] = {}
    for rival in (rivals[key] for key in keys if key in rivals):
        found.setdefault(rival.device_class, []).append(rival)
    return found


def most_measured(count: int) -> list[Rival]:
    """The devices with most units, lowest worse end first on ties. One query."""
    rankings = main_rows().order_by("-unit_count", "high", "device_id")
    return [Rival(*row) for row in rankings.values_list(*_FIELDS)[:count]]
