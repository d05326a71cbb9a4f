"""Records of product facts, which results.catalogue.product_facts defines."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from results.api.records import ProductDetailRecord, ProductRecord
from results.catalogue.product_facts import FACTS, FactField, fact_fields
from results.core.record import Record, field


class FactsRecord(Record):
    """The facts of a product and capacity; null where not known."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {field.name: _field(field) for field in fact_fields(FACTS.values())}


def _field(field: FactField) -> serializers.Field:
    kind = serializers.CharField if field.is_text else serializers.FloatField
    return kind(allow_null=not field.is_known, help_text=field.meaning)


class WithFactsRecord(Record):
    """A record with product facts."""

    facts: FactsRecord = field("Product facts, with prices in the requested currency (`price_currency`).")


class ListedProductRecord(ProductRecord, WithFactsRecord):
    """A product of the catalogue with its facts; empty or null where not known."""


@extend_schema_serializer(component_name="ProductDetail")
class DescribedProductRecord(ProductDetailRecord, WithFactsRecord):
    """A product with its facts, its sources' statements and its devices."""
