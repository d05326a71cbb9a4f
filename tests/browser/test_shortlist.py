"""The shortlist in a browser: from the front page to a reasoned list, on a phone and without scripts."""

import re
from itertools import combinations

import pytest
from playwright.sync_api import expect

from tests.factories import (
    make_claim,
    make_device,
    make_price,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.patience import fits

CAPACITY = 480_000_000_000
LONG_NAME = "Endurance-Series-" * 4


@pytest.fixture(autouse=True)
def listed(transactional_db):
    for name, price in (("Safe", 90), (LONG_NAME, 250)):
        product = make_protected_product(name=name, interface="PCIe 3.0 x4 NVMe", form_factors="M.2, U.2")
        make_claim(product, 2000, capacity_bytes=CAPACITY)
        make_price(product, price=price)
    make_protected_product(name="Unknown")
    device = make_device(slug="measured", model_name="Measured", product=product)
    make_result(60, device=device)
    rank_everything()


def test_two_clicks_lead_from_the_front_page_to_a_reasoned_list(page_without_scripts):
    page = page_without_scripts
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/")
    page.get_by_role("link", name="Tell us what you need").click()
    page.get_by_role("radio", name="10", exact=True).check()
    page.get_by_text("More: mirror").click()
    page.get_by_label("Another budget").fill("$300")
    page.get_by_role("button", name="Show my shortlist").click()
    expect(page).to_have_url(re.compile(r"/shortlist/\?.*link_gbit=10.*&budget=300"))
    expect(page.get_by_role("heading", level=2).first).to_have_text(
        "1 measured device and 1 product on paper fit"
    )
    card = page.locator(".cards > li").first
    expect(card).to_contain_text("Keeps up with 50 % of 10 GbE: at least 133,333 MiB/s measured (1 writer)")
    expect(card).to_contain_text("$250 new")
    expect(page.get_by_role("radio", name="$300")).to_be_checked()
    fits(page, 360)


def test_the_answer_changes_beside_the_questions_and_by_keyboard(page):
    page.goto("/shortlist/")
    budget = page.get_by_role("group", name="Total budget")
    budget.get_by_role("radio", name="any").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(budget.get_by_role("radio", name="$100")).to_be_checked()
    expect(page).to_have_url("/shortlist/?budget=100")
    expect(page.locator("#answer")).to_contain_text("up to $100")


def test_the_answer_begins_within_two_screens_of_a_phone(page_without_scripts):
    page = page_without_scripts
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/shortlist/")
    card = page.locator(".cards > li").first.bounding_box()
    assert card["y"] < 2 * 740
    assert page.locator(".cards > li").count() <= 5


def test_nothing_of_a_card_overlaps_in_large_text_or_forced_colors(page):
    page.emulate_media(forced_colors="active")
    page.goto("/shortlist/?link_gbit=10")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for width in (1440, 768, 320):
        page.set_viewport_size({"width": width, "height": 900})
        for card in page.locator(".cards > li").all():
            inside = card.bounding_box()
            for part in card.locator("*:visible").all():
                box = part.bounding_box()
                assert box["x"] + box["width"] <= inside["x"] + inside["width"] + 1, (
                    width,
                    part.inner_html(),
                )
        boxes = [chip.bounding_box() for chip in page.locator(".pick-chips label").all()]
        for box, other in combinations(boxes, 2):
            apart = box["x"] + box["width"] <= other["x"] or box["y"] + box["height"] <= other["y"]
            assert apart or other["x"] + other["width"] <= box["x"], (width, box, other)
