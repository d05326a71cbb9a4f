"""The list of products: its parameters, filters, order and pages."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any

from django import forms
from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Count,
    DecimalField,
    Exists,
    F,
    FilteredRelation,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Concat

from results.catalogue.capacities import CAPACITIES, capacity_range
from results.catalogue.claims import is_typical_random_write
from results.catalogue.facts import FACTS, PRODUCTS, Scope, expressions, read_facts
from results.catalogue.limits import LIMITS, apply_limits, columns_field, is_stated_by, parameter_text
from results.catalogue.prices import (
    CURRENCIES,
    DEFAULT_CURRENCY,
    OFFERS,
    Sighting,
    is_stale,
    line_price,
    load_line_prices,
)
from results.core.limits import QUERY_LIMIT
from results.core.links import PAGE_SIZE, page_count
from results.core.today import today
from results.models import Claim, Device, DeviceRanking, LifeCycle, PriceSighting, Product
from results.models.choices import (
    FORM_WORDS,
    FORMS,
    INTERFACE_WORDS,
    INTERFACES,
    ONLY_PROTECTED,
    PLP_LABELS,
    PROTECTED,
    ClaimQuantity,
    Offer,
    PlpEvidence,
)
from results.models.product import CATALOGUE_CLASSES

DEFAULT_SORT = "name"
SORTS = {
    DEFAULT_SORT: "class and name",
    "latency": "measured latency, by diskinfo and then by fio, lowest first",
    "endurance": "rated endurance, highest first",
    "price": "price, lowest first",
    "launch": "launch year, newest first",
}
# By parameter: its label, and its options with their labels.
CHOICES: dict[str, tuple[str, Mapping[str, str]]] = {
    "class": ("Class", dict(CATALOGUE_CLASSES)),
    "plp": ("Power-loss protection", PLP_LABELS),
    "evidence": ("Protection stated by", dict(PlpEvidence.choices)),
    "measured": ("Measured", {"yes": "measured", "no": "not measured yet"}),
    "interface": ("Interface", INTERFACES),
    "form": ("Form factor", FORMS),
    "capacity": ("Capacity", {key: label for key, (label, _) in CAPACITIES.items()}),
    "end_of_sale": ("End of sale", {"none": "no end of sale known", "stated": "end of sale stated"}),
    "condition": ("Price condition", {Offer.NEW.value: "new", Offer.USED.value: "used"}),
    "sort": ("Sort by", SORTS),
    "currency": ("Currency", {value: value for value in sorted(CURRENCIES)}),
}
DEFAULTS = {"currency": DEFAULT_CURRENCY, "sort": DEFAULT_SORT}
PRODUCT_LIMITS = (
    "priced",
    "tbw",
    "mib_s",
    "link_gbit",
    "system",
    "write_cache",
)  # besides those that sort or name products
_PARAMETER_ORDER = (*CHOICES, "dwpd", "price", *PRODUCT_LIMITS, "q", "columns", "page")


_JSON_PATH = "jsonb_path_exists(%(expressions)s::jsonpath)"


class NoSuchPageError(Exception):
    """A page number past the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductFilters:
    """The filters of a list.

    `chosen` has options by the keys of CHOICES, without defaults; `dwpd` is the minimum rating, `price` the maximum
    list price in the currency.
    """

    chosen: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    query: str = ""
    dwpd: Decimal | None = None
    price: Decimal | None = None
    page: int = 1

    @property
    def currency(self) -> str:
        return self.chosen.get("currency", DEFAULT_CURRENCY)

    @property
    def scope(self) -> Scope:
        return replace(PRODUCTS, currency=self.currency, offers=self.offers)

    @property
    def offers(self) -> tuple[str, ...]:
        return (self.chosen["condition"],) if "condition" in self.chosen else OFFERS

    @property
    def sort(self) -> str:
        return self.chosen.get("sort", DEFAULT_SORT)

    def parameters(self, **changes: str) -> dict[str, str]:
        """The minimal URL parameters, with changes, which reset the page."""
        given = {
            **self.chosen,
            "q": self.query,
            **self.limits,
            "columns": ",".join(self.facts),
            "dwpd": decimal_text(self.dwpd),
            "price": decimal_text(self.price),
            "page": "" if changes or self.page == 1 else str(self.page),
            **changes,
        }
        return {
            name: given[name]
            for name in _PARAMETER_ORDER
            if given.get(name) and given[name] != DEFAULTS.get(name)
        }


def decimal_text(value: Decimal | None) -> str:
    """The shortest notation: 0.30 is "0.3", 100 is "100"; empty for None."""
    return "" if value is None else f"{value.normalize():f}"


class ProductsForm(forms.Form):
    """The parameters of the list; all are optional."""

    q = forms.CharField(max_length=QUERY_LIMIT, required=False)
    dwpd = forms.DecimalField(min_value=Decimal("0.01"), max_digits=6, decimal_places=2, required=False)
    price = forms.DecimalField(min_value=Decimal("0.01"), max_digits=9, decimal_places=2, required=False)
    columns = columns_field()
    page = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        for key in PRODUCT_LIMITS:
            self.fields[key] = LIMITS[key].form_field()
        for name, (_, options) in CHOICES.items():
            messages = {"invalid_choice": f"None of {', '.join(options)}."}
            self.fields[name] = forms.ChoiceField(
                choices=list(options.items()), required=False, error_messages=messages
            )

    def clean_q(self) -> str:
        return " ".join(self.cleaned_data["q"].split())

    def filters(self) -> ProductFilters:
        data = self.cleaned_data
        chosen = {name: data[name] for name in CHOICES if data[name] and data[name] != DEFAULTS.get(name)}
        return ProductFilters(
            chosen=chosen,
            limits={key: parameter_text(data[key]) for key in PRODUCT_LIMITS if data[key]},
            facts=tuple(key for key in FACTS if key in data["columns"]),
            query=data["q"],
            dwpd=data["dwpd"],
            price=data["price"],
            page=data["page"] or 1,
        )


@dataclass(frozen=True, slots=True)
class ProductsPage:
    """One page of products, with counts per class for the other filters.

    A product has `rated_low` and `rated_high` (DWPD), and `ranking_id`. `rankings`, `sightings` and `claims` are by
    product; `unranked` are those measured without a ranked figure. `unpriced` counts products that are excluded only
    because they have no price in the currency.
    """

    filters: ProductFilters
    products: list[Any]
    count: int
    class_counts: Mapping[str, int]
    unpriced: int
    rankings: Mapping[int, DeviceRanking]
    sightings: Mapping[int, Sighting]
    claims: Mapping[int, Claim]
    unranked: Container[int]

    @property
    def page_count(self) -> int:
        return page_count(self.count)


def find_products(filters: ProductFilters) -> ProductsPage:
    """Find a page of products; raises NoSuchPageError past the end.

    Seven queries, eight with a maximum price.
    """
    found = _filtered(_listed(filters), filters)
    class_counts = dict(found.order_by().values_list("device_class").annotate(count=Count("pk")))
    device_class = filters.chosen.get("class", "")
    count = class_counts.get(device_class, 0) if device_class else sum(class_counts.values())
    if filters.page > page_count(count):
        raise NoSuchPageError
    found = _of_class(found, filters)
    start = (filters.page - 1) * PAGE_SIZE
    ids = list(_in_order(found, filters).values_list("pk", flat=True)[start : start + PAGE_SIZE])
    described = _described(filters).in_bulk(
        ids
    )  # separate query: else it would be computed for every sorted row
    products = [described[pk] for pk in ids if pk in described]
    unmeasured = [one.pk for one in products if one.ranking_id is None]
    return ProductsPage(
        filters=filters,
        products=products,
        count=count,
        class_counts=class_counts,
        unpriced=_count_unpriced(filters),
        rankings=_best_rankings(products),
        sightings=_newest_sightings(products, filters),
        claims=_write_claims(unmeasured),
        unranked=_measured_of(unmeasured),
    )


def _of_class(products: QuerySet[Any], filters: ProductFilters) -> QuerySet[Any]:
    device_class = filters.chosen.get("class", "")
    return products.filter(device_class=device_class) if device_class else products


def _count_unpriced(filters: ProductFilters) -> int:
    """The number of products excluded because they have no price in the currency."""
    if filters.price is None or "priced" in filters.limits:
        return 0
    others = replace(filters, price=None, limits={**filters.limits, "priced": "no"})
    return _of_class(_filtered(_listed(others), others), others).count()


# By diskinfo if there is one, else by fio: the two are never compared.
_RANKINGS = DeviceRanking.objects.filter(device__product=OuterRef("pk")).order_by("method", "score_us", "pk")
_RATINGS = Claim.objects.filter(product=OuterRef("pk"), quantity=ClaimQuantity.ENDURANCE_DWPD)


def _rated(column: str, claims: QuerySet[Claim]) -> Coalesce:
    """The catalogue's value, or else the first of the claims."""
    return Coalesce(column, Subquery(claims.values("value")[:1]), output_field=DecimalField())


_RATED_LOW = _rated("endurance_dwpd_low", _RATINGS.order_by("value"))
_RATED_HIGH = _rated("endurance_dwpd_high", _RATINGS.order_by("-value"))
_USED = {
    "ranking_method": Subquery(_RANKINGS.values("method")[:1]),
    "latency_us": Subquery(_RANKINGS.values("score_us")[:1]),
    "rated_high": _RATED_HIGH,
}
_SHOWN = {
    "ranking_id": Subquery(_RANKINGS.values("pk")[:1]),
    "rated_low": _RATED_LOW,
    "rated_high": _RATED_HIGH,
}


def _listed(filters: ProductFilters) -> QuerySet[Any]:
    """Products with aliases to filter and sort by, which cost nothing if unused."""
    listed_at = {f"prices__{name}": value for name, value in line_price(filters.offers).items()}
    listed = FilteredRelation("prices", condition=Q(prices__currency=filters.currency, **listed_at))
    products: QuerySet[Any] = Product.objects.alias(listed=listed, **_USED)
    return products


def _described(filters: ProductFilters) -> QuerySet[Any]:
    """Products with the annotations that the list shows."""
    facts = expressions(read_facts(filters.facts), filters.scope)
    products: QuerySet[Any] = Product.objects.select_related("vendor").annotate(**_SHOWN, **facts)
    return products


def _filtered(products: QuerySet[Any], filters: ProductFilters) -> QuerySet[Any]:
    """The products that match all filters but the class."""
    for name, condition in _CONDITIONS.items():
        if name in filters.chosen:
            products = products.filter(condition(filters.chosen[name]))
    if "evidence" in filters.chosen:
        products = products.filter(is_stated_by(filters.chosen["evidence"]))
    if "capacity" in filters.chosen:
        products = products.filter(_has_capacity(filters.chosen["capacity"]))
    products = apply_limits(products, filters.limits, filters.scope)
    if filters.dwpd is not None:
        products = products.filter(rated_high__gte=filters.dwpd)
    if filters.price is not None:
        products = products.filter(listed__price__lte=filters.price)
    if filters.query:
        products = products.alias(named=_names()).filter(_has_words(filters.query))
    return products


def _contains_any(column: str, words: tuple[str, ...]) -> Q:
    condition = Q()
    for word in words:
        condition |= Q(**{f"{column}__icontains": word})
    return condition


def _has_capacity(key: str) -> Q:
    """Match products with a device, claim, price or rating in this range."""
    (start, end) = capacity_range(key)
    within = {"product": OuterRef("pk"), "capacity_bytes__gte": start, "capacity_bytes__lt": end}
    rated = Func(
        F("endurance_tbw"),
        Value(f"$[*].capacity_bytes ? (@ >= {start} && @ < {end})"),
        template=_JSON_PATH,
        output_field=BooleanField(),
    )
    known = (Device.objects.shown(), Claim.objects.all(), PriceSighting.objects.all())
    return reduce(or_, (Q(Exists(rows.filter(**within))) for rows in known), Q(rated))


def _is_measured(*, is_wanted: bool) -> Q:
    measured = Exists(Device.objects.shown().filter(product=OuterRef("pk")))
    return Q(measured) if is_wanted else ~Q(measured)


def _has_end_of_sale(*, is_stated: bool) -> Q:
    stated = Exists(LifeCycle.objects.filter(product=OuterRef("pk")).exclude(end_of_sale=""))
    return Q(stated) if is_stated else ~Q(stated)


_CONDITIONS: dict[str, Callable[[str], Q]] = {
    "plp": lambda value: Q(plp__in=PROTECTED) if value == ONLY_PROTECTED else Q(plp=value),
    "measured": lambda value: _is_measured(is_wanted=value == "yes"),
    "interface": lambda value: _contains_any("interface", INTERFACE_WORDS[value]),
    "form": lambda value: _contains_any("form_factors", FORM_WORDS[value]),
    "end_of_sale": lambda value: _has_end_of_sale(is_stated=value == "stated"),
}


def _names() -> Concat:
    """All names of a product, separated by blanks."""
    aliases = Func(F("aliases"), Value(" "), function="array_to_string", output_field=CharField())
    blank = Value(" ")
    return Concat(
        "vendor__name", blank, "name", blank, "example_model", blank, aliases, output_field=CharField()
    )


def _has_words(query: str) -> Q:
    condition = Q()
    for word in query.split():
        condition &= Q(named__icontains=word)
    return condition


def _in_order(products: QuerySet[Any], filters: ProductFilters) -> QuerySet[Any]:
    """Sort, unknown values last and, under a price limit, fresh prices first."""
    classes = [
        When(device_class=value, then=position) for position, (value, _) in enumerate(CATALOGUE_CLASSES)
    ]
    by_name = (Case(*classes), "vendor__name", "name", "pk")
    orders = {
        "latency": (F("ranking_method").asc(nulls_last=True), F("latency_us").asc(nulls_last=True)),
        "endurance": (F("rated_high").desc(nulls_last=True),),
        "price": (F("listed__price").asc(nulls_last=True),),
        "launch": (F("launch_year").desc(nulls_last=True),),
    }
    fresh_first = () if filters.price is None else (is_stale(today(), "listed__seen_on"),)
    return products.order_by(*fresh_first, *orders.get(filters.sort, ()), *by_name)


_DEVICE_FIELDS = ("slug", "model_name", "capacity_bytes", "result_count", "elsewhere_count")
_RANKING_FIELDS = ("method", "score_us", "unit_count", *(f"device__{name}" for name in _DEVICE_FIELDS))


def _best_rankings(products: list[Any]) -> dict[int, DeviceRanking]:
    ids = [one.ranking_id for one in products if one.ranking_id]
    shown = DeviceRanking.objects.select_related("device").only(*_RANKING_FIELDS)
    rankings = shown.in_bulk(ids)
    return {one.pk: rankings[one.ranking_id] for one in products if one.ranking_id in rankings}


def _newest_sightings(products: list[Any], filters: ProductFilters) -> dict[int, Sighting]:
    """The list price of each product in the currency, or else in another one."""
    found = load_line_prices([one.pk for one in products], filters.offers)
    found.sort(key=lambda one: (one.currency != filters.currency, one.currency))
    return {one.product_id: one for one in reversed(found)}


def _measured_of(product_ids: list[int]) -> set[int]:
    """The ids of the measured ones among these products."""
    return set(Device.objects.shown().filter(product__in=product_ids).values_list("product_id", flat=True))


# Claims about small writes, most relevant for a SLOG first.
_WRITE_CLAIMS = (
    ClaimQuantity.WRITE_LATENCY_QD1,
    ClaimQuantity.WRITE_LATENCY,
    ClaimQuantity.RANDOM_WRITE_QD1,
    ClaimQuantity.RANDOM_WRITE_STEADY,
    ClaimQuantity.RANDOM_WRITE,
)


def _write_claims(ids: list[int]) -> dict[int, Claim]:
    """The best claim of the most relevant quantity for each of these products.

    A write latency counts only if it is for random writes, as in the checks of results.
    """
    claims = [
        claim
        for claim in Claim.objects.filter(product__in=ids, quantity__in=_WRITE_CLAIMS)
        if claim.quantity != ClaimQuantity.WRITE_LATENCY or is_typical_random_write(claim)
    ]
    claims.sort(key=_usefulness)
    return {claim.product_id: claim for claim in reversed(claims)}


def _usefulness(claim: Claim) -> tuple[int, Decimal, int]:
    value = claim.value or Decimal(0)
    return _WRITE_CLAIMS.index(claim.quantity), value if claim.unit == "us" else -value, claim.pk
