"""Load the catalogue's lines into products with their aliases and facts.

Idempotent. A moderator's change to a product persists until its line changes.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any

from django.db import transaction

from results.catalogue.files.aliases_csv import AliasLine, store_aliases
from results.catalogue.files.products_csv import SINGLE, CatalogueLine, Statement
from results.catalogue.files.statements_csv import CLAIMS, FACT_KINDS, FactLine, store_facts
from results.catalogue.matching.rematch import Rematched, readdress_devices, rematch_devices
from results.core.data_version import bump_data_version
from results.core.lines import Compared, compare
from results.models import Product, Vendor


@dataclass(frozen=True, slots=True)
class Loaded(Compared[str]):
    """The outcome of a load, by slug.

    Products that were `removed` from the file stay in the database, without aliases and facts.
    """

    renamed: list[str]  # products whose aliases changed
    facts: dict[str, list[str]]  # products whose facts changed, by kind
    rematched: Rematched


@transaction.atomic
def load_catalogue(
    lines: Iterable[CatalogueLine],
    *,
    aliases: Iterable[AliasLine] = (),
    facts: Mapping[str, Iterable[FactLine]] | None = None,
) -> Loaded:
    """Store new and changed lines, then match the devices again.

    Facts are given by kind (its plural). Stored aliases and facts that are not given are removed.
    """
    stored = {product.slug: product for product in Product.objects.select_for_update(no_key=True)}
    listed = {line.slug: line for line in lines}
    digests = {slug: _digest(line) for slug, line in listed.items()}
    found = compare(digests, {slug: product.line_digest for slug, product in stored.items()})
    for slug in (*found.added, *found.changed):
        store_line(listed[slug], stored.get(slug, Product(slug=slug)), line_digest=digests[slug])
    renamed = store_aliases(aliases)
    changed = {kind.plural: store_facts(kind, (facts or {}).get(kind.plural, ())) for kind in FACT_KINDS}
    claimed = changed[CLAIMS.plural]  # results are judged by them
    rematched = Rematched([])
    if found.added or found.changed or renamed or claimed:
        rematched = rematch_devices(changed_slugs={*found.changed, *claimed})
    elif readdress_devices() or any(changed.values()):
        bump_data_version()
    removed = sorted(slug for slug in found.removed if stored[slug].line_digest)
    return Loaded(found.added, found.changed, found.unchanged, removed, renamed, changed, rematched)


def store_line(line: CatalogueLine, product: Product, *, line_digest: str) -> None:
    """Store `line` in `product`."""
    vendor, _ = Vendor.objects.get_or_create(name=line.vendor)
    product.vendor = vendor
    for name, value in product_values(line).items():
        setattr(product, name, value)
    product.line_digest = line_digest
    product.save()


def product_values(line: CatalogueLine) -> dict[str, Any]:
    """The columns of Product that a line fills, except for the vendor."""
    low, high = line.endurance_dwpd or (None, None)
    return {
        **{name: getattr(line, name) for name in SINGLE},
        "patterns": list(line.patterns),
        "plp_statements": [asdict(statement) for statement in line.plp_statements],
        "endurance_dwpd_low": low,
        "endurance_dwpd_high": high,
        "endurance_tbw": [asdict(one) for one in line.endurance_tbw],
        "flags": list(line.flags),
        "sources": list(line.sources),
    }


def _digest(line: CatalogueLine) -> str:
    """A digest of the line without default values.

    A column that is added later has a default, so lines without it are unchanged and moderators' changes persist.
    """
    text = repr(line)
    for one in (*fields(CatalogueLine), *fields(Statement)):
        if one.default is not MISSING:
            text = text.replace(f", {one.name}={one.default!r}", "")
    return hashlib.sha256(text.encode()).hexdigest()
