"""What the lists of products and devices share: parameters, and links to filter and page them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, ClassVar, Self

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest

from parsers.base.device_class import DeviceClass
from results.catalogue.facets import FACETS, Facet, FacetCounts, count_options, narrowed
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY, OFFERS
from results.catalogue.product_facts import FACTS, Scope
from results.core.addresses import address, with_query
from results.core.formats import format_count
from results.core.security.rate_limits import QUERY_LIMIT
from results.models.choices import DEVICE_CLASSES, ONLY_PROTECTED, Offer

_IN_ORDER = (
    *FACETS,
    *("board", "currency", "condition", "q", "columns", "more", "sort", "view", "scale", "include", "page"),
)

_IN_VIEW = {"capacity", "form"}  # the facets whose fields are above a list, not among its other filters

Link = dict[str, Any]


class NoSuchPageError(Exception):
    """A page number past the end; there are `page_count` pages."""

    def __init__(self, page_count: int) -> None:
        super().__init__(f"there are {page_count} pages")
        self.page_count = page_count


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilter:
    """The parameters of a list: `chosen` has values by the keys of FACETS, `facts` are the columns added
    (facts or, on the leaderboard, metrics), and `with_more` shows the fields of all facets and columns.

    `path_name` names the list's address, `rows` says where its rows have what facets and facts need, and `facets` are
    the keys of those that the list has. `hidden` are the parameters that its form passes on without a field, and
    `defaults` the values that URLs omit.
    """

    path_name: ClassVar[str]
    rows: ClassVar[Scope]
    facets: ClassVar[tuple[str, ...]]
    hidden: ClassVar[tuple[str, ...]]
    defaults: ClassVar[Mapping[str, str]]

    chosen: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    currency: str = DEFAULT_CURRENCY
    condition: str = ""
    query: str = ""
    with_more: bool = False
    page: int = 1

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
        """The chosen values as `narrowed` takes them."""
        return {key: [value] for key, value in self.chosen.items()}

    def narrow(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return narrowed(rows, self.values, self.scope)

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
        return {
            name: values[name]
            for name in _IN_ORDER
            if values.get(name) and values[name] != self.defaults.get(name)
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
        if name and not narrowed(self.listed.all(), {"vendor": [name]}, self.filter_class.rows).exists():
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


def tools(filters: ListFilter, counts: FacetCounts, clear: ListFilter) -> dict[str, Any]:
    """The context of parts/list_tools.html; `clear` is the list with nothing chosen."""
    options = counts.options
    return {
        "q": filters.query,
        "tabs": class_tabs(filters, options["class"]),
        "choices": [("Show", safety_choice(filters))],
        "fields": [*facet_fields(filters, options), *(price_fields(filters) if filters.has_more else ())],
        "fact_choice": fact_choice(filters) if filters.has_more else [],
        "more_url": "" if filters.has_more else filters.url(more="1"),
        "hidden_fields": hidden_fields(filters),
        "chips": chips(filters),
        "clear_url": clear.url(),
        "leaves_out_unknown": filters.leaves_out_unknown,
    }


def unpriced_notice(filters: ListFilter, count: int, noun: str) -> dict[str, str]:
    """The context of parts/left_out.html; empty if no row is missing for that reason."""
    others = filters.unpriced()
    if others is None or not count:
        return {}
    return {"unpriced": format_count(count, noun), "unpriced_url": others.url(), "currency": filters.currency}


def choice(filters: ListFilter, key: str, value: str, *, label: str) -> Link:
    is_current = filters.chosen.get(key, "") == value
    return {"label": label, "url": filters.url(**{key: value}), "is_current": is_current}


def class_tabs(filters: ListFilter, counts: Mapping[str, int]) -> list[Link]:
    """Every class with the number of rows that it would show; templates link those with at least one."""
    everything = {**choice(filters, "class", "", label="All"), "count": _counted(sum(counts.values()))}
    return [
        everything,
        *(
            {**choice(filters, "class", value, label=label), "count": _counted(counts.get(value, 0))}
            for value, label in DEVICE_CLASSES.items()
            if value != DeviceClass.UNKNOWN or counts.get(value) or filters.device_class == value
        ),
    ]


def _counted(rows: int) -> str:
    return f"{rows:,}" if rows else ""


def safety_choice(filters: ListFilter) -> list[Link]:
    """The filter that no buyer should miss; its other values are among the fields."""
    return [
        choice(filters, "plp", value, label=label)
        for value, label in (("", "any"), (ONLY_PROTECTED, "protected only"))
    ]


def chips(filters: ListFilter) -> list[Link]:
    """The chosen values, each with the URL of the list without it."""
    found = [
        {"label": FACETS[key].chip(filters.chosen[key], filters.currency), "url": filters.url(**{key: ""})}
        for key in filters.facets
        if key in filters.chosen and key != "class"  # that is a tab
    ]
    if filters.query:
        found.append({"label": f"“{filters.query}”", "url": filters.url(q="")})
    return found


def facet_fields(filters: ListFilter, counts: Mapping[str, Mapping[str, int]]) -> list[Link]:
    """The facets as form fields, each counted option with the number of rows that it would leave."""
    return [
        _field(FACETS[key], filters.chosen.get(key, ""), counts.get(key))
        for key in filters.facets
        if key not in filters.hidden and (key in counts or filters.has_more)
    ]


def _field(facet: Facet, chosen: str, counts: Mapping[str, int] | None) -> Link:
    if facet.is_number:
        return {"key": facet.key, "label": f"{facet.label}, {facet.unit}".rstrip(", "), "value": chosen}
    values = list(facet.options) or sorted(counts or ())
    if chosen and chosen not in values:
        values.append(chosen)
    options = [
        {
            "value": value,
            "label": facet.text(value)
            if counts is None
            else f"{facet.text(value)} ({counts.get(value, 0):,})",
            "is_chosen": value == chosen,
            "is_empty": counts is not None and not counts.get(value) and value != chosen,
        }
        for value in values
    ]
    return {
        "key": facet.key,
        "label": facet.label,
        "any": "any",
        "options": options,
        "is_in_view": facet.key in _IN_VIEW,
    }


def price_fields(filters: ListFilter) -> list[Link]:
    """The fields that choose which prices count, in facets and columns."""
    currencies = {value: value for value in sorted(CURRENCIES)}
    return [
        plain_field("currency", "Price currency", currencies, filters.currency),
        {
            **plain_field("condition", "Price condition", dict(Offer.choices), filters.condition),
            "any": "new or used",
        },
    ]


def plain_field(key: str, label: str, options: Mapping[str, str], chosen: str) -> Link:
    """A field with a default, one of its options."""
    shown = [{"value": value, "label": text, "is_chosen": value == chosen} for value, text in options.items()]
    return {"key": key, "label": label, "options": shown}


def fact_choice(filters: ListFilter) -> list[Link]:
    """The facts as checkboxes."""
    return [
        {"key": fact.key, "label": fact.label, "is_chosen": fact.key in filters.shown_facts}
        for fact in FACTS.values()
    ]


def hidden_fields(filters: ListFilter) -> list[Link]:
    parameters = filters.parameters()
    return [{"name": name, "value": parameters[name]} for name in filters.hidden if name in parameters]


def pager(filters: ListFilter, page_count: int) -> Link:
    """The context of parts/pager.html."""
    before, after = filters.page - 1, filters.page + 1
    return {
        "number": filters.page,
        "count": page_count,
        "previous_url": filters.url(page=str(before) if before > 1 else "") if before else "",
        "next_url": filters.url(page=str(after)) if after <= page_count else "",
    }
