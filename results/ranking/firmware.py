"""The firmware versions of a device beside each other: by the rules of the ranking, as if each were a device."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from results.models import DeviceRanking, Result
from results.models.choices import Method
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.ranking.intervals import (
    GUESSED_SPREAD,
    Interval,
    blended_spread,
    half_width,
    interval,
    own_spread,
)
from results.ranking.senders import SENDER_FIELDS, Measured, Sent, independent_units, sender_of


class FirmwareRun(NamedTuple):
    """One ranked result: its firmware version, unit and sender, and its ranked latency in µs."""

    version: str
    unit: str
    sender: str
    latency_us: float


@dataclass(frozen=True, slots=True)
class FirmwareFigure:
    """The median over the independent units that ran a version, and its 90 % interval, in µs."""

    version: str
    unit_count: int
    latency_us: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class FirmwareDifference:
    """Two versions that differ by more than their intervals, and how many times as long the slower one takes."""

    faster: FirmwareFigure
    slower: FirmwareFigure
    factor: float


def firmware_figures(ranking: DeviceRanking) -> list[FirmwareFigure]:
    """The versions that the ranked results of a device name, the one that is best at worst first. One query."""
    return summarise_firmwares(_find_runs(ranking), spread=ranking.board_spread or GUESSED_SPREAD)


def _find_runs(ranking: DeviceRanking) -> Iterator[FirmwareRun]:
    is_fio = ranking.method == Method.FIO
    column = f"latency_us__{SLOT_OF_BLOCK_SIZE[4096]}" if is_fio else "zil_latency_us"
    results = Result.objects.filter(
        device=ranking.device_id, method=ranking.method, is_ranked=True, firmware__isnull=False
    )
    rows = results.values_list("firmware__version", column, "has_unit", "ranking_unit", *SENDER_FIELDS)
    for version, latency_us, has_unit, unit, *sent in rows:
        sender = sender_of(Sent(*sent))
        yield FirmwareRun(version, unit if has_unit else sender, sender, latency_us)


def summarise_firmwares(runs: Iterable[FirmwareRun], *, spread: float) -> list[FirmwareFigure]:
    """A figure a version, ordered by the upper end of its interval; `spread` is that of the device's board."""
    measured: dict[str, list[Measured]] = defaultdict(list)
    for run in runs:
        measured[run.version].append(Measured(run.unit, run.sender, math.log(run.latency_us)))
    figures = [
        _figure(version, [median(logs) for logs in independent_units(results)], spread)
        for version, results in measured.items()
    ]
    return sorted(figures, key=lambda figure: (figure.interval.high, figure.version))


def _figure(version: str, unit_logs: Sequence[float], spread: float) -> FirmwareFigure:
    centre, count = median(unit_logs), len(unit_logs)
    own = own_spread(median(abs(log - centre) for log in unit_logs), count) if count > 1 else None
    half = half_width(blended_spread(spread, own, count), count)
    latency_us = math.exp(centre)
    return FirmwareFigure(version, count, latency_us, interval(latency_us, half))


def find_differences(figures: Sequence[FirmwareFigure]) -> list[FirmwareDifference]:
    """Each version that begins where the best one has ended, beside that one.

    Versions that differ from any other differ from the best, too, as no other ends earlier.
    """
    if not figures:
        return []
    best = min(figures, key=lambda figure: figure.interval.high)
    return [
        FirmwareDifference(best, figure, figure.latency_us / best.latency_us)
        for figure in figures
        if figure.interval.low > best.interval.high
    ]
