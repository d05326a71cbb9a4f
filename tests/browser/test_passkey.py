"""A passkey as second factor, and instead of a password, with the authenticator that Chromium brings for tests."""

import re
from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Browser, CDPSession, Page, expect
from pytest_django.live_server_helper import LiveServer

from results.models import Member
from tests.browser.people import PASSWORD, prove, send, sign_up

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("nothing_counted")]
SECOND_STEP = re.compile("/account/2fa/authenticate/")
OPTIONS = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def hold_device(page: Page) -> CDPSession:
    """A device in this tab that keeps passkeys, and touches itself when it is asked to."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": OPTIONS})
    return session


@pytest.fixture
def unwatched_page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """One in which a script may fail."""
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def add_passkey(page: Page, *, is_passwordless: bool) -> None:
    prove(page, "/account/2fa/webauthn/add/")
    page.locator("main [name=name]").fill("the phone")
    page.locator("main [name=passwordless]").set_checked(is_passwordless)
    with page.expect_navigation():
        page.locator("#mfa_webauthn_add").click()


def sign_out(page: Page) -> None:
    page.context.clear_cookies()
    page.goto("/account/")
    expect(page).to_have_url(re.compile("/account/login/"))


def test_a_passkey_is_the_second_factor_after_the_password(page):
    hold_device(page)
    sign_up(page)
    add_passkey(page, is_passwordless=False)
    key = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN)
    assert (key.user, key.wrap().name) == (Member.objects.get(), "the phone")

    sign_out(page)
    send(page, login="ann@example.org", password=PASSWORD)
    expect(page).to_have_url(SECOND_STEP)
    page.goto("/account/")
    expect(page).to_have_url(SECOND_STEP)  # the password alone opens nothing
    with page.expect_navigation():
        page.locator("#mfa_webauthn_authenticate").click()
    page.goto("/account/")
    expect(page).to_have_url(re.compile("/account/$"))


def test_a_passkey_signs_in_alone_where_its_owner_wanted_that(page):
    hold_device(page)
    sign_up(page)
    add_passkey(page, is_passwordless=True)
    sign_out(page)
    with page.expect_navigation():
        page.locator("#passkey_login").click()
    page.goto("/account/")
    expect(page).to_have_url(re.compile("/account/$"))


def test_a_passkey_says_once_more_that_it_is_you(page):
    hold_device(page)
    sign_up(page)
    add_passkey(page, is_passwordless=False)
    page.goto("/account/2fa/webauthn/reauthenticate/?next=/account/keys/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm that it’s you")
    with page.expect_navigation():
        page.get_by_role("button", name="Use a key", exact=True).click()
    expect(page).to_have_url(re.compile("/account/keys/$"))


def test_a_device_without_the_passkey_does_not_get_in(unwatched_page):
    page = unwatched_page
    device = hold_device(page)
    sign_up(page)
    add_passkey(page, is_passwordless=False)
    sign_out(page)
    device.send("WebAuthn.disable")
    hold_device(page)  # another one, which is empty
    send(page, login="ann@example.org", password=PASSWORD)
    with page.expect_console_message(lambda message: message.type == "error"):
        page.locator("#mfa_webauthn_authenticate").click()
    expect(page).to_have_url(SECOND_STEP)
    page.goto("/account/")
    expect(page).to_have_url(SECOND_STEP)
