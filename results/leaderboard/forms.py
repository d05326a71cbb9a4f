"""The parameters of a leaderboard's URL."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, cast

from django import forms
from django.http import QueryDict

from results.catalogue.facts import FACTS, RANKINGS, Scope
from results.catalogue.limits import LIMITS, columns_field, parameter_text
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY, OFFERS
from results.core.limits import QUERY_LIMIT
from results.kinds.latency_curve.metrics import ranked_metric
from results.leaderboard.columns import DEFAULT_COLUMN, Column, columns
from results.leaderboard.facets import FACETS, is_vendor
from results.models import lengths
from results.models.choices import ONLY_PROTECTED, Method, Offer

MAX_UNITS = 10_000
CACHED_QUERIES = 1000
MAX_CACHED_LENGTH = 300  # characters; many longer ones could fill the memory
VIEWS = ("table", "bars")
SCALES = ("log", "linear")


_DEFAULTS = {"sort": DEFAULT_COLUMN, "view": VIEWS[0], "scale": SCALES[0], "currency": DEFAULT_CURRENCY}
_IN_ORDER = (
    *(facet.key for facet in FACETS),
    *LIMITS,
    *("currency", "condition", "method", "q", "columns", "more", "sort", "view", "scale", "page"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardFilter:
    """The requested filters; `sort` names a column, `is_reversed` puts its worst end first.

    `chosen` holds options by the keys of results.leaderboard.facets, `limits` values by those of
    results.catalogue.limits; missing ones don't filter. `facts` are the columns shown in addition to the usual ones,
    and `with_more` shows the fields of both. `default_method` is set by
    results.leaderboard.query.with_default_method.
    """

    method: str = Method.DISKINFO
    states_method: bool = False
    default_method: str = Method.DISKINFO
    chosen: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    currency: str = DEFAULT_CURRENCY
    condition: str = ""
    with_more: bool = False
    query: str = ""
    sort: str = DEFAULT_COLUMN
    is_reversed: bool = False
    page: int = 1
    view: str = VIEWS[0]
    scale: str = SCALES[0]

    @property
    def device_class(self) -> str:
        """The class of the board that has the ranks; empty for that of all classes."""
        return self.chosen.get("class", "")

    @property
    def scope(self) -> Scope:
        """Which facts and prices count."""
        return replace(
            RANKINGS, currency=self.currency, offers=(self.condition,) if self.condition else OFFERS
        )

    @property
    def shown_facts(self) -> tuple[str, ...]:
        """The facts chosen, and the one that rows are sorted by."""
        return tuple(key for key in FACTS if key in self.facts or key == self.sort)

    @property
    def has_more(self) -> bool:
        """Whether limits, prices or additional columns are chosen, or their fields are shown."""
        is_usual = self.currency == DEFAULT_CURRENCY and not self.condition
        return bool(self.with_more or self.limits or self.facts or not is_usual)

    @property
    def column(self) -> Column:
        return columns()[self.sort]

    @property
    def is_ascending(self) -> bool:
        return self.column.is_lower_better != self.is_reversed

    @property
    def is_by_rank(self) -> bool:
        """Whether the order is that of the ranking, forwards or backwards."""
        return self.sort == DEFAULT_COLUMN

    @property
    def ordered_by(self) -> str:
        """The label of the figure that rows are sorted by; for the rank, the ranked latency."""
        return ranked_metric(self.method).label if self.is_by_rank else self.column.label

    def parameters(self, **changes: str) -> dict[str, str]:
        """The shortest parameters of this view, with some changed, in a fixed order; defaults are omitted.

        A change of anything but the page resets the page to the first one.
        """
        values = {
            **self.chosen,
            **self.limits,
            "currency": self.currency,
            "condition": self.condition,
            "columns": ",".join(self.facts),
            "more": "1" if self.with_more else "",
            "method": "" if self.method == self._default_method(changes) else self.method,
            "q": self.query,
            "sort": f"-{self.sort}" if self.is_reversed else self.sort,
            "view": self.view,
            "scale": self.scale,
            "page": "" if changes or self.page == 1 else str(self.page),
            **changes,
        }
        return {
            name: values[name]
            for name in _IN_ORDER
            if values.get(name) and values[name] != _DEFAULTS.get(name)
        }

    def _default_method(self, changes: Mapping[str, str]) -> str:
        """The default with these changes: another class may have another one."""
        return Method.DISKINFO if "class" in changes else self.default_method


class LeaderboardForm(forms.Form):
    """The parameters of a leaderboard's URL; all are optional."""

    q = forms.CharField(max_length=QUERY_LIMIT, required=False)
    method = forms.ChoiceField(choices=Method.choices, required=False)
    sort = forms.ChoiceField(required=False)
    protected = forms.ChoiceField(choices=[("1", "protected only")], required=False)  # as plp=protected
    page = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)
    min_units = forms.IntegerField(min_value=1, max_value=MAX_UNITS, required=False)
    vendor = forms.CharField(max_length=lengths.VENDOR, required=False)
    columns = columns_field()
    currency = forms.ChoiceField(choices=[(value, value) for value in sorted(CURRENCIES)], required=False)
    condition = forms.ChoiceField(choices=Offer.choices, required=False)
    more = forms.ChoiceField(choices=[("1", "show all fields")], required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        orders = [(sign + key, key) for key in columns() for sign in ("", "-")]
        cast(forms.ChoiceField, self.fields["sort"]).choices = orders
        for facet in FACETS:
            if facet.key not in self.fields:
                choices = list(facet.labels.items())
                self.fields[facet.key] = forms.ChoiceField(choices=choices, required=False)
        for limit in LIMITS.values():
            self.fields[limit.key] = limit.form_field()
        for form_field in self.fields.values():
            if isinstance(form_field, forms.ChoiceField):
                choices = cast(list[tuple[str, str]], list(cast(Any, form_field).choices))
                known = ", ".join(value for value, _ in choices)
                form_field.error_messages["invalid_choice"] = f"None of {known}."

    def clean_q(self) -> str:
        return " ".join(self.cleaned_data["q"].split())

    def clean_vendor(self) -> str:
        name: str = self.cleaned_data["vendor"].lower()
        if name and not is_vendor(name):
            raise forms.ValidationError(
                "No measured device by “%(name)s”.", code="not_found", params={"name": name}
            )
        return name

    def filters(self) -> LeaderboardFilter:
        data = self.cleaned_data
        chosen = {facet.key: str(data[facet.key]) for facet in FACETS if data[facet.key]}
        if chosen.get("min_units") == "1":
            del chosen["min_units"]  # every ranked device has one
        if data["protected"]:
            chosen.setdefault("plp", ONLY_PROTECTED)
        return LeaderboardFilter(
            method=data["method"] or Method.DISKINFO,
            states_method=bool(data["method"]),
            chosen=chosen,
            limits={key: parameter_text(data[key]) for key in LIMITS if data[key]},
            facts=tuple(key for key in FACTS if key in data["columns"]),
            currency=data["currency"] or DEFAULT_CURRENCY,
            condition=data["condition"],
            with_more=bool(data["more"]),
            query=data["q"],
            sort=data["sort"].removeprefix("-") or DEFAULT_COLUMN,
            is_reversed=data["sort"].startswith("-"),
            page=data["page"] or 1,
            view=data.get("view") or VIEWS[0],
            scale=data.get("scale") or SCALES[0],
        )


class LeaderboardPageForm(LeaderboardForm):
    """The same, with the page's view and scale."""

    view = forms.ChoiceField(choices=[(view, view) for view in VIEWS], required=False)
    scale = forms.ChoiceField(choices=[(scale, scale) for scale in SCALES], required=False)


class RefusedError(Exception):
    """A query string is invalid; `form` has the errors."""

    def __init__(self, form: LeaderboardForm) -> None:
        super().__init__(form.errors.as_text())
        self.form = form


def read_query(form_class: type[LeaderboardForm], query: str) -> LeaderboardFilter:
    """The filters of a query string; raises RefusedError. Cached: validating takes as long as reading the page."""
    if "vendor=" in query:  # whether a vendor exists depends on the data, so it isn't cached
        return _read_query(form_class, query)
    return (_cached_query if len(query) <= MAX_CACHED_LENGTH else _read_query)(form_class, query)


def _read_query(form_class: type[LeaderboardForm], query: str) -> LeaderboardFilter:
    form = form_class(QueryDict(query))
    if not form.is_valid():
        raise RefusedError(form)
    return form.filters()


_cached_query = lru_cache(maxsize=CACHED_QUERIES)(_read_query)
