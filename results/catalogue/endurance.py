"""Rated endurance: what the catalogue states, else what sources claim, else computed from drive writes per day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

from django.db.models import Exists, OuterRef, Q, QuerySet

from parsers.base.units import TERABYTE
from results.advice.lifetime import WARRANTY_YEARS, rated_bytes
from results.models import Claim, Product
from results.models.choices import ClaimQuantity, ProductFlag, StatedBy
from results.models.fact import is_same_capacity

RATINGS = (ClaimQuantity.ENDURANCE_TBW, ClaimQuantity.ENDURANCE_DWPD)
_PARTLY = ProductFlag.ENDURANCE_PARTLY_STATED.value
# Claims that rate a drive whose variant isn't known; `_counts` in Python
COUNTED = Q(variant="") | ~Q(product__flags__contains=[_PARTLY])


class Stated(Protocol):
    """The endurance columns of a product."""

    @property
    def endurance_dwpd_low(self) -> Decimal | None: ...
    @property
    def endurance_dwpd_high(self) -> Decimal | None: ...
    @property
    def endurance_years(self) -> int | None: ...
    @property
    def endurance_tbw(self) -> list[Any]: ...
    @property
    def endurance_source_url(self) -> str: ...
    @property
    def flags(self) -> list[str]: ...


class Claimed(Protocol):
    """A claim for a product."""

    @property
    def capacity_bytes(self) -> int | None: ...
    @property
    def variant(self) -> str: ...
    @property
    def quantity(self) -> str: ...
    @property
    def value(self) -> Decimal | None: ...
    @property
    def stated_by(self) -> str: ...
    @property
    def source_url(self) -> str: ...


class Figure(NamedTuple):
    """A rating for a capacity; None for the largest model (bytes) or for the line (drive writes per day).

    With a `variant`, it is only for those models of the line.
    """

    capacity_bytes: int | None
    value: Any
    source_url: str
    is_quoted: bool = False  # by someone other than the maker
    variant: str = ""


class Written(NamedTuple):
    """Bytes that may be written; `dwpd` is what they are computed from, None if they are stated."""

    bytes: int
    dwpd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Endurance:
    """The ratings of a product: `written` in bytes, `drive_writes` per day; of several for a capacity the lowest."""

    written: Sequence[Figure]
    drive_writes: Sequence[Figure]
    stated_years: int | None

    @property
    def years(self) -> int:
        return self.stated_years or WARRANTY_YEARS

    @property
    def of_largest(self) -> int | None:
        """The bytes that the largest model of the line is rated for, if a source says so of the line as a whole."""
        return min((one.value for one in self.written if one.capacity_bytes is None), default=None)

    @property
    def capacities(self) -> list[int]:
        """Those that sources rate, the smallest first."""
        rated = (*self.written, *self.drive_writes)
        return sorted({one.capacity_bytes for one in rated if one.capacity_bytes is not None})

    def written_of(self, capacity_bytes: int) -> list[Figure]:
        return _about(self.written, capacity_bytes)

    def drive_writes_of(self, capacity_bytes: int | None) -> list[Figure]:
        """Those for the capacity or, if there are none, for the line. All of them if no capacity is given.

        A variant that is rated by capacity doesn't exist in other capacities.
        """
        if capacity_bytes is None:
            return list(self.drive_writes)
        by_capacity = {one.variant for one in self.drive_writes if one.capacity_bytes}
        of_capacity = _about(self.drive_writes, capacity_bytes)
        of_line = [one for one in self.drive_writes if not one.capacity_bytes]
        if not of_capacity:
            return of_line
        return of_capacity + [one for one in of_line if one.variant not in {"", *by_capacity}]

    def of(self, capacity_bytes: int | None) -> Written | None:
        """What one device is rated for: the lowest rating if there are several variants."""
        if capacity_bytes is None:
            return None
        stated, drive_writes = self.written_of(capacity_bytes), self.drive_writes_of(capacity_bytes)
        rated = [Written(one.value) for one in stated]
        known = {one.variant for one in stated}
        rated += [
            Written(rated_bytes(one.value, capacity_bytes=capacity_bytes, years=self.years), one.value)
            for one in drive_writes
            if known.isdisjoint({"", one.variant})
        ]
        return min(rated, key=lambda one: one.bytes, default=None)


def _about(figures: Iterable[Figure], capacity_bytes: int) -> list[Figure]:
    same = [one for one in figures if is_same_capacity(one.capacity_bytes, capacity_bytes)]
    return [one for one in same if one.capacity_bytes == capacity_bytes] or same


def find_endurance(product: Stated, claims: Iterable[Claimed]) -> Endurance:
    """The catalogue's ratings; for capacities and quantities without one, what sources claim.

    If sources rate only some variants of a line, their claims don't count.
    """
    source = product.endurance_source_url
    written = [
        Figure(one["capacity_bytes"], one["written_bytes"], source)
        for one in product.endurance_tbw
        if one["written_bytes"]
    ]
    ends = dict.fromkeys((product.endurance_dwpd_low, product.endurance_dwpd_high))
    drive_writes = [Figure(None, value, source) for value in ends if value is not None]
    known = {one.capacity_bytes for one in written}
    claimed = [
        one for one in claims if one.quantity in RATINGS and one.value is not None and _counts(one, product)
    ]
    found = [one for one in _figures(claimed, ClaimQuantity.ENDURANCE_TBW) if one.capacity_bytes not in known]
    written += [
        one._replace(value=int(one.value * TERABYTE)) for one in found if one.capacity_bytes or not written
    ]
    rated = _figures(claimed, ClaimQuantity.ENDURANCE_DWPD)
    drive_writes += [one for one in rated if one.capacity_bytes or not drive_writes]
    return Endurance(_lowest(written), drive_writes, product.endurance_years)


def _counts(claim: Claimed, product: Stated) -> bool:
    return not claim.variant or _PARTLY not in product.flags


def _figures(claims: Iterable[Claimed], quantity: ClaimQuantity) -> list[Figure]:
    return [
        Figure(one.capacity_bytes, one.value, one.source_url, one.stated_by != StatedBy.MAKER, one.variant)
        for one in claims
        if one.quantity == quantity
    ]


def _lowest(figures: Iterable[Figure]) -> list[Figure]:
    """The lowest of each capacity and variant, the smallest capacity first, the largest model last."""
    found: dict[tuple[int | None, str], Figure] = {}
    for one in figures:
        key = (one.capacity_bytes, one.variant)
        found[key] = min(one, found.get(key, one), key=lambda each: each.value)
    return sorted(
        found.values(), key=lambda one: (one.capacity_bytes is None, one.capacity_bytes or 0, one.value)
    )


@dataclass(frozen=True, slots=True)
class RatedProduct:
    """A product with its rating."""

    slug: str
    name: str
    endurance: Endurance

    @property
    def source_urls(self) -> list[str]:
        figures = (*self.endurance.written, *self.endurance.drive_writes)
        return list(dict.fromkeys(one.source_url for one in figures if one.source_url))


def _rated() -> QuerySet[Product]:
    claimed = Claim.objects.filter(product=OuterRef("pk"), quantity__in=RATINGS, value__isnull=False)
    stated = ~Q(endurance_tbw=[]) | Q(endurance_dwpd_low__isnull=False)
    return Product.objects.filter(stated | Exists(claimed))


def rated_products() -> list[tuple[str, str]]:
    """The slugs and full names of rated products, by name. One query."""
    rows = _rated().order_by("vendor__name", "name").values_list("slug", "vendor__name", "name")
    return [(slug, f"{vendor} {name}") for slug, vendor, name in rows]


def rated_product(slug: str) -> RatedProduct:
    """The product's rating; raises Product.DoesNotExist without one. Two queries."""
    product = _rated().select_related("vendor").get(slug=slug)
    claims = product.claims.filter(quantity__in=RATINGS)
    return RatedProduct(product.slug, product.full_name, find_endurance(product, claims))
