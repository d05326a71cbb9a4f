"""A figure of each kind of chart that a script takes over, and what every test of one does with it."""

from urllib.parse import parse_qsl

from django.template.loader import render_to_string
from playwright.sync_api import Page

from results.charts.boxes import box_legend, box_plot
from results.charts.description import EXPECTED, Box, CurvePoint, Expected, Series
from results.charts.live import live_plot
from results.charts.options import ChartOptions, choice_links
from results.charts.strip import How, Strip, StripMark, strip_chart
from results.charts.svg import draw
from results.core.drive_names import DriveName
from results.kinds.curve.charts import boxes_caption, draw_chart
from results.templatetags.chart_data import chart_data
from tests.patience import drawn

STYLES = """
<link rel="stylesheet" href="/static/css/tokens.css"><link rel="stylesheet" href="/static/css/base.css">
<link rel="stylesheet" href="/static/css/parts.css"><link rel="stylesheet" href="/static/css/charts.css">
"""
CURVES = [
    Series(
        name,
        tuple(
            CurvePoint(512 * 2**step, base + 2.0**step, base + 1.8**step, base + 2.2**step)
            for step in range(15)
        ),
        mark,
        name.lower(),
    )
    for name, base, mark in [("Optane", 10.0, "1"), ("NVMe", 40.0, "2")]
]
ISLAND = '<script type="module" src="/static/js/chart-island.js"></script>'
IMAGE = "/static/img/favicon.svg"


def latency_figure(query: str = "") -> str:
    options = ChartOptions("/", dict(parse_qsl(query)))
    image_url = options.image_url(IMAGE, devices="optane")
    chart = draw_chart(CURVES, "Two", options=options, image_url=image_url)
    return STYLES + ISLAND + render_to_string("results/parts/chart.html", {"chart": chart})


BOXES = [
    Box("Optane: 2 devices", (10.0, 12.0, 15.0, 18.0, 20.0), (), name="Optane", key="optane"),
    Box("NVDIMM: none measured", None, (Expected("NVDIMM: 2.5 µs", 2.5, 2.5),), name="NVDIMM", key="nvdimm"),
    Box("Tape: none measured", None, name="Tape", key="tape"),
    Box(
        "Hard disk: 9 devices",
        (5000.0, 7000.0, 8000.0, 9000.0, 90_000.0),
        (Expected("Hard disks: 10 ms to 100 ms", 10_000.0, 100_000.0),),
        name="Hard disk",
        key="hdd",
    ),
]
KEYS = """<ul class="box-keys">
<li><svg class="chart key"><line class="whisker" x2="9"/><rect class="box"/></svg>measured</li>
<li><svg class="chart key"><rect class="expected" width="9" height="9"/></svg>expected</li></ul>"""


def box_figure(query: str = "") -> str:
    options = ChartOptions("/", dict(parse_qsl(query)))
    plot = box_plot(BOXES, options.view)
    assert plot
    heading, note = boxes_caption(options.view)
    urls = {key: options.toggle_url(key) for key in (*(box.key for box in BOXES), EXPECTED)}
    choices = {"chart_choices": choice_links(options, ("scale",))}
    return f"""
{STYLES}{ISLAND}<link rel="stylesheet" href="/static/css/survey.css">
<figure class="chart-card" id="chart"><h2>{heading}</h2>
<live-chart class="chart-choices">{render_to_string("results/parts/chart_choices.html", choices)}
<a class="save" href="{options.image_url(IMAGE, theme="")}" download>Save image</a></live-chart>
<div class="chart-box boxes-area">{draw(plot, title="Classes", description="Four")}</div>
{box_legend(BOXES, urls=urls, view=options.view)}{KEYS}<figcaption><span>{note}</span></figcaption>
{chart_data(live_plot(plot), "chart-data")}</figure>"""


def _mark(key: str, latency_us: float, how: How = How.FIO) -> StripMark:
    return StripMark(key, DriveName(key.title()), f"/static/img/favicon.svg?{key}", latency_us, how)


STRIPS = [
    Strip("good", "Protected", "2 drives", [_mark("quick", 12), _mark("slow", 170, How.DISKINFO)]),
    Strip("bad", "Not protected", "2 drives", [_mark("bare", 900), _mark("odd", 400)]),
]
STRIP_FIGURE = f"""
{STYLES}{ISLAND}<link rel="stylesheet" href="/static/css/strips.css">
<figure class="chart-card"><h2>Drives</h2><live-chart>
<div class="chart-box strips-area">{strip_chart(STRIPS, title="Drives")}</div></live-chart></figure>
"""


def ready(page: Page) -> Page:
    """The page, once its script has seen the chart and its font no longer moves it."""
    page.wait_for_selector(".chart-box[tabindex]")
    page.evaluate("document.fonts.ready.then(() => null)")
    return page


def take_over(page: Page) -> None:
    """Reach for the chart, and wait until the script has drawn it."""
    page.locator(".chart-box").focus()
    page.wait_for_selector(".is-live canvas")
    drawn(page)


def picture(page: Page) -> str:
    """What is drawn: the SVG, and what is on the canvas."""
    script = "box => box.querySelector('svg').outerHTML + box.querySelector('canvas')?.toDataURL()"
    drawing: str = page.locator(".chart-box").evaluate(script)
    return drawing
