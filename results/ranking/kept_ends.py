"""The ends of a board's intervals, kept in the process until a pass has changed them."""

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
    SELECT concat_ws(' ', ranked_changes, ranked_at), lows_us, highs_us, group_starts_us FROM results_classranking
    WHERE device_class = %s AND method = %s
"""
_STATES = "SELECT device_class, method, concat_ws(' ', ranked_changes, ranked_at) FROM results_classranking"
_kept: dict[Board, tuple[str, Ends]] = {}  # there are two dozen boards at most


def kept_ends(board: Board, as_of: str | None) -> Ends:
    """The ends in the state of that name, or a later one; empty for a board that is not there."""
    if as_of is None:
        return Ends()
    kept = _kept.get(board)
    if kept is None or kept[0] != as_of:
        ((state, *ends),) = fetch(Statement(_ENDS, board))
        kept = _kept[board] = state, Ends(*map(floats_from_bytes, ends))
    return kept[1]


def current_ends(*boards: Board) -> list[Ends]:
    """The ends of each of these boards as they are now. One query, and one more for each that changed."""
    states = {Board(*name): state for *name, state in fetch(Statement(_STATES, ()))}
    return [kept_ends(board, states.get(board)) for board in boards]
