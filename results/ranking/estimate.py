"""Where a run would stand if it were published: an estimate for the preview."""

from dataclasses import dataclass

from results.models import ClassRanking, DeviceRanking
from results.ranking.intervals import GUESSED_SPREAD, Interval, half_width, interval
from results.ranking.places import Board, ends_of
from results.ranking.ties import Place, find_place, replace_interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """The place of this run alone on its board; `results_before` counts what the device itself already has."""

    place: Place
    device_count: int
    results_before: int


def estimate_place(board: Board, *, device_id: int | None, score_us: float) -> Estimate:
    """Where a device with this run alone would stand on `board`; `score_us` is the ranked latency.

    A device that is new has no id.
    """
    own = DeviceRanking.objects.filter(method=board.method, device=device_id).first()
    held = Interval(own.low_us, own.high_us) if own else None
    alone = interval(score_us, half_width(_spread_of(board), 1))
    ends = replace_interval(ends_of(board), held, alone)
    return Estimate(
        place=find_place(ends, alone),
        device_count=len(ends.highs),
        results_before=own.result_count if own else 0,
    )


def _spread_of(board: Board) -> float:
    """As the board's last pass found it."""
    rows = ClassRanking.objects.filter(device_class=board.device_class, method=board.method)
    return rows.values_list("spread", flat=True).first() or GUESSED_SPREAD
