"""The ends of a board's intervals, kept in the process until a pass has changed them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import orjson

from results.models.fields import floats_from_bytes
from results.ranking.compiled import Statement, fetch
from results.ranking.places import Board
from results.ranking.ties import Ends

# What names a board and the state of its ends.
_STATE = "concat_ws(' ', device_class, method, ranked_changes, ranked_at)"
# That of one board, to be read along with something else.
AS_OF = f"SELECT {_STATE} FROM results_classranking WHERE device_class = %s AND method = %s"  # noqa: S608 - written here
_ENDS = f"""
    SELECT {_STATE}, lows_us, highs_us, group_starts_us
    FROM results_classranking
    WHERE (device_class, method) IN (SELECT * FROM unnest(%s::text[], %s::text[]))
"""  # noqa: S608 - written here
# Those of all boards as one text, to be read along with something else, too.
STATES = f"SELECT json_agg({_STATE} ORDER BY id)::text FROM results_classranking"  # noqa: S608 - written here
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
    return {_board_of(state): state for state in orjson.loads(states or "[]")}


def _board_of(state: str) -> Board:
    device_class, method, _ = state.split(" ", maxsplit=2)
    return Board(device_class, method)


def _ends(boards: Sequence[Board], states: Mapping[Board, str | None]) -> list[Ends]:
    there = [board for board in boards if states.get(board) is not None]
    changed = [board for board in there if board not in _kept or _kept[board][0] != states[board]]
    if changed:
        columns = ([board.device_class for board in changed], [board.method for board in changed])
        for state, *ends in fetch(Statement(_ENDS, columns)):
            _kept[_board_of(state)] = state, Ends(*map(floats_from_bytes, ends))
    return [_kept[board][1] if board in there else Ends() for board in boards]
