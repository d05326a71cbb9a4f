"""The search in the API."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from parsers.base.device_class import DeviceClass
from results.api.lists import RecordList
from results.api.records import DEVICE_FIELDS, FOUND_TYPES, DeviceRecord
from results.catalogue.records import PRODUCT_FIELDS, ProductRecord
from results.core.record import Record, Row, Url, field
from results.core.security.rate_limits import QUERY_LIMIT
from results.models import Product
from results.models.choices import Plp
from results.search.products import find_products
from results.search.query import find_devices

MOST_FOUND = 20


class FoundRecord(Record):
    """A device or product found by a search."""

    first = ("type", "name", "capacity_bytes", "elsewhere_count")

    type: str = field("whether it is a device or a product", choices=FOUND_TYPES)
    url: Url = field("its page for people")
    slug: str = field("its name in URLs")
    vendor: str = field("empty where it isn't known")
    name: str = field("the model name of a device, or the name of a product")
    capacity_bytes: int | None = field("of a device in bytes; null if unknown")
    device_class: DeviceClass = field("its class")
    elsewhere_count: int | None = field("null for a product")
    plp: Plp = field("its power-loss protection")


class Search(RecordList):
    """Up to 20 products and 20 devices by name, by words, or by similar names."""

    operation_id = "search"
    query = (
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
        ),
    )
    record = FoundRecord
    ordering_fields = {
        name: name for name in ("type", "slug", "vendor", "name", "capacity_bytes", "device_class", "plp")
    }

    def get_queryset(self) -> Any:
        text = self.request.query_params.get("q", "").strip()
        if not 0 < len(text) <= QUERY_LIMIT:
            raise ValidationError({"q": [f"1 to {QUERY_LIMIT} characters of vendor, model or product."]})
        found = find_products(text)
        named = found.ids if found.match or found.is_shared else []
        products = (ProductRecord.of(row) for row in _products(found.ids[:MOST_FOUND]))
        rows = find_devices(text, named, fields=DEVICE_FIELDS, most=MOST_FOUND)
        devices = (DeviceRecord.of(row) for row in rows)
        return [
            *(_found("product", one, one["name"]) for one in products),
            *(_found("device", one, one["model_name"]) for one in devices),
        ]


def _found(kind: str, record: Row, name: str) -> Row:
    """A product or device from its own record."""
    of_device = {field: record.get(field) for field in ("capacity_bytes", "elsewhere_count")}
    return FoundRecord.of(record, type=kind, name=name, **of_device)


def _products(ids: Sequence[int]) -> list[dict[str, Any]]:
    """Rows of PRODUCT_FIELDS in the order of `ids`."""
    rows = {row["id"]: row for row in Product.objects.filter(pk__in=ids).values("id", *PRODUCT_FIELDS)}
    return [rows[pk] for pk in ids]
