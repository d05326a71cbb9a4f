"""The search in the API."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from parsers.base.device_class import DeviceClass
from results.api.lists import RecordList
from results.api.parameters import values_of
from results.api.records import DEVICE_FIELDS, FOUND_TYPES, PLP_PROBABLY, DeviceRecord
from results.catalogue.matching.names import words_of
from results.catalogue.records import PRODUCT_FIELDS, ProductRecord
from results.core.record import Record, Row, Url, field
from results.core.security.rate_limits import QUERY_LIMIT
from results.models import Product
from results.models.choices import Plp
from results.search.products import FoundProducts, Match, find_products
from results.search.query import find_devices

MAX_FOUND = 20


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
    plp: Plp = field("its power-loss protection; unknown if `match` is similar: look that up by its slug")
    match: Match = field(
        "exact: the only one with this name, model string or all of these words; shared: one of several; similar: "
        "its name is only similar or longer, so it is another drive until somebody has looked"
    )
    plp_probably: bool = field(f"{PLP_PROBABLY}; false if `match` is similar")
    display_name: str = field("the name people know it by, with the capacity of a device")


class Search(RecordList):
    """Up to 20 products and 20 devices by name, by words, or by similar names, which come last."""

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
        OpenApiParameter(
            "match",
            {"type": "array", "items": {"type": "string", "enum": Match.values}},
            style="form",
            explode=False,
            description="only what the text names like this",
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
        matches = values_of(self.request.query_params, "match")
        if not set(matches) <= set(Match.values):
            raise ValidationError({"match": [f"Unknown match. Allowed: {', '.join(Match.values)}."]})
        hits = _find(text, find_products(text))
        return [hit for hit in hits if not matches or hit["match"] in matches]


def _find(text: str, found: FoundProducts) -> list[Row]:
    """The products and devices, those with similar names last; of these, the protection isn't stated."""
    named = found.ids if found.match or found.is_shared else []
    rows = _products(found.ids[:MAX_FOUND])
    by_slug = {row["slug"]: found.match_of(row["id"]) for row in rows}
    hits = [_hit("product", ProductRecord.of(row), row["name"], by_slug[row["slug"]]) for row in rows]
    for row in find_devices(text, named, fields=DEVICE_FIELDS, most=MAX_FOUND):
        match = _match_of_device(text, row, by_slug.get(row["product__slug"], Match.SIMILAR))
        hits.append(_hit("device", DeviceRecord.of(row), row["model_name"], match))
    return sorted(hits, key=lambda hit: Match.values.index(hit["match"]))


def _match_of_device(text: str, row: Row, of_product: Match) -> Match:
    """How the text names a device: as it reports itself, or with its product and all other devices of that."""
    name = row["model_name"]
    if text.casefold() in {name.casefold(), f"{row['vendor']} {name}".casefold()}:
        return Match.EXACT
    has_words = {*words_of(f"{row['vendor']} {name}")}.issuperset(words_of(text))
    return Match.SHARED if has_words or of_product is not Match.SIMILAR else Match.SIMILAR


def _hit(kind: str, record: Row, name: str, match: Match) -> Row:
    """A product or device from its own record."""
    for_device = {field: record.get(field) for field in ("capacity_bytes", "elsewhere_count")}
    stated = {"plp": Plp.UNKNOWN.value, "plp_probably": False} if match is Match.SIMILAR else {}
    return FoundRecord.of({**record, **stated}, type=kind, name=name, match=match.value, **for_device)


def _products(ids: Sequence[int]) -> list[dict[str, Any]]:
    """Rows of PRODUCT_FIELDS in the order of `ids`."""
    rows = {row["id"]: row for row in Product.objects.filter(pk__in=ids).values("id", *PRODUCT_FIELDS)}
    return [rows[pk] for pk in ids]
