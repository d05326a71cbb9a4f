"""The suggestions below a search field: what is asked, how they are chosen, and what happens without an answer."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

BODY = """
<link rel="stylesheet" href="/static/css/site.css">
<form action="/search/"><search-suggest src="/api/v1/search/">
<label for="q">Find</label><input type="search" id="q" name="q">
</search-suggest><button>Search</button></form>
<script type="module" src="/static/js/search-suggest.js"></script>
"""
PRODUCT = {
    "type": "product",
    "vendor": "Intel",
    "name": "DC S3700",
    "capacity_bytes": None,
    "url": "http://x.test/products/s3700/",
}
DEVICE = {
    "type": "device",
    "vendor": "",
    "name": "<b>S3700</b>",
    "capacity_bytes": 1_920_383_410_176,
    "url": "http://x.test/devices/s3700/",
}


@pytest.fixture
def open_search(open_page):
    """Opens the form, with the answers that the API gives; returns the page and the questions it was asked."""

    def open_form(found=(PRODUCT, DEVICE), status=200, headers=()):
        page = open_page(BODY)
        queries = []

        def answer(route):
            queries.append(parse_qs(urlsplit(route.request.url).query)["q"][0])
            body = json.dumps({"results": list(found)})
            route.fulfill(status=status, body=body, content_type="application/json", headers=dict(headers))

        page.route("**/api/v1/search/**", answer)
        for path in ("products", "devices", "search"):
            page.route(
                f"http://scripts.test/{path}/**",
                lambda route: route.fulfill(body="there", content_type="text/plain"),
            )
        return page, queries

    return open_form


def field(page):
    return page.get_by_role("combobox", name="Find")


@pytest.fixture
def page(open_search):
    """The form with two suggestions below it."""
    page, _ = open_search()
    field(page).fill("s37")
    expect(page.get_by_role("option")).to_have_count(2)
    return page


def test_two_letters_and_a_pause_are_one_question(open_search):
    page, queries = open_search()
    field(page).press_sequentially("s")
    page.wait_for_timeout(400)
    assert queries == []
    field(page).press_sequentially("37 ")
    expect(page.get_by_role("option")).to_have_count(2)
    assert queries == ["s37"]
    expect(page.get_by_role("status")).to_have_text("2 suggestions")
    assert page.get_by_role("option").all_inner_texts() == [
        "Intel DC S3700 product",
        "<b>S3700</b> 1.92 TB device",
    ]
    expect(field(page)).to_have_attribute("aria-expanded", "true")


def test_arrows_choose_and_enter_opens(page):
    first, second = page.get_by_role("option").all()
    field(page).press("ArrowDown")
    expect(first).to_have_attribute("aria-selected", "true")
    expect(field(page)).to_have_attribute("aria-activedescendant", first.get_attribute("id"))
    field(page).press("ArrowUp")
    expect(page.locator("[aria-selected=true]")).to_have_count(0)
    field(page).press("ArrowUp")
    expect(second).to_have_attribute("aria-selected", "true")
    field(page).press("Enter")
    expect(page).to_have_url("http://scripts.test/devices/s3700/")


def test_enter_without_a_choice_searches_as_the_form_does(page):
    field(page).press("Enter")
    expect(page).to_have_url("http://scripts.test/search/?q=s37")


def test_escape_closes_and_keeps_the_text(page):
    field(page).press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(field(page)).to_have_value("s37")
    expect(field(page)).to_have_attribute("aria-expanded", "false")


def test_a_click_opens_and_leaving_the_field_closes(page):
    field(page).press("Tab")
    expect(page.get_by_role("listbox")).to_be_hidden()
    field(page).fill("s370")
    page.get_by_role("option").first.click()
    expect(page).to_have_url("http://scripts.test/products/s3700/")


def test_eight_are_offered_at_most_and_none_leaves_no_list(open_search):
    page, _ = open_search(found=[PRODUCT] * 12)
    field(page).fill("s37")
    expect(page.get_by_role("option")).to_have_count(8)
    page, _ = open_search(found=[])
    field(page).fill("zzz")
    expect(page.get_by_role("status")).to_have_text("No suggestions")
    expect(page.get_by_role("listbox")).to_be_hidden()
