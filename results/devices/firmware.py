"""A device's firmware versions side by side, by the rules of the ranking, and how they differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import BooleanField, Case, F, Value, When

from results.core.addresses import address
from results.core.formats import DASH, format_hours, format_number, format_range, split_platform
from results.kinds.dates import date_of_run, origin_of_run
from results.kinds.flags import PROTECTION_FAILED, ranking_state, reasons_shown
from results.kinds.latency_curve.metrics import shown_metrics
from results.kinds.metric import Metric
from results.kinds.registry import RANKED_METHODS
from results.kinds.tables import metric_cells
from results.models import Device, DeviceRanking, Result
from results.ranking.intervals import GUESSED_SPREAD, Interval, median_interval


@dataclass(frozen=True, slots=True)
class FirmwareFigure:
    """The median over the independent units that ran a version, and its interval, in µs."""

    version: str
    unit_count: int
    latency_us: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class FirmwareDifference:
    """Two versions whose intervals don't overlap, and how many times as long the slower one takes."""

    faster: FirmwareFigure
    slower: FirmwareFigure
    factor: float


def firmware_figures(ranking: DeviceRanking) -> list[FirmwareFigure]:
    """The versions named by a device's ranked results, by the upper end of their intervals."""
    spread = ranking.board_spread or GUESSED_SPREAD
    figures = [_figure(**stored, spread=spread) for stored in ranking.firmwares]
    return sorted(figures, key=lambda figure: (figure.interval.high, figure.version))


def _figure(
    version: str, unit_count: int, latency_us: float, deviation: float, *, spread: float
) -> FirmwareFigure:
    interval = median_interval(latency_us, deviation, unit_count, spread=spread)
    return FirmwareFigure(version, unit_count, latency_us, interval)


def find_differences(figures: Sequence[FirmwareFigure]) -> list[FirmwareDifference]:
    """Each version whose interval begins above the end of the best one's, paired with that one.

    A version that differs from any other also differs from the best, since no interval ends earlier.
    """
    if not figures:
        return []
    best = min(figures, key=lambda figure: figure.interval.high)
    return [
        FirmwareDifference(best, figure, figure.latency_us / best.latency_us)
        for figure in figures
        if figure.interval.low > best.interval.high
    ]


SHOWN_RESULTS = 200
OPEN_RESULTS = 10  # per firmware version; the others are folded
RESULTS_PATH = "/api/v1/results/"
_HAS_TEXT = Case(When(submission__text="", then=Value(False)), default=True, output_field=BooleanField())


class _Run(NamedTuple):
    """A published result: columns of Result, by these names, with those of DATE_FIELDS."""

    public_id: str
    firmware__version: str | None
    measured_on: date | None
    submission__posted_on: date | None
    submission__survey_id: str | None
    submission__created_at: datetime
    platform: str
    method: str
    metrics: dict[str, float]
    submission__figure_digits: int | None
    wear_percent: int | None
    power_on_hours: int | None
    not_ranked_reason: str
    flags: list[dict[str, Any]]
    has_text: bool


def firmware_context(device: Device, ranking: DeviceRanking | None) -> dict[str, Any]:
    """The newest published results of ranked kinds by firmware, and the differences between versions."""
    figures, digits = (firmware_figures(ranking), ranking.digits) if ranking else ([], None)
    runs = _find_published(device)
    has_more = len(runs) == SHOWN_RESULTS
    metrics = [metric for metric in shown_metrics() if any(metric.key in run.metrics for run in runs)]
    return {
        "metrics_shown": metrics,
        "has_platforms": any(split_platform(run.platform)[0] for run in runs),
        "has_wear": any(_wear(run.wear_percent, run.power_on_hours) != DASH for run in runs),
        "firmwares": _firmwares(
            runs, metrics, {figure.version: _stated(figure, digits) for figure in figures}
        ),
        "protection_failures": [
            {
                "url": address("result", run.public_id),
                "date": date_of_run(run._asdict()),
                "message": flag["message"],
            }
            for run in runs
            for flag in run.flags
            if flag["code"] == PROTECTION_FAILED
        ],
        "firmware_differences": [_difference(one, digits) for one in find_differences(figures)],
        "all_results_url": f"{RESULTS_PATH}?{urlencode({'device': device.slug})}" if has_more else "",
    }


def _firmwares(
    runs: Iterable[_Run], metrics: Sequence[Metric], stated: Mapping[str, str]
) -> list[dict[str, Any]]:
    by_version: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        by_version.setdefault(run.firmware__version or "", []).append(_row(run, metrics))
    return [
        {
            "version": version,
            "figure": stated.get(version, ""),
            "newest": shown[:OPEN_RESULTS],
            "older": shown[OPEN_RESULTS:],
        }
        for version, shown in by_version.items()
    ]


def _stated(figure: FirmwareFigure, digits: int | None) -> str:
    interval = format_range(figure.interval.low, figure.interval.high, digits)
    return f"{interval} µs by {figure.unit_count} unit{'' if figure.unit_count == 1 else 's'}"


def _difference(difference: FirmwareDifference, digits: int | None) -> dict[str, str]:
    return {
        "faster": difference.faster.version,
        "faster_figure": _stated(difference.faster, digits),
        "slower": difference.slower.version,
        "slower_figure": _stated(difference.slower, digits),
        "factor": format_number(difference.factor),
    }


def _find_published(device: Device) -> list[_Run]:
    newest = (F("measured_on").desc(nulls_last=True), F("id").desc())
    results = Result.objects.published().filter(device=device, method__in=RANKED_METHODS)
    shown = Result.objects.filter(pk__in=results.order_by(*newest).values("pk")[:SHOWN_RESULTS])
    ordered = shown.annotate(has_text=_HAS_TEXT).order_by("firmware__version", *newest)
    return [_Run(*row) for row in ordered.values_list(*_Run._fields)]


def _row(run: _Run, metrics: Sequence[Metric]) -> dict[str, Any]:
    return {
        "url": address("result", run.public_id),
        "has_text": run.has_text,
        "date": date_of_run(run._asdict()),
        "origin": origin_of_run(run._asdict()),
        "platform": split_platform(run.platform)[0] or DASH,
        "method": run.method,
        "cells": metric_cells(run.metrics, metrics, run.submission__figure_digits),
        "worn": _wear(run.wear_percent, run.power_on_hours),
        "state": ranking_state(run.not_ranked_reason, run.flags),
        "reasons": reasons_shown(run.not_ranked_reason, run.flags),
    }


def _wear(wear_percent: int | None, power_on_hours: int | None) -> str:
    parts = [] if wear_percent is None else [f"{wear_percent} % used"]
    parts += [] if power_on_hours is None else [format_hours(power_on_hours)]
    return ", ".join(parts) or format_hours(None)
