"""Products with rated endurance."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q, QuerySet

from results.models import Product


@dataclass(frozen=True, slots=True)
class RatedProduct:
    """A rating: bytes by capacity (None: the largest), or drive writes per day."""

    slug: str
    name: str
    written: tuple[tuple[int | None, int], ...]
    dwpd: Decimal
    years: int
    source_url: str

    @property
    def needs_capacity(self) -> bool:
        """Whether it is rated in drive writes per day only."""
        return not self.written


def _rated() -> QuerySet[Product]:
    return Product.objects.filter(~Q(endurance_tbw=[]) | Q(endurance_dwpd_low__isnull=False))


def rated_products() -> list[tuple[str, str]]:
    """The slugs and full names of rated products, by name. One query."""
    rows = _rated().order_by("vendor__name", "name").values_list("slug", "vendor__name", "name")
    return [(slug, f"{vendor} {name}") for slug, vendor, name in rows]


def rated_product(slug: str) -> RatedProduct:
    """The product's rating; raises Product.DoesNotExist without one."""
    product = _rated().select_related("vendor").get(slug=slug)
    return RatedProduct(
        slug=product.slug,
        name=product.full_name,
        written=tuple((one["capacity_bytes"], one["written_bytes"]) for one in product.endurance_tbw),
        dwpd=product.endurance_dwpd_low or Decimal(0),
        years=product.endurance_years or 0,
        source_url=product.endurance_source_url,
    )
