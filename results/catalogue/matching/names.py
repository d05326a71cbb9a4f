"""Normalize product names as people write them, and index them. No queries."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

LONGEST_NAME = 120
AGAINST = re.compile(r"\s(?:vs\.?|versus|or)\s", re.IGNORECASE)  # between the names of a comparison
VENDOR_SEPARATOR = " / "  # between the successive owners of a brand
_FILLERS = re.compile(r"\b(?:solid[ -]state (?:drives?|disks?)|ssds?|series|nvme|[mu]\.2)\b")
_CAPACITY_AT_END = re.compile(r"\b\d+(?:[.,]\d+)? ?[gtp]i?b\W*$")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
Owner = TypeVar("Owner")


def normalize_name(name: str) -> str:
    """Remove case, blanks, punctuation and fillers: "intel710" for "Intel 710 SSD"."""
    return _join(_plain(name))


def without_capacity(name: str) -> str:
    """normalize_name without a final capacity: "samsung980pro" for "980 PRO 1TB"."""
    return _join(_CAPACITY_AT_END.sub("", _plain(name)))


def words_of(name: str) -> list[str]:
    """The words of a name without case, punctuation and fillers, unless all are."""
    plain = _split(_plain(name))
    return plain or _split(unicodedata.normalize("NFKC", name[:LONGEST_NAME]).casefold())


def _split(words: str) -> list[str]:
    return [word for word in _BETWEEN_WORDS.split(words) if word]


def vendors_of(vendor: str) -> frozenset[str]:
    """Every owner of a brand, normalized; empty for an empty text."""
    return frozenset(normalize_name(name) for name in vendor.split(VENDOR_SEPARATOR) if name)


def _plain(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name[:LONGEST_NAME]).casefold().replace("+", " plus")
    return _FILLERS.sub(" ", plain)


def _join(words: str) -> str:
    return _BETWEEN_WORDS.sub("", words)


class Named(NamedTuple, Generic[Owner]):
    """A product with its vendor and all its names."""

    owner: Owner
    vendor: str
    names: Iterable[str]


class NameIndex(Generic[Owner]):
    """Full names and their products; a name shared by several belongs to none."""

    def __init__(self, products: Iterable[Named[Owner]]) -> None:
        listed = list(products)
        unshared = _unshared((normalize_name(name), named) for named in listed for name in named.names)
        # A bare number counts as a name only after its vendor's name.
        alone = ((name, named) for name, named in unshared.items() if not name.isdecimal())
        after_vendor = (
            (vendor + name, named) for name, named in unshared.items() for vendor in vendors_of(named.vendor)
        )
        names = _unshared(chain(alone, after_vendor))
        self._products = {name: (named.owner, vendors_of(named.vendor)) for name, named in names.items()}

    def find(self, name: str, vendor: str = "") -> Owner | None:
        """The only owner of this name; None if `vendor` is given and isn't its vendor."""
        stated = vendors_of(vendor)
        for key in _keys(name, stated):
            if key in self._products:
                owner, vendors = self._products[key]
                return owner if not stated or stated & vendors else None
        return None


def _unshared(named: Iterable[tuple[str, Named[Owner]]]) -> Mapping[str, Named[Owner]]:
    owners: dict[str, dict[int, Named[Owner]]] = defaultdict(dict)
    for name, match in named:
        owners[name][id(match)] = match
    return {name: next(iter(same.values())) for name, same in owners.items() if name and len(same) == 1}


def _keys(name: str, vendors: frozenset[str]) -> Iterator[str]:
    """The keys to look up: as is, with its vendor, then both without the capacity."""
    for key in dict.fromkeys((normalize_name(name), without_capacity(name))):
        yield key
        yield from (vendor + key for vendor in sorted(vendors))
