"""The shortlist in a browser: from the front page to a reasoned list, on a phone and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from tests.factories import make_device, make_price, make_protected_product, make_result, rank_everything
from tests.patience import fits, fits_at

CAPACITY = 480_000_000_000
LONG_NAME = "Endurance-Series-" * 4


@pytest.fixture(autouse=True)
def listed(transactional_db):
    for name, price in (("Safe", 90), (LONG_NAME, 250)):
        product = make_protected_product(name=name, interface="PCIe 3.0 x4 NVMe", form_factors="M.2, U.2")
        product.claims.create(
            quantity="sequential_write_mb_s",
            value=2000,
            unit="MB/s",
            stated_by="maker",
            source_url="https://a.example/",
            capacity_bytes=CAPACITY,
        )
        make_price(product, price=price, capacity_bytes=CAPACITY)
    make_protected_product(name="Unknown")
    device = make_device(slug="measured", model_name="Measured", capacity_bytes=CAPACITY, product=product)
    make_result([60] * 15, device=device)
    rank_everything()


def test_two_clicks_lead_from_the_front_page_to_a_reasoned_list(page_without_scripts):
    page = page_without_scripts
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/")
    page.get_by_role("link", name="Tell us what you need").click()
    page.get_by_label("Network link").select_option("10")
    page.get_by_label("Total budget").fill("300")
    page.get_by_role("button", name="Show my shortlist").click()
    expect(page).to_have_url(re.compile(r"/shortlist/\?.*link_gbit=10.*&budget=300"))
    expect(page.get_by_role("heading", level=2).first).to_have_text(
        "1 measured device and 1 product on paper fit"
    )
    reasons = page.locator(".choices .reasons").first
    expect(reasons).to_contain_text(
        "Keeps up with 50 % of 10 GbE: at least 133,333 MiB/s measured (1 writer)"
    )
    expect(reasons).to_contain_text("$250 new")
    fits(page, 360)


def test_every_part_fits_and_is_accessible(page, assert_accessible):
    for query in ("?link_gbit=10&budget=300&form_factor=m2-2280", "?link_gbit=10&budget=10"):
        page.goto(f"/shortlist/{query}")
        for summary in page.locator(".checks:not([open]) > summary").all():
            summary.click()
        fits_at(page, (1440, 768, 360))
        assert_accessible(page)


def test_the_form_narrows_and_one_change_helps(page_without_scripts):
    page = page_without_scripts
    page.goto("/shortlist/")
    form = page.get_by_role("form", name="What you need")
    form.get_by_label("Network link").select_option("10")
    form.get_by_label("Total budget").fill("50")
    form.get_by_role("button", name="Show my shortlist").click()
    expect(page).to_have_url("/shortlist/?link_gbit=10&budget=50#answer")
    page.get_by_role("link", name="Raise the budget to $90: Aldera Safe 480 GB").click()
    expect(page.locator(".choices h3").first).to_have_text("Aldera Safe 480 GB")
    expect(form.get_by_label("Total budget")).to_have_value("90")
