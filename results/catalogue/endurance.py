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
# Claims that rate a drive whose variant isn't known; `find_endurance` in Python
COUNTED = Q(variant="") | ~Q(product__flags__contains=[_PARTLY])


class EnduranceColumns(Protocol):
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


class Rating(NamedTuple):
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
    dwpd: Decimal | None
    source_url: str


@dataclass(frozen=True, slots=True)
class Endurance:
    """The ratings of a product: `written` in bytes, `drive_writes` per day; of several for a capacity the lowest."""

    written: Sequence[Rating]
    drive_writes: Sequence[Rating]
    stated_years: int | None

    @property
    def years(self) -> int:
        return self.stated_years or WARRANTY_YEARS

    @property
    def for_largest(self) -> int | None:
        """The bytes that the largest model of the line is rated for, if a source says so of the line as a whole."""
        return min((figure.value for figure in self.written if figure.capacity_bytes is None), default=None)

    @property
    def capacities(self) -> list[int]:
        """Those that sources rate, the smallest first."""
        rated = (*self.written, *self.drive_writes)
        return sorted({figure.capacity_bytes for figure in rated if figure.capacity_bytes is not None})

    @property
    def source_urls(self) -> list[str]:
        figures = (*self.written, *self.drive_writes)
        return list(dict.fromkeys(figure.source_url for figure in figures if figure.source_url))

    def written_of(self, capacity_bytes: int) -> list[Rating]:
        return _about(self.written, capacity_bytes)

    def drive_writes_of(self, capacity_bytes: int | None) -> list[Rating]:
        """Those for the capacity or, if there are none, for the line. All of them if no capacity is given.

        A variant that is rated by capacity doesn't exist in other capacities.
        """
        if capacity_bytes is None:
            return list(self.drive_writes)
        by_capacity = {figure.variant for figure in self.drive_writes if figure.capacity_bytes}
        for_capacity = _about(self.drive_writes, capacity_bytes)
        for_line = [figure for figure in self.drive_writes if not figure.capacity_bytes]
        if not for_capacity:
            return for_line
        return for_capacity + [figure for figure in for_line if figure.variant not in {"", *by_capacity}]

    def of(self, capacity_bytes: int | None) -> Written | None:
        """What one device is rated for: the lowest rating if there are several variants."""
        if capacity_bytes is None:
            return None
        stated, drive_writes = self.written_of(capacity_bytes), self.drive_writes_of(capacity_bytes)
        rated = [Written(figure.value, None, figure.source_url) for figure in stated]
        known = {figure.variant for figure in stated}
        rated += [
            Written(
                rated_bytes(figure.value, capacity_bytes=capacity_bytes, years=self.years),
                figure.value,
                figure.source_url,
            )
            for figure in drive_writes
            if known.isdisjoint({"", figure.variant})
        ]
        return min(rated, key=lambda figure: figure.bytes, default=None)


def _about(figures: Iterable[Rating], capacity_bytes: int) -> list[Rating]:
    same = [figure for figure in figures if is_same_capacity(figure.capacity_bytes, capacity_bytes)]
    return [figure for figure in same if figure.capacity_bytes == capacity_bytes] or same


def find_endurance(product: EnduranceColumns, claims: Iterable[Claimed]) -> Endurance:
    """The catalogue's ratings; for capacities and quantities without one, what sources claim.

    If sources rate only some variants of a line, their claims don't count.
    """
    source = product.endurance_source_url
    written = [
        Rating(row["capacity_bytes"], row["written_bytes"], source)
        for row in product.endurance_tbw
        if row["written_bytes"]
    ]
    ends = dict.fromkeys((product.endurance_dwpd_low, product.endurance_dwpd_high))
    drive_writes = [Rating(None, value, source) for value in ends if value is not None]
    known = {figure.capacity_bytes for figure in written}
    are_all = _PARTLY not in product.flags
    claimed = [claim for claim in claims if claim.value is not None and (are_all or not claim.variant)]
    written += [
        figure._replace(value=int(figure.value * TERABYTE))
        for figure in _figures(claimed, ClaimQuantity.ENDURANCE_TBW)
        if figure.capacity_bytes not in known and (figure.capacity_bytes or not written)
    ]
    rated = _figures(claimed, ClaimQuantity.ENDURANCE_DWPD)
    drive_writes += [figure for figure in rated if figure.capacity_bytes or not drive_writes]
    return Endurance(_lowest(written), drive_writes, product.endurance_years)


def _figures(claims: Iterable[Claimed], quantity: ClaimQuantity) -> list[Rating]:
    return [
        Rating(
            claim.capacity_bytes,
            claim.value,
            claim.source_url,
            claim.stated_by != StatedBy.MAKER,
            claim.variant,
        )
        for claim in claims
        if claim.quantity == quantity
    ]


def _lowest(figures: Iterable[Rating]) -> list[Rating]:
    """The lowest of each capacity and variant, the smallest capacity first, the largest model last."""
    found: dict[tuple[int | None, str], Rating] = {}
    for figure in figures:
        key = (figure.capacity_bytes, figure.variant)
        found[key] = min(figure, found.get(key, figure), key=lambda each: each.value)
    return sorted(
        found.values(),
        key=lambda figure: (figure.capacity_bytes is None, figure.capacity_bytes or 0, figure.value),
    )


@dataclass(frozen=True, slots=True)
class RatedProduct:
    """A product with its rating."""

    slug: str
    name: str
    endurance: Endurance


def _rated() -> QuerySet[Product]:
    claimed = Claim.objects.filter(product=OuterRef("pk"), quantity__in=RATINGS, value__isnull=False)
    stated = ~Q(endurance_tbw=[]) | Q(endurance_dwpd_low__isnull=False)
    return Product.objects.filter(stated | Exists(claimed))


def rated_products() -> list[tuple[str, str]]:
    """The slugs and full names of rated products, by name. One query."""
    return name_choices(_rated())


def name_choices(products: QuerySet[Product]) -> list[tuple[str, str]]:
    """The slugs and full names of these products, by name. One query."""
    rows = products.order_by("vendor__name", "name").values_list("slug", "vendor__name", "name")
    return [(slug, f"{vendor} {name}") for slug, vendor, name in rows]


def rated_product(slug: str) -> RatedProduct:
    """The product's rating; raises Product.DoesNotExist without one. Two queries."""
    product = _rated().select_related("vendor").get(slug=slug)
    claims = product.claims.filter(quantity__in=RATINGS)
    return RatedProduct(product.slug, product.full_name, find_endurance(product, claims))
