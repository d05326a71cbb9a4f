"""Products whose maker rates what may be written to them."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q, QuerySet

from results.models import Product


@dataclass(frozen=True, slots=True)
class RatedProduct:
    """A rating: bytes by capacity (None: the largest), or at least so many drive writes a day over years."""

    slug: str
    name: str
    written: tuple[tuple[int | None, int], ...]
    dwpd: Decimal
    years: int
    source_url: str

    @property
    def needs_capacity(self) -> bool:
        """Drive writes a day alone say nothing of bytes."""
        return not self.written


def _rated() -> QuerySet[Product]:
    return Product.objects.filter(~Q(endurance_tbw=[]) | Q(endurance_dwpd_low__isnull=False))


def rated_products() -> list[tuple[str, str]]:
    """The slug and the full name of each, by name. One query."""
    rows = _rated().order_by("vendor__name", "name").values_list("slug", "vendor__name", "name")
    return [(slug, f"{vendor} {name}") for slug, vendor, name in rows]


def rated_product(slug: str) -> RatedProduct:
    """Raises Product.DoesNotExist where nothing is rated."""
    product = _rated().select_related("vendor").get(slug=slug)
    return RatedProduct(
        slug=product.slug,
        name=product.full_name,
        written=tuple((one["capacity_bytes"], one["written_bytes"]) for one in product.endurance_tbw),
        dwpd=product.endurance_dwpd_low or Decimal(0),
        years=product.endurance_years or 0,
        source_url=product.endurance_source_url,
    )
