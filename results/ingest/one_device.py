"""The device of a paste that is about one, asked for and made by statements that are written out.

The ORM takes longer to put them together than PostgreSQL to answer.
"""

from typing import Any

import orjson
from django.db import DEFAULT_DB_ALIAS

from results.models import Device, Product
from results.ranking.compiled import Statement, fetch

Identity = tuple[str, int | None]

_LOCK = """
    SELECT device.id, device.product_id, device.read_class, device.known_class, product.interface, product.plp,
           product.endurance_tbw
    FROM results_device AS device LEFT JOIN results_product AS product ON product.id = device.product_id
    WHERE device.model_name = %s AND device.capacity_bytes {} FOR NO KEY UPDATE OF device
"""
_LOCK_BY_CAPACITY = _LOCK.format("= %s")
_LOCK_WITHOUT = _LOCK.format("IS NULL")

_MAKE = """
    INSERT INTO results_device (
        model_name, capacity_bytes, slug, vendor, product_id, read_class, known_class,
        class_overrule, class_overrule_reason, created_at)
    SELECT made.*, '', '', now()
    FROM (VALUES (%s, %s::bigint, %s, %s, %s::integer, %s, %s))
        AS made (model_name, capacity_bytes, slug, vendor, product_id, read_class, known_class)
    WHERE NOT EXISTS (
        SELECT FROM results_devicealias AS alias
        WHERE alias.slug = made.slug
        OR alias.model_name = made.model_name AND alias.capacity_bytes IS NOT DISTINCT FROM made.capacity_bytes
    )
    ON CONFLICT DO NOTHING RETURNING id
"""


def lock_one(identity: Identity) -> Device | None:
    """The device by that very name, locked; None where it is new, or another's spelling."""
    name, capacity = identity
    asked = Statement(_LOCK_WITHOUT, (name,)) if capacity is None else Statement(_LOCK_BY_CAPACITY, identity)
    found = fetch(asked)
    return _device_of(found[0]) if found else None


def make_one(
    identity: Identity, *, slug: str, vendor: str, product_id: int | None, read_class: str, known_class: str
) -> bool:
    """Make it; False where the name is another's spelling, or the slug is taken."""
    return bool(fetch(Statement(_MAKE, (*identity, slug, vendor, product_id, read_class, known_class))))


def _device_of(row: tuple[Any, ...]) -> Device:
    """The device, with what its product says of it; the rest of both is read when it is asked for."""
    *own, interface, plp, endurance_tbw = row
    device = Device.from_db(DEFAULT_DB_ALIAS, ["id", "product_id", "read_class", "known_class"], own)
    product_id = device.product_id
    if product_id is not None:
        known = [product_id, interface, plp, orjson.loads(endurance_tbw)]
        device.product = Product.from_db(DEFAULT_DB_ALIAS, ["id", "interface", "plp", "endurance_tbw"], known)
    return device
