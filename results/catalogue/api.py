"""Products in the API."""

from types import SimpleNamespace
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter

from results.api.errors import form_problem
from results.api.lists import RowList
from results.api.parameters import values_of
from results.api.views import ReadEndpoint
from results.catalogue.endurance import find_endurance
from results.catalogue.facets import FACETS, Facet, narrowed
from results.catalogue.lists import ListForm
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY
from results.catalogue.product_facts import FACTS, PRODUCTS, expressions, most_tbw
from results.catalogue.product_list import ProductsForm, with_words
from results.catalogue.records import (
    PRODUCT_FIELDS,
    STATED_ONCE,
    CaveatRecord,
    LifeCycleRecord,
    ListedProductRecord,
    PriceSightingRecord,
    ProductClaimRecord,
    ProductDetailRecord,
    RatedCapacityRecord,
)
from results.catalogue.statements import StatedFacts, stated_facts
from results.core.record import Row
from results.models import Device, Product
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
        names = {one.name for one in self.query} - set(several)
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
    form_class = ProductsForm
    query = list_parameters(ProductsForm)
    ordering_fields = {
        "vendor": "vendor__name",
        **{name: name for name in (*STATED_ONCE, "endurance_dwpd_low", "endurance_dwpd_high")},
        **{key: f"fact_{key}" for key in FACTS},
        "endurance_tbw": "most_tbw",
    }

    def get_queryset(self) -> QuerySet:
        filters, chosen = self.read()
        found = narrowed(with_words(Product.objects.all(), filters.query), chosen, filters.scope)
        facts = expressions(FACTS.values(), filters.scope)
        rated: QuerySet[Any] = found.alias(most_tbw=most_tbw(filters.scope))
        return rated.order_by("vendor__name", "name", "id").values(*PRODUCT_FIELDS, **facts)


class ProductDetail(ReadEndpoint):
    """A product of the catalogue with its sources' statements and its devices."""

    operation_id = "product"
    record = ProductDetailRecord

    def find(self, slug: str) -> Row:
        facts = expressions(FACTS.values(), PRODUCTS)
        row = Product.objects.filter(slug=slug).values("id", *PRODUCT_FIELDS, **facts).first()
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
            endurance=_endurance(row, stated),
            devices=list(devices.values_list("slug", flat=True)),
        )


def _endurance(row: Row, stated: StatedFacts) -> list[Row]:
    """The rating of each capacity that sources rate."""
    rated = find_endurance(SimpleNamespace(**row), stated.claims)
    return [
        RatedCapacityRecord.of(written, capacity_bytes=capacity, years=rated.years)
        for capacity in rated.capacities
        if (written := rated.of(capacity)) is not None
    ]
