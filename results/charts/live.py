"""What Chart.js draws in front of a plot's SVG, as JSON for static/js/chart-island.js."""

from dataclasses import replace

from results.charts.description import LivePlot, Point
from results.charts.plot import Plot


def live_plot(plot: Plot) -> LivePlot:
    """The points of the plot in percent of its area, from the left and from the top."""
    series = (
        replace(curve, points=[_in_percent(plot, point) for point in curve.points])
        for curve in plot.live.series
    )
    return replace(plot.live, series=list(series))


def _in_percent(plot: Plot, point: Point) -> Point:
    across = plot.x.scale(point.x) if plot.x.scale else point.x
    down = 1 - plot.y.scale(point.y) if plot.y.scale else point.y / (plot.height or 1)
    return point._replace(x=round(100 * across, 2), y=round(100 * down, 2))
