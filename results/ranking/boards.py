"""The class-wide pass: spread, intervals and their order, recomputed for dirty boards."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from celery import shared_task
from django.db import OperationalError, connection, transaction
from django.db.models import F

from results.core.data_version import bump_data_version
from results.core.queue import enqueue_debounced
from results.models import ClassRanking
from results.models.fields import floats_from_bytes, floats_to_bytes
from results.ranking.intervals import GUESSED_SPREAD, MIN_DEVICES, half_width_sql, pooled_spread
from results.ranking.ties import Ends, ends_in_order

ALL_CLASSES = ""
DEBOUNCE_S = 0.4
QUIET_S = 0.25


class Board(NamedTuple):
    """A group that is ranked together: a class, or all of them (ALL_CLASSES), by one method."""

    device_class: str
    method: str


class Spread(NamedTuple):
    """The deviation between units of one device (natural log), and its source: "class", "all" or "guess"."""

    value: float
    source: str


class _StoredBoard(NamedTuple):
    """A board as of its last pass, and how often it has changed."""

    id: int
    changes: int
    ranked_changes: int
    spread: float | None
    digest: bytes  # of all its ends


_MARK = """
    INSERT INTO results_classranking (
        device_class, method, changes, ranked_changes, spread_source, lows_us, highs_us, group_starts_us)
    SELECT device_class, method, 1, 0, '', '', '', ''
    FROM unnest(%s::text[], %s::text[]) AS changed (device_class, method)
    ON CONFLICT (device_class, method) DO UPDATE SET changes = results_classranking.changes + 1
"""

# Passes of one board run one at a time: an earlier one must not overwrite a later one's result. They don't lock the
# board's row for that, since ingest locks it last and a pass would lock it first.
_QUEUE = "SELECT pg_advisory_xact_lock(hashtext(%s))"

_POOL = """
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY difference)
    FROM (SELECT unnest(unit_differences) AS difference FROM results_deviceranking WHERE {pairs}) AS pool
    HAVING (SELECT count(*) FROM results_deviceranking WHERE {pairs}) >= %(fewest)s
"""

# In index order. As bytes, since tens of thousands then cost only a few milliseconds.
_INTERVALS = """
    SELECT string_agg(float4send(low_us), ''::bytea ORDER BY high_us),
           string_agg(float4send(high_us), ''::bytea ORDER BY high_us)
    FROM results_deviceranking WHERE {board}
"""

_FIND = """
    SELECT id, changes, ranked_changes, spread, sha256(lows_us || highs_us || group_starts_us)
    FROM results_classranking WHERE device_class = %s AND method = %s
"""

_STORE = """
    UPDATE results_classranking
    SET ranked_changes = %s, ranked_at = now(), spread = %s, spread_source = %s,
        lows_us = %s, highs_us = %s, group_starts_us = %s
    WHERE id = %s
"""

_STORE_SAME = (
    "UPDATE results_classranking SET ranked_changes = %s, ranked_at = now(), spread_source = %s WHERE id = %s"
)


def ends_of(board: Board) -> Ends:
    """The ends of a board's intervals as of its last pass; empty before the first."""
    return ends_by_class(board.method, board.device_class).get(board.device_class, Ends())


def ends_by_class(method: str, *classes: str) -> dict[str, Ends]:
    """The ends of these classes' intervals by a method, or of all classes', by class. One query."""
    boards = ClassRanking.objects.filter(method=method)
    if classes:
        boards = boards.filter(device_class__in=classes)
    rows = boards.values_list("device_class", "lows_us", "highs_us", "group_starts_us")
    return {device_class: Ends(*ends) for device_class, *ends in rows}


def mark_dirty(boards: Iterable[Board]) -> None:
    """Mark these boards dirty in the caller's transaction, and enqueue their class-wide pass on commit.

    The boards of all classes become dirty, too; a class's pass enqueues theirs. Rows are locked in one order
    everywhere: classes by name, all classes last. While Redis is unavailable, the sweep enqueues the pass later.
    """
    dirty = sorted(set(boards))
    if dirty:
        _note({*dirty, *(Board(ALL_CLASSES, board.method) for board in dirty)})
        transaction.on_commit(lambda: _enqueue_passes(dirty), robust=True)


def _note(boards: Iterable[Board]) -> None:
    ordered = sorted(boards, key=lambda board: (board.device_class == ALL_CLASSES, board))
    if ordered:
        with connection.cursor() as cursor:
            cursor.execute(_MARK, [list(column) for column in zip(*ordered, strict=True)])


def dirty_boards() -> list[Board]:
    """The boards that have changed since their last pass; those of all classes last, as they use the others."""
    dirty = ClassRanking.objects.filter(changes__gt=F("ranked_changes")).order_by("-device_class", "method")
    return [Board(*row) for row in dirty.values_list("device_class", "method")]


def _enqueue_passes(boards: Iterable[Board]) -> None:
    """Enqueue a pass of each board; many changes in a row share one."""
    for board in boards:
        name = f"rank_board:{board.device_class}:{board.method}"
        enqueue_debounced(rank_board, board, name=name, countdown_s=DEBOUNCE_S, quiet_s=QUIET_S)


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def rank_board(device_class: str, method: str) -> None:
    """Run one board's pass. That of all classes follows; classes that change together share it."""
    place_board(Board(device_class, method))
    if device_class != ALL_CLASSES:
        _enqueue_passes([Board(ALL_CLASSES, method)])


@transaction.atomic
def place_board(board: Board) -> None:
    """Run one board's class-wide pass. Idempotent: changes in the meantime leave the board dirty."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE, [f"place {board.device_class} {board.method}"])
        cursor.execute(_FIND, board)
        found = cursor.fetchone()
    stored = _StoredBoard(*found) if found else None
    if stored is None or stored.changes == stored.ranked_changes:
        return
    spread = _spread_of(board)
    if board.device_class == ALL_CLASSES:
        _note_borrowers(board.method, spread)
    else:
        refresh_intervals(*board, spread=spread.value)
    if not _store(stored, spread, _ends(board)):
        return
    if board.device_class != ALL_CLASSES:
        _note([Board(ALL_CLASSES, board.method)])
    bump_data_version()


def _spread_of(board: Board) -> Spread:
    """The class's own spread, else that of all classes, else a guess."""
    pools = {board.device_class: "class", ALL_CLASSES: "all"}
    for device_class, source in pools.items():
        pool = Board(device_class, board.method)
        with connection.cursor() as cursor:
            statement = _POOL.format(pairs=f"unit_count > 1 AND {_on(pool)}")
            cursor.execute(statement, {**pool._asdict(), "fewest": MIN_DEVICES})
            found = cursor.fetchone()
        if found is not None:
            return Spread(pooled_spread(found[0]), source)
    return Spread(GUESSED_SPREAD, "guess")


def _on(board: Board) -> str:
    """The condition for the board's rows, with its fields as parameters."""
    of_class = "" if board.device_class == ALL_CLASSES else "AND device_class = %(device_class)s"
    return f"method = %(method)s {of_class}"


def _note_borrowers(method: str, spread: Spread) -> None:
    """Mark boards without a spread of their own as dirty if the spread that they borrow has changed."""
    borrowers = (
        ClassRanking.objects.filter(method=method, spread_source__in=["all", "guess"])
        .exclude(device_class=ALL_CLASSES)
        .exclude(spread=spread.value)
    )
    _note(Board(*row) for row in borrowers.values_list("device_class", "method"))


def _ends(board: Board) -> Ends:
    with connection.cursor() as cursor:
        cursor.execute(_INTERVALS.format(board=_on(board)), board._asdict())
        lows, highs = cursor.fetchone() or (b"", b"")
    return ends_in_order(floats_from_bytes(lows or b""), floats_from_bytes(highs or b""))


def _store(board: _StoredBoard, spread: Spread, ends: Ends) -> bool:
    """Store the pass's outcome; return whether it differs from the last one's."""
    values = [floats_to_bytes(values) for values in (ends.lows, ends.highs, ends.group_starts)]
    with connection.cursor() as cursor:
        if spread.value == board.spread and sha256(b"".join(values)).digest() == board.digest:
            cursor.execute(_STORE_SAME, [board.changes, spread.source, board.id])
            return False
        cursor.execute(_STORE, [board.changes, *spread, *values, board.id])
    return True


# The table before its rows: refresh_all locks the entire table, so nobody may lock it after locking rows in it.
LOCK_FOR_ROWS = "LOCK TABLE results_deviceranking IN ROW EXCLUSIVE MODE"

# Can use an index, unlike IS DISTINCT FROM.
_IS_STALE = """
    method = %(method)s AND device_class = %(device_class)s
    AND (board_spread < %(spread)s OR board_spread > %(spread)s OR board_spread IS NULL)
"""

# In the common lock order of rows. Their keys are passed as an array's text.
_LOCK_STALE = f"""
    WITH locked AS (
        SELECT id FROM results_deviceranking WHERE {_IS_STALE} ORDER BY device_id, method FOR UPDATE
    )
    SELECT array_agg(id)::text FROM locked
"""  # noqa: S608 - from our own condition

_HALF = half_width_sql("unit_count", "unit_deviation", spread="%(spread)s::double precision")
_REFRESH = f"""
    UPDATE results_deviceranking AS ranking
    SET low_us = score_us * exp(-half), high_us = score_us * exp(half), board_spread = %(spread)s
    FROM (SELECT id, {_HALF} AS half FROM results_deviceranking WHERE id = ANY (%(keys)s::bigint[])) AS stale
    WHERE stale.id = ranking.id
"""  # noqa: S608 - from our own expressions


@transaction.atomic(savepoint=False)
def refresh_intervals(device_class: str, method: str, *, spread: float) -> None:
    """Recompute those intervals of a board that were not computed with `spread`.

    A transaction in progress may add one that was computed with the previous spread and isn't visible yet. It leaves
    the board dirty, and the next pass finds its row. Rows are locked before they are read: otherwise a score that
    changed in between would get a wrong interval.
    """
    named: dict[str, str | float] = {"device_class": device_class, "method": method, "spread": spread}
    with connection.cursor() as cursor:
        cursor.execute(LOCK_FOR_ROWS)
        cursor.execute(_LOCK_STALE, named)
        keys = cursor.fetchone()[0]
        if keys is not None:
            cursor.execute(_REFRESH, {**named, "keys": keys})
