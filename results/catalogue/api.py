"""Products in the API."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from results.api.filters import ProductFilter
from results.api.lists import RowList
from results.api.rows import Row
from results.api.views import ReadEndpoint
from results.catalogue.fact_files import CAVEATS, CLAIMS, LIFE_CYCLES, PRICES, FactKind
from results.catalogue.facts import FACTS, PRODUCTS, expressions, fact_record
from results.catalogue.file import SINGLE
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY
from results.catalogue.serializers import DescribedProductSerializer, ListedProductSerializer
from results.catalogue.stated import StatedFacts, stated_facts
from results.core.links import full_url
from results.models import Device, Product
from results.models.choices import Offer

_SINGLE = tuple(name for name in SINGLE if name != "example_model")
_COPIED = (*_SINGLE, "plp_statements", "endurance_tbw", "flags", "sources")
PRODUCT_FIELDS = (*_COPIED, "vendor__name", "endurance_dwpd_low", "endurance_dwpd_high")


PRICE_PARAMETERS = (
    OpenApiParameter(
        "currency", str, enum=sorted(CURRENCIES), description=f"of prices; {DEFAULT_CURRENCY} by default"
    ),
    OpenApiParameter("condition", str, enum=Offer.values, description="which prices count; both by default"),
)


class ProductList(RowList):
    """Products of the catalogue by vendor and name."""

    queryset = Product.objects.order_by("vendor__name", "name", "id").values(
        *PRODUCT_FIELDS, **expressions(FACTS.values(), PRODUCTS)
    )
    record = ListedProductSerializer
    filterset_class = ProductFilter
    ordering_fields = {
        "vendor": "vendor__name",
        **{name: name for name in (*_SINGLE, "endurance_dwpd_low", "endurance_dwpd_high")},
    }

    def rows(self, page: Sequence[Row]) -> list[Row]:
        return [{**product_record(row), "facts": fact_record(row, FACTS.values())} for row in page]


class ProductDetail(ReadEndpoint):
    """A product of the catalogue with its sources' statements and its devices."""

    record = DescribedProductSerializer

    @extend_schema(operation_id="product", responses=DescribedProductSerializer)
    def get(self, request: Request, **names: str) -> HttpResponse:
        return super().get(request, **names)

    def find(self, **names: str) -> Row:
        facts = expressions(FACTS.values(), PRODUCTS)
        row = Product.objects.filter(slug=names["slug"]).values("id", *PRODUCT_FIELDS, **facts).first()
        if row is None:
            raise Http404(f"There is no product “{names['slug']}”. /api/v1/products/?q=… finds them by name.")
        devices = Device.objects.shown().filter(product=row["id"]).order_by("model_name", "capacity_bytes")
        return {
            **product_record(row),
            "facts": fact_record(row, FACTS.values()),
            **fact_records(stated_facts(row["id"])),
            "devices": list(devices.values_list("slug", flat=True)),
        }


def product_record(row: Row) -> Row:
    """ProductSerializer's shape."""
    low, high = row["endurance_dwpd_low"], row["endurance_dwpd_high"]
    return {
        **{name: row[name] for name in _COPIED},
        "plp_statements": [{"note": "", **one} for one in row["plp_statements"]],
        "url": full_url(reverse("product", args=[row["slug"]])),
        "vendor": row["vendor__name"],
        "endurance_dwpd_low": None if low is None else float(low),
        "endurance_dwpd_high": None if high is None else float(high),
    }


def fact_records(facts: StatedFacts) -> Row:
    """ProductDetailSerializer's facts."""
    return {
        "caveats": [_record(one, CAVEATS) for one in facts.caveats],
        "claims": [
            {**_record(one, CLAIMS), "value": None if one.value is None else float(one.value)}
            for one in facts.claims
        ],
        "prices": [{**_record(one, PRICES), "price": float(one.price)} for one in facts.prices],
        "life_cycle": [_record(one, LIFE_CYCLES) for one in facts.life_cycle],
    }


def _record(fact: object, kind: FactKind[Any]) -> Row:
    """The columns of its kind; a product is its slug."""
    return {name.removesuffix("_id"): getattr(fact, name) for name in kind.fields}
