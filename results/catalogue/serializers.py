"""Product facts in the API: each is defined in results.catalogue.facts."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from results.api.serializers import ProductDetailSerializer, ProductSerializer
from results.catalogue.facts import FACTS, ProductFact


class FactsSerializer(serializers.Serializer):
    """What is known of a product and capacity; null where it isn't."""

    def get_fields(self) -> dict[str, serializers.Field]:
        fields: dict[str, serializers.Field] = {}
        for fact in FACTS.values():
            fields[fact.key] = _field(fact)
            if fact.seen_on:
                fields[f"seen_{fact.key}"] = serializers.CharField(
                    allow_null=True, help_text="When it was seen: a date, or the part of it that is known."
                )
        return fields


def _field(fact: ProductFact) -> serializers.Field:
    said = f"{fact.meaning} In {fact.unit}." if fact.unit else fact.meaning
    kind = serializers.CharField if fact.is_text else serializers.FloatField
    return kind(allow_null=True, help_text=said)


class WithFactsSerializer(serializers.Serializer):
    """A record with product facts."""

    facts = FactsSerializer(help_text="Product facts, with prices in the requested currency.")


class ListedProductSerializer(ProductSerializer, WithFactsSerializer):
    """A line of the catalogue with its facts; empty or null where nothing is known."""


@extend_schema_serializer(component_name="ProductDetail")
class DescribedProductSerializer(ProductDetailSerializer, WithFactsSerializer):
    """A line of the catalogue with its facts, what sources state for it, and its devices."""
