"""Serializers of product facts, which results.catalogue.product_facts defines."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from results.api.serializers import ProductDetailSerializer, ProductSerializer
from results.catalogue.product_facts import FACTS, FactField, fact_fields


class FactsSerializer(serializers.Serializer):
    """The facts of a product and capacity; null where not known."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {field.name: _field(field) for field in fact_fields(FACTS.values())}


def _field(field: FactField) -> serializers.Field:
    kind = serializers.CharField if field.is_text else serializers.FloatField
    return kind(allow_null=not field.is_known, help_text=field.meaning)


class WithFactsSerializer(serializers.Serializer):
    """A record with product facts."""

    facts = FactsSerializer(
        help_text="Product facts, with prices in the requested currency (`price_currency`)."
    )


class ListedProductSerializer(ProductSerializer, WithFactsSerializer):
    """A product of the catalogue with its facts; empty or null where not known."""


@extend_schema_serializer(component_name="ProductDetail")
class DescribedProductSerializer(ProductDetailSerializer, WithFactsSerializer):
    """A product with its facts, its sources' statements and its devices."""
