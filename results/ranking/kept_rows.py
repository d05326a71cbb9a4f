"""What was made of rows of the leaderboard, kept by their versions, so that a page made anew reads only what is new.

A page is read as versions alone, which takes less than to read its rows; where one of them is new, the page is read
once more with what its rows say.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from results.ranking.asked import LeaderboardFilter
from results.ranking.pages import FoundPage, Values, find_page
from results.ranking.row_versions import VERSIONS, versions_tell
from results.ranking.ties import Ends
from slogdb.kept import Kept

V = TypeVar("V")
Key = tuple[Any, ...]  # of VERSIONS; before them the state of the board, where its places are in what is kept
Make = Callable[[Sequence[Values], Ends], list[V]]


def read_rows(
    asked: LeaderboardFilter,
    kept: Kept[Key, V],
    *,
    fields: tuple[str, ...],
    make: Make[V],
    is_placed: bool = False,
    with_options: bool = False,
) -> tuple[FoundPage, list[V]]:
    """The page that was asked for, and what `make` makes of the values of `fields` of its rows; as find_page raises.

    `is_placed` says that `make` looks at the ends of the board: what it makes is kept for one state of them then.
    One read of the page, two where a row is new.
    """
    if not versions_tell():
        found = find_page(asked, fields=fields, with_options=with_options)
        return found, make(found.rows, found.ends)
    found = find_page(asked, fields=VERSIONS, with_state=is_placed, with_options=with_options)
    values = [value for key in found.rows if (value := kept.get(key)) is not None]
    if len(values) < len(found.rows):
        both = (*VERSIONS, *fields)
        found = find_page(asked, fields=both, with_state=is_placed, with_options=with_options)
        values = _kept_or_made(found, kept, make=make, key_length=len(VERSIONS) + is_placed)
    return found, values


def _kept_or_made(found: FoundPage, kept: Kept[Key, V], *, make: Make[V], key_length: int) -> list[V]:
    """What is kept of rows that begin with their keys, and what is made now of the others."""
    rows = {row[:key_length]: row[key_length:] for row in found.rows}
    values = {key: value for key in rows if (value := kept.get(key)) is not None}
    new = [key for key in rows if key not in values]
    for key, value in zip(new, make([rows[key] for key in new], found.ends), strict=True):
        values[key] = kept[key] = value
    return [values[key] for key in rows]
