"""Products in the API."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter

from results.api.errors import form_problem
from results.api.lists import RowList
from results.api.paging import ByChange, ByChangeOrPage
from results.api.parameters import values_of
from results.api.views import ReadEndpoint
from results.catalogue.endurance import RATINGS, find_endurance
from results.catalogue.facets import FACETS, Facet, filter_by_facets
from results.catalogue.lists import ListForm
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY
from results.catalogue.product_facts import FACTS, PRODUCTS, Scope, expressions, lowest_dwpd, most_tbw
from results.catalogue.product_list import ProductsForm, with_words
from results.catalogue.records import (
    PRICE_FIELDS,
    PRODUCT_FIELDS,
    STATED_ONCE,
    CaveatRecord,
    LifeCycleRecord,
    ListedPriceRecord,
    ListedProductRecord,
    PriceSightingRecord,
    ProductClaimRecord,
    ProductDetailRecord,
    RatedCapacityRecord,
)
from results.catalogue.statements import stated_facts
from results.core.record import Row
from results.models import Claim, Device, PriceSighting, Product
from results.models.choices import Offer

_LEFT_OUT = {
    "price": "; rows without a known price are left out: `priced=no` lists them",
    "priced": ", in `currency` and of that `condition`",
    "vendor": ", in any case; 404 for an unknown one",
}


def list_parameters(form_class: type[ListForm]) -> list[OpenApiParameter]:
    """The parameters of a list: its facets, words, and which prices count."""
    return [
        *(_facet_parameter(FACETS[key]) for key in form_class.filter_class.facets),
        OpenApiParameter("q", str, description="words of vendor, model or product"),
        OpenApiParameter(
            "currency", str, enum=sorted(CURRENCIES), description=f"of prices; {DEFAULT_CURRENCY} by default"
        ),
        OpenApiParameter(
            "condition", str, enum=Offer.values, description="which prices count; both by default"
        ),
    ]


def _facet_parameter(facet: Facet) -> OpenApiParameter:
    """As in the form: any of several options, or one number."""
    left_out = "; rows for which it isn’t known are left out" if facet.leaves_out_unknown else ""
    unit = f", {facet.unit}" if facet.unit else ""
    description = f"{facet.label.lower()}{unit}{_LEFT_OUT.get(facet.key, left_out)}"
    if not facet.is_plural:
        whole = {"type": "integer", "minimum": 1, "maximum": facet.most}
        number = {"type": "number", "minimum": 0.01, "maximum": 1_000_000, "multipleOf": 0.01}
        return OpenApiParameter(facet.key, whole if facet.most else number, description=description)
    items = {"type": "string", **({"enum": list(facet.options)} if facet.options else {})}
    return OpenApiParameter(
        facet.key,
        {"type": "array", "items": items},
        style="form",
        explode=False,
        description=f"{description}; any of several",
    )


class FacetedList(RowList):
    """A list with the facets of the page of that name; `query` has what `list_parameters` describes."""

    form_class: type[ListForm]

    def read(self) -> tuple[Any, dict[str, list[str]]]:
        """The filters, and the values chosen for each facet; raises the form's problem."""
        query, facets = self.request.query_params, self.form_class.filter_class.facets
        several = {key: list(dict.fromkeys(values_of(query, key))) for key in facets if FACETS[key].is_plural}
        names = {parameter.name for parameter in self.query} - set(several)
        single = {name: query[name] for name in names if name in query}
        forms = [
            self._read(single | {key: values[place] for key, values in several.items() if values[place:]})
            for place in range(max(1, *map(len, several.values())))
        ]
        chosen = {
            key: list(dict.fromkeys(filters.chosen[key] for filters in forms if key in filters.chosen))
            for key in facets
        }
        return forms[0], {key: values for key, values in chosen.items() if values}

    def _read(self, parameters: dict[str, str]) -> Any:
        form: Any = self.form_class(parameters)
        if not form.is_valid():
            raise form_problem(form)
        return form.filters()


class ProductList(FacetedList):
    """Products of the catalogue by vendor and name."""

    queryset = Product.objects.none()
    record = ListedProductRecord
    pagination_class = ByChangeOrPage
    resource = "products"
    form_class = ProductsForm
    query = list_parameters(ProductsForm)
    ordering_fields = {
        "vendor": "vendor__name",
        **{name: name for name in STATED_ONCE},
        "endurance_dwpd_low": "dwpd_low",
        "endurance_dwpd_high": "fact_endurance_dwpd",
        **{key: f"fact_{key}" for key in FACTS},
        "endurance_tbw": "most_tbw",
        "changed_at": "changed_at",
    }

    def get_queryset(self) -> QuerySet:
        filters, chosen = self.read()
        found = filter_by_facets(with_words(Product.objects.all(), filters.query), chosen, filters.scope)
        rated: QuerySet[Any] = found.alias(most_tbw=most_tbw(filters.scope))
        return product_rows(rated, filters.scope).order_by("vendor__name", "name", "id")

    def rows(self, page: Sequence[Row]) -> list[Row]:
        return product_records(page)


def product_rows(products: QuerySet[Any], scope: Scope = PRODUCTS) -> QuerySet[Any]:
    """The rows that ListedProductRecord is made of, with its endurance."""
    facts = expressions(FACTS.values(), scope)
    return products.values("id", *PRODUCT_FIELDS, dwpd_low=lowest_dwpd(scope), **facts)


def product_records(rows: Sequence[Row]) -> list[Row]:
    """The records of rows of `product_rows`. One query for their claimed endurance."""
    claims: dict[int, list[Claim]] = defaultdict(list)
    products = [row["id"] for row in rows]
    for claim in Claim.objects.filter(product__in=products, quantity__in=RATINGS).order_by("pk"):
        claims[claim.product_id].append(claim)
    return [ListedProductRecord.of(row, **_endurance(row, claims[row["id"]])) for row in rows]


def _endurance(row: Row, claims: Iterable[Claim]) -> Row:
    rated = find_endurance(SimpleNamespace(**row), claims)
    return {
        "endurance": RatedCapacityRecord.all_in(rated),
        "endurance_of_largest_bytes": rated.for_largest,
    }


class ProductDetail(ReadEndpoint):
    """A product of the catalogue with its sources' statements and its devices."""

    operation_id = "product"
    record = ProductDetailRecord

    def find(self, slug: str) -> Row:
        row = product_rows(Product.objects.filter(slug=slug)).first()
        if row is None:
            raise Http404(f"There is no product “{slug}”. /api/v1/products/?q=… finds them by name.")
        devices = Device.objects.shown().filter(product=row["id"]).order_by("model_name", "capacity_bytes")
        stated = stated_facts(row["id"])
        return ProductDetailRecord.of(
            row,
            caveats=CaveatRecord.all_of(stated.caveats),
            claims=ProductClaimRecord.all_of(stated.claims),
            prices=PriceSightingRecord.all_of(stated.prices),
            life_cycle=LifeCycleRecord.all_of(stated.life_cycle),
            devices=list(devices.values_list("slug", flat=True)),
            **_endurance(row, stated.claims),
        )


class PriceList(RowList):
    """Prices seen on pages, newest entries first; they may be out of date."""

    queryset = PriceSighting.objects.order_by("-id").values(*PRICE_FIELDS)
    record = ListedPriceRecord
    pagination_class = ByChange
    resource = "prices"
    ordering_fields = {
        "product": "product__slug",
        **{name: name for name in ("capacity_bytes", "price", "currency", "seen_on", "changed_at")},
    }
