"""What the lists of products and devices share: parameters, and links to filter and page them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest

from parsers.base.device_class import DeviceClass
from results.catalogue.facets import FACETS, Facet, FacetCounts, count_options, filter_by_facets
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY, OFFERS
from results.catalogue.product_facts import FACTS, Scope
from results.core.addresses import address, with_query
from results.core.formats import format_count
from results.core.paging import Pager
from results.core.security.rate_limits import QUERY_LIMIT
from results.models.choices import DEVICE_CLASSES, ONLY_PROTECTED, Offer

_IN_ORDER = (
    *FACETS,
    *("board", "currency", "condition", "q", "columns", "more", "sort", "view", "scale", "include", "page"),
)

_IN_VIEW = {"capacity", "form"}  # the facets whose fields are above a list, not among its other filters


@dataclass(frozen=True, slots=True)
class ListLink:
    """Another view of a list; a tab counts the rows that it would show."""

    label: str
    url: str
    is_current: bool = False
    count: int = 0


class Option(NamedTuple):
    """A value to choose; an empty one would leave no row."""

    value: str
    label: str
    is_chosen: bool
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class ListField:
    """A field of a list's form: a number, or a choice, of which `unset` is the option without a value."""

    key: str
    label: str
    value: str = ""
    options: Sequence[Option] | None = None
    unset: str = ""

    @property
    def is_in_view(self) -> bool:
        """Whether it is above the list, not among its other filters."""
        return self.key in _IN_VIEW


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilter:
    """The parameters of a list: `chosen` has values by the keys of FACETS, `facts` are the columns added
    (facts or, on the leaderboard, metrics), and `with_more` shows the fields of all facets and columns.

    `path_name` names the list's address, `rows` says where its rows have what facets and facts need, and `facets` are
    the keys of those that the list has. `hidden` are the parameters that its form passes on without a field.
    """

    path_name: ClassVar[str]
    rows: ClassVar[Scope]
    facets: ClassVar[tuple[str, ...]]
    hidden: ClassVar[tuple[str, ...]]

    chosen: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    currency: str = DEFAULT_CURRENCY
    condition: str = ""
    query: str = ""
    with_more: bool = False
    page: int = 1

    @classmethod
    @cache
    def defaults(cls) -> Mapping[str, str]:
        """The values that URLs omit."""
        return {
            parameter.name: parameter.default
            for parameter in fields(cls)
            if isinstance(parameter.default, str)
        }

    @property
    def device_class(self) -> str:
        """The class of the tab; empty for all classes."""
        return self.chosen.get("class", "")

    @property
    def offers(self) -> tuple[str, ...]:
        return (self.condition,) if self.condition else OFFERS

    @property
    def scope(self) -> Scope:
        """Which facts and prices count."""
        return replace(self.rows, currency=self.currency, offers=self.offers)

    @property
    def shown_facts(self) -> tuple[str, ...]:
        return self.facts

    @property
    def has_more(self) -> bool:
        """Whether facets without counts are shown, too: on request, or if one of them is chosen."""
        is_usual = self.currency == DEFAULT_CURRENCY and not self.condition
        is_counted = all(FACETS[key].column or key in self.hidden for key in self.chosen)
        return bool(self.with_more or self.facts or not (is_usual and is_counted))

    @property
    def leaves_out_unknown(self) -> bool:
        return any(FACETS[key].leaves_out_unknown for key in self.chosen)

    @property
    def values(self) -> dict[str, list[str]]:
        """The chosen values as `filter_by_facets` takes them."""
        return {key: [value] for key, value in self.chosen.items()}

    def narrow(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return filter_by_facets(rows, self.values, self.scope)

    def count(self, rows: QuerySet[Any]) -> FacetCounts:
        """The number of rows, and of those that each option of a facet would leave. One query."""
        return count_options(rows, self.chosen, self.scope, self.facets)

    def unpriced(self) -> Self | None:
        """The list of rows that a maximum price leaves out only because their price is unknown."""
        if "price" not in self.chosen or "priced" in self.chosen:
            return None
        others = {key: value for key, value in self.chosen.items() if key != "price"}
        return replace(self, chosen={**others, "priced": "no"}, page=1)

    def parameters(self, **changes: str) -> dict[str, str]:
        """The shortest parameters of this view, with some changed, in a fixed order; defaults are omitted.

        A change of anything but the page resets the page to the first one.
        """
        values = {
            **self.chosen,
            "currency": self.currency,
            "condition": self.condition,
            "q": self.query,
            "columns": ",".join(self.facts),
            "more": "1" if self.with_more else "",
            "page": "" if changes or self.page == 1 else str(self.page),
            **self.own_parameters(changes),
            **changes,
        }
        defaults = self.defaults()
        return {
            name: values[name]
            for name in _IN_ORDER
            if values.get(name) and values[name] != defaults.get(name)
        }

    def own_parameters(self, changes: Mapping[str, str]) -> dict[str, str]:
        """The parameters that only this list has."""
        raise NotImplementedError

    def url(self, **changes: str) -> str:
        """The shortest URL of this view, with these parameters changed."""
        return with_query(address(self.path_name), **self.parameters(**changes))


class ColumnsInput(forms.SelectMultiple):
    """Columns separated by commas, as in a URL, or repeated, as sent by checkboxes."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        given = super().value_from_datadict(data, files, name) or []
        parts = given.split(",") if isinstance(given, str) else ",".join(given).split(",")
        return [part for part in parts if part]


class ListForm(forms.Form):
    """The parameters of a list's URL; all are optional."""

    filter_class: ClassVar[type[ListFilter]]
    listed: ClassVar[QuerySet[Any]]
    noun: ClassVar[str]

    q = forms.CharField(max_length=QUERY_LIMIT, required=False)
    columns = forms.MultipleChoiceField(
        choices=[(fact.key, fact.label) for fact in FACTS.values()], required=False, widget=ColumnsInput
    )
    currency = forms.ChoiceField(choices=[(value, value) for value in sorted(CURRENCIES)], required=False)
    condition = forms.ChoiceField(choices=Offer.choices, required=False)
    more = forms.ChoiceField(choices=[("1", "show all fields")], required=False)
    page = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)

    def __init_subclass__(cls) -> None:
        """Add a field for each facet of the list."""
        super().__init_subclass__()
        if "filter_class" in vars(cls):
            cls.declared_fields |= {key: FACETS[key].form_field() for key in cls.filter_class.facets}

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        for form_field in self.fields.values():
            if isinstance(form_field, forms.ChoiceField):
                choices: Any = form_field.choices
                known = ", ".join(value for value, _ in choices)
                form_field.error_messages["invalid_choice"] = f"None of {known}."

    def clean_q(self) -> str:
        return " ".join(self.cleaned_data["q"].split())

    def clean_vendor(self) -> str:
        name: str = self.cleaned_data["vendor"].lower()
        named = filter_by_facets(self.listed.all(), {"vendor": [name]}, self.filter_class.rows)
        if name and not named.exists():
            raise forms.ValidationError(
                f"No {self.noun} by “%(name)s”.", code="not_found", params={"name": name}
            )
        return name

    def shared(self) -> dict[str, Any]:
        """The arguments of ListFilter."""
        data = self.cleaned_data
        columns: Any = self.fields["columns"]
        return {
            "chosen": {key: number_text(data[key]) for key in self.filter_class.facets if data[key]},
            "facts": tuple(key for key, _ in columns.choices if key in data["columns"]),
            "currency": data["currency"] or DEFAULT_CURRENCY,
            "condition": data["condition"],
            "query": data["q"],
            "with_more": bool(data["more"]),
            "page": data["page"] or 1,
        }


def number_text(value: object) -> str:
    """A value in the shortest notation: 100.50 is "100.5"."""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)


def canonical_url(request: HttpRequest, form: ListForm, filters: ListFilter) -> str:
    """The canonical URL of this view if another was requested, such as a form's with empty fields; else ""."""
    requested = request.GET.dict()
    others = {name: value for name, value in requested.items() if name not in form.fields}
    canonical = {**filters.parameters(), **others}
    return "" if requested == canonical else with_query(request.path, **canonical)


@dataclass(frozen=True, slots=True)
class Unpriced:
    """The rows that are missing only because no price is known in this currency, and their list."""

    count: str
    url: str
    currency: str


def find_unpriced(filters: ListFilter, count: int, noun: str) -> Unpriced | None:
    others = filters.unpriced()
    return Unpriced(format_count(count, noun), others.url(), filters.currency) if others and count else None


@dataclass(frozen=True, slots=True)
class ListTools:
    """What parts/list_tools.html shows; `counts` are of options by facet, and `clear_url` has nothing chosen."""

    filters: ListFilter
    counts: Mapping[str, Mapping[str, int]]
    clear_url: str

    @property
    def tabs(self) -> list[ListLink]:
        """Every class with the number of rows that it would show; templates link those with at least one."""
        counts = self.counts["class"]
        current = self.filters.device_class
        shown = [
            (value, label)
            for value, label in DEVICE_CLASSES.items()
            if value != DeviceClass.UNKNOWN or counts.get(value) or current == value
        ]
        return [
            replace(self.choice("class", "", "All"), count=sum(counts.values())),
            *(replace(self.choice("class", key, label), count=counts.get(key, 0)) for key, label in shown),
        ]

    def choice(self, key: str, value: str, label: str) -> ListLink:
        is_current = self.filters.chosen.get(key, "") == value
        return ListLink(label, self.filters.url(**{key: value}), is_current)

    @property
    def choices(self) -> list[tuple[str, list[ListLink]]]:
        """The filter that no buyer should miss; its other values are among the fields."""
        values = (("", "any"), (ONLY_PROTECTED, "protected only"))
        return [("Show", [self.choice("plp", value, label) for value, label in values])]

    @property
    def chips(self) -> list[ListLink]:
        """The chosen values, each with the URL of the list without it."""
        filters = self.filters
        found = [
            ListLink(FACETS[key].chip(filters.chosen[key], filters.currency), filters.url(**{key: ""}))
            for key in filters.facets
            if key in filters.chosen and key != "class"  # that is a tab
        ]
        return [*found, ListLink(f"“{filters.query}”", filters.url(q=""))] if filters.query else found

    @property
    def fields(self) -> list[ListField]:
        """The facets, with the number of rows that each counted option would leave, and which prices count."""
        filters = self.filters
        facets = [
            _field(FACETS[key], filters.chosen.get(key, ""), self.counts.get(key))
            for key in filters.facets
            if key not in filters.hidden and (key in self.counts or filters.has_more)
        ]
        if not filters.has_more:
            return facets
        currencies = {value: value for value in sorted(CURRENCIES)}
        condition = choice_field("condition", "Price condition", dict(Offer.choices), filters.condition)
        return [
            *facets,
            choice_field("currency", "Price currency", currencies, filters.currency),
            replace(condition, unset="new or used"),
        ]

    @property
    def fact_choice(self) -> list[Option]:
        """The facts as checkboxes, once more fields are shown."""
        shown = self.filters.shown_facts
        facts = FACTS.values() if self.filters.has_more else ()
        return [Option(fact.key, fact.label, fact.key in shown) for fact in facts]

    @property
    def more_url(self) -> str:
        return "" if self.filters.has_more else self.filters.url(more="1")

    @property
    def hidden_fields(self) -> list[tuple[str, str]]:
        parameters = self.filters.parameters()
        return [(name, parameters[name]) for name in self.filters.hidden if name in parameters]


def _field(facet: Facet, chosen: str, counts: Mapping[str, int] | None) -> ListField:
    if facet.is_number:
        return ListField(facet.key, f"{facet.label}, {facet.unit}".rstrip(", "), chosen)
    values = list(facet.options) or sorted(counts or ())
    if chosen and chosen not in values:
        values.append(chosen)
    options = [
        Option(
            value,
            facet.text(value) if counts is None else f"{facet.text(value)} ({counts.get(value, 0):,})",
            value == chosen,
            counts is not None and not counts.get(value) and value != chosen,
        )
        for value in values
    ]
    return ListField(facet.key, facet.label, options=options, unset="any")


def choice_field(key: str, label: str, options: Mapping[str, str], chosen: str) -> ListField:
    """A field with a default, one of its options."""
    return ListField(
        key, label, options=[Option(value, text, value == chosen) for value, text in options.items()]
    )


def pager(filters: ListFilter, page_count: int) -> Pager:
    before, after = filters.page - 1, filters.page + 1
    return Pager(
        filters.page,
        page_count,
        filters.url(page=str(before) if before > 1 else "") if before else "",
        filters.url(page=str(after)) if after <= page_count else "",
    )
