"""What people do with forms, with scripts or without, and how they come in."""

import re

from allauth.mfa.totp.internal import auth
from django.test import Client
from playwright.sync_api import Page, expect

from results.models import Member
from tests.factories import PASSWORD
from tests.sessions import mailed_code, sign_in_with


def send(page: Page, **fields: str) -> None:
    """Fill a form by the names of its fields and send it from the last one."""
    for name, value in fields.items():
        page.locator(f"main [name={name}]").fill(value)
    with page.expect_navigation():
        page.locator(f"main [name={list(fields)[-1]}]").press("Enter")


def press(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def sign_up(page: Page) -> None:
    page.goto("/account/signup/")
    send(page, email="ann@example.org", password1=PASSWORD)
    send(page, code=mailed_code())
    expect(page).to_have_url(re.compile("/account/$"))


def prove(page: Page, path: str) -> None:
    """Open what asks for the password again."""
    page.goto(path)
    if "reauthenticate" in page.url:
        send(page, password=PASSWORD)
    expect(page).to_have_url(re.compile(f"{re.escape(path)}$"))


def current_code(secret: str) -> str:
    """The code of now: the one before, which is valid as well, expires when these 30 seconds end."""
    _, now, _ = auth.yield_hotp_counters_from_time()
    return auth.format_hotp_value(auth.hotp_value(secret, now))


def come_in(page: Page, member: Member) -> None:
    """Sign in by a cookie, where signing in is not what a test is about."""
    client = Client()
    sign_in_with(client, member, "mfa")
    cookie = client.cookies["sessionid"]
    page.goto("/robots.txt")
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": page.url}])
