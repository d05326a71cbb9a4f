"""Patterns with their owners. Without Django: the process that reads texts imports this (results.core.reader)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from parsers.base.device_class import DeviceClass

LONGEST_NAME = 100
CACHED_NAMES = 10_000  # matching some hundred patterns takes a tenth of a millisecond
Owner = TypeVar("Owner")


class Matcher(Generic[Owner]):
    """Compiled patterns with their owners."""

    def __init__(self, owned: Iterable[tuple[Owner, Sequence[str]]]) -> None:
        self._owned = [(owner, re.compile("|".join(patterns))) for owner, patterns in owned if patterns]
        self._owners = lru_cache(maxsize=CACHED_NAMES)(self._look_up)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ([(owner, [pattern.pattern]) for owner, pattern in self._owned],)

    def find_owners(self, name: str) -> list[Owner]:
        """The owners of all patterns that match `name`."""
        return [] if len(name) > LONGEST_NAME else list(self._owners(name))

    def _look_up(self, name: str) -> tuple[Owner, ...]:
        return tuple(owner for owner, pattern in self._owned if pattern.search(name))

    def find(self, names: Iterable[str]) -> Owner | None:
        """The only owner of the first name with any owner, or None."""
        for name in names:
            owners = self.find_owners(name.strip())
            if owners:
                return owners[0] if len(owners) == 1 else None
        return None


class KnownModel(NamedTuple):
    """The product and class of a model name in the catalogue."""

    product_id: int
    device_class: DeviceClass


@dataclass(frozen=True, slots=True, eq=False)
class ClassCatalogue:
    """A function that returns the class of a model name; pickled with its patterns."""

    matcher: Matcher[KnownModel]

    def __call__(self, name: str) -> DeviceClass | None:
        known = self.matcher.find([name])
        return known.device_class if known else None
