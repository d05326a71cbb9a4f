"""The whole ranking anew: every device's row, every board's spread and places."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db import transaction

from results.data_version import bump_data_version
from results.models import ClassRanking, DeviceRanking
from results.ranking.aggregate import refresh_all
from results.ranking.places import ALL_CLASSES, Board, dirty_boards, mark_dirty, place_board


class Step(NamedTuple):
    """A step that has been made: what it was part of, and how far that is: `done` of `total` results or boards."""

    text: str
    done: int
    total: int


def rank_everything() -> Iterator[Step]:
    """Compute everything anew; yields each step after it. Left before its end it changes no device's row."""
    yield from _refresh_rows()
    while dirty := dirty_boards():
        for number, board in enumerate(dirty, start=1):
            place_board(board)
            yield Step(
                f"places of {board.device_class or 'all classes'} by {board.method}", number, len(dirty)
            )


def _refresh_rows() -> Iterator[Step]:
    """Every row anew, by the spreads that are known so far; all boards are dirty then."""
    with transaction.atomic():
        for refreshed in refresh_all():
            yield Step("medians of every device", *refreshed)
        known = ClassRanking.objects.exclude(device_class=ALL_CLASSES).values_list("device_class", "method")
        measured = DeviceRanking.objects.values_list("device_class", "method").distinct()
        mark_dirty({Board(*row) for rows in (known, measured) for row in rows})
        bump_data_version()
