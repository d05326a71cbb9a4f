"""The API's products by trait, from the same query as the page."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from parsers.base.device_class import DeviceClass
from results.api.lists import RecordList
from results.api.records import page_of
from results.core.addresses import full_url
from results.core.record import Record, Url, field
from results.traits.page import LONGEST, split_slugs
from results.traits.query import (
    CLAIM,
    MAX_PRODUCTS,
    RESULT,
    STATEMENT,
    TRAITS,
    UnknownProductsError,
    default_slugs,
    find_subjects,
    known_of,
)

_BASES = [(CLAIM, "somebody’s claim"), (STATEMENT, "a statement in the catalogue"), (RESULT, "measured here")]


class KnownRecord(Record):
    """Something that is known of a trait."""

    text: str = field("in words")
    basis: str = field("whether it is a claim, a statement or a result", choices=_BASES)
    stated_by: str = field("who says so; empty if the source says who")
    source_url: Url = field(
        "where it says so",
        lambda known: full_url(known.source_url) if known.basis == RESULT else known.source_url,
    )
    device: str | None = field("the slug of the measured device; null for others", "device.slug")
    elsewhere_count: int | None = field(
        "how many of its results were published elsewhere; null for others", "device.elsewhere_count"
    )
    note: str = field("a note, or empty")


class ProductTraitRecord(Record):
    """A trait of a product."""

    trait: str = field("which trait", choices=[(trait.key, trait.label) for trait in TRAITS])
    known: list[KnownRecord] = field("what is known of it; empty if nothing")


class ProductTraitsRecord(Record):
    """A product with its traits."""

    slug: str = field("its name in URLs")
    url: Url = field("its page for people", "slug", to=page_of("product"))
    vendor: str = field("who sells it", "vendor.name")
    name: str = field("its name")
    device_class: DeviceClass = field("its class")
    traits: list[ProductTraitRecord] = field("all traits, in the order of the page")


class Traits(RecordList):
    """Products with their traits, each statement with its source: those named, or one of each class."""

    record = ProductTraitsRecord
    operation_id = "traits"
    query = (
        OpenApiParameter(
            "products",
            {"type": "string", "maxLength": (LONGEST + 1) * MAX_PRODUCTS},
            description=f"up to {MAX_PRODUCTS} slugs, separated by commas; one of each class if left out",
        ),
    )
    ordering_fields = {"slug": "slug"}

    def get_queryset(self) -> Any:
        slugs = split_slugs(self.request.query_params.get("products", ""))
        if len(slugs) > MAX_PRODUCTS:
            raise ValidationError({"products": [f"At most {MAX_PRODUCTS} products."]})
        try:
            subjects = find_subjects(slugs or default_slugs())
        except UnknownProductsError as error:
            names = ", ".join(slug[:LONGEST] for slug in error.slugs)
            raise ValidationError({"products": [f"No such product: {names}."]}) from None
        return [
            ProductTraitsRecord.of(
                subject.product,
                traits=[
                    {"trait": trait.key, "known": KnownRecord.all_of(known_of(trait, subject))}
                    for trait in TRAITS
                ],
            )
            for subject in subjects
        ]
