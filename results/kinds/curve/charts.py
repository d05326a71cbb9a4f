"""The charts of pages: their curves, and the text above and below them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from results.charts.curves import chart_legend, curve_plot
from results.charts.description import LETTERS, PLAIN, Caption, CurvePoint, LivePlot, Series, View
from results.charts.live import live_plot
from results.charts.options import ChartOptions, ViewChoice, choice_links, toggle_urls
from results.charts.svg import draw
from results.core.subject import drive_name_from_row
from results.kinds.curve.metrics import CONFIDENCE_PERCENT, Curve, Tails, ranked_metric, slow_us
from results.kinds.curve.tables import PointsTable
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


def ranking_series(rows: Sequence[Mapping[str, Any]]) -> list[Series]:
    """A curve per row of the ranking, marked with a letter, as ranks can be ranges."""
    return [
        Series(
            label=drive_name_from_row(row).model,
            points=interval_points(row["median_us"], row["score"], ends=(row["low"], row["high"])),
            mark=letter,
            key=row["device__slug"],
            is_assumed=row["assumed_spread"],
            digits=row["digits"],
        )
        for letter, row in zip(LETTERS, rows, strict=False)
    ]


def curve_points(curve: Curve) -> tuple[CurvePoint, ...]:
    """The measured points of a curve."""
    return tuple(
        CurvePoint(block_size, latency_us)
        for block_size, latency_us in zip(BLOCK_SIZES, curve, strict=True)
        if latency_us is not None
    )


def interval_points(median_us: Curve, score: float, *, ends: tuple[float, float]) -> tuple[CurvePoint, ...]:
    """A device's curve with intervals proportional to that of the ranked latency."""
    down, up = (end / score for end in ends)
    return tuple(
        point._replace(low_us=point.latency_us * down, high_us=point.latency_us * up)
        for point in curve_points(median_us)
    )


INTERVAL_BAND = f"Shaded: where a typical drive of this model should fall ({CONFIDENCE_PERCENT} interval)."
ASSUMED_BAND = "Dashed where it rests on an assumed spread between units."
TAIL_BAND = "The band reaches up to p99: 99 of 100 writes take no longer."


def tail_points(curve: Curve, tails: Tails | None) -> tuple[CurvePoint, ...]:
    """The points of a run with a band up to the p99, where fio printed one."""
    points = []
    for point in curve_points(curve):
        slow = slow_us(tails, point.block_size)
        has_band = slow is not None and slow > point.latency_us
        points.append(point._replace(low_us=point.latency_us, high_us=slow) if has_band else point)
    return tuple(points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart of curves with its text; without `data` a script adds nothing to it."""

    heading: str
    note: str
    svg: SafeString
    legend: SafeString  # of two curves and more
    band: str = ""  # what the bands around curves are
    choices: Sequence[ViewChoice] = ()  # links to its other views
    image_url: str = ""
    data: LivePlot | None = None
    points: PointsTable | None = None


def draw_chart(
    series: Sequence[Series],
    description: str,
    *,
    options: ChartOptions | None = None,
    image_url: str = "",
    band: str = INTERVAL_BAND,
    others: Sequence[Series] = (),
    points: PointsTable | None = None,
) -> Chart | None:
    """The chart of these curves; None if there is no curve to draw.

    With `options` it links to its other views. `image_url` is a standalone image of it. `band` says what the band
    around a curve is. `others` are drawn behind the curves, but not in the data for scripts.
    """
    curves = [curve for curve in series if len(curve.points) > 1]
    if not curves:
        return None
    view = options.view if options else PLAIN
    heading, note = chart_caption(view, writers=max(curve.writers for curve in curves))
    plot = curve_plot(curves, view, others=others)
    return Chart(
        heading=heading,
        note=note,
        band=_band_note(curves, band),
        svg=draw(plot, title=heading, description=description),
        legend=_legend(curves, options),
        choices=choice_links(options) if options else (),
        image_url=image_url,
        data=live_plot(plot) if plot else LivePlot("x"),
        points=points,
    )


def _band_note(curves: Sequence[Series], band: str) -> str:
    """What the bands are, and whether any is assumed; "" without a band."""
    if not any(point.low_us for curve in curves for point in curve.points):
        return ""
    return f"{band} {ASSUMED_BAND}" if any(curve.is_assumed for curve in curves) else band


def _legend(curves: Sequence[Series], options: ChartOptions | None) -> SafeString:
    if len(curves) < 2:
        return SafeString()
    view, urls = (options.view, toggle_urls(options, curves)) if options else (PLAIN, {})
    return chart_legend(curves, view=view, urls=urls)
