"""The front page in a browser: the chart without scripts, by keyboard, at every width, and where its links lead."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.keyboard import enter
from tests.factories import make_device, make_product, make_result, rank_everything
from tests.patience import fits_at

pytestmark = pytest.mark.django_db(transaction=True)
STATED = {"evidence": "data_sheet", "url": "https://maker.example/"}


@pytest.fixture(autouse=True)
def _drives():
    for number in range(12):
        plp = ("yes", "no", "unknown")[number % 3]
        product = make_product(
            name=f"Endurance {number} / Series {number}", plp=plp, plp_statements=[{**STATED, "value": plp}]
        )
        device = make_device(product=product, slug=f"drive-{number}", model_name=f"Aldera Endurance {number}")
        make_result(20 * (1 + 30 * (number % 3)) + number, device=device)
        make_result(9, device=device, not_ranked_reason="Too fast.")
    rank_everything()


def test_it_fits_and_is_accessible(page, assert_accessible):
    page.goto("/")
    page.locator("summary").click()
    fits_at(page, (320, 360, 720, 768, 1024, 1440))
    assert_accessible(page)


def test_a_dot_leads_to_its_drive_without_scripts(page_without_scripts):
    page = page_without_scripts
    page.goto("/")
    page.locator("a[href='/devices/drive-0/'] circle.diskinfo").click()
    expect(page).to_have_url(re.compile("/devices/drive-0/$"))


@pytest.mark.parametrize("tab", ["page", "page_without_scripts"])
def test_the_list_leads_to_a_drive_by_keyboard(request, tab):
    page = request.getfixturevalue(tab)
    page.goto("/")
    enter(page, "All drives of this chart as a list")
    enter(page, "Aldera Endurance 3 480 GB")
    expect(page).to_have_url(re.compile("/devices/drive-3/$"))


def test_the_chart_is_read_and_opened_by_keyboard(page):
    page.goto("/")
    page.locator("strip-chart .chart-box").focus()
    page.locator(".is-live canvas").wait_for()
    page.keyboard.press("ArrowRight")
    expect(page.locator("strip-chart [aria-live]")).to_have_text(
        "Aldera Endurance 0 480 GB: 20.0 µs, diskinfo"
    )
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/devices/drive-0/$"))
