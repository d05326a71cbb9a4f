"""The whole ranking anew: every device's row, every board's spread and places."""

from collections.abc import Iterator

from django.db import transaction

from results.data_version import bump_data_version
from results.models import ClassRanking, DeviceRanking
from results.ranking.aggregate import refresh_all
from results.ranking.intervals import GUESSED_SPREAD
from results.ranking.places import ALL_CLASSES, Board, mark_changed, place_board, waiting_boards
from results.ranking.settle import settle_board


def rank_everything() -> Iterator[str]:
    """Compute everything anew; yields a word on each step, after it."""
    _refresh_rows()
    yield "medians of every device"
    while waiting := waiting_boards():
        for board in waiting:
            place_board(board)
            yield f"places of {board.device_class or 'all classes'} by {board.method}"


@transaction.atomic
def _refresh_rows() -> None:
    """Every row anew, by the spreads that are known so far; all boards wait for a pass then."""
    refresh_all()
    held = ClassRanking.objects.exclude(device_class=ALL_CLASSES)
    spreads = {Board(row[0], row[1]): row[2] for row in held.values_list("device_class", "method", "spread")}
    measured = DeviceRanking.objects.values_list("device_class", "method").distinct()
    boards = {*spreads, *(Board(*row) for row in measured)}
    for board in sorted(boards):
        settle_board(*board, spread=spreads.get(board) or GUESSED_SPREAD)
    mark_changed(boards)
    bump_data_version()
