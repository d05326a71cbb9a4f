"""Model patterns: which are accepted, and which product a model name belongs to. Pure; no query."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

LONGEST_PATTERN = 500
LONGEST_NAME = 100
MOST_OPEN_REPEATS = 4  # time grows with the name's length to that power, and names are short
KEPT_NAMES = (
    10_000  # whose owners are remembered: to ask some hundred patterns takes a tenth of a millisecond
)
CUT_LENGTH = 16  # of a SATA disk's name behind a SAS adapter, where CAM puts "ATA " before it
_CHARACTER_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_ESCAPE = re.compile(r"\\.")
_REPEATED_GROUP = re.compile(r"\)[*+{]")
_OPEN_REPEAT = re.compile(r"[*+]|\{\d*,\}")
Owner = TypeVar("Owner")


class PatternError(ValueError):
    """A pattern that is not accepted; the message says why."""


def check_pattern(pattern: str) -> str:
    """`pattern` itself when it is accepted; raises PatternError.

    A group is never repeated and few things are repeated without end, so no name can keep the matching busy.
    """
    try:
        re.compile(pattern)
    except re.error as error:
        raise PatternError(f"{pattern!r} does not compile: {error}") from error
    plain = _CHARACTER_CLASS.sub("C", _ESCAPE.sub("E", pattern))
    if not plain.startswith("^") or len(pattern) > LONGEST_PATTERN:
        raise PatternError(f"{pattern!r} does not begin with ^, or is too long")
    if _REPEATED_GROUP.search(plain) or len(_OPEN_REPEAT.findall(plain)) > MOST_OPEN_REPEATS:
        raise PatternError(f"{pattern!r} repeats a group, or too much of it: it could take for ever")
    return pattern


def names_to_try(model_name: str, vendor: str = "") -> list[str]:
    """The names by which a device may stand in the catalogue, the one that it goes by first."""
    names = [model_name]
    if vendor and model_name.startswith(f"{vendor} "):
        names.append(model_name.removeprefix(f"{vendor} "))
    if len(model_name) <= CUT_LENGTH:
        names.append(f"ATA {model_name}")
    return names


class Matcher(Generic[Owner]):
    """Compiled patterns with their owners."""

    def __init__(self, owned: Iterable[tuple[Owner, Sequence[str]]]) -> None:
        self._owned = [(owner, [re.compile(one) for one in patterns]) for owner, patterns in owned]
        self._owners = lru_cache(maxsize=KEPT_NAMES)(self._look_up)

    def owners_of(self, name: str) -> list[Owner]:
        """Everyone with a pattern that takes `name`."""
        return [] if len(name) > LONGEST_NAME else list(self._owners(name))

    def _look_up(self, name: str) -> tuple[Owner, ...]:
        return tuple(owner for owner, patterns in self._owned if any(one.search(name) for one in patterns))

    def find(self, names: Iterable[str]) -> Owner | None:
        """The one owner of the first name that anybody owns; None where two claim it, or nobody any of them."""
        for name in names:
            owners = self.owners_of(name.strip())
            if owners:
                return owners[0] if len(owners) == 1 else None
        return None
