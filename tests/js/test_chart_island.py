"""What holds of every chart that a script takes over in its place."""

import re

import pytest
from playwright.sync_api import expect

from tests.js.chart_figures import box_figure, latency_figure, ready, take_over
from tests.patience import becomes, changes


@pytest.fixture(params=[latency_figure, box_figure], ids=["latency", "boxes"])
def page(request, open_page):
    return ready(open_page(request.param))


def test_nothing_is_fetched_until_somebody_reaches_for_the_chart(page):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.wait_for_load_state("networkidle")
    assert fetched == []
    take_over(page)
    assert any(url.endswith("chart.min.js") for url in fetched)


def test_the_drawing_takes_no_more_room_than_the_svg_and_its_labels(page):
    before = page.locator("figure").bounding_box()
    take_over(page)
    becomes(page.locator("figure").bounding_box, before)
    box = page.locator(".chart-box").bounding_box()
    becomes(page.locator("canvas").bounding_box, {**box, "x": box["x"] - 16, "width": box["width"] + 32})


def test_the_drawing_follows_the_theme(page):
    take_over(page)
    page.keyboard.press("ArrowRight")
    canvas = page.locator("canvas")
    before = canvas.screenshot()
    page.emulate_media(color_scheme="dark")
    changes(canvas.screenshot, before)


def test_where_another_view_can_not_be_fetched_its_link_is_followed(page):
    link = page.get_by_role("link", name="Linear")
    answers = [{"body": "no chart"}, {"body": "by the server"}]
    page.route(re.compile(re.escape("?scale=linear")), lambda route: route.fulfill(**answers.pop(0)))
    link.click()
    expect(page.locator("body")).to_have_text("by the server")


def test_links_pressed_one_after_the_other_lead_on_from_each_other(page):
    for link in page.locator("[data-key]").all():
        link.dispatch_event("click")
    page.wait_for_function(
        "() => location.search.split(',').length === document.querySelectorAll('[data-key]').length"
    )


def test_the_image_is_saved_as_png(page):
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save image").click()
    assert saving.value.suggested_filename.endswith(".png")
    assert saving.value.path().read_bytes().startswith(b"\x89PNG")
