"""An account in a browser, also of people who let no script run."""

import re

import pytest
from playwright.sync_api import expect

from results.models import ApiKey, Member, Submission
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.browser.people import PASSWORD, current_code, press, prove, send, sign_up
from tests.patience import becomes, fits
from tests.sessions import mailed_code

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("nothing_counted")]


@pytest.mark.parametrize("tab", ["page", "page_without_scripts"])
def test_publish_sign_up_and_add_the_result_in_one_click(request, tab):
    page = request.getfixturevalue(tab)
    page.goto("/submit/")
    page.locator("#id_text").fill(pastes.FIRST_PASTE)
    press(page, "Preview")
    press(page, "Publish")
    page.get_by_role("link", name="Sign up").click()
    send(page, email="ann@example.org", password1=PASSWORD)
    send(page, code=mailed_code())
    expect(page).to_have_url(re.compile("/account/results/$"))
    press(page, "Add to my account")
    assert Submission.objects.get().owner == Member.objects.get()


def test_a_second_factor_and_a_key_without_scripts(page_without_scripts):
    page = page_without_scripts
    sign_up(page)
    prove(page, "/account/keys/")
    send(page, name="nas")
    expect(page.get_by_text(re.compile(r"slogdb_[0-9a-f]{40}"))).to_have_count(1)
    assert ApiKey.objects.get().name == "nas"
    prove(page, "/account/2fa/totp/activate/")
    secret = re.search(r"\b[A-Z2-7]{32}\b", page.content())[0]
    send(page, code=current_code(secret))
    page.goto("/account/2fa/recovery-codes/")
    codes = page.locator("main textarea")
    expect(codes).to_have_value(re.compile(r"^\s*(\S+\s+){9}\S+\s*$"))
    first = codes.input_value().split()[0]
    page.context.clear_cookies()
    page.goto("/account/login/")
    send(page, login="ann@example.org", password=PASSWORD)
    expect(page).to_have_url(re.compile("/account/2fa/authenticate/"))
    send(page, code=first)
    page.goto("/account/")
    expect(page).to_have_url(re.compile("/account/$"))


def test_the_square_of_the_secret_stands_on_white_in_the_dark_too(page):
    page.emulate_media(color_scheme="dark")
    sign_up(page)
    prove(page, "/account/2fa/totp/activate/")
    expect(page.locator("img.qr")).to_have_css("background-color", "rgb(255, 255, 255)")


def test_a_key_says_what_each_of_its_dates_is(page):
    sign_up(page)
    prove(page, "/account/keys/")
    send(page, name="the_machine_in_the_cellar_that_measures_all_of_them")
    page.set_viewport_size({"width": 768, "height": 900})
    made = page.locator("tbody td", has_text=re.compile(r"^20\d\d-\d\d-\d\d$")).first
    expect(made).to_have_css("white-space", "nowrap")
    page.set_viewport_size({"width": 360, "height": 800})
    named = "cells => cells.map(cell => getComputedStyle(cell, '::before').content)"
    becomes(lambda: page.locator("tbody td.num").evaluate_all(named), ['"created "', '"used "', '"expires "'])
    for width in (360, 768):
        page.set_viewport_size({"width": width, "height": 800})
        fits(page, width)


def test_axe_has_nothing_to_object_to_in_what_is_said_once_a_button_was_pressed(page, assert_accessible):
    sign_up(page)
    receive_submission(pastes.FIRST_PASTE, Sender(owner=Member.objects.get()))
    page.goto(f"/account/results/{Submission.objects.get().public_id}/")
    press(page, "Withdraw")
    expect(page.get_by_role("status").get_by_role("listitem")).to_contain_text("Withdrawn.")
    assert_accessible(page)
