"""What was made of some values, kept for when the same values come again: all of a process in one room.

The room holds so many bytes, whatever they are of: one leaderboard's chart takes as much as twenty of its rows, and a
device of hundreds of results as much as all its neighbours.
"""

import gc
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

from django.conf import settings
from django.utils.safestring import SafeString

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
P = ParamSpec("P")

LARGEST_SHARE = 1 / 8  # of the room for one value: a larger one would put out too many others
_ENTRY_BYTES = 400  # its places in the dict and in the order, its key's pair and the entry itself
_PLAIN = frozenset({str, bytes, int, float, bool, type(None), SafeString})  # hold nothing
_NOT_HELD = (type, ModuleType, FunctionType)  # are there anyway


class _Entry:
    """A value, its bytes, and whether it was asked for since it last stood in front of the way out."""

    __slots__ = ("bytes", "is_used", "value")

    def __init__(self, value: Any, size: int) -> None:
        self.value = value
        self.bytes = size
        self.is_used = False


class Figures(NamedTuple):
    """How many values of a kind are kept, and their bytes."""

    number: int
    bytes: int


class Room:
    """Values of at most `most_bytes` together. Threads may use it beside each other.

    What came first goes first, unless it was asked for since: then it counts as new once more. So to ask for one
    is a look into a dict, and what is never asked for again goes before what is.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._held_bytes = 0
        self._entries: OrderedDict[tuple[str, Hashable], _Entry] = OrderedDict()
        self._lock = Lock()

    def find(self, key: tuple[str, Hashable]) -> Any:
        """The value, or None where it isn't kept. Without the lock: one look into a dict is never half done."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        entry.is_used = True
        return entry.value

    def put(self, key: tuple[str, Hashable], value: Any, size: int) -> None:
        """Keep it, in the place of what was kept by that key, if it isn't too large; `size` is its and its key's."""
        entry = _Entry(value, size + _ENTRY_BYTES)
        with self._lock:
            before = self._entries.pop(key, None)
            self._held_bytes -= before.bytes if before else 0
            if entry.bytes > self.most_bytes * LARGEST_SHARE:
                return
            # Before it stands there: where all others are used it would go itself.
            self._make_room(entry.bytes)
            self._entries[key] = entry
            self._held_bytes += entry.bytes

    def _make_room(self, size: int) -> None:
        while self._held_bytes + size > self.most_bytes:
            key, oldest = self._entries.popitem(last=False)
            if oldest.is_used:
                oldest.is_used = False
                self._entries[key] = oldest
            else:
                self._held_bytes -= oldest.bytes

    def figures(self) -> dict[str, Figures]:
        """By kind, the one with the most bytes first."""
        with self._lock:
            entries = [(kind, entry.bytes) for (kind, _), entry in self._entries.items()]
        found: dict[str, Figures] = {}
        for kind, size in entries:
            count, held = found.get(kind, (0, 0))
            found[kind] = Figures(count + 1, held + size)
        return dict(sorted(found.items(), key=lambda item: -item[1].bytes))


ROOM = Room(settings.KEPT_MIB * 1024 * 1024)


class Kept(Generic[K, V]):
    """Values of one kind by key. None is none."""

    def __init__(self, kind: str, room: Room = ROOM) -> None:
        self._kind = kind
        self._room = room

    def get(self, key: K) -> V | None:
        found: V | None = self._room.find((self._kind, key))
        return found

    def __setitem__(self, key: K, value: V) -> None:
        self._room.put((self._kind, key), value, bytes_of(key, value))


def keeps(
    kind: str, room: Room = ROOM, *, size: Callable[[Any, Any], int] | None = None
) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """As `functools.lru_cache` does, but in the room. What the function gives must not be None, nor be changed.

    `size` tells the bytes of its values and of what it gave where to look through them takes too long.
    """
    told = size or bytes_of

    def keeping(function: Callable[P, V]) -> Callable[P, V]:
        @wraps(function)
        def found_or_made(*values: P.args, **named: P.kwargs) -> V:
            key = (kind, (values, *named.items()) if named else values)
            found: V | None = room.find(key)
            if found is None:
                found = function(*values, **named)
                room.put(key, found, told(key[1], found))
            return found

        return found_or_made

    return keeping


def bytes_of(*values: Any) -> int:
    """What values and all that they hold take. A container held twice counts once, classes and code not at all."""
    total, seen, waiting = 0, set[int](), list(values)
    while waiting:
        one = waiting.pop()
        if type(one) not in _PLAIN:
            if id(one) in seen or isinstance(one, _NOT_HELD):
                continue
            seen.add(id(one))
            waiting += gc.get_referents(one)
        total += sys.getsizeof(one)
    return total
