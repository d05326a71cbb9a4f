"""Rated endurance: what the catalogue states, else what sources claim, else computed from drive writes per day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

from django.db.models import Exists, OuterRef, Q, QuerySet

from parsers.base.units import TERABYTE
from results.advice.lifetime import WARRANTY_YEARS, rated_bytes
from results.models import Claim, Product
from results.models.choices import ClaimQuantity, StatedBy
from results.models.fact import is_same_capacity

RATINGS = (ClaimQuantity.ENDURANCE_TBW, ClaimQuantity.ENDURANCE_DWPD)


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


class Claimed(Protocol):
    """A claim for a product."""

    @property
    def capacity_bytes(self) -> int | None: ...
    @property
    def quantity(self) -> str: ...
    @property
    def value(self) -> Decimal | None: ...
    @property
    def stated_by(self) -> str: ...
    @property
    def source_url(self) -> str: ...


class Figure(NamedTuple):
    """A rating for a capacity; None for the largest model (bytes) or for the line (drive writes per day)."""

    capacity_bytes: int | None
    value: Any
    source_url: str
    is_quoted: bool = False  # by someone other than the maker


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

    def written_of(self, capacity_bytes: int) -> list[Figure]:
        return _about(self.written, capacity_bytes)

    def drive_writes_of(self, capacity_bytes: int | None) -> list[Figure]:
        """Those for the capacity; without any, those for the line. All of them without a capacity."""
        if capacity_bytes is None:
            return list(self.drive_writes)
        of_line = [one for one in self.drive_writes if one.capacity_bytes is None]
        return _about(self.drive_writes, capacity_bytes) or of_line

    def of(self, capacity_bytes: int | None) -> Written | None:
        """What one device is rated for."""
        if capacity_bytes is None:
            return None
        if stated := self.written_of(capacity_bytes):
            return Written(min(one.value for one in stated))
        dwpd = min((one.value for one in self.drive_writes_of(capacity_bytes)), default=None)
        if dwpd is None:
            return None
        return Written(rated_bytes(dwpd, capacity_bytes=capacity_bytes, years=self.years), dwpd)


def _about(figures: Iterable[Figure], capacity_bytes: int) -> list[Figure]:
    same = [one for one in figures if is_same_capacity(one.capacity_bytes, capacity_bytes)]
    return [one for one in same if one.capacity_bytes == capacity_bytes] or same


def find_endurance(product: Stated, claims: Iterable[Claimed]) -> Endurance:
    """The catalogue's ratings; for capacities and quantities without one, what sources claim."""
    source = product.endurance_source_url
    written = [
        Figure(one["capacity_bytes"], one["written_bytes"], source)
        for one in product.endurance_tbw
        if one["written_bytes"]
    ]
    ends = dict.fromkeys((product.endurance_dwpd_low, product.endurance_dwpd_high))
    drive_writes = [Figure(None, value, source) for value in ends if value is not None]
    known = {one.capacity_bytes for one in written}
    claimed = [one for one in claims if one.quantity in RATINGS and one.value is not None]
    found = [one for one in _figures(claimed, ClaimQuantity.ENDURANCE_TBW) if one.capacity_bytes not in known]
    written += [
        one._replace(value=int(one.value * TERABYTE)) for one in found if one.capacity_bytes or not written
    ]
    drive_writes = drive_writes or _figures(claimed, ClaimQuantity.ENDURANCE_DWPD)
    return Endurance(_lowest(written), drive_writes, product.endurance_years)


def _figures(claims: Iterable[Claimed], quantity: ClaimQuantity) -> list[Figure]:
    return [
        Figure(one.capacity_bytes, one.value, one.source_url, one.stated_by != StatedBy.MAKER)
        for one in claims
        if one.quantity == quantity
    ]


def _lowest(figures: Iterable[Figure]) -> list[Figure]:
    """The lowest of each capacity, the smallest capacity first, the largest model last."""
    found: dict[int | None, Figure] = {}
    for one in figures:
        found[one.capacity_bytes] = min(one, found.get(one.capacity_bytes, one), key=lambda each: each.value)
    return sorted(found.values(), key=lambda one: (one.capacity_bytes is None, one.capacity_bytes or 0))


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
