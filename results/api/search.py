"""Search over devices and products; where nothing has the words, what is alike."""

from typing import Any

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db.models import F, Q, Value
from django.db.models.functions import Concat
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from results.api.endpoint import Endpoint
from results.api.products import PRODUCT_FIELDS, product_record
from results.api.rows import DEVICE_FIELDS, device_record
from results.api.serializers import SearchSerializer
from results.models import Device, DeviceRanking, Product
from results.ranking.asked import QUERY_LIMIT
from results.ranking.changes import IS_SHOWN
from results.ranking.search import ALIKE_FROM, search_devices

MOST_FOUND = 20


class Search(Endpoint):
    """Up to 20 devices and 20 products that have all the words, else those whose names are alike."""

    parameters = ("q",)
    record = SearchSerializer

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
        responses=SearchSerializer,
    )
    def get(self, request: Request) -> HttpResponse:
        text = request.query_params.get("q", "").strip()
        if not 0 < len(text) <= QUERY_LIMIT or "\0" in text:
            raise ValidationError({"q": [f"1 to {QUERY_LIMIT} characters of vendor, model or product."]})
        devices = _devices(text)
        return self.answer(
            {
                "devices": [device_record(row) for row in devices],
                "products": [product_record(row) for row in _products(text)],
            }
        )


def _devices(text: str) -> list[dict[str, Any]]:
    """Devices with all words, ranked or not; else ranked ones that are alike."""
    public = Device.objects.filter(IS_SHOWN).order_by("model_name", "capacity_bytes", "id")
    exact = public.filter(_all_words("searched", text)).values(*DEVICE_FIELDS)[:MOST_FOUND]
    found = list(exact)
    if found:
        return found
    search = search_devices(DeviceRanking.objects.all(), text)
    alike = DeviceRanking.objects.filter(search.condition).values("device_id")
    return list(public.filter(pk__in=alike).values(*DEVICE_FIELDS)[:MOST_FOUND])


def _products(text: str) -> list[dict[str, Any]]:
    named = Product.objects.annotate(
        named=Concat("vendor__name", Value(" "), "name"), alike=TrigramWordSimilarity(text, F("named"))
    )
    found = named.filter(_all_words("named", text) | Q(alike__gte=ALIKE_FROM))
    return list(found.order_by("-alike", "named", "id").values(*PRODUCT_FIELDS)[:MOST_FOUND])


def _all_words(column: str, text: str) -> Q:
    condition = Q()
    for word in text.split():
        condition &= Q(**{f"{column}__icontains": word})
    return condition
