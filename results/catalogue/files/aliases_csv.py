"""Read and store the names that people and shops use for products."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from results.catalogue.files.statements_csv import check_slugs
from results.catalogue.matching.names import normalize_name
from results.core.lines import FileLine, LineError, check_url, compare, one_of, read_lines, words
from results.models import Product

ALIAS_FILE_NAME = "aliases.csv"
OEM = "oem"


@dataclass(frozen=True, slots=True)
class AliasLine(FileLine):
    """A name of a product; `source_url` is empty if it only shortens the full name."""

    slug: str
    alias: Annotated[str, words(120, may_be_empty=True)]
    kind: Annotated[str, one_of(["marketing", OEM, "abbreviation"])]
    source_url: Annotated[str, lambda cell: cell and check_url(cell)]

    def check(self) -> None:
        """Require a word that names a product."""
        if not normalize_name(self.alias):
            raise LineError(f"alias: {self.alias!r} has no word that names a product")

    def identity(self) -> tuple[Any, ...]:
        """A product has a name once, in any case."""
        return f"alias: {self.alias.casefold()!r}", self.slug


def read_aliases(path: Path, slugs: Collection[str]) -> list[AliasLine]:
    """Read the file's lines, each for a product in `slugs`; raises CatalogueError."""
    return [line for _, line in read_lines(path, AliasLine, partial(check_slugs, slugs=slugs))]


def store_aliases(lines: Iterable[AliasLine]) -> list[str]:
    """Set every product's aliases, and return the slugs that changed. Idempotent."""
    by_slug, sold_as = defaultdict(list), defaultdict(list)
    for line in lines:
        by_slug[line.slug].append(line.alias)
        if line.kind == OEM:
            sold_as[line.slug].append({"name": line.alias, "url": line.source_url})
    products = {
        product.slug: product
        for product in Product.objects.only("slug", "aliases", "oem_names").order_by("slug")
    }
    wanted = {slug: (by_slug[slug], sold_as[slug]) for slug in products}
    changed = compare(
        wanted, {slug: (product.aliases, product.oem_names) for slug, product in products.items()}
    ).changed
    for slug in changed:
        products[slug].aliases, products[slug].oem_names = wanted[slug]
        products[slug].save(update_fields=["aliases", "oem_names"])
    return changed
