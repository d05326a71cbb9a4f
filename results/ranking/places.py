"""The class-wide pass: the spread of a class and the order of its intervals, made anew when something changed."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F

from results.data_version import bump_data_version
from results.models import ClassRanking, DeviceRanking
from results.models.fields import array_literal
from results.ranking.intervals import (
    FEWEST_DEVICES,
    GUESSED_SPREAD,
    pooled_spread,
)
from results.ranking.settle import settle_board
from results.ranking.ties import Ends, order_ends

ALL_CLASSES = ""


class Board(NamedTuple):
    """What is ranked together: a class, or all of them (ALL_CLASSES), by one method."""

    device_class: str
    method: str


class Spread(NamedTuple):
    """The deviation between units of one device (natural log), and what told it: "class", "all" or "guess"."""

    value: float
    source: str


_MARK = """
    INSERT INTO results_classranking (
        device_class, method, changes, ranked_changes, spread_source, lows_us, highs_us, group_starts_us)
    VALUES (%s, %s, 1, 0, '', '{}', '{}', '{}')
    ON CONFLICT (device_class, method) DO UPDATE SET changes = results_classranking.changes + 1
"""

# Passes of one board queue: one that began earlier must not overwrite what a later one saw. No row is locked
# for that, as ingest takes the board's row last and a pass would take it first.
_QUEUE = "SELECT pg_advisory_xact_lock(hashtext(%s))"

_POOL = """
    WITH paired AS (
        SELECT unit_differences FROM results_deviceranking
        WHERE unit_count > 1 AND method = %s AND (device_class = %s OR %s = '')
    )
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY difference), (SELECT count(*) FROM paired)
    FROM (SELECT unnest(unit_differences) AS difference FROM paired) AS differences
"""

_INTERVALS = """
    SELECT low_us, high_us FROM results_deviceranking WHERE method = %s AND (device_class = %s OR %s = '')
"""

_STORE = """
    UPDATE results_classranking
    SET ranked_changes = %s, ranked_at = now(), spread = %s, spread_source = %s,
        lows_us = %s::real[], highs_us = %s::real[], group_starts_us = %s::real[]
    WHERE id = %s
"""


def ends_of(board: Board) -> Ends:
    """The ends of a board's intervals as its last pass found them; empty before the first."""
    row = ClassRanking.objects.filter(device_class=board.device_class, method=board.method)
    ends = row.values_list("lows_us", "highs_us", "group_starts_us").first()
    return Ends(*ends) if ends else Ends()


def ends_by_class(method: str) -> dict[str, Ends]:
    """The ends of the intervals of all boards by this method, by class."""
    rows = ClassRanking.objects.filter(method=method)
    ends = rows.values_list("device_class", "lows_us", "highs_us", "group_starts_us")
    return {device_class: Ends(*rest) for device_class, *rest in ends}


def mark_changed(boards: Iterable[Board]) -> None:
    """Note, in the transaction that changed them, that these boards want a pass, and so do those of all classes.

    Rows are taken in one order everywhere: classes by name, all classes last.
    """
    changed = set(boards)
    changed |= {Board(ALL_CLASSES, board.method) for board in changed}
    with connection.cursor() as cursor:
        for board in sorted(changed, key=lambda board: (board.device_class == ALL_CLASSES, board)):
            cursor.execute(_MARK, board)


def boards_of(device_ids: Iterable[int]) -> set[Board]:
    """The boards of their classes on which these devices stand just now."""
    rankings = DeviceRanking.objects.filter(device_id__in=list(device_ids))
    return {Board(*row) for row in rankings.values_list("device_class", "method")}


def waiting_boards() -> list[Board]:
    """The boards that have changed since their last pass; those of all classes last, as they rest on the others."""
    waiting = ClassRanking.objects.filter(changes__gt=F("ranked_changes")).order_by("-device_class", "method")
    return [Board(*row) for row in waiting.values_list("device_class", "method")]


@transaction.atomic
def place_board(board: Board) -> None:
    """Make the class-wide pass of one board. Idempotent: what changes meanwhile leaves the board waiting."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE, [f"place {board.device_class} {board.method}"])
    row = ClassRanking.objects.filter(device_class=board.device_class, method=board.method).first()
    if row is None or row.changes == row.ranked_changes:
        return
    spread = _spread_of(board)
    if board.device_class == ALL_CLASSES:
        _mark_borrowers(board.method, spread)
    else:
        settle_board(*board, spread=spread.value)
    ends = order_ends(_intervals(board))
    has_changed = spread.value != row.spread or ends != Ends(row.lows_us, row.highs_us, row.group_starts_us)
    _store(row, spread, ends)
    if has_changed and board.device_class != ALL_CLASSES:
        mark_changed([Board(ALL_CLASSES, board.method)])
    if has_changed:
        bump_data_version()


def _spread_of(board: Board) -> Spread:
    """The class's own spread, else that of all classes, else a guess."""
    pools = {board.device_class: "class", ALL_CLASSES: "all"}
    for device_class, source in pools.items():
        with connection.cursor() as cursor:
            cursor.execute(_POOL, [board.method, device_class, device_class])
            difference, device_count = cursor.fetchone()
        if device_count >= FEWEST_DEVICES:
            return Spread(pooled_spread(difference), source)
    return Spread(GUESSED_SPREAD, "guess")


def _mark_borrowers(method: str, spread: Spread) -> None:
    """Let the boards without a spread of their own have a pass when the one that they borrow has moved."""
    borrowers = (
        ClassRanking.objects.filter(method=method, spread_source__in=["all", "guess"])
        .exclude(device_class=ALL_CLASSES)
        .exclude(spread=spread.value)
    )
    for row in borrowers.order_by("device_class").select_for_update():
        row.changes += 1
        row.save(update_fields=["changes"])


def _intervals(board: Board) -> list[tuple[float, float]]:
    with connection.cursor() as cursor:
        cursor.execute(_INTERVALS, [board.method, board.device_class, board.device_class])
        rows: list[tuple[float, float]] = cursor.fetchall()
    return rows


def _store(row: ClassRanking, spread: Spread, ends: Ends) -> None:
    arrays = [array_literal(values) for values in (ends.lows, ends.highs, ends.group_starts)]
    with connection.cursor() as cursor:
        cursor.execute(_STORE, [row.changes, *spread, *arrays, row.pk])
