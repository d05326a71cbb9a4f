"""The parameters of a leaderboard's URL."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, cast

from django import forms
from django.http import QueryDict

from results.catalogue.facts import FACTS, RANKINGS, Scope
from results.catalogue.limits import LIMITS, columns_field, written
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY, OFFERS
from results.core.limits import QUERY_LIMIT
from results.kinds.latency_curve.metrics import ranked_metric
from results.leaderboard.columns import DEFAULT_COLUMN, Column, columns
from results.leaderboard.facets import FACETS, is_vendor
from results.models import lengths
from results.models.choices import ONLY_PROTECTED, Method, Offer

MOST_UNITS = 10_000
CACHED_QUERIES = 1000
LONGEST_CACHED = 300  # letters; of 1,000 longer ones somebody could fill the memory
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
    """What a reader asked for; `sort` names a column, `is_reversed` puts its worst end first.

    `chosen` holds options by the keys of results.leaderboard.facets, `limits` values by those of
    results.catalogue.limits; the rest is everything. `facts` are the columns shown beside the usual ones,
    and `with_more` shows the fields of both.
    `default_method` is that of results.leaderboard.query.with_default_method.
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
        """The board that places are counted on; empty for that of all classes."""
        return self.chosen.get("class", "")

    @property
    def scope(self) -> Scope:
        """Whose facts and prices count."""
        return replace(
            RANKINGS, currency=self.currency, offers=(self.condition,) if self.condition else OFFERS
        )

    @property
    def shown_facts(self) -> tuple[str, ...]:
        """The facts chosen, and the one that rows are sorted by."""
        return tuple(key for key in FACTS if key in self.facts or key == self.sort)

    @property
    def has_more(self) -> bool:
        """Whether any of the limits, prices or columns beside the usual ones is chosen, or is to be."""
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
        """The figure that the order is by, in words; behind the rank stands a latency."""
        return ranked_metric(self.method).label if self.is_by_rank else self.column.label

    def parameters(self, **changes: str) -> dict[str, str]:
        """The shortest parameters that ask for this, with some changed, in one order; defaults are left out.

        A change leads to the first page, unless it is a change of the page.
        """
        given = {
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
            name: given[name] for name in _IN_ORDER if given.get(name) and given[name] != _DEFAULTS.get(name)
        }

    def _default_method(self, changes: Mapping[str, str]) -> str:
        """Of the view with these changes: another class may have another default."""
        return Method.DISKINFO if "class" in changes else self.default_method


class LeaderboardForm(forms.Form):
    """What a leaderboard URL can ask for; every part may be left out."""

    q = forms.CharField(max_length=QUERY_LIMIT, required=False)
    method = forms.ChoiceField(choices=Method.choices, required=False)
    sort = forms.ChoiceField(required=False)
    protected = forms.ChoiceField(choices=[("1", "protected only")], required=False)  # as plp=protected
    page = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)
    min_units = forms.IntegerField(min_value=1, max_value=MOST_UNITS, required=False)
    vendor = forms.CharField(max_length=lengths.VENDOR, required=False)
    columns = columns_field()
    currency = forms.ChoiceField(choices=[(value, value) for value in sorted(CURRENCIES)], required=False)
    condition = forms.ChoiceField(choices=Offer.choices, required=False)
    more = forms.ChoiceField(choices=[("1", "with all fields")], required=False)

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
        for asked in self.fields.values():
            if isinstance(asked, forms.ChoiceField):
                choices = cast(list[tuple[str, str]], list(cast(Any, asked).choices))
                known = ", ".join(value for value, _ in choices)
                asked.error_messages["invalid_choice"] = f"None of {known}."

    def clean_q(self) -> str:
        return " ".join(self.cleaned_data["q"].split())

    def clean_vendor(self) -> str:
        name: str = self.cleaned_data["vendor"].lower()
        if name and not is_vendor(name):
            raise forms.ValidationError(
                "No measured device is by “%(name)s”.", code="not_found", params={"name": name}
            )
        return name

    def filters(self) -> LeaderboardFilter:
        asked = self.cleaned_data
        chosen = {facet.key: str(asked[facet.key]) for facet in FACETS if asked[facet.key]}
        if chosen.get("min_units") == "1":
            del chosen["min_units"]  # every ranked device has one
        if asked["protected"]:
            chosen.setdefault("plp", ONLY_PROTECTED)
        return LeaderboardFilter(
            method=asked["method"] or Method.DISKINFO,
            states_method=bool(asked["method"]),
            chosen=chosen,
            limits={key: written(asked[key]) for key in LIMITS if asked[key]},
            facts=tuple(key for key in FACTS if key in asked["columns"]),
            currency=asked["currency"] or DEFAULT_CURRENCY,
            condition=asked["condition"],
            with_more=bool(asked["more"]),
            query=asked["q"],
            sort=asked["sort"].removeprefix("-") or DEFAULT_COLUMN,
            is_reversed=asked["sort"].startswith("-"),
            page=asked["page"] or 1,
            view=asked.get("view") or VIEWS[0],
            scale=asked.get("scale") or SCALES[0],
        )


class LeaderboardPageForm(LeaderboardForm):
    """The same, and how a page draws it."""

    view = forms.ChoiceField(choices=[(view, view) for view in VIEWS], required=False)
    scale = forms.ChoiceField(choices=[(scale, scale) for scale in SCALES], required=False)


class RefusedError(Exception):
    """A query asks for what makes no sense; `form` has what is wrong with it."""

    def __init__(self, form: LeaderboardForm) -> None:
        super().__init__(form.errors.as_text())
        self.form = form


def read_query(form_class: type[LeaderboardForm], query: str) -> LeaderboardFilter:
    """What a query string asks for; raises RefusedError. Checking a form takes as long as reading the page."""
    if "vendor=" in query:  # whether there is such a vendor is a matter of the data
        return _read_query(form_class, query)
    return (_cached_query if len(query) <= LONGEST_CACHED else _read_query)(form_class, query)


def _read_query(form_class: type[LeaderboardForm], query: str) -> LeaderboardFilter:
    form = form_class(QueryDict(query))
    if not form.is_valid():
        raise RefusedError(form)
    return form.filters()


_cached_query = lru_cache(maxsize=CACHED_QUERIES)(_read_query)
