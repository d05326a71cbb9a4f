"""Search over devices and products, by words and by the names people use; else similar names."""

from typing import Any

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Concat
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from results.api.lists import RecordList
from results.api.rows import DEVICE_FIELDS, Row, device_record
from results.api.serializers import FoundSerializer
from results.catalogue.api import PRODUCT_FIELDS, product_record
from results.core.limits import QUERY_LIMIT
from results.models import Device, DeviceRanking, Product
from results.search.query import ALIKE_FROM, find_product, search_devices

MOST_FOUND = 20


class Search(RecordList):
    """Up to 20 devices and 20 products that have all the words, else those whose names are alike."""

    parameters = ("q",)
    record = FoundSerializer
    ordering_fields = {
        name: name for name in ("type", "slug", "vendor", "name", "capacity_bytes", "device_class", "plp")
    }

    @extend_schema(
        operation_id="search",
        parameters=[
            OpenApiParameter(
                "q",
                {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": QUERY_LIMIT,
                    "pattern": r"^[^\x00]*[^\s\x00][^\x00]*$",
                },
                required=True,
                description="words of vendor, model or product",
            )
        ],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        text = self.request.query_params.get("q", "").strip()
        if not 0 < len(text) <= QUERY_LIMIT:
            raise ValidationError({"q": [f"1 to {QUERY_LIMIT} characters of vendor, model or product."]})
        product_id = find_product(text)
        devices = (device_record(row) for row in _devices(text, product_id))
        products = (product_record(row) for row in _products(text, product_id))
        return [
            *(_found("device", one, one["model_name"]) for one in devices),
            *(_found("product", one, one["name"]) for one in products),
        ]


def _found(kind: str, record: Row, name: str) -> Row:
    """FoundSerializer's shape."""
    of_device = {field: record.get(field) for field in ("capacity_bytes", "elsewhere_count")}
    same = {field: record[field] for field in ("url", "slug", "vendor", "device_class", "plp")}
    return {"type": kind, "name": name, **of_device, **same}


def _devices(text: str, product_id: int | None) -> list[dict[str, Any]]:
    """Devices with all words or of that product, ranked or not; else ranked ones that are alike."""
    public = Device.objects.shown().order_by("model_name", "capacity_bytes", "id")
    exact = public.filter(_all_words("searched", text) | _is_product("product", product_id)).values(
        *DEVICE_FIELDS
    )[:MOST_FOUND]
    found = list(exact)
    if found:
        return found
    search = search_devices(DeviceRanking.objects.all(), text)
    alike = DeviceRanking.objects.filter(search.condition).values("device_id")
    return list(public.filter(pk__in=alike).values(*DEVICE_FIELDS)[:MOST_FOUND])


def _products(text: str, product_id: int | None) -> list[dict[str, Any]]:
    named = Product.objects.annotate(
        named=Concat("vendor__name", Value(" "), "name"), alike=TrigramWordSimilarity(text, F("named"))
    )
    found = named.filter(_all_words("named", text) | _is_product("pk", product_id) | Q(alike__gte=ALIKE_FROM))
    meant_first = Case(When(_is_product("pk", product_id), then=0), default=1)
    return list(found.order_by(meant_first, "-alike", "named", "id").values(*PRODUCT_FIELDS)[:MOST_FOUND])


def _all_words(column: str, text: str) -> Q:
    condition = Q()
    for word in text.split():
        condition &= Q(**{f"{column}__icontains": word})
    return condition


def _is_product(column: str, product_id: int | None) -> Q:
    """No product has the number 0."""
    return Q(**{column: product_id or 0})
