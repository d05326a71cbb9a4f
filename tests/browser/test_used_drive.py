"""The check of a used drive in a browser: without scripts on a phone, and accessible with an answer."""

import pytest
from playwright.sync_api import expect

from tests import pastes
from tests.factories import make_facts, make_price, make_protected_product, make_result, rank_everything
from tests.patience import fits, fits_at

pytestmark = pytest.mark.django_db(transaction=True)

CAPACITY = 480_103_981_056
TOP = pastes.smartctl(model="ALDERA S1-480", capacity=CAPACITY).replace("24.5", "480")
SELLERS_TEXT = f"""{TOP.rstrip()}
Sector Sizes:     520 bytes logical, 4160 bytes physical
ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always       -       120
# 1  Short offline       Completed without error       00%     21034         -

{pastes.smartctl(model="NOBODY KNOWS THIS VERY LONG MODEL NAME OF A DRIVE", serial="ZX80")}"""


@pytest.fixture(autouse=True)
def product():
    made = make_protected_product(name="S1", slug="aldera-s1", patterns=["^ALDERA S1-"])
    make_facts(made)
    make_price(made, price=45, condition="used")
    make_result(20, device__model_name="ALDERA S1-960", device__product=made)
    rank_everything()


def check(page):
    page.goto("/used-drive/")
    page.get_by_label("smartctl output").fill(SELLERS_TEXT)
    page.get_by_label("GB written per day").fill("500")
    page.get_by_role("button", name="Check this drive").click()


def test_a_sellers_text_is_answered_without_scripts_on_a_phone(page_without_scripts):
    page = page_without_scripts
    page.set_viewport_size({"width": 360, "height": 740})
    check(page)
    articles = page.get_by_role("article")
    expect(articles).to_have_count(2)
    known, unknown = articles.all()
    expect(known).to_contain_text("Don’t trust it: the power-on hours look reset.")
    expect(known).to_contain_text("The counter shows 120 h")
    expect(known).to_contain_text("Sectors of 520 bytes")
    expect(known).to_contain_text("fixed in: 0309")
    expect(unknown).to_contain_text("not in our catalogue")
    expect(page.get_by_label("smartctl output")).to_have_value(
        SELLERS_TEXT.replace(pastes.SERIAL, "[serial-1]").replace("ZX80", "[serial-2]")
    )
    fits(page, 360)
    page.get_by_role("link", name="Share your measurement").click()
    expect(page).to_have_url("/submit/")


def test_the_answer_is_accessible(page, assert_accessible):
    check(page)
    expect(page.get_by_role("article")).to_have_count(2)
    fits_at(page, (1440, 360))
    assert_accessible(page)


def test_a_refused_text_is_accessible(page, assert_accessible):
    page.goto("/used-drive/")
    page.get_by_label("smartctl output").fill("barely used, works great")
    page.get_by_role("button", name="Check this drive").click()
    expect(page.get_by_role("alert")).to_contain_text("We found no smartctl output here")
    assert_accessible(page)


def test_an_offer_is_answered_by_keyboard_without_scripts(page_without_scripts):
    page = page_without_scripts
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/used-drive/")
    page.get_by_label("Model").focus()
    for value in ("S1 480 GB", "", "12 % used", "", "", "$40", "100"):
        page.keyboard.type(value)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # on the button
    expect(page.get_by_role("article")).to_contain_text("but we don’t know how much life is left")
    expect(page.get_by_label("Wear")).to_have_value("12 % used")
    fits(page, 360)


def test_smartctl_alone_in_submit_is_checked_there(page_without_scripts):
    page = page_without_scripts
    page.goto("/submit/")
    page.get_by_label("Terminal output").fill(TOP)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Check this used drive").click()
    expect(page).to_have_url("/used-drive/#answer")
    expect(page.get_by_role("article")).to_contain_text("ALDERA S1-480")
