"""Records of products, with the facts that results.catalogue.product_facts defines."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from rest_framework import serializers

from parsers.base.device_class import DeviceClass
from results.api.records import PLP_PROBABLY, page_of
from results.catalogue.endurance import Endurance
from results.catalogue.files.products_csv import SINGLE
from results.catalogue.product_facts import FACTS, FactField, fact_fields, fact_record, plain_fact
from results.core.drive_names import DriveName
from results.core.record import Record, Row, Url, field, null_if_empty
from results.models.choices import (
    INTERFACES,
    MEDIA,
    CaveatKind,
    ClaimQuantity,
    Plp,
    PlpEvidence,
    PriceCondition,
    ProductFlag,
    Segment,
    SellerKind,
    StatedBy,
    is_probably_protected,
    options_in,
)

STATED_ONCE = tuple(name for name in SINGLE if name != "example_model")
_COPIED = (*STATED_ONCE, "plp_statements", "endurance_tbw", "flags", "sources")
PRODUCT_FIELDS = (*_COPIED, "vendor__name", "endurance_dwpd_low", "endurance_dwpd_high", "changed_at")
PRICE_FIELDS = (
    *("id", "product__slug", "capacity_bytes", "price", "currency", "condition", "seller_kind", "seen_on"),
    *("source_url", "changed_at"),
)


def _choices(options: Mapping[str, tuple[str, Any]]) -> list[tuple[str, str]]:
    return [(option, label) for option, (label, _) in options.items()]


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


class FactsRecord(Record):
    """The facts of a product and capacity; null where not known."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {field.name: _field(field) for field in fact_fields(FACTS.values())}

    @classmethod
    def of(cls, source: Any, /, **given: Any) -> Row:
        return {**fact_record(source, FACTS.values()), **given}


_FACT_FIELDS: Mapping[type, type[serializers.Field]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
}


def _field(field: FactField) -> serializers.Field:
    return _FACT_FIELDS[field.value_type](allow_null=not field.is_known, help_text=field.meaning)


FACTS_OF_ROW = field(
    "Product facts, with prices in the requested currency (`price_currency`).", lambda row: row
)


class PlpStatementRecord(Record):
    """A source's statement about power-loss protection."""

    value: Plp = field("what the source says")
    evidence: PlpEvidence = field("the kind of source")
    url: Url = field("of the source")
    note: str = field("on the source's statement, or empty")


class EnduranceRecord(Record):
    """The rated writes that the catalogue states for a capacity; without one, for the largest in the line."""

    capacity_bytes: int | None = field("bytes; null where it isn't known")
    written_bytes: int = field("how many bytes may be written")


class ProductRecord(Record):
    """A product of the catalogue; empty or null where nothing is known."""

    first = (*_COPIED, "url", "vendor", "endurance_dwpd_low", "endurance_dwpd_high")

    slug: str = field("its name in URLs")
    url: Url = field("its page for people", "slug", to=page_of("product"))
    vendor: str = field("who makes it", "vendor__name")
    name: str = field("the name of the product")
    device_class: DeviceClass = field("its class")
    segment: Segment = field("the market that it is made for")
    media: str = field("in words; empty where it isn't known. `media_types` has the same for programs")
    interface: str = field("in words; empty where it isn't known. `interfaces` has the same for programs")
    form_factors: str = field("empty where they aren't known")
    plp: Plp = field("power-loss protection")
    plp_statements: list[PlpStatementRecord] = field(
        "what sources state about its protection",
        to=lambda stated: [{"note": "", **statement} for statement in stated],
    )
    endurance_dwpd_low: float | None = field("drive writes per day", to=_number)
    endurance_dwpd_high: float | None = field("drive writes per day", to=_number)
    endurance_years: int | None = field("that the endurance is stated for")
    endurance_tbw: list[EnduranceRecord] = field(
        "bytes that may be written to each capacity, from the catalogue only: `endurance` has claimed ratings, too",
        to=list,
    )
    endurance_source_url: Url = field("or empty", allow_blank=True)
    launch_year: int | None = field("the year of its first sale, or null")
    flags: list[ProductFlag] = field("what else readers should know about it")
    sources: list[Url] = field("the URLs of its sources in the catalogue")
    plp_probably: bool = field(
        PLP_PROBABLY, lambda row: is_probably_protected(row["plp"], row["plp_statements"])
    )
    display_name: str = field(
        "the name people know it by, with its vendor",
        lambda row: DriveName(vendor=row["vendor__name"], line=row["name"]).full,
    )
    media_types: list[str] = field(
        "what it stores data on, as `media` says: all that apply; empty where it isn't known",
        lambda row: options_in(row["media"], MEDIA),
        choices=_choices(MEDIA),
    )
    interfaces: list[str] = field(
        "how it is attached, as `interface` says, in the words of the filter `interface`: all that apply; "
        "empty where it isn't known",
        lambda row: options_in(row["interface"], INTERFACES),
        choices=_choices(INTERFACES),
    )
    changed_at: datetime = field(
        "when it or a statement about it last changed; measured facts and its devices don’t count"
    )


class ProductClaimRecord(Record):
    """A figure or component that one source states for a product."""

    first = ("capacity_bytes", "variant")

    quantity: ClaimQuantity = field("the quantity that is stated")
    capacity_bytes: int | None = field("marketed bytes; null for the whole line")
    variant: str = field("the models of the line that it is about; empty for all of them")
    value: float | None = field("null where it is stated in words", to=_number)
    is_below: bool = field("it is less than the value")
    text: str = field("what is stated in words, or empty")
    unit: str = field("the unit of the figure; empty for words")
    stated_by: StatedBy = field("who states it")
    source_url: Url = field("of the source")
    note: str = field("what else the source says, or empty")


class PriceSightingRecord(Record):
    """A price seen on a page on a given day: not the current price."""

    capacity_bytes: int | None = field("marketed bytes; null if the line has one")
    price: float = field("the price that was seen", "amount", to=float)
    currency: str = field("ISO 4217")
    condition: PriceCondition | None = field("null if the page doesn't say", to=null_if_empty)
    seller_kind: SellerKind = field("where it was seen")
    seen_on: str = field("a date, or the known part of one: 2018-01-30, 2018-01 or 2018")
    source_url: Url = field("of the source")


class ListedPriceRecord(PriceSightingRecord):
    """A price seen on a page on a given day, with its product."""

    first = ("id", "product")

    id: int = field("a number that identifies it")
    product: str = field("the slug of its product", "product__slug")
    price: float = field("the price that was seen", to=float)
    changed_at: datetime = field("when it was stored or last changed")


class LifeCycleRecord(Record):
    """A source's statement about a product's launch, end of sale and successor."""

    launched_on: str = field("a date, or the known part of one; empty where the source does not say")
    end_of_sale: str = field("in words, or empty")
    successor: str | None = field("the slug of a product", "successor_id")
    source_url: Url = field("of the source")
    note: str = field("what else the source says, or empty")


class CaveatRecord(Record):
    """A known problem of a product."""

    kind: CaveatKind = field("the kind of problem")
    summary: str = field("a summary of the problem")
    fixed_in_firmware: str = field("the firmware with a fix, or empty")
    source_url: Url = field("of the source")


class RatedCapacityRecord(Record):
    """The rating of drives of one capacity; the lowest if there are several variants."""

    capacity_bytes: int = field("marketed bytes")
    written_bytes: int = field("how many bytes may be written", "bytes")
    from_drive_writes: float | None = field(
        "the drive writes per day that it is computed from; null if it is stated", "dwpd", to=_number
    )
    years: int = field("the years that the drive writes per day apply to")
    source_url: Url = field("the source of the rating, or empty", allow_blank=True)

    @classmethod
    def all_in(cls, rated: Endurance) -> list[Row]:
        """The ratings of each capacity that sources rate, smallest first."""
        return [
            cls.of(written, capacity_bytes=capacity, years=rated.years)
            for capacity in rated.capacities
            if (written := rated.of(capacity)) is not None
        ]


class ListedProductRecord(ProductRecord):
    """A product of the catalogue with its facts; empty or null where not known."""

    facts: FactsRecord = FACTS_OF_ROW
    endurance_dwpd_low: float | None = field(
        "drive writes per day: from the catalogue, else the lowest claimed", "dwpd_low"
    )
    endurance_dwpd_high: float | None = field(
        "the same as `endurance_dwpd` of its facts", "fact_endurance_dwpd", to=plain_fact
    )
    launch_year: int | None = field("the same as in its facts", "fact_launch_year")
    endurance: list[RatedCapacityRecord] = field(
        "the rating of each capacity: what the catalogue states, else what sources claim"
    )
    endurance_of_largest_bytes: int | None = field(
        "bytes that may be written to the largest of the line, if a source rates it without naming its capacity"
    )


class ProductDetailRecord(ListedProductRecord):
    """A product with its facts, its sources' statements and its devices."""

    first = (
        *ProductRecord.first,
        *("facts", "caveats", "claims", "prices", "life_cycle", "endurance", "devices"),
    )

    caveats: list[CaveatRecord] = field("known problems, most severe kind first")
    claims: list[ProductClaimRecord] = field("what sources state, by quantity; never ranked")
    prices: list[PriceSightingRecord] = field("prices that were seen, the latest first: at most 100")
    life_cycle: list[LifeCycleRecord] = field(
        "what sources state about its launch, end of sale and successor"
    )
    devices: list[str] = field("slugs")
