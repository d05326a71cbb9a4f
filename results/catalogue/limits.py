"""Filters by figures, evidence and conditions, without counts per option."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeVar

from django import forms
from django.db.models import Exists, Model, Q, QuerySet
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual

from results.advice.link import LINKS
from results.catalogue.facts import FACTS, Scope
from results.catalogue.throughput import keeps_up
from results.core.formats import format_price
from results.core.systems import words_of
from results.models.choices import Plp, PlpEvidence

Row = TypeVar("Row", bound=Model)
Condition = Q | Exists | GreaterThanOrEqual | LessThanOrEqual

_SYSTEM_WORDS = {"freebsd": words_of("FreeBSD"), "linux": words_of("Linux")}
_MOST = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Limit:
    """A filter: a choice if it has `options`, else a number in `unit`."""

    key: str
    label: str
    fits: Callable[[str, Scope], Condition]
    options: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""

    def form_field(self) -> forms.Field:
        if self.options:
            return forms.ChoiceField(choices=list(self.options.items()), required=False)
        return forms.DecimalField(
            min_value=Decimal("0.01"), max_value=_MOST, max_digits=9, decimal_places=2, required=False
        )

    def chip(self, value: str, scope: Scope) -> str:
        """The active filter in words."""
        if self.key == "price":
            return f"{self.label} {format_price(Decimal(value), scope.currency)}"
        return f"{self.label} {self.options.get(value, value)} {self.unit}".rstrip()


def is_stated_by(evidence: str, columns: str = "") -> Q:
    """Match products whose protection is stated by this kind of source.

    `columns` is the path of the product's columns.
    """
    condition = Q()
    for plp in Plp.values:
        stated = [{"value": plp, "evidence": evidence}]
        condition |= Q(**{f"{columns}plp": plp, f"{columns}plp_statements__contains": stated})
    return condition


def _at_least(key: str) -> Callable[[str, Scope], Condition]:
    return lambda value, scope: GreaterThanOrEqual(FACTS[key].value(scope), float(value))


def _has_throughput(mib_s: float, scope: Scope) -> Condition:
    return GreaterThanOrEqual(scope.throughput_mib_s(), mib_s)


def _measured_on(system: str, scope: Scope) -> Condition:
    words = Q()
    for word in _SYSTEM_WORDS[system]:
        words |= Q(platform__icontains=word)
    return Exists(scope.results().filter(words))


def _is_priced(value: str, scope: Scope) -> Condition:
    known = Q(Exists(scope.latest_price()))
    return known if value == "yes" else ~known


LIMITS: dict[str, Limit] = {
    limit.key: limit
    for limit in (
        Limit(
            "price",
            "Price at most",
            lambda value, scope: LessThanOrEqual(FACTS["latest_price"].value(scope), Decimal(value)),
        ),
        Limit("priced", "Price", _is_priced, {"yes": "known", "no": "not known"}),
        Limit("dwpd", "Endurance at least", _at_least("endurance_dwpd"), unit="DWPD"),
        Limit("tbw", "Endurance at least", _at_least("endurance_tbw"), unit="TBW"),
        Limit(
            "mib_s",
            "128 KiB throughput at least",
            lambda value, scope: _has_throughput(float(value), scope),
            unit="MiB/s",
        ),
        Limit(
            "link_gbit",
            "Fast enough for",
            lambda value, scope: keeps_up(
                {str(link.gbit_s): link.mib_s for link in LINKS}[value], scope.paths
            ),
            {str(link.gbit_s): link.ethernet for link in LINKS},
        ),
        Limit(
            "evidence",
            "Protection stated by",
            lambda value, scope: is_stated_by(value, scope.columns),
            dict(PlpEvidence.choices),
        ),
        Limit(
            "system",
            "Measured on",
            _measured_on,
            {"freebsd": "FreeBSD, TrueNAS CORE", "linux": "Linux, TrueNAS SCALE"},
        ),
        Limit(
            "write_cache",
            "Write cache",
            lambda value, scope: Exists(scope.results().filter(write_cache_enabled=value == "on")),
            {"on": "on", "off": "off"},
        ),
    )
}


def apply_limits(rows: QuerySet[Row], limits: Mapping[str, str], scope: Scope) -> QuerySet[Row]:
    """Filter rows by all limits; unknown values never match."""
    for key, value in limits.items():
        rows = rows.filter(LIMITS[key].fits(value, scope))
    return rows


def leaves_out_unknown(keys: Iterable[str]) -> bool:
    """Whether any of these limits excludes unknown values without counting them."""
    return any(key not in {"price", "priced", "evidence"} for key in keys)


def limit_fields(keys: Iterable[str], chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    """The limits as form fields: a choice or a number."""
    return [
        {
            "key": key,
            "label": ", ".join(filter(None, [LIMITS[key].label, LIMITS[key].unit])),
            "value": chosen.get(key, ""),
            "options": plain_options(LIMITS[key].options, chosen.get(key, "")),
        }
        for key in keys
    ]


def plain_options(options: Mapping[str, str], chosen: str) -> list[dict[str, Any]]:
    return [
        {"value": value, "label": label, "is_chosen": value == chosen} for value, label in options.items()
    ]


def parameter_text(value: str | Decimal) -> str:
    """A limit as in a URL: 100.50 is "100.5"."""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else value


class ColumnsInput(forms.SelectMultiple):
    """Columns separated by commas, as in a URL, or repeated, as sent by checkboxes."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        given = super().value_from_datadict(data, files, name) or []
        parts = given.split(",") if isinstance(given, str) else ",".join(given).split(",")
        return [part for part in parts if part]


def columns_field() -> forms.MultipleChoiceField:
    """The facts that a list shows in addition to its default columns."""
    choices = [(fact.key, fact.label) for fact in FACTS.values()]
    return forms.MultipleChoiceField(choices=choices, required=False, widget=ColumnsInput)


def fact_choice(shown: Container[str]) -> list[dict[str, Any]]:
    """The facts as checkboxes."""
    return [{"key": fact.key, "label": fact.label, "is_chosen": fact.key in shown} for fact in FACTS.values()]
