"""Facets: the filters of the lists of products and devices, each defined once for both."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import reduce
from itertools import product
from operator import or_
from typing import Any, TypeVar

from django import forms
from django.db import connections
from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Exists,
    F,
    Func,
    IntegerField,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Concat, Least, Lower
from django.db.models.lookups import Contains, Exact, GreaterThanOrEqual, In, LessThanOrEqual

from parsers.base.device_class import DeviceClass
from parsers.base.units import GIGABYTE, TERABYTE
from results.advice.link import LINKS
from results.catalogue.product_facts import FACTS, Scope, most_tbw
from results.catalogue.throughput import keeps_up
from results.core.formats import format_price
from results.models import Claim, Device, PriceSighting, lengths
from results.models.choices import (
    DEVICE_CLASSES,
    FORMS,
    INTERFACES,
    METHOD_LABELS,
    ONLY_PROTECTED,
    PLP_LABELS,
    PROTECTED,
    Method,
    Pattern,
    Plp,
    PlpEvidence,
    Segment,
    options_in,
)
from results.models.conditions import FLUSH_OFF, SYNC_METHODS

UNIT_STEPS = (2, 3, 5, 10)
_MAX_UNITS = 10_000
_MAX = Decimal(1_000_000)
_BETWEEN_NAMES = " / "  # between former and later owners of a product line

# From the first byte to before the last. Marketed capacities count, so "256 GB" is in the third range.
_CAPACITIES = {
    "under-64gb": ("under 64 GB", 0, 64 * GIGABYTE),
    "64-256gb": ("64 to 256 GB", 64 * GIGABYTE, 256 * GIGABYTE),
    "256gb-1tb": ("256 GB to 1 TB", 256 * GIGABYTE, TERABYTE),
    "1-4tb": ("1 to 4 TB", TERABYTE, 4 * TERABYTE),
    "from-4tb": ("4 TB and more", 4 * TERABYTE, 2**63 - 1),
}

_SYNC_METHODS = {key: label for key, label in SYNC_METHODS.items() if key != FLUSH_OFF}  # which isn't ranked
_SYSTEMS = {"freebsd": "FreeBSD, TrueNAS CORE", "linux": "Linux, TrueNAS SCALE"}
_MIB_S = {str(link.gbit_s): link.mib_s for link in LINKS}

Row = TypeVar("Row", bound=Model)
Column = Callable[[Scope], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """A way to narrow a list: by one of its `options`, by a name, or by a number in `unit`.

    `fits` selects the rows that match a value; unknown values never match. Options are counted if there is a
    `column`: `options_of` gives the options that match one of its values.
    """

    key: str  # its parameter, in URLs and in the API
    label: str
    fits: Callable[[str, Scope], Q]
    options: Mapping[str, str] = field(default_factory=dict)  # labels by value
    unit: str = ""
    most: int = 0  # of a whole number, of which the options are examples
    is_name: bool = False
    leaves_out_unknown: bool = False  # rows for which it isn't known, without counting them
    is_of_results: bool = False  # a single result has to match all of these facets
    column: Column | None = None
    options_of: Callable[[Any], Iterable[str]] = str.split

    @property
    def is_number(self) -> bool:
        return not self.options and not self.is_name

    @property
    def is_plural(self) -> bool:
        """Whether the API takes several values, of which any may match."""
        return not self.is_number and not self.most

    def form_field(self) -> forms.Field:
        if self.most:
            return forms.IntegerField(min_value=1, max_value=self.most, required=False)
        if self.options:
            return forms.ChoiceField(choices=list(self.options.items()), required=False)
        if self.is_name:
            return forms.CharField(max_length=lengths.VENDOR, required=False)
        return forms.DecimalField(
            min_value=Decimal("0.01"), max_value=_MAX, max_digits=9, decimal_places=2, required=False
        )

    def text(self, value: str) -> str:
        """A value in words."""
        if self.is_name:
            return value.title()
        return self.options.get(value) or f"{value} {self.unit}".rstrip()

    def chip(self, value: str, currency: str) -> str:
        """The active facet in words."""
        text = format_price(Decimal(value), currency) if self.key == "price" else self.text(value)
        return f"{self.label} {text}" if self.is_number else f"{self.label}: {text}"


def _any_of(conditions: Iterable[Q]) -> Q:
    return reduce(or_, conditions)


def _exactly(key: str, label: str, options: Mapping[str, str], column: Column) -> Facet:
    return Facet(
        key=key,
        label=label,
        options=options,
        column=column,
        fits=lambda value, scope: Q(Exact(column(scope), value)),
    )


def _by_words(
    key: str, label: str, options: Mapping[str, tuple[str, tuple[str, ...]]], column: Column
) -> Facet:
    """By lower-case texts: an option has a label, and words of which the text has to contain one."""
    return Facet(
        key=key,
        label=label,
        options={value: text for value, (text, _) in options.items()},
        leaves_out_unknown=True,
        column=column,
        fits=lambda value, scope: _any_of(Q(Contains(column(scope), word)) for word in options[value][1]),
        options_of=lambda text: options_in(text, options),
    )


def _at_least(key: str, label: str, unit: str, figure: Column) -> Facet:
    return Facet(
        key=key,
        label=label,
        unit=unit,
        leaves_out_unknown=True,
        fits=lambda value, scope: Q(GreaterThanOrEqual(figure(scope), float(value))),
    )


def _has(yes: str, rows: Callable[[Scope], QuerySet[Any]]) -> Callable[[str, Scope], Q]:
    """Whether such rows exist: one option means that they do, the other that they don't."""
    return lambda value, scope: Q(Exists(rows(scope))) if value == yes else ~Q(Exists(rows(scope)))


def _plp(scope: Scope) -> Combinable:
    return Coalesce(scope.column("plp"), Value(Plp.UNKNOWN.value))


def _is_protected_as(value: str, scope: Scope) -> Q:
    return Q(In(_plp(scope), sorted(PROTECTED)) if value == ONLY_PROTECTED else Exact(_plp(scope), value))


def _interface(scope: Scope) -> Combinable:
    # A class that is named after an interface needs no catalogue.
    named = [
        When(device_class=device_class.value, then=Value(device_class.interface))
        for device_class in DeviceClass
        if device_class.interface
    ]
    for_class = Case(*named, default=Value(""), output_field=CharField())
    return Lower(Coalesce(scope.column("interface"), for_class))


def _form_factors(scope: Scope) -> Combinable:
    return Lower(Coalesce(scope.column("form_factors"), Value("")))


def _vendor(scope: Scope) -> Combinable:
    return Lower(Coalesce(scope.column("vendor__name"), F(scope.vendor or f"{scope.columns}vendor__name")))


def _is_of_vendor(name: str, scope: Scope) -> Q:
    """Match one of the names of the vendor, given in lower case."""
    between = Value(_BETWEEN_NAMES)
    names = Concat(between, _vendor(scope), between, output_field=CharField())
    return Q(Contains(names, f"{_BETWEEN_NAMES}{name}{_BETWEEN_NAMES}"))


def _capacity(scope: Scope) -> Combinable:
    """The keys of the ranges, separated by spaces: one for a device, all known ones for a product line."""
    ranges = [When(_has_capacity(key, scope), then=Value(f"{key} ")) for key in _CAPACITIES]
    if scope.capacity:
        return Case(*ranges, default=Value(""))
    return Concat(*(Case(when, default=Value("")) for when in ranges), output_field=CharField())


def _has_capacity(key: str, scope: Scope) -> Q:
    """Match a device's capacity, or lines with a device, claim, price or rating in this range."""
    _, start, end = _CAPACITIES[key]
    if scope.capacity:
        return Q(**{f"{scope.capacity}__gte": start, f"{scope.capacity}__lt": end})
    within = {"product": OuterRef(scope.product), "capacity_bytes__gte": start, "capacity_bytes__lt": end}
    rated = Func(
        scope.column("endurance_tbw"),
        Value(f"$[*].capacity_bytes ? (@ >= {start} && @ < {end})"),
        template="jsonb_path_exists(%(expressions)s::jsonpath)",
        output_field=BooleanField(),
    )
    known = (Device.objects.shown(), Claim.objects.all(), PriceSighting.objects.all())
    return _any_of([*(Q(Exists(rows.filter(**within))) for rows in known), Q(rated)])


def _is_stated_by(evidence: str, scope: Scope) -> Q:
    """Match products whose protection is stated by this kind of source."""
    condition = Q()
    for plp in Plp.values:
        stated = [{"value": plp, "evidence": evidence}]
        condition |= Q(**{f"{scope.columns}plp": plp, f"{scope.columns}plp_statements__contains": stated})
    return condition


# diskinfo and slogprobe write at random positions and flush each write
_IS_RANDOM_AND_FLUSHED = [
    {"method": Method.DISKINFO.value},
    {"method": Method.SLOGPROBE.value},
    *({"pattern": Pattern.RANDOM.value, "sync_method": method} for method in _SYNC_METHODS),
]


_OF_NO_RESULT = {"method": ""}  # QuerySet.none() has no SQL for counts to be made from


def _ways(key: str, value: str) -> list[dict[str, str]]:
    """The sets of conditions of which a result has to meet one."""
    return _IS_RANDOM_AND_FLUSHED if key == "stated" else [{key: value}]


def _for_a_result(key: str) -> Callable[[str, Scope], Q]:
    return lambda value, scope: scope.has_result(_ways(key, value))


def _common(ways: Iterable[Mapping[str, str]]) -> dict[str, str] | None:
    """The conditions of all of these together; None if they contradict each other."""
    met = [condition for way in ways for condition in way.items()]
    return dict(met) if len(dict(met)) == len(set(met)) else None


FACETS: dict[str, Facet] = {
    facet.key: facet
    for facet in (
        _exactly("class", "Class", DEVICE_CLASSES, lambda _: F("device_class")),
        Facet(
            key="plp",
            label="Power-loss protection",
            options=PLP_LABELS,
            fits=_is_protected_as,
            column=_plp,
            options_of=lambda value: [value, ONLY_PROTECTED] if value in PROTECTED else [value],
        ),
        _exactly(
            "segment",
            "Segment",
            dict(Segment.choices),
            lambda scope: Coalesce(scope.column("segment"), Value("")),
        ),
        Facet(
            key="capacity",
            label="Capacity",
            options={key: label for key, (label, *_) in _CAPACITIES.items()},
            fits=_has_capacity,
            column=_capacity,
        ),
        _by_words("interface", "Interface", INTERFACES, _interface),
        _by_words("form", "Form factor", FORMS, _form_factors),
        Facet(
            key="vendor",
            label="Vendor",
            is_name=True,
            fits=_is_of_vendor,
            column=_vendor,
            options_of=lambda names: filter(None, names.split(_BETWEEN_NAMES)),
        ),
        Facet(
            key="min_units",
            label="Units measured",
            options={str(step): f"{step} or more" for step in UNIT_STEPS},
            unit="or more",
            most=_MAX_UNITS,
            fits=lambda value, _: Q(unit_count__gte=int(value)),
            column=lambda _: Least(F("unit_count"), Value(UNIT_STEPS[-1])),
            options_of=lambda count: [str(step) for step in UNIT_STEPS if step <= count],
        ),
        Facet(
            key="measured",
            label="Measured",
            options={"yes": "yes", "no": "not yet"},
            fits=_has("yes", lambda scope: Device.objects.shown().filter(product=OuterRef(scope.product))),
        ),
        Facet(
            key="price",
            label="Price at most",
            fits=lambda value, scope: Q(LessThanOrEqual(FACTS["latest_price"].value(scope), Decimal(value))),
        ),
        Facet(
            key="priced",
            label="Price",
            options={"yes": "known", "no": "not known"},
            fits=_has("yes", Scope.latest_price),
        ),
        _at_least("dwpd", "Endurance at least", "DWPD", FACTS["endurance_dwpd"].value),
        _at_least("tbw", "Endurance at least", "TBW", most_tbw),
        _at_least("mib_s", "128 KiB throughput at least", "MiB/s", Scope.throughput_mib_s),
        Facet(
            key="link_gbit",
            label="Fast enough for",
            leaves_out_unknown=True,
            options={str(link.gbit_s): link.ethernet for link in LINKS},
            fits=lambda value, scope: keeps_up(_MIB_S[value], scope.paths),
        ),
        Facet(
            key="evidence",
            label="Evidence of protection",
            options=dict(PlpEvidence.choices),
            fits=_is_stated_by,
        ),
        Facet(
            key="end_of_sale",
            label="End of sale",
            options={"none": "none known", "stated": "stated"},
            fits=_has("stated", lambda scope: scope.life_cycle().exclude(end_of_sale="")),
        ),
        *(
            Facet(
                key=key,
                label=label,
                leaves_out_unknown=key != "method",
                options=options,
                fits=_for_a_result(key),
                is_of_results=True,
            )
            for key, label, options in (
                ("method", "Measured with", METHOD_LABELS),
                ("sync_method", "Synced with", _SYNC_METHODS),
                ("pattern", "Order of writes", dict(Pattern.choices)),
                ("stated", "Known to be", {"random_flush": "random writes, each flushed"}),
                ("system", "Measured on", _SYSTEMS),
                ("write_cache", "Write cache", {"on": "enabled", "off": "disabled"}),
            )
        ),
    )
}


def filter_by_facets(
    rows: QuerySet[Row], chosen: Mapping[str, Collection[str]], scope: Scope
) -> QuerySet[Row]:
    """The rows that match any of the values chosen for each facet."""
    for_results = {key: values for key, values in chosen.items() if FACETS[key].is_of_results}
    for key in chosen.keys() - for_results:
        rows = rows.filter(_any_of(FACETS[key].fits(value, scope) for value in chosen[key]))
    if for_results:
        ways = ([way for value in values for way in _ways(key, value)] for key, values in for_results.items())
        possible = [found for filters in product(*ways) if (found := _common(filters))]
        rows = rows.filter(scope.has_result(possible or [_OF_NO_RESULT]))
    return rows


# Each row has a bit mask of the facets whose chosen values it misses. An option leaves the rows that miss none, or
# only the option's own facet. Rows that miss more are excluded right away.
_COUNT = """
    WITH listed AS ({listed})
    SELECT GROUPING({columns}), {columns}, misses, count(*)
    FROM listed WHERE misses & (misses - 1) = 0
    GROUP BY misses, GROUPING SETS ({sets})
"""


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """The number of rows that match all chosen values, and the number with another option instead."""

    total: int
    options: Mapping[str, Mapping[str, int]]


def count_options(
    rows: QuerySet[Row], chosen: Mapping[str, str], scope: Scope, keys: Iterable[str]
) -> FacetCounts:
    """The number of rows that each counted option of these facets would leave, given the others' chosen values.

    One query.
    """
    counted = [FACETS[key] for key in keys if FACETS[key].column]
    others = {key: [value] for key, value in chosen.items() if not FACETS[key].column}
    total, counts = 0, {facet.key: Counter[str]() for facet in counted}
    everything = (1 << len(counted)) - 1
    for absent, *values, misses, count in _count_values(
        filter_by_facets(rows, others, scope), counted, chosen, scope
    ):
        place = len(counted) - (~absent & everything).bit_length()  # its bit alone is not set
        facet = counted[place]
        total += count if place == 0 and not misses else 0
        if misses in (0, 1 << place):
            counts[facet.key].update(dict.fromkeys(facet.options_of(values[place]), count))
    return FacetCounts(total, counts)


def _count_values(
    rows: QuerySet[Any], facets: Collection[Facet], chosen: Mapping[str, str], scope: Scope
) -> list[tuple[Any, ...]]:
    """Counts of the values of these facets, by their rows' bit masks. The ORM has no grouping sets."""
    columns = {f"f_{facet.key}": facet.column(scope) for facet in facets if facet.column}
    misses: Any = Value(0)
    for place, facet in enumerate(facets):
        if facet.key in chosen:
            hit = When(facet.fits(chosen[facet.key], scope), then=Value(0))
            misses = misses + Case(hit, default=Value(1 << place), output_field=IntegerField())
    listed = rows.order_by().annotate(**columns, misses=misses).values_list(*columns, "misses").query
    sql, parameters = listed.get_compiler(using=rows.db).as_sql()
    sets = ", ".join(f"({name})" for name in columns)
    with connections[rows.db].cursor() as cursor:
        cursor.execute(_COUNT.format(listed=sql, columns=", ".join(columns), sets=sets), parameters)
        counted: list[tuple[Any, ...]] = cursor.fetchall()
    return counted
