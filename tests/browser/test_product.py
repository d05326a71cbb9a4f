"""The product page and the safety part of a device's page, as they stand in a browser."""

import pytest
from playwright.sync_api import expect

from tests.factories import make_facts, make_product, make_result, rank_everything
from tests.patience import fits

SOURCE = "https://a.example/s1"
DISPUTED = [
    {"value": "yes", "evidence": "data_sheet", "url": SOURCE},
    {"value": "no", "evidence": "personal_page", "url": "https://b.example/"},
]
LONG_NAME = "ALDERA_S1_" + "MTFDHAL1T6TCU" * 6


IS_AS_DRAWN = """
() => {
  const badge = document.querySelector('.way-picture img[src$="badge.svg"]');
  return badge.naturalWidth > 0 && badge.clientWidth === badge.naturalWidth;
}
"""


@pytest.fixture
def paths(transactional_db):
    product = make_product(
        slug="aldera-s1",
        example_model=LONG_NAME,
        plp="disputed",
        plp_statements=DISPUTED,
        endurance_tbw=[{"capacity_bytes": 480_000_000_000, "written_bytes": 10**15}],
        endurance_source_url=SOURCE,
        sources=[SOURCE],
    )
    make_facts(product)
    make_result(device__slug="s1", device__model_name=LONG_NAME, device__product=product)
    return "/products/aldera-s1/", "/products/aldera-s1/480-gb/"


def test_both_sides_of_a_dispute_are_there_without_scripts(page_without_scripts, paths):
    page_without_scripts.goto(paths[1])
    section = page_without_scripts.locator("[aria-labelledby=safety]")
    expect(section.get_by_role("link", name=".example")).to_have_text(["a.example", "b.example"])


@pytest.mark.usefixtures("transactional_db")
def test_a_phone_shows_the_badge_in_its_own_size(page):
    """Made to fit, its letters would be too small to read; it scrolls in a box that the keyboard reaches."""
    make_result(20, device__slug="shown", device__model_name=LONG_NAME, submission__public_id="shown")
    rank_everything()
    page.set_viewport_size({"width": 360, "height": 800})
    for path in ("/devices/shown/", "/results/shown/"):
        page.goto(path)
        page.locator("summary", has_text="Share").click()
        badge = page.locator('.way-picture img[src$="badge.svg"]')
        expect(badge).to_have_css("height", "20px")
        page.wait_for_function(IS_AS_DRAWN)
        badge.locator("..").focus()
        expect(badge.locator("..")).to_be_focused()
        fits(page, 360)
