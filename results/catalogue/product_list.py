"""The list of products: its parameters, filters, order and pages."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.db.models import (
    Case,
    CharField,
    DecimalField,
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

from results.catalogue.claims import is_comparable
from results.catalogue.endurance import COUNTED
from results.catalogue.facets import FACETS, FacetCounts
from results.catalogue.lists import ListFilter, ListForm
from results.catalogue.prices import is_stale, line_price, load_line_prices
from results.catalogue.product_facts import PRODUCTS, expressions, read_facts
from results.core.paging import find_page, page_count
from results.core.prices import Sighting
from results.models import Claim, Device, DeviceRanking, Product
from results.models.choices import PROTECTED, ClaimQuantity
from results.models.device import for_device
from results.models.product import CATALOGUE_CLASSES
from results.ranking.standing import main_rows

DEFAULT_SORT = "protected"
SORTS = {
    DEFAULT_SORT: "class, protected and newest first",
    "name": "class and name",
    "latency": "measured latency, lowest first",
    "endurance": "rated endurance, highest first",
    "price": "price, lowest first",
    "launch": "launch year, newest first",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductFilter(ListFilter):
    """The requested filters; `sort` is one of SORTS."""

    path_name = "products"
    rows = PRODUCTS
    facets = tuple(key for key in FACETS if key != "min_units")  # a line has no units, its devices have
    hidden = ("class",)

    sort: str = DEFAULT_SORT

    def own_parameters(self, changes: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002 - as other lists'
        return {"sort": self.sort}


class ProductsForm(ListForm):
    """The parameters of the list of products."""

    filter_class = ProductFilter
    listed = Product.objects.all()
    noun = "product"

    sort = forms.ChoiceField(choices=list(SORTS.items()), required=False)

    def filters(self) -> ProductFilter:
        return ProductFilter(**self.shared(), sort=self.cleaned_data["sort"] or DEFAULT_SORT)


@dataclass(frozen=True, slots=True)
class ProductsPage:
    """One page of products, with the number of products that each option of a facet would leave.

    A product has `rated_low`, `rated_high` (DWPD), `claimed_tbw`, `ranking_id`. `rankings`, `sightings` and `claims`
    are by product; `unranked` are those measured without a ranked figure. `unpriced` counts products that are
    excluded only because they have no price in the currency.
    """

    filters: ProductFilter
    products: list[Any]
    counts: FacetCounts
    unpriced: int
    rankings: Mapping[int, DeviceRanking]
    sightings: Mapping[int, Sighting]
    claims: Mapping[int, Claim]
    unranked: Container[int]

    @property
    def page_count(self) -> int:
        return page_count(self.counts.total)


def find_products(filters: ProductFilter) -> ProductsPage:
    """Find a page of products; raises NoSuchPageError past the end.

    Seven queries, eight with a maximum price.
    """
    found = with_words(_listed(filters), filters.query)
    counts = filters.count(found)
    ordered = _in_order(filters.narrow(found), filters).values_list("pk", flat=True)
    ids = list(find_page(ordered, filters.page, count=counts.total))
    facts = expressions(read_facts(filters.facts), filters.scope)
    # A separate query: else this would be computed for every sorted row
    described: dict[int, Any] = (
        Product.objects.select_related("vendor").annotate(**_SHOWN, **facts).in_bulk(ids)
    )
    products = [described[pk] for pk in ids if pk in described]
    unmeasured = [product.pk for product in products if product.ranking_id is None]
    measured = Device.objects.shown().filter(product__in=unmeasured)
    return ProductsPage(
        filters=filters,
        products=products,
        counts=counts,
        unpriced=unpriced.narrow(found).count() if (unpriced := filters.unpriced()) else 0,
        rankings=_best_rankings(products),
        sightings=_line_prices(products, filters),
        claims=_write_claims(unmeasured),
        unranked=set(measured.values_list("product_id", flat=True)),
    )


_RANKINGS = main_rows().filter(device__product=OuterRef("pk")).order_by("score", "pk")
_RATINGS = Claim.objects.filter(COUNTED, product=OuterRef("pk"), quantity=ClaimQuantity.ENDURANCE_DWPD)


def _rated(column: str, claims: QuerySet[Claim]) -> Coalesce:
    """The catalogue's value, or else the first of the claims."""
    return Coalesce(column, Subquery(claims.values("value")[:1]), output_field=DecimalField())


_RATED_LOW = _rated("endurance_dwpd_low", _RATINGS.order_by("value"))
_RATED_HIGH = _rated("endurance_dwpd_high", _RATINGS.order_by("-value"))
_USED = {"latency_us": Subquery(_RANKINGS.values("score")[:1]), "rated_high": _RATED_HIGH}
_CLAIMED_TBW = Claim.objects.filter(COUNTED, product=OuterRef("pk"), quantity=ClaimQuantity.ENDURANCE_TBW)
_SHOWN = {
    "ranking_id": Subquery(_RANKINGS.values("pk")[:1]),
    "rated_low": _RATED_LOW,
    "claimed_tbw": Subquery(_CLAIMED_TBW.order_by("-value").values("value")[:1]),
    "rated_high": _RATED_HIGH,
}


def _listed(filters: ProductFilter) -> QuerySet[Any]:
    """Products with aliases to filter and sort by, which cost nothing if unused."""
    listed_at = {f"prices__{name}": value for name, value in line_price(filters.offers).items()}
    listed = FilteredRelation("prices", condition=Q(prices__currency=filters.currency, **listed_at))
    products: QuerySet[Any] = Product.objects.alias(listed=listed, **_USED)
    return products


def _names() -> Concat:
    """All names of a product, separated by blanks."""
    aliases = Func(F("aliases"), Value(" "), function="array_to_string", output_field=CharField())
    blank = Value(" ")
    return Concat(
        "vendor__name", blank, "name", blank, "example_model", blank, aliases, output_field=CharField()
    )


def with_words(products: QuerySet[Any], text: str) -> QuerySet[Any]:
    """The products that have each word in one of their names."""
    words = text.split()
    products = products.alias(named=_names()) if words else products
    for word in words:
        products = products.filter(named__icontains=word)
    return products


def _in_order(products: QuerySet[Any], filters: ProductFilter) -> QuerySet[Any]:
    """Sort, unknown values last and, under a price limit, fresh prices first."""
    classes = [
        When(device_class=value, then=position) for position, (value, _) in enumerate(CATALOGUE_CLASSES)
    ]
    by_class, by_name = Case(*classes), ("vendor__name", "name", "pk")
    protected_first = Case(When(plp__in=sorted(PROTECTED), then=0), default=1)
    orders = {
        DEFAULT_SORT: (by_class, protected_first, F("launch_year").desc(nulls_last=True)),
        "latency": (F("latency_us").asc(nulls_last=True),),
        "endurance": (F("rated_high").desc(nulls_last=True),),
        "price": (F("listed__price").asc(nulls_last=True),),
        "launch": (F("launch_year").desc(nulls_last=True),),
    }
    fresh_first = () if "price" not in filters.chosen else (is_stale("listed__seen_on"),)
    return products.order_by(*fresh_first, *orders.get(filters.sort, ()), by_class, *by_name)


_RANKING_FIELDS = (
    *("board", "method", "score", "digits", "unit_count"),
    *for_device("slug", "page", "model_name", "capacity_bytes", "result_count", "elsewhere_count"),
)


def _best_rankings(products: list[Any]) -> dict[int, DeviceRanking]:
    ids = [product.ranking_id for product in products if product.ranking_id]
    shown = DeviceRanking.objects.select_related("device").only(*_RANKING_FIELDS)
    rankings = shown.in_bulk(ids)
    return {
        product.pk: rankings[product.ranking_id] for product in products if product.ranking_id in rankings
    }


def _line_prices(products: list[Any], filters: ProductFilter) -> dict[int, Sighting]:
    """The list price of each product in the currency, or else in another one."""
    found = load_line_prices([product.pk for product in products], filters.offers)
    found.sort(key=lambda sighting: (sighting.currency != filters.currency, sighting.currency))
    return {sighting.product_id: sighting for sighting in reversed(found)}


# Claims about small writes, most relevant for a SLOG first.
_WRITE_CLAIMS = (
    ClaimQuantity.WRITE_LATENCY_QD1,
    ClaimQuantity.WRITE_LATENCY,
    ClaimQuantity.RANDOM_WRITE_QD1,
    ClaimQuantity.RANDOM_WRITE_STEADY,
    ClaimQuantity.RANDOM_WRITE,
)


def _write_claims(ids: list[int]) -> dict[int, Claim]:
    """The best claim about small writes for each of these products."""
    claims = best_write_claims(Claim.objects.filter(product__in=ids, quantity__in=_WRITE_CLAIMS))
    return {claim.product_id: claim for claim in reversed(claims)}


def best_write_claims(claims: Iterable[Claim]) -> list[Claim]:
    """Those about small writes, of the most relevant quantity and the best first.

    A write latency counts only if it is for random writes, as in the checks of results.
    """
    found = (claim for claim in claims if claim.quantity in _WRITE_CLAIMS and is_comparable(claim))
    return sorted(found, key=_usefulness)


def _usefulness(claim: Claim) -> tuple[int, Decimal, int]:
    value = claim.value or Decimal(0)
    return _WRITE_CLAIMS.index(claim.quantity), value if claim.unit == "us" else -value, claim.pk or 0
