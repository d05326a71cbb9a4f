"""The devices that the intervals don't set apart from one, as rows with links to compare."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import mark_safe

from results.addresses import address
from results.charts.axes import ValueAxis, latency_label, log_axis
from results.charts.glyphs import interval_bar
from results.models import DeviceRanking
from results.presentation import format_capacity, format_number, format_range
from results.ranking.standing import Neighbour
from results.web.compare_address import compare_url
from results.web.safety import plp_badge


def neighbours_context(slug: str, ranking: DeviceRanking, found: Sequence[Neighbour]) -> dict[str, Any]:
    """What partials/neighbours.html needs; empty where there is none."""
    if not found:
        return {}
    ends = [ranking.low_us, ranking.high_us, *(end for one in found for end in (one.low_us, one.high_us))]
    axis = log_axis(ends)
    nearest = sorted(found, key=lambda one: abs(one.high_us - ranking.high_us))
    return {
        "neighbours": [_row(slug, one, axis) for one in found],
        "interval_ends": {"low": latency_label(axis.low), "high": latency_label(axis.high)},
        "compare_url": compare_url([slug, *(one.slug for one in nearest)]),
    }


def _row(slug: str, one: Neighbour, axis: ValueAxis) -> dict[str, Any]:
    interval = f"{format_range(one.low_us, one.high_us)} µs"
    bar = interval_bar(one.low_us, one.score_us, one.high_us, axis=axis, text=interval)
    return {
        "url": address("device", one.slug),
        "model_name": one.model_name,
        "capacity": format_capacity(one.capacity_bytes),
        "plp": plp_badge(one.plp),
        "interval_svg": mark_safe(bar),  # noqa: S308 - results.charts escapes every text that it writes
        "latency": format_number(one.score_us),
        "compare_url": compare_url([slug, one.slug]),
    }
