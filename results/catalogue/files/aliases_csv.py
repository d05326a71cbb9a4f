"""Read and store the names that people and shops use for products."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from results.catalogue.files.products_csv import LineError, check_url, read_lines
from results.catalogue.matching.names import normalize_name
from results.models import Product

ALIAS_FILE_NAME = "aliases.csv"
ALIAS_COLUMNS = ("slug", "alias", "kind", "source_url")
OEM = "oem"
KINDS = ("marketing", OEM, "abbreviation")
LONGEST_ALIAS = 120


@dataclass(frozen=True, slots=True)
class AliasLine:
    """A name of a product; `source_url` is empty if it only shortens the full name."""

    slug: str
    alias: str
    kind: str
    source_url: str


def read_aliases(path: Path, slugs: Collection[str]) -> list[AliasLine]:
    """Read the file's lines, each for a product in `slugs`; raises CatalogueError."""
    numbered = read_lines(
        path,
        ALIAS_COLUMNS,
        partial(_read, slugs=slugs),
        key=lambda line: (line.slug, line.alias.casefold()),
        named=lambda line: f"alias: {line.alias!r}",
    )
    return [line for _, line in numbered]


def _read(row: dict[str, str], slugs: Collection[str]) -> AliasLine:
    line = AliasLine(**row)
    if line.slug not in slugs:
        raise LineError(f"slug: {line.slug!r} is not in the catalogue")
    if line.alias != line.alias.strip() or len(line.alias) > LONGEST_ALIAS:
        raise LineError(f"alias: {line.alias!r} is too long, or has spaces around it")
    if not normalize_name(line.alias):
        raise LineError(f"alias: {line.alias!r} has no word that names a product")
    if line.kind not in KINDS:
        raise LineError(f"kind: {line.kind!r} is not one of {', '.join(KINDS)}")
    if line.source_url:
        check_url(line.source_url)
    return line


def store_aliases(lines: Iterable[AliasLine]) -> list[str]:
    """Set every product's aliases, and return the slugs that changed. Idempotent."""
    by_slug, sold_as = defaultdict(list), defaultdict(list)
    for line in lines:
        by_slug[line.slug].append(line.alias)
        if line.kind == OEM:
            sold_as[line.slug].append({"name": line.alias, "url": line.source_url})
    changed = []
    for product in Product.objects.only("slug", "aliases", "oem_names").order_by("slug"):
        aliases, oem_names = by_slug[product.slug], sold_as[product.slug]
        if (product.aliases, product.oem_names) != (aliases, oem_names):
            product.aliases, product.oem_names = aliases, oem_names
            product.save(update_fields=["aliases", "oem_names", "changed_at"])
            changed.append(product.slug)
    return changed
