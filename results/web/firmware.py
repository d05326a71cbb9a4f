"""The results of a device by firmware, and where versions differ by more than their intervals."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import BooleanField, Case, F, Value, When

from results.addresses import address
from results.models import Device, DeviceRanking, Result
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.presentation import DASH, format_date, format_hours, format_number, format_range
from results.ranking.conditions import split_platform
from results.ranking.firmware import FirmwareDifference, FirmwareFigure, find_differences, firmware_figures
from results.ranking.score import throughput_mib_s
from results.web.flags import ranking_state, why_not_ranked

SHOWN_RESULTS = 200
OPEN_RESULTS = 10  # of a firmware version; the others are folded
RESULTS_PATH = "/api/v1/results/"
BLOCK_128K = 131072
_HAS_TEXT = Case(When(submission__text="", then=Value(False)), default=True, output_field=BooleanField())


class _Run(NamedTuple):
    """A published result."""

    public_id: str
    version: str | None
    measured_on: date | None
    platform: str
    method: str
    zil_latency_us: float | None
    latency_4k_us: float | None
    latency_128k_us: float | None
    percentage_used: int | None
    power_on_hours: int | None
    not_ranked_reason: str
    flags: list[dict[str, Any]]
    has_text: bool


def firmware_context(device: Device, ranking: DeviceRanking | None) -> dict[str, Any]:
    """The published results by firmware, newest first, and what sets versions apart."""
    figures = firmware_figures(ranking) if ranking else []
    runs = _find_published(device)
    has_more = len(runs) == SHOWN_RESULTS
    return {
        "firmwares": _firmwares(runs, {figure.version: _stated(figure) for figure in figures}),
        "firmware_differences": [_difference(one) for one in find_differences(figures)],
        "all_results_url": f"{RESULTS_PATH}?{urlencode({'device': device.slug})}" if has_more else "",
    }


def _firmwares(runs: Iterable[_Run], stated: Mapping[str, str]) -> list[dict[str, Any]]:
    by_version: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        by_version.setdefault(run.version or "", []).append(_row(run))
    return [
        {
            "version": version,
            "figure": stated.get(version, ""),
            "newest": shown[:OPEN_RESULTS],
            "older": shown[OPEN_RESULTS:],
        }
        for version, shown in by_version.items()
    ]


def _stated(figure: FirmwareFigure) -> str:
    interval = format_range(figure.interval.low, figure.interval.high)
    return f"{interval} µs by {figure.unit_count} unit{'' if figure.unit_count == 1 else 's'}"


def _difference(difference: FirmwareDifference) -> dict[str, str]:
    return {
        "faster": difference.faster.version,
        "faster_figure": _stated(difference.faster),
        "slower": difference.slower.version,
        "slower_figure": _stated(difference.slower),
        "factor": format_number(difference.factor),
    }


def _find_published(device: Device) -> list[_Run]:
    results = Result.objects.published().filter(device=device)
    ordered = results.annotate(has_text=_HAS_TEXT).order_by(
        "firmware__version", F("measured_on").desc(nulls_last=True), "-id"
    )
    columns = (
        "public_id",
        "firmware__version",
        "measured_on",
        "platform",
        "method",
        "zil_latency_us",
        f"latency_us__{SLOT_OF_BLOCK_SIZE[4096]}",
        f"latency_us__{SLOT_OF_BLOCK_SIZE[BLOCK_128K]}",
        "percentage_used",
        "power_on_hours",
        "not_ranked_reason",
        "flags",
        "has_text",
    )
    return [_Run(*row) for row in ordered.values_list(*columns)[:SHOWN_RESULTS]]


def _row(run: _Run) -> dict[str, Any]:
    rate = None if run.latency_128k_us is None else throughput_mib_s(BLOCK_128K, run.latency_128k_us)
    return {
        "url": address("result", run.public_id),
        "has_text": run.has_text,
        "date": format_date(run.measured_on) if run.measured_on else "undated",
        "platform": split_platform(run.platform)[0] or DASH,
        "method": run.method,
        "zil_latency": format_number(run.zil_latency_us),
        "latency_4k": format_number(run.latency_4k_us),
        "throughput_128k": format_number(rate),
        "worn": _wear(run.percentage_used, run.power_on_hours),
        "state": ranking_state(run.not_ranked_reason, run.flags),
        "reasons": why_not_ranked(run.not_ranked_reason, run.flags),
    }


def _wear(percentage_used: int | None, power_on_hours: int | None) -> str:
    parts = [] if percentage_used is None else [f"{percentage_used} % used"]
    parts += [] if power_on_hours is None else [format_hours(power_on_hours)]
    return ", ".join(parts) or format_hours(None)
