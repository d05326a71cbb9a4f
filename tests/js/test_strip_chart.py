"""<live-chart>: Chart.js draws the marks of a strip chart, by pointer, touch and keyboard."""

import pytest

from tests.js.chart_figures import STRIP_FIGURE, picture, ready, take_over
from tests.patience import becomes, changes


@pytest.fixture
def page(open_page):
    return ready(open_page(STRIP_FIGURE))


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


def test_a_tap_shows_a_drive_and_a_second_one_opens_it(open_page):
    page = ready(open_page(STRIP_FIGURE))
    at = middle_of(page, "circle.diskinfo")
    take_over(page)
    tap = """(canvas, [clientX, clientY]) => canvas.dispatchEvent(
      new PointerEvent("click", { clientX, clientY, pointerType: "touch", bubbles: true }))"""
    canvas, before = page.locator("canvas"), picture(page)
    canvas.evaluate(tap, list(at))
    changes(lambda: picture(page), before)
    assert "favicon" not in page.url
    canvas.evaluate(tap, list(at))
    page.wait_for_url("**/favicon.svg?slow")


def test_a_click_before_chart_js_has_arrived_follows_the_link(open_page):
    page = ready(open_page(STRIP_FIGURE))
    page.locator("circle.fio").first.dispatch_event("click")
    page.wait_for_url("**/favicon.svg?quick")
