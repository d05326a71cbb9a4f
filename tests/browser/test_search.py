"""The search of the header, with and without scripts; narrow screens have a link to the page instead."""

import pytest
from playwright.sync_api import expect

from tests.factories import make_product
from tests.patience import fits

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("width", [1200, 1440])
def test_the_header_finds_a_product_without_scripts(page_without_scripts, width):
    page = page_without_scripts
    make_product(slug="falcon", name="Falcon S3700")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/about/")
    fits(page, width)
    page.get_by_role("searchbox", name="Find a product or device").fill("falcon s3700")
    page.keyboard.press("Enter")
    expect(page).to_have_url("/products/falcon/")


def test_the_header_is_accessible_where_it_has_the_form(page, assert_accessible):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/search/?q=zzzz")
    assert_accessible(page, ".site-head")


def test_a_phone_has_a_link_to_the_search(page_without_scripts):
    page = page_without_scripts
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("/about/")
    expect(page.get_by_role("searchbox")).to_have_count(0)
    page.get_by_role("link", name="Search", exact=True).click()
    expect(page.get_by_role("searchbox")).to_have_count(1)


@pytest.mark.parametrize(("width", "path"), [(1280, "/about/"), (360, "/search/")])
def test_suggestions_are_accessible_and_open_a_product(page, assert_accessible, width, path):
    make_product(slug="falcon", name="Falcon S3700")
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path)
    field = page.get_by_role("combobox")
    field.fill("falc")
    option = page.get_by_role("option", name="Falcon S3700")
    expect(option).to_be_visible()
    field.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    assert_accessible(page, "search-suggest:has([aria-expanded=true])")
    fits(page, width)
    field.press("Enter")
    expect(page).to_have_url("/products/falcon/")
