"""The results of a device by firmware, and where versions differ by more than their intervals."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.db.models import BooleanField, Case, F, Value, When
from django.urls import reverse

from results.models import Device, DeviceRanking, Result
from results.models.choices import Method, State
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.presentation import format_date, format_hours, format_number, format_range
from results.ranking.firmware import FirmwareDifference, FirmwareFigure, find_differences, firmware_figures
from results.ranking.score import throughput_mib_s
from results.web.flags import is_held, why_not_ranked

SHOWN_RESULTS = 200
OPEN_RESULTS = 10  # of a firmware version; the others are folded
RESULTS_PATH = "/api/v1/results/"
BLOCK_128K = 131072
_HAS_TEXT = Case(When(submission__text="", then=Value(False)), default=True, output_field=BooleanField())


def firmware_context(device: Device, ranking: DeviceRanking | None) -> dict[str, Any]:
    """The published results by firmware, newest first, and what sets versions apart."""
    figures = firmware_figures(ranking) if ranking else []
    stated = {figure.version: _stated(figure) for figure in figures}
    results = _results(device)
    has_more = sum(map(len, results.values())) == SHOWN_RESULTS
    return {
        "firmwares": [
            {
                "version": version,
                "figure": stated.get(version, ""),
                "results": rows[:OPEN_RESULTS],
                "more": rows[OPEN_RESULTS:],
                "more_count": len(rows) - OPEN_RESULTS,
            }
            for version, rows in results.items()
        ],
        "firmware_differences": [_difference(one) for one in find_differences(figures)],
        "all_results_url": f"{RESULTS_PATH}?{urlencode({'device': device.slug})}" if has_more else "",
    }


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


def _results(device: Device) -> dict[str, list[dict[str, Any]]]:
    results: Iterable[Any] = (
        Result.objects.filter(device=device, submission__state=State.PUBLISHED)
        .annotate(has_text=_HAS_TEXT)
        .order_by("firmware__version", F("measured_on").desc(nulls_last=True), "-id")
        .values(
            "public_id",
            "firmware__version",
            "measured_on",
            "platform",
            "method",
            "zil_latency_us",
            "latency_us",
            "percentage_used",
            "power_on_hours",
            "not_ranked_reason",
            "flags",
            "has_text",
        )[:SHOWN_RESULTS]
    )
    firmwares: dict[str, list[dict[str, Any]]] = {}
    for row in results:
        firmwares.setdefault(row["firmware__version"] or "", []).append(_row(row))
    return firmwares


def _row(row: dict[str, Any]) -> dict[str, Any]:
    latency_4k = row["latency_us"][SLOT_OF_BLOCK_SIZE[4096]]
    latency_128k = row["latency_us"][SLOT_OF_BLOCK_SIZE[BLOCK_128K]]
    rate = None if latency_128k is None else throughput_mib_s(BLOCK_128K, latency_128k)
    url = reverse("result", args=[row["public_id"]])
    return {
        "url": url,
        "text_url": f"{url}#text" if row["has_text"] else "",
        "date": format_date(row["measured_on"]) if row["measured_on"] else "undated",
        "os": row["platform"] or Method(row["method"]).label,
        "zil_latency": format_number(row["zil_latency_us"]),
        "latency_4k": format_number(latency_4k),
        "throughput_128k": format_number(rate),
        "wear": _wear(row["percentage_used"], row["power_on_hours"]),
        "state": _state(row),
        "reasons": why_not_ranked(row["not_ranked_reason"], row["flags"]),
    }


def _state(row: dict[str, Any]) -> str:
    if not row["not_ranked_reason"]:
        return "ranked"
    return "held" if is_held(row["flags"]) else "not ranked"


def _wear(percentage_used: int | None, power_on_hours: int | None) -> str:
    parts = [] if percentage_used is None else [f"{percentage_used} % used"]
    parts += [] if power_on_hours is None else [format_hours(power_on_hours)]
    return ", ".join(parts) or format_hours(None)
