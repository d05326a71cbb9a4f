"""A device as it stands in the ranking now, step by step, for the page that explains how places are made."""

from dataclasses import dataclass
from typing import NamedTuple

from results.models import ClassRanking, DeviceRanking
from results.models.choices import Method
from results.ranking.intervals import Interval, blended_spread, half_width, interval, own_spread
from results.ranking.ties import Ends, Place, find_place
from slogdb.replica import reader

MOST_UNITS = 7  # a page lists each of them

_UNITS = """
    SELECT count(*), exp(percentile_cont(0.5) WITHIN GROUP (ORDER BY ln(zil_latency_us))) AS latency_us
    FROM results_result WHERE is_ranked AND device_id = %s AND method = %s
    GROUP BY ranking_unit ORDER BY latency_us
"""


class Unit(NamedTuple):
    """One physical device: how many results it has, and their median."""

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
    with reader().cursor() as cursor:
        cursor.execute(_UNITS, [ranking.device_id, ranking.method])
        return tuple(Unit(*row) for row in cursor.fetchall())
