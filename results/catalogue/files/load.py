"""Load the catalogue's lines into products with their aliases and facts.

Idempotent. A moderator's change to a product persists until its line changes.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from decimal import Decimal
from typing import Any

import msgspec
from django.db import transaction

from results.catalogue.files.aliases_csv import AliasLine, store_aliases
from results.catalogue.files.products_csv import CatalogueLine, StatementCell
from results.catalogue.files.statements_csv import CLAIMS, FACT_KINDS, FactLine, store_facts
from results.catalogue.matching.rematch import Rematched, readdress_devices, rematch_devices
from results.core.data_version import bump_data_version
from results.core.lines import Changes, compare
from results.models import Product, Vendor


@dataclass(frozen=True, slots=True)
class Loaded(Changes[str]):
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
    values: dict[str, Any] = msgspec.to_builtins(line, builtin_types=[Decimal])
    values["vendor"], _ = Vendor.objects.get_or_create(name=line.vendor)
    low, high = values.pop("endurance_dwpd") or (None, None)
    values |= {"endurance_dwpd_low": low, "endurance_dwpd_high": high, "line_digest": line_digest}
    for name, value in values.items():
        setattr(product, name, value)
    # A written key, even the same one, would lock the row against new devices of the product, as it has a trigger
    product.save(update_fields=values.keys() - {"slug"} if product.pk else None)


def _digest(line: CatalogueLine) -> str:
    """A digest of the line without default values.

    A column that is added later has a default, so lines without it are unchanged and moderators' changes persist.
    """
    # Stored digests have the name that the class of statements had before
    text = repr(line).replace(StatementCell.__name__, "Statement")
    for field in (*fields(CatalogueLine), *fields(StatementCell)):
        if field.default is not MISSING:
            text = text.replace(f", {field.name}={field.default!r}", "")
    return hashlib.sha256(text.encode()).hexdigest()
