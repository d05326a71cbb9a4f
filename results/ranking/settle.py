"""Gives rows of the ranking their intervals, from the spread that their board is known to have."""

from collections.abc import Collection, Mapping

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from results.models import ClassRanking, DeviceRanking
from results.models.fields import array_literal
from results.ranking.aggregate import LOCK_FOR_ROWS
from results.ranking.intervals import (
    GUESSED_SPREAD,
    Interval,
    blended_spread,
    half_width,
    interval,
    own_spread,
)

_UPDATE = """
    UPDATE results_deviceranking AS ranking
    SET low_us = settled.low_us, high_us = settled.high_us, board_spread = settled.board_spread
    FROM unnest(%s::bigint[], %s::real[], %s::real[], %s::double precision[])
        AS settled (id, low_us, high_us, board_spread)
    WHERE ranking.id = settled.id
"""

_BoardKey = tuple[str, str]  # class and method


def settle_devices(device_ids: Collection[int]) -> None:
    """Give the rows of these devices their intervals, each by the spread of its board as last known."""
    known = ClassRanking.objects.values_list("device_class", "method", "spread")
    spreads = {(device_class, method): spread for device_class, method, spread in known if spread is not None}
    _settle(DeviceRanking.objects.filter(device_id__in=list(device_ids)), spreads)


def settle_board(device_class: str, method: str, *, spread: float) -> None:
    """Make those intervals of a board anew that were not made with `spread`.

    A transaction in progress may add one that was made with the spread of before and is not seen yet. It leaves
    the board waiting, and the next pass finds its row.
    """
    is_stale = (
        Q(board_spread__lt=spread) | Q(board_spread__gt=spread) | Q(board_spread=None)
    )  # an index tells it
    rankings = DeviceRanking.objects.filter(is_stale, device_class=device_class, method=method)
    _settle(rankings, {(device_class, method): spread})


@transaction.atomic(savepoint=False)
def _settle(rankings: QuerySet[DeviceRanking], spreads: Mapping[_BoardKey, float]) -> None:
    """Rows are locked from the look to the update: a score that changed in between would keep a wrong interval."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK_FOR_ROWS)
        locked = rankings.select_for_update().order_by("device_id", "method")
        needed = ("id", "device_class", "method", "score_us", "unit_count", "unit_deviation")
        settled = [
            (key, _interval(score, count, deviation, spread=spread), spread)
            for key, device_class, method, score, count, deviation in locked.values_list(*needed)
            for spread in [spreads.get((device_class, method), GUESSED_SPREAD)]
        ]
        cursor.execute(
            _UPDATE,
            [
                array_literal(key for key, _, _ in settled),
                array_literal(interval.low for _, interval, _ in settled),
                array_literal(interval.high for _, interval, _ in settled),
                array_literal(spread for _, _, spread in settled),
            ],
        )


def _interval(score: float, unit_count: int, deviation: float | None, *, spread: float) -> Interval:
    own = None if deviation is None else own_spread(deviation, unit_count)
    return interval(score, half_width(blended_spread(spread, own, unit_count), unit_count))
