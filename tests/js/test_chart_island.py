"""What holds of every chart that a script takes over in its place."""

import re

import pytest

from tests.js.chart_figures import BOX_FIGURE, LATENCY_FIGURE, picture, ready, take_over
from tests.patience import becomes, changes

MODULE = "/static/js/chart-island.js"
PLAIN = {"chart": "latency", "scale": "log", "sizes": "all", "hidden": []}
ADDRESS = "http://scripts.test/compare/?devices=a,b#chart"


@pytest.fixture(params=[LATENCY_FIGURE, BOX_FIGURE], ids=["latency", "boxes"])
def page(request, open_page):
    return ready(open_page(request.param))


def test_nothing_is_fetched_until_somebody_reaches_for_the_chart(page):
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.wait_for_load_state("networkidle")
    assert fetched == []
    take_over(page)
    assert any(url.endswith("chart.min.js") for url in fetched)


def test_the_drawing_takes_no_more_room_than_the_svg(page):
    before = page.locator("figure").bounding_box()
    take_over(page)
    becomes(page.locator("figure").bounding_box, before)
    becomes(page.locator("canvas").bounding_box, page.locator(".chart-box").bounding_box())


def test_the_drawing_follows_the_theme(page):
    take_over(page)
    before = picture(page)
    page.emulate_media(color_scheme="dark")
    changes(lambda: picture(page), before)


def test_where_the_script_can_not_be_fetched_the_link_is_followed(page):
    broken = {"body": "throw new Error('gone')", "content_type": "text/javascript"}
    page.route("**/chart.min.js", lambda route: route.fulfill(**broken))
    link = page.get_by_role("link", name="Linear")
    href = link.get_attribute("href")
    page.route(re.compile(re.escape("?scale=linear")), lambda route: route.fulfill(body="by the server"))
    link.click()
    page.wait_for_url(href)


def test_the_image_is_saved_as_png(page):
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save image").click()
    assert saving.value.suggested_filename.endswith(".png")
    assert saving.value.path().read_bytes().startswith(b"\x89PNG")


def test_an_address_without_parameters_is_the_plain_view(call):
    assert call("readState", "?q=optane") == PLAIN


def test_the_state_stands_in_the_address_and_comes_out_of_it_again(call):
    state = {"chart": "throughput", "scale": "linear", "sizes": "ranked", "hidden": ["a", "b"]}
    address = call("stateUrl", ADDRESS, state)
    assert address == (
        "http://scripts.test/compare/?devices=a,b&chart=throughput&scale=linear&sizes=ranked&hide=a,b#chart"
    )
    assert call("readState", "?" + address.partition("?")[2].partition("#")[0]) == state


def test_what_holds_anyway_is_left_out_of_the_address(call):
    assert call("stateUrl", ADDRESS.replace("#", "&scale=linear&hide=a#"), PLAIN) == ADDRESS


def test_a_curve_is_hidden_and_shown_again(call):
    hidden = call("toggled", PLAIN, "a")
    assert hidden["hidden"] == ["a"]
    assert call("toggled", hidden, "a") == PLAIN
