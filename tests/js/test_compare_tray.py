import re

import pytest
from playwright.sync_api import expect

from tests.browser.keyboard import FOCUS_IS_CLEAR

MODULE = "/static/js/compare-tray.js"
ROWS = "".join(
    f'<p><a class="compare-add" href="/compare/?devices=d{number}" aria-label="Compare Sample {number}">+</a></p>'
    for number in range(1, 31)
)
BODY = f"""
<link rel="stylesheet" href="/static/css/tokens.css"><link rel="stylesheet" href="/static/css/base.css">
<link rel="stylesheet" href="/static/css/parts.css">
<script type="module" src="{MODULE}"></script><main>{ROWS}</main>
<compare-tray href="/compare/" styles="/static/css/compare-tray.css"></compare-tray>
"""


@pytest.fixture
def page(open_page):
    page = open_page(BODY)
    page.wait_for_selector("a.compare-add[aria-pressed]")
    return page


def pick(page, *numbers):
    for number in numbers:
        page.get_by_role("button", name=f"Compare Sample {number}", exact=True).click()


def test_the_tray_stays_away_while_it_is_empty(page):
    expect(page.locator("compare-tray")).to_be_hidden()


def test_picked_devices_lie_in_the_tray_with_the_way_to_their_comparison(page):
    pick(page, 1, 3)
    tray = page.get_by_role("region", name="Devices to compare")
    tray.wait_for()
    expect(tray.locator("li span")).to_have_text(["Sample 1", "Sample 3"])
    link = tray.get_by_role("link", name="Compare 2")
    expect(link).to_have_attribute("href", re.compile(r"/compare/\?devices=d1,d3$"))
    expect(page.get_by_role("status")).to_have_text("Sample 3 added: 2 of 6.")
    third = page.get_by_role("button", name="Compare Sample 3", exact=True)
    expect(third).to_have_attribute("aria-pressed", "true")


def test_picks_survive_a_reload(page):
    pick(page, 2)
    page.reload()
    page.get_by_role("region", name="Devices to compare").wait_for()
    expect(page.locator("compare-tray li")).to_have_count(1)


def test_before_a_device_is_named_the_page_that_compares_shows_what_was_picked(page):
    pick(page, 1, 3)
    page.locator("compare-tray").evaluate("tray => tray.setAttribute('href', location.pathname)")
    pick(page, 4)
    expect(page.locator("compare-tray")).to_be_visible()
    page.locator("main").evaluate("main => main.classList.add('compared')")
    pick(page, 5)
    expect(page.locator("compare-tray")).to_be_hidden()


def test_a_second_press_takes_a_device_out_again(page):
    pick(page, 1, 1)
    expect(page.locator("compare-tray")).to_be_hidden()
    expect(page.get_by_role("status")).to_have_text("Sample 1 taken out: 0 of 6.")


def test_a_seventh_device_is_refused_in_words(page):
    pick(page, 1, 2, 3, 4, 5, 6, 7)
    expect(page.locator("compare-tray li")).to_have_count(6)
    expect(page.get_by_role("status")).to_contain_text("as many as can be compared")


def test_the_tray_is_worked_by_keyboard_and_the_focus_is_not_lost(page):
    page.get_by_role("button", name="Compare Sample 1", exact=True).press(" ")
    page.get_by_role("button", name="Compare Sample 2", exact=True).press("Enter")
    page.get_by_role("button", name="Take Sample 1 out").press("Enter")
    expect(page.get_by_role("button", name="Take Sample 2 out")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main a.compare-add").first).to_be_focused()


def test_the_tray_does_not_cover_what_has_the_focus(page):
    page.set_viewport_size({"width": 360, "height": 500})
    pick(page, 1, 2)
    page.locator("compare-tray").wait_for()
    for _ in range(28):
        page.keyboard.press("Tab")
        focused = page.locator("a.compare-add:focus")
        if focused.count():
            page.wait_for_function(FOCUS_IS_CLEAR)


def test_clearing_empties_the_tray(page):
    pick(page, 1, 2)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("compare-tray")).to_be_hidden()
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)


def picks(*slugs):
    return [{"slug": slug, "name": slug.upper()} for slug in slugs]


def test_what_was_picked_is_kept(call):
    call("writePicks", picks("a", "b"))
    assert call("readPicks") == picks("a", "b")


def test_what_makes_no_sense_is_no_pick(open_page, call):
    page = open_page("")
    for stored in ("{", "7", '[{"slug": "a b", "name": ""}]', '[{"slug": 3}]', "[null]"):
        page.evaluate("stored => localStorage.setItem('compare', stored)", stored)
        assert call("readPicks") == [], stored


def test_a_device_is_put_in_and_taken_out_and_six_are_the_most(call):
    assert call("togglePick", picks("a"), picks("b")[0]) == picks("a", "b")
    assert call("togglePick", picks("a", "b"), picks("a")[0]) == picks("b")
    assert call("togglePick", picks(*"abcdef"), picks("g")[0]) == picks(*"abcdef")


def test_a_comparison_takes_over_what_it_shares_a_device_with(call):
    assert call("afterComparison", picks("a", "b"), picks("b", "c")) == picks("b", "c")
    assert call("afterComparison", picks("a"), picks("b", "c")) == picks("a")
    assert call("afterComparison", [], picks("b", "c")) == []
