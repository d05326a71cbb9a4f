import json
import re

import pytest
from playwright.sync_api import expect

from results.charts.latency import chart_legend, latency_chart
from results.charts.series import CurvePoint, Series, View, series_data
from results.charts.words import chart_note
from tests.patience import becomes, changes, drawn

CURVES = [
    Series(
        name,
        tuple(CurvePoint(512 * 2**step, base + 2.0**step, base, base + 2.5**step) for step in range(15)),
        mark,
        name.lower(),
    )
    for name, base, mark in [("Optane", 10.0, "1"), ("NVMe", 40.0, "2")]
]
URLS = {"optane": "/?hide=optane", "nvme": "/?hide=nvme"}
FIGURE = f"""
<link rel="stylesheet" href="/static/css/tokens.css"><link rel="stylesheet" href="/static/css/base.css">
<link rel="stylesheet" href="/static/css/parts.css"><link rel="stylesheet" href="/static/css/charts.css">
<script type="module" src="/static/js/latency-chart.js"></script>
<figure class="chart-card"><h2>Latency by block size</h2><latency-chart>
<nav class="choice"><a href="/#chart" data-name="chart" data-value="latency" aria-current="true">Latency</a
><a href="/?chart=throughput#chart" data-name="chart" data-value="throughput">Throughput</a></nav>
<nav class="choice"><a href="/#chart" data-name="scale" data-value="log" aria-current="true">Log</a
><a href="/?scale=linear#chart" data-name="scale" data-value="linear">Linear</a></nav>
<nav class="choice"><a href="/#chart" data-name="sizes" data-value="all" aria-current="true">All sizes</a
><a href="/?sizes=ranked#chart" data-name="sizes" data-value="ranked">4–128 KiB</a></nav>
<a class="save" href="/static/img/favicon.svg?devices=optane" download>Save image</a></latency-chart>
<div class="chart-box">{latency_chart(CURVES, title="Latency", description="Two")}</div>
{chart_legend(CURVES, urls=URLS)}<figcaption><span>{chart_note(View())}</span></figcaption>
<script type="application/json" id="chart-data">{json.dumps(series_data(CURVES))}</script></figure>
"""


@pytest.fixture
def page(open_page):
    page = open_page(FIGURE)
    page.wait_for_selector(".chart-box[tabindex]")
    return page


def take_over(page):
    page.locator(".chart-box").focus()
    page.wait_for_selector(".is-live canvas")
    drawn(page)


def picture(page):
    return page.locator("canvas").evaluate("canvas => canvas.toDataURL()")


def is_pressed(page, link, pressed, *, query):
    """The link says so, and the address remembers it."""
    expect(link).to_have_attribute("aria-pressed", pressed)
    becomes(lambda: page.evaluate("location.search"), query)


def test_nothing_is_fetched_until_somebody_reaches_for_the_chart(page):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.wait_for_load_state("networkidle")
    assert fetched == []
    take_over(page)
    assert any(url.endswith("chart.min.js") for url in fetched)


def test_the_pointer_over_the_chart_takes_it_over(page):
    page.locator(".chart-box").hover()
    expect(page.locator(".is-live canvas")).to_have_count(1)


def test_the_drawing_takes_no_more_room_than_the_svg(page):
    before = page.locator("figure").bounding_box()
    take_over(page)
    becomes(page.locator("figure").bounding_box, before)


def test_the_canvas_has_the_name_of_the_chart(page):
    take_over(page)
    expect(page.get_by_role("img", name="Latency")).to_have_count(1)


def test_a_curve_is_hidden_and_shown_in_place_and_the_address_remembers(page):
    one = page.get_by_role("button", name="1 Optane")
    is_pressed(page, one, "true", query="")
    one.click()
    page.wait_for_selector(".is-hidden")
    is_pressed(page, one, "false", query="?hide=optane")
    one.press(" ")
    page.wait_for_selector(".is-hidden", state="detached")
    is_pressed(page, one, "true", query="")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Throughput", "?chart=throughput"), ("Linear", "?scale=linear"), ("4–128 KiB", "?sizes=ranked")],
)
def test_a_link_changes_the_chart_in_place_and_the_address_remembers(page, name, expected):
    take_over(page)
    before = picture(page)
    link = page.get_by_role("link", name=name)
    link.click()
    page.wait_for_function("expected => location.search === expected", arg=expected)
    expect(link).to_have_attribute("aria-current", "true")
    changes(lambda: picture(page), before)
    becomes(lambda: page.evaluate("history.length"), 2)  # the empty page, and this one


def test_links_lead_on_from_where_the_chart_stands(page):
    page.get_by_role("link", name="Throughput").click()
    page.wait_for_function("() => location.search !== ''")
    linear, saved = (page.get_by_role("link", name=name) for name in ("Linear", "Save image"))
    expect(linear).to_have_attribute("href", re.compile(r"/\?chart=throughput&scale=linear#chart$"))
    expect(saved).to_have_attribute("href", re.compile("&chart=throughput$"))
    expect(page.locator("h2")).to_have_text("Throughput by block size")
    expect(page.locator("figcaption")).to_contain_text("higher is better")


def test_the_arrow_keys_read_the_points(page):
    take_over(page)
    page.keyboard.press("ArrowRight")
    spoken = page.locator("[aria-live]")
    expect(spoken).to_have_text("512 B; Optane: 11.0 µs; NVMe: 41.0 µs")
    page.keyboard.press("ArrowRight")
    expect(spoken).to_have_text(re.compile("^1 KiB"))


def test_the_drawing_follows_the_theme(page):
    take_over(page)
    before = picture(page)
    page.emulate_media(color_scheme="dark")
    changes(lambda: picture(page), before)


def test_the_image_is_saved_as_png(page):
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save image").click()
    assert saving.value.suggested_filename.endswith(".png")
    assert saving.value.path().read_bytes().startswith(b"\x89PNG")


def test_where_the_script_can_not_be_fetched_the_link_is_followed(page):
    broken = {"body": "throw new Error('gone')", "content_type": "text/javascript"}
    page.route("**/chart.min.js", lambda route: route.fulfill(**broken))
    link = page.get_by_role("link", name="Linear")
    href = link.get_attribute("href")
    page.route(re.compile(re.escape("?scale=linear")), lambda route: route.fulfill(body="by the server"))
    link.click()
    page.wait_for_url(href)
