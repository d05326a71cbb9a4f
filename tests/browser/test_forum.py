"""Signing in with a forum, whose origin is another one than the site's: Chromium checks where a form leads."""

import re

import pytest
from playwright.sync_api import expect

from results.models import Member
from tests.browser.people import press, send
from tests.results.accounts.openid_provider import running_forum
from tests.sessions import mailed_code

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def forum(settings):
    with running_forum(settings) as running:
        yield running


def test_sign_up_sign_in_and_step_up_with_a_forum_without_scripts(page_without_scripts, forum):
    page = page_without_scripts
    for visit in ("first", "second"):
        page.goto("/account/login/")
        page.get_by_role("link", name="The forum").click()
        press(page, "Continue")
        if visit == "first":
            expect(page).to_have_url(re.compile("/account/confirm-email/"))
            send(page, code=mailed_code())
        expect(page).to_have_url(re.compile("/account/$"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
        page.context.clear_cookies()
    assert Member.objects.get().email == "ann@example.org"


def test_a_mailed_code_leads_on_without_scripts(page_without_scripts, forum):
    page = page_without_scripts
    page.goto("/account/login/")
    page.get_by_role("link", name="The forum").click()
    press(page, "Continue")
    send(page, code=mailed_code())
    page.goto("/account/keys/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm that it’s you")
    press(page, "Send me a code")
    send(page, code=mailed_code())
    expect(page).to_have_url(re.compile("/account/keys/$"))
    send(page, name="nas")
    expect(page.get_by_text(re.compile(r"slogdb_[0-9a-f]{40}"))).to_have_count(1)
