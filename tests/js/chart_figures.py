"""A figure of each kind of chart that a script takes over, and what every test of one does with it."""

import json

from playwright.sync_api import Page

from results.charts.boxes import box_legend, box_plot
from results.charts.description import (
    EXPECTED,
    Box,
    CurvePoint,
    Expected,
    Series,
    View,
    boxes_json,
    curves_json,
)
from results.charts.svg import chart_legend, latency_chart
from results.kinds.latency_curve.charts import boxes_caption, chart_caption
from tests.patience import drawn

STYLES = """
<link rel="stylesheet" href="/static/css/tokens.css"><link rel="stylesheet" href="/static/css/base.css">
<link rel="stylesheet" href="/static/css/parts.css"><link rel="stylesheet" href="/static/css/charts.css">
"""
CURVES = [
    Series(
        name,
        tuple(CurvePoint(512 * 2**step, base + 2.0**step, base, base + 2.5**step) for step in range(15)),
        mark,
        name.lower(),
    )
    for name, base, mark in [("Optane", 10.0, "1"), ("NVMe", 40.0, "2")]
]
CURVE_URLS = {"optane": "/?hide=optane", "nvme": "/?hide=nvme"}
LATENCY_FIGURE = f"""
{STYLES}
<script type="module" src="/static/js/chart-island.js"></script>
<figure class="chart-card"><h2>Latency by block size</h2><latency-chart>
<nav class="choice"><a href="/#chart" data-name="chart" data-value="latency" aria-current="true">Latency</a
><a href="/?chart=throughput#chart" data-name="chart" data-value="throughput">Throughput</a></nav>
<nav class="choice"><a href="/#chart" data-name="scale" data-value="log" aria-current="true">Log</a
><a href="/?scale=linear#chart" data-name="scale" data-value="linear">Linear</a></nav>
<nav class="choice"><a href="/#chart" data-name="sizes" data-value="all" aria-current="true">All sizes</a
><a href="/?sizes=ranked#chart" data-name="sizes" data-value="ranked">4–128 KiB</a></nav>
<a class="save" href="/static/img/favicon.svg?devices=optane" download>Save image</a></latency-chart>
<div class="chart-box">{latency_chart(CURVES, title="Latency", description="Two")}</div>
{chart_legend(CURVES, urls=CURVE_URLS)}<figcaption><span>{chart_caption(View()).note}</span></figcaption>
<script type="application/json" id="chart-data">{json.dumps(curves_json(CURVES, chart_caption))}</script></figure>
"""
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
BOX_URLS = {key: f"/?hide={key}" for key in (*(box.key for box in BOXES), EXPECTED)}
KEYS = """<ul class="box-keys">
<li><svg class="chart key"><line class="whisker" x2="9"/><rect class="box"/></svg>measured</li>
<li><svg class="chart key"><rect class="expected" width="9" height="9"/></svg>expected</li></ul>"""
BOX_FIGURE = f"""
{STYLES}
<link rel="stylesheet" href="/static/css/survey.css">
<script type="module" src="/static/js/chart-island.js"></script>
<figure class="chart-card"><h2>Ranked latency by class</h2><box-chart>
<nav class="choice"><a href="/#chart" data-name="scale" data-value="log" aria-current="true">Log</a
><a href="/?scale=linear#chart" data-name="scale" data-value="linear">Linear</a></nav>
<a class="save" href="/static/img/favicon.svg?theme=" download>Save image</a></box-chart>
<div class="chart-box boxes-area">{box_plot(BOXES, title="Classes", description="Four")}</div>
{box_legend(BOXES, urls=BOX_URLS)}{KEYS}
<figcaption><span>{boxes_caption(View()).note}</span></figcaption>
<script type="application/json" id="chart-data">{json.dumps(boxes_json(BOXES, boxes_caption))}</script></figure>
"""


def ready(page: Page) -> Page:
    """The page, once its script has seen the chart."""
    page.wait_for_selector(".chart-box[tabindex]")
    return page


def take_over(page: Page) -> None:
    """Reach for the chart, and wait until the script has drawn it."""
    page.locator(".chart-box").focus()
    page.wait_for_selector(".is-live canvas")
    drawn(page)


def picture(page: Page) -> str:
    """What is on the canvas."""
    drawing: str = page.locator("canvas").evaluate("canvas => canvas.toDataURL()")
    return drawing
