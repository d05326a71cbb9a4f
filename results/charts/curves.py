"""Curves by block size, with their legend."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from results.charts.axes import RANKED_BLOCKS, is_ranked, throughput_label, value_axis
from results.charts.description import (
    PLAIN,
    STYLES,
    LivePlot,
    Point,
    PointSeries,
    Series,
    Spot,
    View,
    drawn_series,
    rate_mib_s,
)
from results.charts.plot import (
    FRAME,
    Axis,
    Frame,
    Mark,
    Place,
    Plot,
    Tick,
    band,
    curve,
    end_labels,
    label,
    labeled,
    path,
    percent,
)
from results.charts.svg import legend_item, legend_name
from results.core.formats import format_block_size, format_number, latency_label

MAX_LABELS_ON_A_PHONE = 4  # of block sizes; of more, every other one is left out there
MARK_RADIUS = 3


class Plotted(NamedTuple):
    """A curve in the current view, with its style."""

    style: int
    series: Series
    spots: list[Spot]


def curve_plot(
    series: Sequence[Series], view: View = PLAIN, frame: Frame = FRAME, *, others: Sequence[Series] = ()
) -> Plot | None:
    """The plot of up to eight series; None if none has a point in this view.

    `others` are drawn behind the curves, all alike and without names, and the range of the ZIL's writes behind
    everything.
    """
    everything = [
        Plotted(style, line, spots)
        for style, line in enumerate(drawn_series(series), 1)
        if (spots := view.spots(line))
    ]
    if not everything:
        return None
    shown = [plotted for plotted in everything if not view.hides(plotted.series)]
    is_alone = len(everything) == 1
    behind = [_places(spots) for line in others if (spots := view.spots(line))]
    values = value_axis(
        [*_extent(shown or everything), *(value for places in behind for _, value in places)],
        is_linear=view.is_linear,
    )
    blocks, unit = view.block_axis, "MiB/s" if view.is_throughput else ""
    css = ("", "minor" if len(blocks.ticks) > MAX_LABELS_ON_A_PHONE else "")
    ticks = [
        Tick(size, format_block_size(size), css[number % 2])
        for number, size in enumerate(map(int, blocks.ticks))
    ]
    return Plot(
        x=Axis(blocks.up, ticks, "block size"),
        y=labeled(values, throughput_label if view.is_throughput else latency_label, unit),
        ground=[band("ranked", *RANKED_BLOCKS)],
        names=[_ranked_name(view)],
        curves=[*_others(behind), *(_curve(plotted, is_alone=is_alone) for plotted in shown)],
        front=list(end_labels(values, _ends(shown, int(blocks.high)))),
        frame=frame,
        live=_live(shown, view, is_alone=is_alone),
    )


def _ranked_name(view: View) -> Mark:
    """The name of the range of the ZIL's writes, inside it or, if it is narrow, to the right."""
    left, right = map(view.block_axis.up, RANKED_BLOCKS)
    if right - left < 0.1:
        return label("ZIL writes", percent(right), "14", "axis-name", dx="4")
    return label("ZIL writes", percent((left + right) / 2), "14", "axis-name", text_anchor="middle")


def _ends(shown: Sequence[Plotted], last: int) -> Iterator[tuple[float, str, str]]:
    """The marks of the curves that reach the last size."""
    for style, series, spots in shown:
        if series.mark and spots[-1].block_size == last:
            yield spots[-1].value, series.mark, f"end s{style}"


def _live(shown: Sequence[Plotted], view: View, *, is_alone: bool) -> LivePlot:
    """A stop is a block size; its points are those of the curves."""
    sizes = sorted({spot.block_size for plotted in shown for spot in plotted.spots})
    series = []
    for style, line, spots in shown:
        points = []
        for size, value, *_ in spots:
            text = _point_text(line, size, value, view, is_alone=is_alone)
            radius = MARK_RADIUS if is_alone or is_ranked(size) else 0
            points.append(Point(sizes.index(size), size, value, [text], radius))
        series.append(PointSeries(f"s{style}", points, STYLES[style - 1], is_curve=True))
    return LivePlot("x", [format_block_size(size) for size in sizes], series)


def _point_text(series: Series, size: int, value: float, view: View, *, is_alone: bool) -> str:
    """Latency and throughput for a single curve; for one of several, its name and the value drawn."""
    if not is_alone:
        return f"{series.label}: {format_number(value)} {'MiB/s' if view.is_throughput else 'µs'}"
    other = rate_mib_s(size, value, series.writers)  # also its own inverse
    latency_us, rate = (other, value) if view.is_throughput else (value, other)
    return f"{format_number(latency_us)} µs, {format_number(rate)} MiB/s"


def _extent(plotted: Sequence[Plotted]) -> list[float]:
    spots = [spot for curve in plotted for spot in curve.spots]
    return [value for spot in spots for value in spot[1:] if value is not None]


def _curve(plotted: Plotted, *, is_alone: bool) -> Mark:
    """The curve with its spread."""
    style, series, spots = plotted
    return curve(
        style,
        [_places(spots)],
        series.label,
        markers=_places(spot for spot in spots if is_alone or is_ranked(spot.block_size)),
        lows=[(spot.block_size, spot.low) for spot in spots if spot.low is not None],
        highs=[(spot.block_size, spot.high) for spot in spots if spot.high is not None],
        is_assumed=series.is_assumed,
    )


def _places(spots: Iterable[Spot]) -> list[Place]:
    return [(spot.block_size, spot.value) for spot in spots]


def _others(curves: Sequence[Sequence[Place]]) -> Iterator[Mark]:
    """Curves as one path, and those of a single point as dots."""
    if lines := [places for places in curves if len(places) > 1]:
        yield path("others", lines)
    if dots := [places for places in curves if len(places) == 1]:
        yield path("others dots", dots, is_dots=True)


def chart_legend(
    series: Sequence[Series], *, view: View = PLAIN, urls: Mapping[str, str] | None = None
) -> SafeString:
    """Render the legend of several curves, with their dashes and markers.

    `urls` maps a curve's key to the URL that hides it or, if it is hidden, shows it again.
    """
    items = (
        legend_item(
            legend_name(style, f"{line.mark} {line.label}".strip()),
            css=f"s{style}",
            key=line.key,
            url=(urls or {}).get(line.key, ""),
            is_hidden=view.hides(line),
        )
        for style, line in enumerate(drawn_series(series), 1)
    )
    return SafeString(f'<ol class="legend">{"".join(items)}</ol>')
