"""The list of products in a browser: it fits every screen, and narrows without scripts."""

import pytest
from playwright.sync_api import expect

from tests.factories import (
    make_claim,
    make_device,
    make_facts,
    make_product,
    make_protected_product,
    make_result,
    rank_everything,
)

LONG_NAME = "Endurance-Series-" * 4


@pytest.fixture(autouse=True)
def listed(transactional_db):
    safe = make_protected_product(name="Safe", form_factors="M.2, U.2")
    make_facts(safe, slug="after-safe", name=LONG_NAME)
    make_result(20, device=make_device(product=safe))
    claimed = make_product(name="Claimed", endurance_tbw=[{"capacity_bytes": None, "written_bytes": 10**15}])
    make_claim(claimed, 88_000, quantity="random_write_4k_iops", unit="IOPS")
    rank_everything()


def test_the_list_is_narrowed_without_scripts(page_without_scripts):
    page = page_without_scripts
    page.goto("/products/")
    page.get_by_text("Filter and sort").click()
    page.get_by_role("combobox", name="Power-loss protection").select_option("protected")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url("/products/?plp=protected")
    expect(page.locator(".products .lead-cell")).to_have_text(["Aldera Safe"])
    page.get_by_role("link", name="Without Power-loss protection: Protected").click()
    expect(page.locator(".products .lead-cell")).to_have_count(3)
    page.get_by_role("searchbox", name="Filter by name").fill("claimed")
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page).to_have_url("/products/?q=claimed")
    expect(page.locator(".products .tag", has_text="Claim")).to_be_visible()
    page.get_by_role("link", name="Aldera Claimed").click()
    page.locator(".crumbs").get_by_role("link", name="NVMe SSD").click()
    expect(page).to_have_url("/products/?class=nvme")
