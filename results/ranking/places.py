"""The class-wide pass: places within a class, made anew when something in the class has changed."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from results.data_version import bump_data_version
from results.models import ClassRanking, DeviceRanking


class Board(NamedTuple):
    """What is ranked together."""

    device_class: str
    method: str


_MARK = """
    INSERT INTO results_classranking (device_class, method, changes, ranked_changes)
    VALUES (%s, %s, 1, 0)
    ON CONFLICT (device_class, method) DO UPDATE SET changes = results_classranking.changes + 1
"""

# Passes of one board queue: one that began earlier must not overwrite what a later one saw. No row is locked
# for that, as ingest takes the board's row last and a pass would take it first.
_QUEUE = "SELECT pg_advisory_xact_lock(hashtext(%s))"

# Rows are locked in the order in which ingest takes them, so that the two never wait for each other in a ring.
_PLACE = """
    WITH placed AS (
        SELECT id, rank() OVER (ORDER BY zil_latency_us NULLS LAST, latency_4k_us NULLS LAST) AS class_rank
        FROM results_deviceranking WHERE device_class = %s AND method = %s
    ), moved AS (
        SELECT ranking.id, placed.class_rank
        FROM results_deviceranking AS ranking JOIN placed USING (id)
        WHERE ranking.class_rank IS DISTINCT FROM placed.class_rank
        ORDER BY ranking.device_id FOR UPDATE OF ranking
    )
    UPDATE results_deviceranking AS ranking SET class_rank = moved.class_rank
    FROM moved WHERE ranking.id = moved.id
"""


def mark_changed(boards: Iterable[Board]) -> None:
    """Note, in the transaction that changed them, that these boards want a pass."""
    with connection.cursor() as cursor:
        for board in sorted(set(boards)):
            cursor.execute(_MARK, board)


def boards_of(device_ids: Iterable[int]) -> set[Board]:
    """The boards on which these devices stand just now."""
    rankings = DeviceRanking.objects.filter(device_id__in=list(device_ids))
    return {Board(*row) for row in rankings.values_list("device_class", "method")}


def waiting_boards() -> list[Board]:
    """The boards that have changed since their last pass."""
    waiting = ClassRanking.objects.filter(changes__gt=F("ranked_changes")).order_by("device_class", "method")
    return [Board(*row) for row in waiting.values_list("device_class", "method")]


@transaction.atomic
def place_board(board: Board) -> None:
    """Make the class-wide pass of one board. Idempotent: what changes meanwhile leaves the board waiting."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE, [f"place {board.device_class} {board.method}"])
        row = ClassRanking.objects.filter(device_class=board.device_class, method=board.method).first()
        if row is None or row.changes == row.ranked_changes:
            return
        cursor.execute(_PLACE, board)
        is_visible = cursor.rowcount > 0
    ClassRanking.objects.filter(pk=row.pk).update(ranked_changes=row.changes, ranked_at=timezone.now())
    if is_visible:
        bump_data_version()
