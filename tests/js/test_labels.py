"""No text of a drawing touches another or leaves its frame, whatever the figures and names are."""

from base64 import b64encode
from datetime import date
from html import escape

import pytest

from results.charts import bars, histogram, preview
from results.charts.badge import badge_svg
from results.charts.boxes import box_plot
from results.charts.cards import Labels, boxes_image, chart_image, message_image
from results.charts.curves import curve_plot
from results.charts.description import (
    LETTERS,
    PLAIN,
    Box,
    CurvePoint,
    Expected,
    Series,
    View,
)
from results.charts.dots import Dot, PriceDot, ladder_chart, price_chart, wear_chart
from results.charts.scale import speed_scale
from results.charts.strip import Gap, How, Strip, StripMark, strip_chart
from results.charts.svg import draw
from results.core.addresses import MAX_COMPARED
from results.core.drive_names import DriveName
from results.kinds.grid.charts import Drawn, grid_chart
from results.kinds.grid.lines import RECORD
from results.kinds.grid.lines import GridLine as GridLine
from results.kinds.grid.lines import Point as GridPoint
from results.kinds.series.charts import SeriesLine, series_chart
from results.models.fields import BLOCK_SIZES
from tests.chromium import script
from tests.js.conftest import ROOT

LONG = "Very long name of a drive " * 5
WORDS = {"title": "Drawing", "description": "What it shows"}
LABELS = Labels(LONG, "A note that says how to read it.", "Measured sync writes · slogdb.example")
RANGES = {
    "from a decade on": (10, 95),
    "equal": (20, 20),
    "tiny to huge": (0.1, 1e6),
    "slow": (900, 9e6),
    "narrow": (101, 102),
}


def curve(low, high, mark="", label="Drive"):
    step = (high / low) ** (1 / (len(BLOCK_SIZES) - 1))
    points = (CurvePoint(size, low * step**at) for at, size in enumerate(BLOCK_SIZES))
    return Series(label, tuple(points), mark, mark)


def marks(count, low, high, fame=0):
    step = (high / low) ** (1 / max(count - 1, 1))
    return [
        StripMark(f"{fame}-{at}", DriveName(f"{at} {LONG}"), "/", low * step**at, How.FIO, fame=fame + at % 7)
        for at in range(count)
    ]


def strips(low, high):
    return [
        Strip("good", "Protected", "1,234 drives, 2.93 to 9,000,000 µs", marks(30, low, high)),
        Strip("muted", "Partly protected or unknown", "30 drives", marks(30, low, high, fame=20)),
        Strip("bad", "Not protected", "1 drive", marks(1, high, high, fame=40)),
    ]


def box(low, high):
    five = (low, low, (low + high) / 2, high, high)
    return Box(LONG[:36], five, (Expected("Expected", low, high),), name="Name", key=f"{low}")


def plot(text, groups=4):
    made = [bars.Bar(number, 10.0**number, text, "A bar") for number in range(1, 4)]
    return bars.BarPlot(
        "Writes per second", [bars.Group(f"{at} threads", made) for at in range(1, groups + 1)]
    )


def histogram_of(values, label, **more):
    made = [histogram.HistogramBar(label(at), value, "A bar") for at, value in enumerate(values)]
    return histogram.bar_chart(made, name="sectors, back (−) and ahead", **WORDS, **more)


def prices(*dots):
    made = [
        PriceDot(date.fromisoformat(day), price, at % 8 + 1, False, LONG)
        for at, (day, price) in enumerate(dots)
    ]
    return price_chart(made, currency="EUR", **WORDS)


def grid(sizes, low, high):
    points = [
        GridPoint(size, mib_s, mib_s, mib_s)
        for size, mib_s in zip(sizes, (low, high, low, high), strict=True)
    ]
    return grid_chart(
        [Drawn(1, LONG, GridLine("write", 2**30, None, tuple(points), is_in_memory=False))],
        RECORD,
        title="Write",
    )


def drawings():
    """Each with the style sheet of its page and the CSS classes of its frame."""
    for name, (low, high) in RANGES.items():
        eight = [curve(low, high, letter, LONG) for letter in LETTERS]
        for view in (PLAIN, View(is_linear=True), View(is_throughput=True), View(is_ranked_only=True)):
            yield f"curves, {name}, {view}", "details", "chart-box", draw(curve_plot(eight, view), **WORDS)
        yield f"multiple, {name}", "details", "chart-box is-multiple", draw(curve_plot(eight[:1]), **WORDS)
        dots = [Dot(0, low, LONG), Dot(50, high, LONG)]
        made = wear_chart(dots, 100, "written per capacity, times", **WORDS)
        yield f"wear, {name}", "devices", "chart-box is-low", made
        steps = [Dot(2**at, low * 2**at, LONG) for at in range(9)]
        yield f"ladder, {name}", "details", "chart-box is-ladder", ladder_chart(steps, **WORDS)
        yield (
            f"strip, {name}",
            "home",
            "chart-box strips-area",
            strip_chart(strips(low, high), title="Drives", gap=Gap(low, high, "5.3× gap")),
        )
        for view in (PLAIN, View(is_linear=True)):
            made = draw(box_plot([box(low, high), Box("Nothing", None)], view), **WORDS)
            yield f"boxes, {name}, {view}", "survey", "chart-box boxes-area", made
        of_a_month = prices(("2024-02-01", min(high, 9000) / 9), ("2024-02-28", min(high, 9000)))
        yield f"prices, {name}", "details", "chart-box price-chart", of_a_month
        for is_latency in (True, False):
            line = SeriesLine(LONG, [[0, low], [40, high]], is_latency=is_latency)
            yield f"series, {name}", "details", "chart-box", series_chart([line], title="Series")
        yield (
            f"grid, {name}",
            "details",
            "chart-box is-multiple",
            grid([2**at for at in (12, 13, 17, 24)], low, high),
        )
    capacities = [(f"{2009 + at}-03-01", 9 * 1.6**at) for at in range(14)]
    yield "prices of 14 capacities", "details", "chart-box price-chart", prices(*capacities)
    for end in (1, 59, 7000, 90_000, 900_000):
        line = SeriesLine(LONG, [[0, 9], [end, 90_000]])
        yield f"series of {end} s", "details", "chart-box", series_chart([line], title="Series")
    for count in (1, 2, 14, 61):
        mark = histogram.HistogramMark(0.5, "the drive alone")
        values = [10**6 * (at + 1) for at in range(count)]
        made = histogram_of(values, lambda at: f"−{1 << at % 10}k", is_log=True, center=count // 2, mark=mark)
        yield f"histogram of {count}", "devices", "chart-box is-low", made
        made = histogram_of([100.0] * count, lambda at: f"{100 + at} µs", unit=" %", top=100)
        yield f"histogram of {count} in %", "devices", "chart-box is-low", made
    yield "scale", "home", "", speed_scale(20)
    yield "bars", "sets", "", draw(bars.bar_plot(plot("123,456 IOPS")), title="Bars", description="Bars")


def images():
    for name, (low, high) in RANGES.items():
        eight = [curve(low, high, letter, LONG) for letter in LETTERS]
        yield f"curves, {name}", chart_image(eight, LABELS, view=PLAIN, theme="light")
        yield f"throughput, {name}", chart_image(eight, LABELS, view=View(is_throughput=True), theme="light")
        yield f"boxes, {name}", boxes_image([box(low, high)] * 3, LABELS, is_linear=False, theme="light")
        head = preview.Head(LONG, LONG, "Not recommended", "warn", "Measured sync writes")
        figures = [preview.PreviewFigure("123,456", "MiB/s", "128 KiB throughput")] * 3
        yield f"card of curves, {name}", preview.curves_preview(head, figures, eight)
        yield f"card of names, {name}", preview.curves_preview(head, [], eight)
        rows = [preview.PreviewBar("123–456", LONG, low, low, high, "123,456 µs", LONG)] * 6
        yield f"card of bars, {name}", preview.bars_preview(head, rows)
        made = strips(low, high)
        yield f"card of strips, {name}", preview.strips_preview(head, made, gap=Gap(low, high, "5.3× gap"))
        for count in (1, 2, MAX_COMPARED):
            drives = [
                preview.StripDrive(
                    made[0].marks[at * 3].key, LETTERS[at], LONG, "123,456 µs", "per sync write by diskinfo"
                )
                for at in range(count)
            ]
            yield f"card of {count} drives, {name}", preview.strips_preview(head, made, drives)
    yield "bars", bars.bars_image([plot("123,456 IOPS")] * 2, [(1, LONG), (2, LONG)], LABELS, theme="light")
    yield "card of plots", preview.plots_preview(head, [plot("123,456 IOPS")] * 2, [(1, LONG)] * 6)
    yield "message", message_image("No results at these block sizes", LABELS, theme="light")
    yield "badge", badge_svg(LONG, LONG)


FONTS = "".join(
    f"<style>@font-face{{font-family:Inter;font-weight:{weight};src:url(data:font/ttf;base64,"
    f"{b64encode((ROOT / 'static/vendor/inter' / f'Inter-{name}.ttf').read_bytes()).decode()})}}</style>"
    for weight, name in ((400, "Regular"), (600, "SemiBold"))
)
# Names beside curves and below marks are set off from them, and may be as close as lines of a paragraph
TOUCHING = script("touching")


@pytest.mark.parametrize("sheet", ["details", "devices", "home", "sets", "survey"])
def test_labels_of_charts_stay_apart(open_page, sheet):
    drawn = "".join(
        f'<div class="chart-card" data-name="{escape(name)}"><div class="{frame}">{svg}</div></div>'
        for name, its_sheet, frame, svg in drawings()
        if its_sheet == sheet
    )
    styles = (f'<link rel="stylesheet" href="/static/css/{name}.css">' for name in ("site", sheet))
    page = open_page(f"{''.join(styles)}<main>{drawn}</main>")
    for width in (360, 768, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator("svg text:visible").count() > 5
        found = page.evaluate(TOUCHING, ["main svg[role], .strips, .scale", ".chart-card"])
        assert found == [], width


def test_labels_of_images_stay_apart(open_page):
    """Drawn as PNGs are: without the site's policy, with its font."""
    page, found = open_page(""), []
    page.goto("about:blank")
    for name, svg in images():
        page.set_content(f'{FONTS}<div data-name="{name}">{svg}</div>')
        page.evaluate("document.fonts.ready")
        found += page.evaluate(TOUCHING, ["div > svg", ""])
    assert found == []
