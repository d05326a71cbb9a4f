"""The leaderboard's facets, and the number of devices that each option would leave: one query for all."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any, TypeVar

from django.core.cache import caches
from django.db import connections
from django.db.models import Case, CharField, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Least, Lower

from parsers.base.device_class import DeviceClass
from results.catalogue.capacities import CAPACITIES
from results.core.data_version import FIRST_VERSION, stored_version
from results.models import DeviceRanking
from results.models.choices import (
    DEVICE_CLASSES,
    FORM_WORDS,
    FORMS,
    INTERFACE_WORDS,
    INTERFACES,
    ONLY_PROTECTED,
    PLP_LABELS,
    PROTECTED,
    Plp,
    Segment,
)

UNIT_STEPS = (2, 3, 5, 10)
_BETWEEN_NAMES = " / "  # between former and later owners of a product line

Options = Callable[[Any], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Facet:
    """A facet: `key` is its URL parameter, `options` gives the options that match a row's value."""

    key: str
    label: str
    condition: Callable[[str], Q]
    options: Options
    labels: Mapping[str, str]


def _contains_any(column: str, words: Iterable[str]) -> Q:
    condition = Q()
    for word in words:
        condition |= Q(**{f"{column}__contains": word})
    return condition


def _options_by_words(words: Mapping[str, tuple[str, ...]]) -> Options:
    return lambda value: [key for key, parts in words.items() if any(part in value for part in parts)]


def _itself(value: str) -> Iterable[str]:
    return [value] if value else []


def _protection(value: str) -> Iterable[str]:
    return [value, ONLY_PROTECTED] if value in PROTECTED else [value]


def _is_protected_as(value: str) -> Q:
    return Q(f_plp__in=PROTECTED) if value == ONLY_PROTECTED else Q(f_plp=value)


def _is_of_vendor(name: str) -> Q:
    """Matches one of the names of the row's vendor, given in lower case."""
    ends = (f"{name}{_BETWEEN_NAMES}", f"{_BETWEEN_NAMES}{name}")
    inside = f"{_BETWEEN_NAMES}{name}{_BETWEEN_NAMES}"
    return (
        Q(f_vendor=name)
        | Q(f_vendor__startswith=ends[0])
        | Q(f_vendor__endswith=ends[1])
        | Q(f_vendor__contains=inside)
    )


def _enough_for(unit_count: int) -> Iterable[str]:
    return [str(step) for step in UNIT_STEPS if step <= unit_count]


FACETS = (
    Facet(
        "class",
        "Class",
        lambda value: Q(f_class=value),
        _itself,
        DEVICE_CLASSES,
    ),
    Facet("plp", "Power-loss protection", _is_protected_as, _protection, PLP_LABELS),
    Facet("segment", "Segment", lambda value: Q(f_segment=value), _itself, dict(Segment.choices)),
    Facet(
        "capacity",
        "Capacity",
        lambda value: Q(f_capacity=value),
        _itself,
        {key: label for key, (label, _) in CAPACITIES.items()},
    ),
    Facet(
        "interface",
        "Interface",
        lambda value: _contains_any("f_interface", INTERFACE_WORDS[value]),
        _options_by_words(INTERFACE_WORDS),
        INTERFACES,
    ),
    Facet(
        "form",
        "Form factor",
        lambda value: _contains_any("f_form", FORM_WORDS[value]),
        _options_by_words(FORM_WORDS),
        FORMS,
    ),
    Facet("vendor", "Vendor", _is_of_vendor, lambda value: filter(None, value.split(_BETWEEN_NAMES)), {}),
    Facet(
        "min_units",
        "Units measured",
        lambda value: Q(unit_count__gte=int(value)),
        _enough_for,
        {str(step): f"{step} or more" for step in UNIT_STEPS},
    ),
)
_PRODUCT = "device__product__"


def _columns() -> dict[str, Any]:
    """The expressions that facets filter by, by their keys."""
    bins = [
        When(device__capacity_bytes__gte=start, then=Value(key))
        for key, (_, start) in reversed(CAPACITIES.items())
    ]
    # A class that is named after an interface needs no catalogue.
    named = [When(device_class=one.value, then=Value(one.interface)) for one in DeviceClass if one.interface]
    of_class = Case(*named, default=Value(""), output_field=CharField())
    return {
        "class": F("device_class"),
        "plp": Coalesce(f"{_PRODUCT}plp", Value(Plp.UNKNOWN.value)),
        "segment": Coalesce(f"{_PRODUCT}segment", Value("")),
        "capacity": Case(*bins, default=Value(""), output_field=CharField()),
        "interface": Lower(Coalesce(f"{_PRODUCT}interface", of_class)),
        "form": Lower(Coalesce(f"{_PRODUCT}form_factors", Value(""))),
        "vendor": Lower(Coalesce(f"{_PRODUCT}vendor__name", "device__vendor")),
        "min_units": Least("unit_count", Value(UNIT_STEPS[-1])),
    }


_COLUMNS = _columns()


def narrowed(rankings: QuerySet[DeviceRanking], chosen: Mapping[str, str]) -> QuerySet[DeviceRanking]:
    """The rows that match every chosen option; `chosen` has values by the keys of facets."""
    return narrowed_to_any(rankings, {key: [value] for key, value in chosen.items() if value})


def narrowed_to_any(
    rankings: QuerySet[DeviceRanking], chosen: Mapping[str, Iterable[str]]
) -> QuerySet[DeviceRanking]:
    """The rows that match any of the options of each chosen facet."""
    for facet in FACETS:
        if facet.key in chosen:
            rankings = rankings.alias(**{f"f_{facet.key}": _COLUMNS[facet.key]})
            rankings = rankings.filter(reduce(or_, map(facet.condition, chosen[facet.key])))
    return rankings


def is_vendor(name: str) -> bool:
    """Whether any ranked device is by a vendor of this name, in lower case."""
    return narrowed(DeviceRanking.objects.all(), {"vendor": name}).exists()


# Each row has a bit mask of the chosen options that it misses. An option would leave the rows that miss none, or only
# the one chosen in the same facet. Rows that miss more are excluded right away.
_COUNT = """
    WITH board AS ({board})
    SELECT GROUPING({columns}), {columns}, misses, count(*)
    FROM board WHERE misses & (misses - 1) = 0
    GROUP BY misses, GROUPING SETS ({sets})
"""


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """The number of rows that match all chosen options, and the number with another option instead."""

    total: int
    options: Mapping[str, Mapping[str, int]]


Counted = TypeVar("Counted", FacetCounts, int)


def count_options(rankings: QuerySet[DeviceRanking], chosen: Mapping[str, str]) -> FacetCounts:
    """The number of these rows that each option would leave, given the other facets' chosen options. One query."""
    total, counts = 0, {facet.key: Counter[str]() for facet in FACETS}
    everything = (1 << len(FACETS)) - 1
    for absent, *values, misses, count in _count_values(rankings, chosen):
        place = len(FACETS) - (~absent & everything).bit_length()  # its bit alone is not set
        facet = FACETS[place]
        total += count if place == 0 and not misses else 0
        if misses in (0, 1 << place):
            counts[facet.key].update(dict.fromkeys(facet.options(values[place]), count))
    return FacetCounts(total, counts)


def cached_option_counts(
    rankings: QuerySet[DeviceRanking], chosen: Mapping[str, str], identity: object
) -> FacetCounts:
    """The same, cached; `identity` identifies the rows. 20,000 devices take 40 ms."""
    return _cached("facets", (identity, sorted(chosen.items())), lambda: count_options(rankings, chosen))


def cached_count(rankings: QuerySet[DeviceRanking], identity: object) -> int:
    """The number of rows, cached; `identity` identifies them."""
    return _cached("count", identity, rankings.count)


def _cached(kind: str, identity: object, count: Callable[[], Counted]) -> Counted:
    """A count by data version, shared by all orders and pages of a list. One query, more on a miss."""
    version = stored_version()
    if version == FIRST_VERSION:  # nothing is published yet
        return count()
    digest = sha256(repr(identity).encode()).hexdigest()
    cache, key = caches["pages"], f"{kind}:{version}:{digest}"
    counted: Counted | None = cache.get(key)
    if counted is None:
        counted = count()
        cache.set(key, counted)
    return counted


def _count_values(rankings: QuerySet[DeviceRanking], chosen: Mapping[str, str]) -> list[tuple[Any, ...]]:
    """Counts of the values of all facets, by their rows' bit masks. The ORM has no grouping sets."""
    rows = rankings.annotate(**{f"f_{key}": column for key, column in _COLUMNS.items()})
    misses: Any = Value(0)
    for place, facet in enumerate(FACETS):
        if chosen.get(facet.key):
            hit = When(facet.condition(chosen[facet.key]), then=Value(0))
            misses = misses + Case(hit, default=Value(1 << place), output_field=IntegerField())
    names = [f"f_{facet.key}" for facet in FACETS]
    board = rows.annotate(misses=misses).values_list(*names, "misses").query
    sql, parameters = board.get_compiler(using=rankings.db).as_sql()
    sets = ", ".join(f"({name})" for name in names)
    with connections[rankings.db].cursor() as cursor:
        cursor.execute(_COUNT.format(board=sql, columns=", ".join(names), sets=sets), parameters)
        counted: list[tuple[Any, ...]] = cursor.fetchall()
    return counted
