"""Second factors' secrets by the present key: those from before they were encrypted, and those of a former key."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.db import models, transaction

from results.sealing import LostKeyError, is_sealed_by_present_key, seal, unseal

_ONE = ("secret", "seed")  # of TOTP, of recovery codes
_MANY = ("migrated_codes",)  # of recovery codes that another program made


class Sealed(NamedTuple):
    """How many authenticators were changed, and how many are of a key that nobody told."""

    changed: int
    lost: int


@transaction.atomic
def seal_second_factors(authenticators: models.QuerySet[Any]) -> Sealed:
    """Encrypt the secrets of all of them by the present key. Idempotent."""
    changed = lost = 0
    for one in authenticators.select_for_update().order_by("pk"):
        try:
            data = _sealed(one.data)
        except LostKeyError:
            lost += 1
            continue
        if data != one.data:
            one.data = data
            one.save(update_fields=["data"])
            changed += 1
    return Sealed(changed, lost)


def _sealed(data: dict[str, Any]) -> dict[str, Any]:
    return {name: _WAYS[name](value) if name in _WAYS else value for name, value in data.items()}


def _seal_one(kept: str) -> str:
    return kept if is_sealed_by_present_key(kept) else seal(unseal(kept))


def _seal_each(kept: list[str]) -> list[str]:
    return [_seal_one(one) for one in kept]


_WAYS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_ONE, _seal_one),
    **dict.fromkeys(_MANY, _seal_each),
}
