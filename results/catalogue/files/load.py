"""Load the catalogue's lines into products with their aliases and facts.

Idempotent. A moderator's change to a product persists until its line changes.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any

from django.db import transaction

from results.catalogue.files.aliases_csv import AliasLine, store_aliases
from results.catalogue.files.products_csv import SINGLE, CatalogueLine, Statement
from results.catalogue.files.statements_csv import CLAIMS, FACT_KINDS, FactLine, store_facts
from results.catalogue.matching.rematch import Rematched, rematch_devices
from results.core.data_version import bump_data_version
from results.models import Product, Vendor


@dataclass(slots=True)
class Loaded:
    """The outcome of a load, by slug.

    Products in `gone` are no longer in the file; they stay in the database, without aliases and facts.
    """

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)  # products whose aliases changed
    facts: dict[str, list[str]] = field(default_factory=dict)  # products whose facts changed, by kind
    rematched: Rematched = field(default_factory=lambda: Rematched([]))


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
    loaded = Loaded()
    for line in lines:
        product = stored.pop(line.slug, None)
        digest = _digest(line)
        if product is not None and product.line_digest == digest:
            loaded.unchanged.append(line.slug)
            continue
        (loaded.changed if product else loaded.added).append(line.slug)
        store_line(line, product or Product(slug=line.slug), line_digest=digest)
    loaded.gone = sorted(slug for slug, product in stored.items() if product.line_digest)
    loaded.renamed = store_aliases(aliases)
    loaded.facts = {kind.plural: store_facts(kind, (facts or {}).get(kind.plural, ())) for kind in FACT_KINDS}
    claimed = loaded.facts[CLAIMS.plural]  # results are judged by them
    if loaded.added or loaded.changed or loaded.renamed or claimed:
        loaded.rematched = rematch_devices(changed_slugs={*loaded.changed, *claimed})
    elif any(loaded.facts.values()):
        bump_data_version()
    return loaded


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
