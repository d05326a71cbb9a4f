"""The ends of a board's intervals, kept in the process until a pass has changed them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import orjson

from results.models.fields import floats_from_bytes
from results.ranking.compiled import Statement, fetch
from results.ranking.places import Board
from results.ranking.ties import Ends

# What names the state of a board's ends, to be read along with something else.
AS_OF = """
    SELECT concat_ws(' ', ranked_changes, ranked_at) FROM results_classranking
    WHERE device_class = %s AND method = %s
"""
_ENDS = """
    SELECT device_class, method, concat_ws(' ', ranked_changes, ranked_at), lows_us, highs_us, group_starts_us
    FROM results_classranking
    WHERE (device_class, method) IN (SELECT * FROM unnest(%s::text[], %s::text[]))
"""
# The states of all boards as one text, to be read along with something else, too.
STATES = """
    SELECT json_object_agg(device_class || ' ' || method, concat_ws(' ', ranked_changes, ranked_at) ORDER BY id)::text
    FROM results_classranking
"""
_kept: dict[Board, tuple[str, Ends]] = {}  # there are two dozen boards at most


def kept_ends(board: Board, as_of: str | None) -> Ends:
    """The ends in the state of that name, or a later one; empty for a board that is not there."""
    return _ends([board], {board: as_of})[0]


def current_ends(*boards: Board, states: str | None = None) -> list[Ends]:
    """The ends of each of these boards as they are now, or later than `states`, as STATES tells them.

    One query where those are not known yet, and one more where any of these boards changed.
    """
    if states is None:
        ((states,),) = fetch(Statement(STATES, ()))
    return _ends(boards, _by_board(states))


@lru_cache(maxsize=4)
def _by_board(states: str | None) -> Mapping[Board, str]:
    return {Board(*name.split(" ")): state for name, state in orjson.loads(states or "{}").items()}


def _ends(boards: Sequence[Board], states: Mapping[Board, str | None]) -> list[Ends]:
    there = [board for board in boards if states.get(board) is not None]
    changed = [board for board in there if board not in _kept or _kept[board][0] != states[board]]
    if changed:
        columns = ([board.device_class for board in changed], [board.method for board in changed])
        for device_class, method, state, *ends in fetch(Statement(_ENDS, columns)):
            _kept[Board(device_class, method)] = state, Ends(*map(floats_from_bytes, ends))
    return [_kept[board][1] if board in there else Ends() for board in boards]
