"""A device as it stands in the ranking now, step by step, for the page that explains how places are made."""

import math
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from results.models import ClassRanking, DeviceRanking, Result
from results.models.choices import Method
from results.ranking.intervals import Interval, blended_spread, half_width, interval, own_spread
from results.ranking.senders import SENDER_FIELDS, Measured, Sent, independent_units, sender_of
from results.ranking.ties import Ends, Place, find_place

MOST_UNITS = 7  # a page lists each of them


class Unit(NamedTuple):
    """An independent unit: how many results it has, and their median."""

    result_count: int
    latency_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What each step of the formula gives for a device; spreads and `half_width` are on the natural log scale.

    `own_spread` is None for a device with one unit. `spread_source` says what `board_spread` was taken from.
    """

    ranking: DeviceRanking
    units: tuple[Unit, ...]
    board_spread: float
    spread_source: str
    own_spread: float | None
    spread: float
    half_width: float
    interval: Interval
    place: Place
    device_count: int


def ranking_example() -> Example | None:
    """The device with the most units that a page can list; None as long as no class has been ranked."""
    ranking = _choose()
    if ranking is None:
        return None
    board = ClassRanking.objects.filter(device_class=ranking.device_class, method=ranking.method).first()
    if board is None or board.spread is None or ranking.board_spread is None:
        return None
    count, deviation = ranking.unit_count, ranking.unit_deviation
    own = None if deviation is None else own_spread(deviation, count)
    spread = blended_spread(ranking.board_spread, own, count)
    half = half_width(spread, count)
    found = interval(ranking.score_us, half)
    return Example(
        ranking=ranking,
        units=_units(ranking),
        board_spread=ranking.board_spread,
        spread_source=board.spread_source,
        own_spread=own,
        spread=spread,
        half_width=half,
        interval=found,
        place=find_place(Ends(board.lows_us, board.highs_us, board.group_starts_us), found),
        device_count=len(board.highs_us),
    )


def _choose() -> DeviceRanking | None:
    rankings = DeviceRanking.objects.filter(method=Method.DISKINFO).select_related("device")
    few = rankings.filter(unit_count__lte=MOST_UNITS).order_by("-unit_count", "high_us", "device_id").first()
    return few or rankings.order_by("unit_count", "high_us", "device_id").first()


def _units(ranking: DeviceRanking) -> tuple[Unit, ...]:
    results = Result.objects.filter(device=ranking.device_id, method=ranking.method, is_ranked=True)
    rows = results.values_list("zil_latency_us", "has_unit", "ranking_unit", *SENDER_FIELDS)
    found = independent_units(_measured(*row) for row in rows)
    units = (Unit(len(latencies), math.exp(median(map(math.log, latencies)))) for latencies in found)
    return tuple(sorted(units, key=lambda unit: unit.latency_us))


def _measured(latency_us: float, has_unit: bool, unit: str, *sent: Any) -> Measured:
    sender = sender_of(Sent(*sent))
    return Measured(unit if has_unit else sender, sender, latency_us)
