"""The nesting limit for JSON from outside, since code that walks it recurses once per level."""

from collections.abc import Iterable
from typing import Any

MAX_DEPTH = 32  # of objects and lists; the API's own bodies nest five levels deep


def nests_deeper(value: Any, depth: int) -> bool:
    """Whether objects and lists nest deeper than `depth`; visits each value once, level by level."""
    level = [value]
    for _ in range(depth + 1):
        level = [inner for one in level if isinstance(one, list | dict) for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(value: list[Any] | dict[str, Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value
