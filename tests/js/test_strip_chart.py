"""<strip-chart>: Chart.js takes over a strip chart, by pointer, touch and keyboard."""

import pytest
from playwright.sync_api import expect

from results.charts.strip import How, Mark, Strip, strip_chart
from tests.js.chart_figures import STYLES, picture, ready, take_over
from tests.patience import becomes, changes


def mark(key, latency_us, how=How.FIO):
    return Mark(key, key.title(), f"/static/img/favicon.svg?{key}", latency_us, how)


STRIPS = [
    Strip("good", "Protected", "2 drives", [mark("quick", 12), mark("slow", 170, How.DISKINFO)]),
    Strip("bad", "Not protected", "2 drives", [mark("bare", 900), mark("odd", 400)]),
]
FIGURE = f"""
{STYLES}
<link rel="stylesheet" href="/static/css/strips.css">
<script type="module" src="/static/js/strip-island.js"></script>
<figure class="chart-card"><h2>Drives</h2><strip-chart>
<div class="chart-box strips-area">{strip_chart(STRIPS, title="Drives")}</div></strip-chart></figure>
"""


@pytest.fixture
def page(open_page):
    return ready(open_page(FIGURE))


def middle_of(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def spoken(page, text):
    page.wait_for_function("text => document.querySelector('[aria-live]').textContent === text", arg=text)


def test_marks_are_drawn_where_the_svg_has_them(page):
    at = middle_of(page, "circle.fio")
    take_over(page)
    script = """(canvas, [x, y]) => {
      const from = canvas.getBoundingClientRect(), ratio = canvas.width / from.width;
      const at = (left) => canvas.getContext("2d").getImageData((left - from.x) * ratio, (y - from.y) * ratio, 1, 1);
      return [[...at(x).data], at(x + 15).data[3]];
    }"""
    becomes(lambda: page.locator("canvas").evaluate(script, list(at)), [[36, 107, 48, 255], 0])


def test_the_arrow_keys_read_the_drives_and_enter_opens_one(page):
    take_over(page)
    for key, text in (
        ("ArrowRight", "Quick: 12.0 µs, fio"),
        ("ArrowRight", "Slow: 170 µs, diskinfo"),
        ("ArrowDown", "Odd: 400 µs, fio"),
        ("ArrowRight", "Bare: 900 µs, fio"),
        ("ArrowRight", "Bare: 900 µs, fio"),
        ("ArrowLeft", "Odd: 400 µs, fio"),
    ):
        page.keyboard.press(key)
        spoken(page, text)
    page.keyboard.press("Enter")
    page.wait_for_url("**/favicon.svg?odd")


def test_pointing_at_a_drive_shows_its_figure_and_a_click_opens_it(page):
    at = middle_of(page, "circle.diskinfo")
    take_over(page)
    before = picture(page)
    page.mouse.move(*at)
    changes(lambda: picture(page), before)
    page.mouse.click(*at)
    page.wait_for_url("**/favicon.svg?slow")


def test_a_tap_shows_a_drive_and_a_second_one_opens_it(browser, open_page):
    page = ready(open_page(FIGURE))
    at = middle_of(page, "circle.diskinfo")
    take_over(page)
    tap = """(canvas, [clientX, clientY]) => canvas.dispatchEvent(
      new PointerEvent("click", { clientX, clientY, pointerType: "touch", bubbles: true }))"""
    canvas = page.locator("canvas")
    canvas.evaluate(tap, list(at))
    expect(canvas).to_be_visible()
    assert "favicon" not in page.url
    canvas.evaluate(tap, list(at))
    page.wait_for_url("**/favicon.svg?slow")


def test_a_click_before_chart_js_has_arrived_follows_the_link(open_page):
    page = ready(open_page(FIGURE))
    page.locator("circle.fio").first.dispatch_event("click")
    page.wait_for_url("**/favicon.svg?quick")
