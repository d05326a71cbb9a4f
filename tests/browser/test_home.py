"""The front page in a browser: the chart without scripts, by keyboard, at every width, and where its links lead."""

from itertools import combinations

import pytest
from playwright.sync_api import expect

from tests.browser.keyboard import enter
from tests.contrast import contrast
from tests.factories import make_device, make_result, make_stated_product, rank_everything

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _drives():
    for number in range(12):
        plp = ("yes", "no", "unknown")[number % 3]
        product = make_stated_product(plp, name=f"Endurance {number} / Series {number}")
        device = make_device(product=product, slug=f"drive-{number}", model_name=f"Aldera Endurance {number}")
        make_result(20 * (1 + 30 * (number % 3)) + number, device=device)
        make_result(9, device=device, not_ranked_reason="Too fast.")
    rank_everything()


BOXES = """(one) => [...one.querySelectorAll("text")].filter((text) => text.getClientRects().length)
  .map((text) => { const { left, right, top, bottom } = text.getBoundingClientRect();
    return [text.textContent, left, right, top, bottom]; })"""


@pytest.mark.parametrize("path", ["/", "/?all=1"])
def test_no_text_of_the_chart_touches_another(page, path):
    page.goto(path)
    chart = page.locator("svg.strips")
    for width in (320, 360, 420, 600, 768, 960, 1100, 1440, 2000):
        page.set_viewport_size({"width": width, "height": 900})
        boxes = chart.evaluate(BOXES)
        assert sum("Endurance" in text for text, *_ in boxes) >= 2, width
        area = chart.bounding_box()
        for text, left, right, *_ in boxes:
            assert area["x"] - 9 <= left, (width, text)
            assert right <= area["x"] + area["width"] + 9, (width, text)
        for box, other in combinations(boxes, 2):
            apart = (
                box[2] <= other[1] or other[2] <= box[1] or box[4] <= other[3] + 2 or other[4] <= box[3] + 2
            )
            assert apart, (width, box, other)


def test_a_dot_can_be_pressed_twelve_pixels_beside_it(page_without_scripts):
    page = page_without_scripts
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/")
    box = page.locator("svg.strips .good ellipse").first.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 2)
    expect(page.get_by_role("heading", level=1)).to_have_text("Aldera Endurance 0 480 GB")


@pytest.mark.parametrize("tab", ["page", "page_without_scripts"])
def test_the_list_leads_to_a_drive_by_keyboard(request, tab):
    page = request.getfixturevalue(tab)
    page.goto("/")
    enter(page, "All drives of this chart as a list")
    enter(page, "Aldera Endurance 3 480 GB")
    expect(page.get_by_role("heading", level=1)).to_have_text("Aldera Endurance 3 480 GB")


def test_the_chart_is_read_and_opened_by_keyboard(page):
    page.goto("/")
    page.locator("live-chart .chart-box").focus()
    page.locator(".is-live canvas").wait_for()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chart [aria-live]")).to_have_text("Aldera Endurance 0 480 GB: 20.0 µs, diskinfo")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Aldera Endurance 0 480 GB")


COLORS = """(chart) => [...chart.querySelectorAll(":scope > g circle, .leader, .gap")].map((one) => {
  const { color, stroke, fill } = getComputedStyle(one);
  const shown = one.matches(".leader") ? stroke : one.matches(".gap") ? fill : color;
  return [one.getAttribute("class"), shown.match(/[\\d.]+/g).slice(0, 3).map(Number)];
})"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_mark_stands_out_from_the_chart_and_the_gap(page, theme):
    page.emulate_media(color_scheme=theme)
    page.goto("/?all=1")
    found = page.locator("svg.strips").evaluate(COLORS)
    ground = page.locator(".strips-card").evaluate(
        "(one) => getComputedStyle(one).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number)"
    )
    grounds = [ground, *(color for css, color in found if css == "gap")]
    marks = [(css, color) for css, color in found if css != "gap"]
    assert len(grounds) == 2
    assert {css for css, _ in marks} == {"diskinfo", "leader"}
    for css, color in marks:
        assert min(contrast(color, other) for other in grounds) >= 3, (css, color)
