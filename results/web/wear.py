"""Wear of the measured units against what they took: a chart, a table, and what the two ends say."""

import math
from collections.abc import Sequence
from typing import Any

from django.utils.safestring import mark_safe

from results.addresses import address
from results.charts.wear import Dot, WearAxis, wear_chart
from results.models import DeviceRanking
from results.models.choices import Method
from results.presentation import DASH, format_date, format_hours, format_number
from results.ranking.wear import (
    WearContrast,
    WearMeasure,
    WornUnit,
    contrast_wear,
    order_by_wear,
    pick_measure,
)

_TERABYTE = 10**12
_NAMES = {
    WearMeasure.PERCENTAGE_USED: ("endurance used", "%", 1.0),
    WearMeasure.HOST_BYTES_WRITTEN: ("written by hosts", "TB", 1.0 / _TERABYTE),
    WearMeasure.POWER_ON_HOURS: ("power-on time", "h", 1.0),
}
_STEPS = (1, 2, 4, 8)  # of a decade: their quarters are round


def format_written(written: int | None) -> str:
    """Bytes in TB; a dash for None."""
    return DASH if written is None else f"{float(written) / _TERABYTE:,.2f} TB"


def wear_context(units: Sequence[WornUnit], ranking: DeviceRanking) -> dict[str, Any] | None:
    """What partials/wear.html needs; None unless two units tell wear and differ in it."""
    measure = pick_measure(units)
    if measure is None:
        return None
    ordered = order_by_wear(units, measure)
    name, unit, _ = _NAMES[measure]
    metric = "4 KiB latency" if ranking.method == Method.FIO else "ZIL latency"
    return {
        "svg": _draw(ordered, measure, metric),
        "metric": metric,
        "measure": f"{name} in {unit}",
        "says": _says(contrast_wear(ordered, ranking.board_spread), len(ordered)),
        "rows": [_row(one) for _, one in ordered],
    }


def _says(contrast: WearContrast, unit_count: int) -> str:
    usual = format_number(contrast.usual_factor)
    factor = format_number(contrast.factor)
    found = f"The most worn of {unit_count} units takes {factor} times as long as the least worn one"
    if not contrast.is_beyond_usual:
        return f"{found}. Two units usually differ by up to {usual} times anyway, so that shows no effect of wear."
    beyond = f"{found}, where two units usually differ by no more than {usual} times."
    return f"{beyond} Look at their other conditions, too."


def _draw(ordered: Sequence[tuple[float, WornUnit]], measure: WearMeasure, metric: str) -> str:
    name, unit, scale = _NAMES[measure]
    end = _round_up(ordered[-1][0] * scale)
    labels = [f"{end * quarter / 4:,.4g}" for quarter in range(5)]
    axis = WearAxis(end, (labels[0], labels[1], labels[2], labels[3], labels[4]), f"{name}, {unit}")
    dots = [
        Dot(
            value * scale,
            one.latency_us,
            f"{value * scale:,.4g} {unit} {name}: {format_number(one.latency_us)} µs",
        )
        for value, one in ordered
    ]
    title = f"{metric} over {name}"
    svg = wear_chart(dots, axis, title=title, description=f"A dot for each of {len(dots)} units.")
    return mark_safe(svg)  # noqa: S308 - results.charts escapes every text that it writes


def _round_up(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    return next((step * decade for step in _STEPS if step * decade >= value), 10 * decade)


def _row(one: WornUnit) -> dict[str, str]:
    return {
        "url": address("result", one.public_id),
        "date": format_date(one.measured_on) if one.measured_on else "undated",
        "used": DASH if one.percentage_used is None else f"{one.percentage_used} %",
        "written": format_written(one.host_bytes_written),
        "hours": format_hours(one.power_on_hours),
        "latency": format_number(one.latency_us),
    }
