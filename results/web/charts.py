"""From rows to charts: which curves a page draws."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from results.charts.glyphs import sparkline
from results.charts.latency import chart_legend, latency_chart
from results.charts.series import CurvePoint, Series, series_data
from results.models.fields import BLOCK_SIZES
from results.presentation import format_capacity

Curve = Sequence[float | None]


def ranking_series(rows: Sequence[dict[str, Any]]) -> list[Series]:
    """A curve a row of the ranking, marked with its place."""
    return [
        Series(
            label=" ".join(
                filter(None, [row["device__model_name"], format_capacity(row["device__capacity_bytes"])])
            ),
            points=curve_points(row["median_us"], row["lowest_us"], row["highest_us"]),
            mark=str(row["position"]),
        )
        for row in rows
    ]


def curve_points(
    curve: Curve, lowest: Curve | None = None, highest: Curve | None = None
) -> tuple[CurvePoint, ...]:
    """The measured slots of a curve, with their spread where it is known."""
    unknown: Curve = [None] * len(BLOCK_SIZES)
    slots = zip(BLOCK_SIZES, curve, lowest or unknown, highest or unknown, strict=True)
    return tuple(
        CurvePoint(block_size, latency_us, low_us, high_us)
        for block_size, latency_us, low_us, high_us in slots
        if latency_us is not None
    )


def curve_sparkline(curve: Curve) -> SafeString:
    """The shape of a curve for a cell of a table."""
    return mark_safe(sparkline([point.latency_us for point in curve_points(curve)]))  # noqa: S308 - numbers alone


def chart_context(series: Sequence[Series], description: str) -> dict[str, Any]:
    """What partials/chart.html needs; empty where there is no curve to draw."""
    curves = [one for one in series if len(one.points) > 1]
    if not curves:
        return {}
    svg = latency_chart(curves, title="Latency by block size", description=description)
    return {
        "chart_svg": mark_safe(svg),  # noqa: S308 - results.charts escapes every text that it writes
        "chart_legend": mark_safe(chart_legend(curves)) if len(curves) > 1 else "",  # noqa: S308
        "chart_data": series_data(curves),
    }
