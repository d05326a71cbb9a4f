"""Search for pools by their log devices and layout: "P3700 mirror", "raidz2 of 6 with a slog"."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from results.models import Device, Pool
from results.models.choices import State
from results.search.products import MAX_WORDS, find_products

_TYPES = {
    "mirror": ("mirror",),
    "mirrors": ("mirror",),
    "mirrored": ("mirror",),
    "raidz": ("raidz", "raidz1", "raidz2", "raidz3"),
    "raidz1": ("raidz1", "raidz"),
    "raidz2": ("raidz2",),
    "raidz3": ("raidz3",),
    "z1": ("raidz1", "raidz"),
    "z2": ("raidz2",),
    "z3": ("raidz3",),
    "draid": ("draid", "draid1", "draid2", "draid3"),
    "draid1": ("draid1",),
    "draid2": ("draid2",),
    "draid3": ("draid3",),
    "stripe": ("disk",),
    "striped": ("disk",),
    "stripes": ("disk",),
}
_ROLES = {
    "slog": "log",
    "log": "log",
    "logs": "log",
    "cache": "cache",
    "l2arc": "cache",
    "special": "special",
    "dedup": "dedup",
    "spare": "spare",
}
_IGNORED = {"a", "an", "and", "as", "device", "devices", "in", "of", "pool", "pools", "vdev", "vdevs", "with"}
_POOLS = {"pool", "pools"}
_WIDTH = re.compile(r"(?:of[ ]([1-9][0-9]{0,2})|([1-9][0-9]{0,2})[- ]?wide)\b", re.ASCII)


@dataclass(frozen=True, slots=True)
class PoolWords:
    """What a text says of a pool: vdev types by word, roles, members of a vdev, and words of its log device."""

    types: tuple[tuple[str, ...], ...]
    roles: tuple[str, ...]
    members: int | None
    log_words: tuple[str, ...]
    names_pools: bool

    @property
    def is_layout(self) -> bool:
        return bool(self.types or self.roles or self.names_pools)


def read_pool_words(text: str) -> PoolWords:
    """Sort the words of a search text by what they say of a pool."""
    text = text.lower()
    width = _WIDTH.search(text)
    words = list(dict.fromkeys(_WIDTH.sub(" ", text).replace(",", " ").split()))[:MAX_WORDS]
    known = {*_TYPES, *_ROLES, *_IGNORED}
    return PoolWords(
        types=tuple(_TYPES[word] for word in words if word in _TYPES),
        roles=tuple(_ROLES[word] for word in words if word in _ROLES),
        members=int(width[1] or width[2]) if width else None,
        log_words=tuple(word for word in words if word not in known),
        names_pools=not _POOLS.isdisjoint(words),
    )


def find_pools(text: str, product_ids: Sequence[int] = ()) -> QuerySet[Pool]:
    """The published pools with this layout and log device, newest first; none if the text is about neither.

    `product_ids` are the products that the text names, if that is known already.
    """
    said = read_pool_words(text)
    pools = Pool.objects.filter(submission__state=State.PUBLISHED).order_by("-pk")
    if not said.is_layout and not said.log_words:
        return pools.none()
    for types in said.types:
        pools = pools.filter(_any_vdev(types, said.members))
    for role in said.roles:
        pools = pools.filter(layout__contains=[{"role": role}])
    if said.log_words:
        pools = pools.filter(pk__in=_with_log(said, product_ids))
    return pools


def _any_vdev(types: Iterable[str], members: int | None) -> Q:
    """A vdev of one of these types, with that many members if given."""
    condition = Q()
    for type_ in types:
        vdev: dict[str, str | int] = {"type": type_}
        if members is not None:
            vdev["members"] = members
        condition |= Q(layout__contains=[vdev])
    return condition


def _with_log(said: PoolWords, product_ids: Sequence[int]) -> QuerySet[Any, Any]:
    """The ids of pools whose log device has all words, or is of a product that they name."""
    words = Q()
    for word in said.log_words:
        words &= Q(searched__icontains=word)
    named = find_products(" ".join(said.log_words)) if said.is_layout else None
    ids = (named.ids if not named.is_similar else []) if named else product_ids
    devices = Device.objects.filter(words | Q(product__in=list(ids) or [0]))
    return Pool.objects.filter(logs__in=devices).values("pk")
