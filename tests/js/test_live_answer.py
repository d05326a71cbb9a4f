"""A form that answers while it is filled in."""

from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

PAGE = """
<script type="module" src="/static/js/live-answer.js"></script>
<live-answer><form action="/#answer">
<label>Years <input name="years" aria-describedby="hint" value="{years}"></label>
<input name="empty"><button>Show</button><p class="hint" id="hint">{hint}</p></form>
<section id="answer">{answer}</section></live-answer>
"""
FAULT = '<span class="fault">Enter a number.</span>'


def answered(query):
    (years,) = parse_qs(query).get("years", [""])
    return PAGE.format(years=years, hint="" if years.isdecimal() else FAULT, answer=f"{years} years")


@pytest.fixture
def page(open_page):
    page = open_page(answered)
    page.wait_for_function("() => customElements.get('live-answer')")
    return page


def test_the_answer_is_that_of_what_is_typed_and_the_address_has_no_empty_field(page):
    field = page.get_by_label("Years")
    field.press_sequentially("10")
    expect(page.locator("#answer")).to_have_text("10 years")
    page.wait_for_url("**/?years=10")
    expect(field).to_be_focused()
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_what_is_wrong_stands_at_its_field_until_it_is_right(page):
    field = page.get_by_label("Years")
    field.fill("ten")
    expect(page.locator("#hint")).to_have_text("Enter a number.")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("10")
    field.press("Enter")
    expect(page.locator("#hint")).to_be_empty()
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_an_answer_that_is_overtaken_is_not_shown(page):
    page.evaluate("""() => {
        const fetched = window.fetch;
        window.fetch = async (url) => {
            const response = await fetched(url);
            if (url.search === "?years=1") await new Promise((resolve) => { window.release = resolve; });
            return response;
        };
    }""")
    field = page.get_by_label("Years")
    for years in ("1", "12"):
        field.fill(years)
        field.press("Enter")
    expect(page.locator("#answer")).to_have_text("12 years")
    page.wait_for_function("() => window.release")
    page.evaluate("async () => { release(); await new Promise((resolve) => setTimeout(resolve)); }")
    expect(page.locator("#answer")).to_have_text("12 years")


def test_where_nothing_can_be_fetched_the_form_is_sent(page):
    page.evaluate("() => { window.fetch = async () => { throw new TypeError('away'); }; }")
    field = page.get_by_label("Years")
    field.fill("7")
    field.press("Enter")
    page.wait_for_url("**/?years=7&empty=*")
    expect(page.locator("#answer")).to_have_text("7 years")
