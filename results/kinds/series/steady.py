"""The steady state by SNIA's Solid State Storage Performance Test Specification (PTS), with rounds of a minute.

The last five rounds of the last writing phase are the measurement window. It is steady if the range of its rounds is
at most 20 % of their mean, if the fitted line rises or falls by at most 10 % of the mean over the window, and if at
least twice the capacity was written before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from results.kinds.series.samples import ROUND_S, Phase

WINDOW = 5  # rounds
MAX_RANGE, MAX_RISE = 0.20, 0.10  # of the mean
CAPACITIES_BEFORE = 2.0
DROPPED = 0.8  # of the first minute: less sustained is a drop
STEADY, PLATEAU, NOT_STEADY, SHORT = "steady", "plateau", "not_steady", "short"
VERDICTS = {STEADY: "steady state", PLATEAU: "plateau", NOT_STEADY: "not steady", SHORT: "too short"}
_ROUNDING = 1e-9  # of floats: a range of exactly 20 % is within 20 %


@dataclass(frozen=True, slots=True)
class Window:
    """The last five rounds: their mean in 1/s, and what of it they range over and the fitted line rises by."""

    mean: float
    range_share: float
    rise_share: float

    @property
    def is_flat(self) -> bool:
        return self.range_share <= MAX_RANGE + _ROUNDING and abs(self.rise_share) <= MAX_RISE + _ROUNDING


@dataclass(frozen=True, slots=True)
class Sustained:
    """What a series shows; None where it doesn't."""

    verdict: str
    first_minute: float | None = None
    slowest_minute: float | None = None
    window: Window | None = None
    window_start: float | None = None  # s
    written_bytes: float | None = None  # by the series, before the window
    minutes_to_drop: int | None = None
    recovery: float | None = None  # of the first minute: the minute after an idle phase

    @property
    def sustained(self) -> float | None:
        return self.window.mean if self.window else None


def measure_window(rounds: Sequence[float]) -> Window | None:
    """The window of the last rounds; None for fewer than five, or for rounds without a write."""
    last = rounds[-WINDOW:]
    mean = fmean(last) if last else 0.0
    if len(last) < WINDOW or mean <= 0:
        return None
    middle = (WINDOW - 1) / 2
    slope = sum((at - middle) * value for at, value in enumerate(last)) / sum(
        (at - middle) ** 2 for at in range(WINDOW)
    )
    return Window(mean, (max(last) - min(last)) / mean, slope * (WINDOW - 1) / mean)


def judge(
    phases: Sequence[Phase], *, transfer_size: int | None, capacity_bytes: int | None, is_preconditioned: bool
) -> Sustained:
    """What the phases of a series show.

    A preconditioned device has had twice its capacity written before. Without a transfer size or a capacity nobody
    knows how much was written, so a flat end is a plateau.
    """
    first_rounds = next((phase.rounds for phase in phases if phase.rounds), ())
    last = phases[-1] if phases else None
    rounds = [value for phase in phases for value in phase.rounds]
    window = measure_window(last.rounds) if last else None
    first = first_rounds[0] if first_rounds else None
    found: dict[str, Any] = {
        "first_minute": first,
        "slowest_minute": min(rounds, default=None),
        "recovery": _recovery(phases),
    }
    if window is None or last is None:
        return Sustained(SHORT, **found)
    start = last.start + ROUND_S * (len(last.rounds) - WINDOW)
    written = _written_before(phases, start, transfer_size)
    return Sustained(
        _verdict(window, written, capacity_bytes, is_preconditioned=is_preconditioned),
        **found,
        window=window,
        window_start=start,
        written_bytes=written,
        minutes_to_drop=_minutes_to_drop(first_rounds, window.mean),
    )


def _verdict(
    window: Window, written: float | None, capacity_bytes: int | None, *, is_preconditioned: bool
) -> str:
    if not window.is_flat:
        return NOT_STEADY
    if is_preconditioned:
        return STEADY
    is_enough = bool(written and capacity_bytes) and (written or 0) >= CAPACITIES_BEFORE * (
        capacity_bytes or 0
    )
    return STEADY if is_enough else PLATEAU


def _written_before(phases: Sequence[Phase], start: float, transfer_size: int | None) -> float | None:
    if transfer_size is None:
        return None
    return transfer_size * sum(phase.writes_until(start) for phase in phases if phase.start < start)


def _minutes_to_drop(rounds: Sequence[float], sustained: float) -> int | None:
    """The minutes before the first one that is below half way from the first minute to what is sustained.

    None where the device sustains most of its first minute.
    """
    if not rounds or sustained >= DROPPED * rounds[0]:
        return None
    half_way = (rounds[0] + sustained) / 2
    return next((at for at, value in enumerate(rounds) if value < half_way), len(rounds))


def _recovery(phases: Sequence[Phase]) -> float | None:
    """The first minute of the last phase, of that of the first one; None without a pause."""
    written = [phase for phase in phases if phase.rounds]
    if len(written) < 2 or not written[0].rounds[0]:
        return None
    return written[-1].rounds[0] / written[0].rounds[0]
