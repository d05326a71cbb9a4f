"""The charts of pages: their curves, and the text above and below them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from results.charts.description import LETTERS, PLAIN, Caption, CurvePoint, Series, View, curves_json
from results.charts.options import ChartOptions, choice_links, toggle_urls
from results.charts.svg import chart_legend, latency_chart
from results.core.formats import format_device
from results.kinds.latency_curve.metrics import CONFIDENCE_PERCENT, Tails, ranked_metric, slow_us
from results.models.choices import Board
from results.models.fields import BLOCK_SIZES


def chart_caption(view: View, *, writers: int = 1) -> Caption:
    what = (
        "Throughput of one synchronous write after the other, each flushed"
        if view.is_throughput
        else "Mean time of one synchronous write and its flush"
    )
    if writers > 1:
        what += f", {'of' if view.is_throughput else 'for each of'} {writers} writers at the same time"
    axes, better = (
        ("linear" if view.is_linear else "logarithmic"),
        "higher" if view.is_throughput else "lower",
    )
    heading = "Throughput by block size" if view.is_throughput else "Latency by block size"
    return Caption(heading, f"{what}; both axes {axes}, {better} is better.")


def boxes_caption(view: View) -> Caption:
    axis = "linear" if view.is_linear else "logarithmic"
    note = f"{ranked_metric(Board.SYNC_WRITE).label}, one figure per device; the axis is {axis}, lower is better."
    return Caption("Ranked latency by class", note)


Curve = Sequence[float | None]


def ranking_series(rows: Sequence[Mapping[str, Any]]) -> list[Series]:
    """A curve per row of the ranking, marked with a letter, as ranks can be ranges."""
    return [
        Series(
            label=format_device(row["device__model_name"], row["device__capacity_bytes"]),
            points=interval_points(row["median_us"], row["score"], ends=(row["low"], row["high"])),
            mark=letter,
            key=row["device__slug"],
            is_assumed=row["assumed_spread"],
            digits=row["digits"],
        )
        for letter, row in zip(LETTERS, rows, strict=False)
    ]


def curve_points(
    curve: Curve, lowest: Curve | None = None, highest: Curve | None = None
) -> tuple[CurvePoint, ...]:
    """The measured points of a curve, with their spread if known."""
    unknown: Curve = [None] * len(BLOCK_SIZES)
    slots = zip(BLOCK_SIZES, curve, lowest or unknown, highest or unknown, strict=True)
    return tuple(
        CurvePoint(block_size, latency_us, low_us, high_us)
        for block_size, latency_us, low_us, high_us in slots
        if latency_us is not None
    )


def interval_points(median_us: Curve, score: float, *, ends: tuple[float, float]) -> tuple[CurvePoint, ...]:
    """A device's curve with intervals proportional to that of the ranked latency."""
    down, up = (end / score for end in ends)
    return tuple(
        CurvePoint(block_size, latency_us, latency_us * down, latency_us * up)
        for block_size, latency_us in zip(BLOCK_SIZES, median_us, strict=True)
        if latency_us is not None
    )


INTERVAL_BAND = f"Shaded: where a typical drive of this model should fall ({CONFIDENCE_PERCENT} interval)."
ASSUMED_BAND = "Dashed where it rests on an assumed spread between units."
TAIL_BAND = "The band reaches up to p99: 99 of 100 writes take no longer."


def tail_points(curve: Curve, tails: Tails | None) -> tuple[CurvePoint, ...]:
    """The points of a run with a band up to the p99, where fio printed one."""
    slow = [slow_us(tails, block_size) for block_size in BLOCK_SIZES]
    has_band = [
        latency_us is not None and slow_us is not None and slow_us > latency_us
        for latency_us, slow_us in zip(curve, slow, strict=True)
    ]
    return curve_points(
        curve,
        [latency_us if shown else None for latency_us, shown in zip(curve, has_band, strict=True)],
        [slow_us if shown else None for slow_us, shown in zip(slow, has_band, strict=True)],
    )


def chart_context(
    series: Sequence[Series],
    description: str,
    *,
    options: ChartOptions | None = None,
    image_url: str = "",
    band: str = INTERVAL_BAND,
    others: Sequence[Series] = (),
) -> dict[str, Any]:
    """The context of parts/chart.html; empty if there is no curve to draw.

    With `options` the chart links to its other views. `image_url` is a standalone image of it. `band` says what the
    band around a curve is. `others` are drawn behind the curves, but not in the data for scripts.
    """
    curves = [one for one in series if len(one.points) > 1]
    if not curves:
        return {}
    view = options.view if options else PLAIN
    caption = partial(chart_caption, writers=max(one.writers for one in curves))
    heading, note = caption(view)
    svg = latency_chart(curves, title=heading, description=description, view=view, others=others)
    return {
        "chart_heading": heading,
        "chart_note": note,
        "chart_band": _band_note(curves, band),
        "chart_svg": mark_safe(svg),  # noqa: S308 - results.charts escapes every text that it writes
        "chart_legend": _legend(curves, options),
        "chart_choices": choice_links(options) if options else [],
        "chart_image_url": image_url,
        "chart_data": curves_json(curves, caption),
    }


def _band_note(curves: Sequence[Series], band: str) -> str:
    """What the bands are, and whether any is assumed; "" without a band."""
    if not any(point.low_us for one in curves for point in one.points):
        return ""
    return f"{band} {ASSUMED_BAND}" if any(one.is_assumed for one in curves) else band


def _legend(curves: Sequence[Series], options: ChartOptions | None) -> SafeString:
    if len(curves) < 2:
        return SafeString("")
    view, urls = (options.view, toggle_urls(options, curves)) if options else (PLAIN, {})
    return mark_safe(chart_legend(curves, view=view, urls=urls))  # noqa: S308 - escaped as above
