import json

import pytest

from results.charts.latency import chart_legend, latency_chart
from results.charts.series import CurvePoint, Series, series_data

CURVES = [
    Series(
        name,
        tuple(CurvePoint(512 * 2**step, base + 2.0**step, base, base + 2.5**step) for step in range(15)),
        mark,
    )
    for name, base, mark in [("Optane", 10.0, "1"), ("NVMe", 40.0, "2")]
]
BODY = f"""
<link rel="stylesheet" href="/static/css/tokens.css"><link rel="stylesheet" href="/static/css/charts.css">
<script type="module" src="/static/js/latency-chart.js"></script>
<figure class="chart-card"><latency-chart source="data"></latency-chart>
<div class="chart-box">{latency_chart(CURVES, title="Latency", description="Two")}</div>{chart_legend(CURVES)}
<script type="application/json" id="data">{json.dumps(series_data(CURVES))}</script></figure>
"""


@pytest.fixture
def page(open_page):
    return open_page(BODY)


def take_over(page):
    page.get_by_role("button", name="Explore").press("Enter")
    page.wait_for_selector(".is-live canvas")


def test_nothing_is_fetched_until_somebody_reaches_for_the_chart(page):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.get_by_role("button", name="Explore").wait_for()
    assert page.locator("canvas").count() == 0
    take_over(page)
    assert any(url.endswith("chart.min.js") for url in fetched)


def test_the_pointer_over_the_chart_takes_it_over(page):
    page.locator(".chart-box").hover()
    page.wait_for_selector(".is-live canvas")
    assert page.locator("canvas").count() == 1


def test_the_drawing_takes_no_more_room_than_the_svg(page):
    before = page.locator("figure").bounding_box()
    take_over(page)
    assert page.locator("figure").bounding_box() == before


def test_the_keyboard_stays_where_it_was(page):
    take_over(page)
    assert page.evaluate("document.activeElement.textContent") == "Linear"


def test_the_canvas_has_the_name_of_the_chart(page):
    take_over(page)
    assert page.get_by_role("img", name="Latency").count() == 1


def test_a_curve_can_be_hidden_and_shown(page):
    take_over(page)
    one = page.get_by_role("button", name="1 Optane")
    assert one.get_attribute("aria-pressed") == "true"
    one.click()
    assert one.get_attribute("aria-pressed") == "false"
    one.click()
    assert one.get_attribute("aria-pressed") == "true"


def test_scales_can_be_switched(page):
    take_over(page)
    before = page.locator("canvas").evaluate("canvas => canvas.toDataURL()")
    for name in ("Linear", "4–128 KiB"):
        switch = page.get_by_role("button", name=name)
        switch.click()
        assert switch.get_attribute("aria-pressed") == "true"
        after = page.locator("canvas").evaluate("canvas => canvas.toDataURL()")
        assert after != before
        before = after


def test_the_drawing_follows_the_theme(page):
    take_over(page)
    before = page.locator("canvas").evaluate("canvas => canvas.toDataURL()")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "before => document.querySelector('canvas').toDataURL() !== before", arg=before, timeout=5000
    )
