"""The guide and its calculators in a browser: with scripts, without, by keyboard, on a phone."""

import re

import pytest
from playwright.sync_api import expect

from tests.patience import becomes

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_answer_follows_the_keys(page):
    page.goto("/guide/how-big/")
    page.get_by_label("Link speed").fill("25")
    page.get_by_text("At most 17.2 GB in use").wait_for()
    expect(page).to_have_url(re.compile(r"/guide/how-big/\?link=25&seconds=5$"))
    page.get_by_label("Memory").fill("16")
    page.get_by_text("At most 6.87 GB in use").wait_for()
    expect(page.locator("#id_memory")).to_be_focused()


def test_the_decision_is_made_by_keyboard(page):
    page.goto("/guide/do-i-need-one/")
    page.get_by_label("They wait").focus()
    page.keyboard.press("Space")
    page.get_by_text("Next: 2. And with sync=disabled?").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.get_by_text("Next: 3. May the last seconds be lost?").wait_for()


def test_calculators_answer_without_scripts(page_without_scripts):
    page = page_without_scripts
    page.goto("/guide/how-long-does-it-last/")
    page.get_by_label("Written").fill("500")
    page.get_by_label("TBW").fill("365")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator("#answer td strong")).to_have_text("2.0")
    page.goto("/guide/do-i-need-one/")
    page.get_by_label("They don’t").check()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("#answer h2")).to_contain_text("A SLOG would be idle")


def test_no_badge_lies_over_its_meaning_on_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 900})
    page.goto("/guide/safety/")
    covered = """[...document.querySelectorAll('.plp-values > div')].filter(row => {
        const tag = row.querySelector('.tag').getBoundingClientRect();
        const meaning = row.querySelector('dd').getBoundingClientRect();
        return tag.right > meaning.left && tag.bottom > meaning.top;
    }).length"""
    expect(page.locator(".plp-values .tag").first).to_be_visible()
    becomes(lambda: page.evaluate(covered), 0)
