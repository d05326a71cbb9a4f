"""Every page, with all that can be opened, on screens of several sizes and under axe.

A new address in tests/addresses.py is looked at here.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from results.models import ApiKey, Member
from tests.addresses import (
    OF_ACCOUNTS,
    every_route,
    member_addresses,
    moderator_addresses,
    public_addresses,
    store_sample,
    url_names,
)
from tests.browser.people import come_in
from tests.browser.screens import faults
from tests.chromium import script
from tests.factories import (
    make_device,
    make_grid,
    make_moderator,
    make_price,
    make_product,
    make_result,
    make_submission,
    rank_everything,
)

pytestmark = pytest.mark.django_db(transaction=True)

SOURCE = "https://maker.example/sheet.pdf"
DISPUTED = [
    {"value": "yes", "evidence": "data_sheet", "url": SOURCE},
    {"value": "no", "evidence": "personal_page", "url": "https://somebody.example/"},
]
LONG_NAME = ("NAME-WITHOUT-A-BLANK-" * 5)[:100]  # as long as one can be
EXTREMES = """
    /devices/long/ /results/long/ /results/refused/ /results/withdrawn/ /products/bare/ /products/many/
    /products/many/1920-gb/ /compare/?devices=long,other&baseline=long&chart=throughput&scale=linear
    /compare/?devices=long,sample,other,many,bare /compare/?devices=long&add=sample /compare/?devices=sample,nowhere
    /compare/grids/?results=grid,grid2 /traits/?products=sample,many,bare /leaderboard/?q=no-such-device
    /products/?q=no-such-product /search/?q=name-without /shortlist/?link_gbit=100&budget=1
    /used-drive/?model=aldera+s1&wear=12&price=40 /used-drive/?wear=140 /results/?kind=file_sync
    /guide/do-i-need-one/?sync=yes&without=slow /guide/how-big/?link=100&seconds=5&memory=64 /guide/how-big/?link=ten
    /guide/how-long-does-it-last/?written=100&product=many /submit/commands/?system=linux&disk=nope
    /submit/commands/?system=linux&disk=sdb /submit/commands/?system=freebsd&disk=nvd0&sure=on
"""
OF_VISITORS = """
    /account/password/reset/key/1-none/ /account/password/reset/key/done/ /account/inactive/ /account/confirm-email/
    /account/3rdparty/login/cancelled/ /account/3rdparty/login/error/
"""
SECOND_FACTORS = """
    /account/reauthenticate/ /account/2fa/totp/activate/ /account/2fa/webauthn/add/ /account/2fa/totp/deactivate/
    /account/2fa/recovery-codes/ /account/2fa/recovery-codes/generate/ /operator/
"""
# Steps that a button takes, and steps of a sign-in that only its own first step leads to
NO_PAGES = {
    *("account_confirm_login_code", "socialaccount_signup", "openid_connect_callback"),
    *("mfa_authenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_login_webauthn"),
    *("mfa_download_recovery_codes", "mfa_remove_webauthn", "mfa_edit_webauthn"),
}
DRAWN_LATER = {"/api/v1/docs/": ".opblock"}  # what a script fetches and draws after the page has loaded


# Scripts of others draw the API's reference; text that is raised or lowered is small by nature.
TOO_SMALL = script("too_small")


# A button outside a form, or a field that belongs to none, does nothing without scripts.
DEAD = script("dead")


def _pages_of_visitors(client: Client) -> list[str]:
    """The addresses that answer with HTML; of those that are refused in one template's words, the first."""
    public = public_addresses()
    found = {}
    for path in [*public[200], *f"{EXTREMES} {OF_VISITORS}".split(), *public[400], *public[404]]:
        answer = client.get(path)
        if answer["Content-Type"].startswith("text/html"):
            is_refused = path in public[400] or path in public[404]
            found.setdefault((answer.status_code, answer.templates[0].name) if is_refused else path, path)
    return list(found.values())


@pytest.fixture
def owner() -> Member:
    """Of what the addresses name. Beside it: long names, 14 capacities, a dispute, a drive that nobody knows."""
    owner = store_sample()
    make_product(slug="bare", name="Bare")
    many = make_product(
        slug="many",
        name=LONG_NAME,
        plp="disputed",
        plp_statements=DISPUTED,
        endurance_tbw=[{"capacity_bytes": 480 * 10**9, "written_bytes": 10**15}],
        endurance_source_url=SOURCE,
    )
    for capacity_bytes in range(120 * 10**9, 1800 * 10**9, 120 * 10**9):
        make_device(product=many, capacity_bytes=capacity_bytes)
        make_price(many, capacity_bytes=capacity_bytes)
    make_result(20, device=make_device(product=many, capacity_bytes=1920 * 10**9))
    device = make_device(slug="long", model_name=LONG_NAME, device_class="hdd")
    for used, (version, latency_us) in enumerate([("1.0", 5_000), ("2.0", 90_000)] * 6):
        make_result(latency_us, device=device, firmware__version=version, wear_percent=used)
    make_result(
        30,
        device=device,
        submission__public_id="long",
        submission__text="around\n" * 40 + LONG_NAME * 3,
        first_line=3,
        last_line=30,
        not_ranked_reason=LONG_NAME,
        path=LONG_NAME,
        platform=LONG_NAME,
        flags=[{"code": "cached_disk", "effect": "noted", "message": LONG_NAME}],
    )
    make_submission(public_id="refused", state="withdrawn", state_reason=LONG_NAME)
    make_grid("grid2")
    ApiKey.objects.create(owner=owner, name="NAS", digest="0" * 64, prefix="abc", scopes=["read"])
    rank_everything()
    return owner


def _look_at(page: Any, path: str, assert_accessible: Callable[..., None]) -> None:
    answer = page.goto(path)
    assert answer.text().count("<h1") == 1  # before any script runs
    if path in DRAWN_LATER:
        page.wait_for_selector(DRAWN_LATER[path])
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert faults(page) == {}
    assert page.evaluate(TOO_SMALL) == {"texts": [], "targets": []}
    assert_accessible(page, "html")
    expect(page.locator("h1")).to_have_count(1)


def test_every_address_of_the_url_conf_is_looked_at_or_said_to_be_no_page():
    """Those of files, images and JSON are among the addresses, and left out by their content."""
    looked_at = f"{OF_ACCOUNTS} {EXTREMES} {OF_VISITORS} {SECOND_FACTORS}".split()
    named = url_names(chain(looked_at, *public_addresses().values()))
    pages = {
        route.name
        for route in every_route()
        if route.name != route.pattern and route.area != "admin" and not route.is_endpoint
    }
    assert pages - named == NO_PAGES


# A test for each group and not for each page: its tab keeps styles and scripts, and the sample is stored once.


@pytest.mark.usefixtures("owner")
def test_nothing_is_wrong_with_a_page(page, assert_accessible, client, subtests):
    for path in _pages_of_visitors(client):
        with subtests.test(path):
            _look_at(page, path, assert_accessible)


def test_nor_with_one_of_members(page, assert_accessible, owner, subtests):
    come_in(page, owner)
    for path in [*member_addresses(), *OF_ACCOUNTS.split()]:
        if not path.endswith(".zip"):
            with subtests.test(path):
                _look_at(page, path, assert_accessible)


def test_nor_with_one_of_moderators_or_administrators(page, assert_accessible, owner, subtests):
    member = make_moderator()
    member.is_superuser = True
    member.save()
    come_in(page, member)
    for path in [*moderator_addresses(owner), *SECOND_FACTORS.split()]:
        with subtests.test(path):
            _look_at(page, path, assert_accessible)


@pytest.mark.usefixtures("owner")
def test_no_control_needs_a_script(page_without_scripts, client, subtests):
    page = page_without_scripts
    for path in _pages_of_visitors(client):
        with subtests.test(path):
            page.goto(path)
            assert page.evaluate(DEAD) == []
            assert page.locator("main").inner_text().strip()
