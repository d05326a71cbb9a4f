import re

import pytest
from playwright.sync_api import expect

from tests.js.chart_figures import box_figure, picture, ready, take_over
from tests.patience import becomes, changes


@pytest.fixture
def page(open_page):
    return ready(open_page(box_figure))


def spoken(page, beginning):
    """What is read out, once it begins like this."""
    script = "start => document.querySelector('[aria-live]').textContent.startsWith(start)"
    page.wait_for_function(script, arg=beginning)
    return page.locator("[aria-live]").text_content()


def test_a_row_is_hidden_in_place_and_the_address_says_so(page):
    take_over(page)
    before, size = picture(page), page.locator("canvas").bounding_box()
    row = page.locator("[data-key=hdd]")
    row.click()
    page.wait_for_function("() => location.search === '?hide=hdd'")
    changes(lambda: picture(page), before)
    becomes(page.locator("canvas").bounding_box, size)
    expect(row).to_have_attribute("aria-pressed", "false")
    row.press(" ")
    page.wait_for_function("() => location.search === ''")
    becomes(lambda: picture(page), before)


def test_what_was_expected_is_hidden_in_place_and_the_rows_stay(page):
    take_over(page)
    page.locator("[data-key=expected]").click()
    page.wait_for_function("() => location.search === '?hide=expected'")
    page.locator(".chart-box").focus()
    page.keyboard.press("ArrowDown")
    assert "expected in 2018" not in spoken(page, "Optane")
    page.keyboard.press("ArrowDown")
    assert "expected in 2018" not in spoken(page, "Hard disk")


def test_the_axis_is_made_linear_in_place(page):
    page.get_by_role("link", name="Linear").click()
    page.wait_for_function("() => location.search === '?scale=linear'")
    expect(page.locator("figcaption")).to_contain_text("the axis is linear")
    saved = page.get_by_role("link", name="Save image")
    expect(saved).to_have_attribute("href", re.compile("[?&]scale=linear$"))
    becomes(lambda: page.evaluate("history.length"), 2)  # the empty page, and this one


def test_the_arrow_keys_read_the_rows_that_have_figures(page):
    take_over(page)
    page.keyboard.press("ArrowDown")
    assert spoken(page, "Optane") == (
        "Optane: 2 devices; lowest 10.0 µs; lower quartile 12.0 µs; median 15.0 µs; "
        "upper quartile 18.0 µs; highest 20.0 µs"
    )
    page.keyboard.press("ArrowRight")
    assert spoken(page, "NVDIMM") == "NVDIMM: none measured; expected in 2018, NVDIMM: 2.5 µs"
    page.keyboard.press("ArrowDown")
    assert spoken(page, "Hard disk").endswith("expected in 2018, Hard disks: 10 ms to 100 ms")
    page.keyboard.press("ArrowUp")
    spoken(page, "NVDIMM")


def test_pointing_at_a_row_shows_its_figures(page):
    take_over(page)
    box = page.locator("canvas").bounding_box()
    before = picture(page)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 50)
    changes(lambda: picture(page), before)


def test_a_click_for_a_new_tab_is_left_to_the_browser(page):
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Linear").click(modifiers=["ControlOrMeta"])
    opened.value.close()
    expect(page.locator("canvas")).to_have_count(0)
