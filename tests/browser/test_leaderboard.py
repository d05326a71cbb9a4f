"""The leaderboard in use: narrowed, sorted and searched, by hand, by keyboard and without scripts."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.browser.keyboard import enter, name_of_focus, tab_to
from tests.factories import make_device, make_protected_product, make_result, rank_everything
from tests.patience import becomes, fits, wait_until_still

pytestmark = pytest.mark.django_db(transaction=True)

TOP_AND_HEAD = """
[document.activeElement.getBoundingClientRect().top,
 document.querySelector(".board thead th, .drive-axis").getBoundingClientRect().bottom]
"""


@pytest.fixture(autouse=True)
def _devices():
    safe = make_protected_product(name="safe", form_factors="M.2")
    make_result(90, device=make_device(model_name="Aldera safe", product=safe))
    make_result(20, device=make_device(model_name="Borealis fast", capacity_bytes=4_000_787_030_016))
    make_result(9000, device=make_device(model_name="Corvant disk", device_class="hdd"))
    rank_everything()


def lists(page, *names):
    expect(page.locator(".drive h3 a")).to_have_text([re.compile(f"^{name}") for name in names])


@pytest.mark.parametrize("tab", ["page", "page_without_scripts"])
def test_filters_are_set_and_taken_away_one_by_one(request, tab):
    page = request.getfixturevalue(tab)
    page.goto("/leaderboard/")
    page.get_by_label("Form factor").select_option("m2")
    page.get_by_text("More filters").click()
    page.get_by_label("Segment").select_option("enterprise")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile(r"/leaderboard/\?form=m2&segment=enterprise$"))
    lists(page, "Aldera safe")
    page.get_by_role("link", name="Without Form factor: M.2").click()
    expect(page).to_have_url(re.compile(r"/leaderboard/\?segment=enterprise$"))
    page.go_back()
    expect(page).to_have_url(re.compile(r"form=m2&segment=enterprise$"))
    page.get_by_role("link", name="Clear all").click()
    lists(page, "Borealis fast", "Aldera safe", "Corvant disk")


def test_a_long_name_leaves_its_bar_and_figure_alone(page, subtests):
    make_result(15, device=make_device(model_name="X" * 100))
    rank_everything()
    page.goto("/leaderboard/")
    row = page.locator("li.drive").first
    overlaps = """row => {
        const boxes = ["h3", ".bar rect", ".card-speed > p", ".card-price", ".compare-add"]
            .map(part => row.querySelector(part)).filter(part => part.checkVisibility())
            .map(part => part.getBoundingClientRect());
        return boxes.some((a, at) => boxes.slice(at + 1).some(b =>
            a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1));
    }"""
    for width in (320, 768, 1024, 1440):
        with subtests.test(str(width)):
            page.set_viewport_size({"width": width, "height": 900})
            wait_until_still(page)
            becomes(lambda: row.evaluate(overlaps), expected=False)
            fits(page, width)


def test_every_head_sorts_in_both_directions(page_without_scripts):
    page = page_without_scripts
    page.goto("/leaderboard/?view=table")
    heads = page.get_by_role("columnheader")
    count = len(heads.all()) - 1  # the last one is that of the buttons to compare
    for number in range(count):
        directions = []
        for _ in range(2):
            with page.expect_navigation():
                heads.nth(number).get_by_role("link").click()
            expect(heads.nth(number)).to_have_attribute("aria-sort", re.compile("ascending|descending"))
            directions.append(heads.nth(number).get_attribute("aria-sort"))
        assert sorted(directions) == ["ascending", "descending"]


@pytest.mark.parametrize("tab", ["page", "page_without_scripts"])
def test_it_is_filtered_sorted_and_searched_by_keyboard_from_the_top(request, tab):
    page = request.getfixturevalue(tab)
    page.goto("/leaderboard/")
    page.keyboard.press("Tab")
    becomes(lambda: name_of_focus(page), "Skip to the content")
    enter(page, "More filters")
    tab_to(page, "Segment")
    page.keyboard.type("ent")
    enter(page, "Apply")
    page.wait_for_url("**/leaderboard/?segment=enterprise")
    lists(page, "Aldera safe")
    enter(page, "Without Segment: Enterprise")
    page.wait_for_url("**/leaderboard/")
    enter(page, "More filters")
    enter(page, "most measured")
    page.wait_for_url("**sort=**")
    tab_to(page, "Filter by name")
    page.keyboard.type("corvant")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=corvant**")
    lists(page, "Corvant disk")


def test_targets_are_large_enough_to_hit(page):
    page.goto("/leaderboard/?segment=enterprise")
    page.get_by_text("More filters").click()
    small = """[...document.querySelectorAll("a, button, select, summary, input:not([type=hidden])")]
        .filter(one => !one.matches(".skip-link"))
        .filter(one => !one.closest("p, figcaption, figure"))
        .map(one => [one.textContent.trim(), one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
        .map(([text, box]) => `${text}: ${box.width} x ${box.height}`)"""
    for width in (1440, 360):
        page.set_viewport_size({"width": width, "height": 900})
        becomes(lambda: page.evaluate(small), [])


def test_a_row_on_a_phone_leaves_no_line_to_a_button(page):
    page.set_viewport_size({"width": 360, "height": 900})
    page.goto("/leaderboard/?segment=enterprise&view=table")
    row = page.locator(".board tbody tr").first

    def middle(part):
        box = row.locator(part).last.bounding_box()
        return box["y"] + box["height"] / 2

    becomes(lambda: abs(middle(".num:visible") - middle(".add")) < 6, expected=True)
    becomes(lambda: abs(middle(".device a") - middle(".ranked")) < 6, expected=True)


def test_the_list_fits_the_window_and_nothing_moves(page, subtests):
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach("
        "entry => window.shift += entry.value)).observe({type: 'layout-shift', buffered: true})"
    )
    for width in (360, 768, 1024, 1440):
        with subtests.test(str(width)):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto("/leaderboard/")
            wait_until_still(page)
            fits(page, width)
            becomes(lambda: page.evaluate("window.shift") < 0.01, expected=True)  # the font may arrive late


def test_the_head_that_stays_covers_nothing_that_has_the_focus(page, subtests):
    for number in range(20):
        make_result(20 + number, device=make_device(model_name=f"Sample {number}"))
    rank_everything()
    for width, view in product((800, 1280), ("list", "table")):
        with subtests.test(f"{view} {width}"):
            page.set_viewport_size({"width": width, "height": 500})
            page.goto(f"/leaderboard/?view={view}")
            page.locator("a.compare-add").last.focus()
            for _ in range(30):
                page.keyboard.press("Shift+Tab")
                focus, head = page.evaluate(TOP_AND_HEAD)
                assert focus >= head, name_of_focus(page)
