"""What holds for every page that the URL conf knows: a new one has to be named here, or these tests fail."""

from typing import Any

import pytest
from django.urls import URLResolver, get_resolver
from playwright.sync_api import expect

from results.guide.page import PAGES as GUIDE_PAGES
from results.models import ApiKey, ImportBatch
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.browser.people import come_in
from tests.factories import (
    make_device,
    make_facts,
    make_grid,
    make_member,
    make_moderator,
    make_price,
    make_price_report,
    make_product,
    make_result,
    make_set,
    make_submission,
    rank_everything,
)
from tests.patience import fits

pytestmark = pytest.mark.django_db(transaction=True)

PUBLIC = {
    "home": ["/", "/?all=1&q=aldera"],
    "leaderboard": [
        "/leaderboard/",
        "/leaderboard/?q=no-such-device",
        "/leaderboard/?view=table&sort=n_units",
    ],
    "search": ["/search/", "/search/?q=aldera", "/search/?q=zzzz"],
    "shortlist": [
        "/shortlist/",
        "/shortlist/?plp=any",
        "/shortlist/?link_gbit=100&budget=1",
        "/shortlist/?budget=much",
    ],
    "device": ["/devices/other/"],
    "drive": ["/products/aldera-s1/480-gb/", "/products/aldera-s1/960-gb/"],
    "part": ["/products/aldera-s1/480-gb/twin/"],
    "product": ["/products/aldera-s1/"],
    "compare-grids": ["/compare/grids/", "/compare/grids/?results=grid,grid2"],
    "compare-results": ["/compare/results/"],
    "compare-sets": ["/compare/sets/"],
    "compare-set": ["/compare/sets/sample/", "/compare/sets/sdc-2018/", "/compare/sets/chosen/"],
    "results": ["/results/", "/results/?kind=file_sync"],
    "products": ["/products/", "/products/?price=100&currency=EUR", "/products/?q=no-such-product"],
    "result": ["/results/sample/", "/results/grid/", "/results/withdrawn/"],
    "pool": ["/pools/sample/"],
    "report": ["/results/sample/report/"],
    "compare": ["/compare/", "/compare/?devices=sample,other"],
    "submit": ["/submit/"],
    "used-drive": ["/used-drive/", "/used-drive/?model=aldera+s1&wear=12&price=40", "/used-drive/?wear=140"],
    "commands": ["/submit/commands/"],
    "survey": ["/survey/"],
    "sustained": ["/sustained/"],
    "traits": ["/traits/", "/traits/?products=ocz-vertex2-pro-ex,ddrdrive-x1"],
    "workload": ["/workload/", "/workload/?mix=4k%3A5%2C8k%3A3%2C128k%3A1"],
    "about": ["/about/"],
    "guide": ["/guide/"],
    "guide-need": ["/guide/do-i-need-one/"],
    "guide-size": ["/guide/how-big/"],
    "guide-lifetime": ["/guide/how-long-does-it-last/"],
    "guide-page": [f"/guide/{page.slug}/" for page in GUIDE_PAGES],
    "exports": ["/exports/"],
    "api-docs": ["/api/v1/docs/"],
    "account_login": ["/account/login/"],
    "account_signup": ["/account/signup/"],
    "account_reset_password": ["/account/password/reset/"],
    "account_reset_password_done": ["/account/password/reset/done/"],
    "account_reset_password_from_key": ["/account/password/reset/key/1-none/"],
    "account_reset_password_from_key_done": ["/account/password/reset/key/done/"],
    "account_inactive": ["/account/inactive/"],
    "account_email_verification_sent": ["/account/confirm-email/"],
    "socialaccount_login_cancelled": ["/account/3rdparty/login/cancelled/"],
    "socialaccount_login_error": ["/account/3rdparty/login/error/"],
    "not found": ["/no-such-page/", "/devices/nobody/", "/leaderboard/?class=floppy", "/leaderboard/?page=9"],
}
OF_MEMBERS = {
    "account": ["/account/"],
    "account-results": ["/account/results/"],
    "account-result": ["/account/results/{submission}/"],
    "account-prices": ["/account/prices/"],
    "product-price": ["/products/aldera-s1/price/"],
    "account-keys": ["/account/keys/"],
    "account-data": ["/account/data/"],
    "account_logout": ["/account/logout/"],
    "account_email": ["/account/email/"],
    "account_change_password": ["/account/password/change/"],
    "account_reauthenticate": ["/account/reauthenticate/"],
    "account-reauthenticate-code": ["/account/reauthenticate/code/"],
    "mfa_index": ["/account/2fa/"],
    "mfa_activate_totp": ["/account/2fa/totp/activate/"],
    "mfa_list_webauthn": ["/account/2fa/webauthn/"],
    "mfa_add_webauthn": ["/account/2fa/webauthn/add/"],
    "socialaccount_connections": ["/account/3rdparty/"],
    "usersessions_list": ["/account/sessions/"],
}
OF_ADMINISTRATORS = {"operator": ["/operator/"]}
OF_MODERATORS = {
    "moderation": ["/moderation/"],
    "moderation-import": ["/moderation/import/"],
    "moderation-imports": ["/moderation/imports/"],
    "moderation-import-batch": ["/moderation/imports/{batch}/"],
    "moderation-log": ["/moderation/log/"],
    "moderation-member": ["/moderation/members/{member}/"],
    "moderation-device": ["/moderation/devices/sample/"],
    "moderation-item": ["/moderation/{submission}/"],
    "moderation-price": ["/moderation/prices/{price}/"],
    "mfa_deactivate_totp": ["/account/2fa/totp/deactivate/"],
    "mfa_view_recovery_codes": ["/account/2fa/recovery-codes/"],
    "mfa_generate_recovery_codes": ["/account/2fa/recovery-codes/generate/"],
}
# Files, images, JSON, steps that a button takes, and steps of a sign-in that only its own first step leads to.
NO_PAGES = {
    *(
        "leaderboard-csv",
        "leaderboard-export",
        "export-file",
        "submitter",
        "feed",
        "oembed",
        "robots",
        "healthz",
        "readyz",
        "security-txt",
    ),
    *("device-chart", "result-chart", "result-picture", "compare-chart", "survey-chart", "device-badge"),
    *("home-preview", "device-preview", "result-preview", "leaderboard-preview", "compare-preview"),
    "compare-results-preview",
    "compare-set-picture",
    "pair-feed",
    "set-feed",
    "compare-set-preview",
    *(
        "sitemap",
        "sitemap-pages",
        "sitemap-slice",
        "account-archive",
        "account-key-revoke",
        "account-price-delete",
        "account-claim",
        "account-claim-carried",
    ),
    *("account-withdraw", "account-restore", "account-erase", "account-forget-unit", "account-name"),
    *("account_set_password", "account_confirm_login_code", "socialaccount_signup"),
    *("mfa_authenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_login_webauthn"),
    *("mfa_download_recovery_codes", "mfa_remove_webauthn", "mfa_edit_webauthn"),
    *("openid_connect_login", "openid_connect_callback"),
}
DRAWN_LATER = {"/api/v1/docs/": ".opblock"}  # what a script fetches and draws after the page has loaded
NOT_OURS = {"admin/", "api/v1/"}  # Django's own, and JSON; of the API only api-docs is a page


# Scripts of others draw the API's reference; text that is raised or lowered is small by nature.
TOO_SMALL = """() => {
    const shown = one => one.checkVisibility({visibilityProperty: true})
        && one.getBoundingClientRect().width > 1 && !one.closest(".visually-hidden, sub, sup, svg, .swagger-ui");
    const said = one => `${one.localName}.${one.className}: ${one.textContent.trim().slice(0, 30)}`;
    const texts = [...document.body.querySelectorAll("*")].filter(one => shown(one)
        && [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim())
        && parseFloat(getComputedStyle(one).fontSize) < 15);
    const targets = [...document.querySelectorAll("a, button, input, select, textarea, summary")].filter(one => {
        const boxes = shown(one) ? [...one.getClientRects()] : [];
        const height = Math.min(...boxes.map(box => box.height)), width = Math.max(...boxes.map(box => box.width));
        return boxes.length && Math.min(height, width) < 23.9;
    });
    return {texts: texts.map(said), targets: targets.map(said)};
}"""


def _names(resolver: URLResolver) -> set[str]:
    names: set[str] = set()
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            names |= set() if str(pattern.pattern) in NOT_OURS else _names(pattern)
        elif pattern.name:
            names.add(pattern.name)
    return names


def _paths(pages: dict[str, list[str]]) -> list[str]:
    return sorted({path for paths in pages.values() for path in paths})


@pytest.fixture
def sample():
    """A device with a product and a run, another one, and a member's submission."""
    statements = [{"value": "yes", "evidence": "data_sheet", "url": "https://a.example/"}]
    product = make_product(slug="aldera-s1", plp="yes", plp_statements=statements)
    make_facts(product)
    make_price(product, price=300, capacity_bytes=960 * 10**9)
    result = make_result(
        20,
        device=make_device(slug="sample", product=product),
        submission__public_id="sample",
        submission__text="around\n" * 40,
        first_line=3,
        last_line=30,
        flags=[{"code": "cached_disk", "effect": "noted", "message": "Not the disk alone."}],
    )
    make_result(30, device=result.device, firmware__version="2.0", not_ranked_reason="Too fast.")
    make_result(40, device=make_device(slug="twin", product=product))
    make_result(21, device__slug="close")
    make_submission(public_id="withdrawn", state="withdrawn", state_reason="By mistake.")
    make_set(result.submission)
    make_grid("grid")
    make_grid("grid2")
    make_result(90, device=make_device(slug="other"))
    member = make_member()
    submission = receive_submission(pastes.FIRST_PASTE, Sender(owner=member)).submission
    ApiKey.objects.create(owner=member, name="NAS", digest="0" * 64, prefix="abc", scopes=["read"])
    rank_everything()
    price = make_price_report(product, member)
    batch = ImportBatch.objects.create(title="A thread of 2019")
    make_submission(batch=batch, forum_handle="ann")
    return {"member": member, "submission": submission, "price": price, "batch": batch}


def _check_on_a_phone(page: Any, path: str, assert_accessible: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    answer = page.goto(path)
    assert answer.text().count("<h1") == 1  # before any script runs
    if path in DRAWN_LATER:
        page.wait_for_selector(DRAWN_LATER[path])
    assert_accessible(page, "html")
    expect(page.locator("h1")).to_have_count(1)
    fits(page, 360)
    assert page.evaluate(TOO_SMALL) == {"texts": [], "targets": []}


def test_every_address_of_the_url_conf_is_looked_at_or_said_to_be_no_page():
    looked_at = {*PUBLIC, *OF_MEMBERS, *OF_MODERATORS, *OF_ADMINISTRATORS} - {"not found"}
    assert looked_at | NO_PAGES == _names(get_resolver())
    assert not looked_at & NO_PAGES


# A test for each group and not for each page: its tab keeps styles and scripts, and the sample is stored once.


@pytest.mark.usefixtures("sample")
def test_axe_has_nothing_to_object_to_in_either_theme(page, assert_accessible, subtests):
    for path in _paths(PUBLIC):
        with subtests.test(path):
            _check_on_a_phone(page, path, assert_accessible)


def test_nor_has_it_when_a_member_is_signed_in(page, assert_accessible, sample, subtests):
    come_in(page, sample["member"])
    public_id = sample["submission"].public_id
    for path in _paths(OF_MEMBERS):
        with subtests.test(path):
            _check_on_a_phone(page, path.format(submission=public_id), assert_accessible)


def test_nor_when_a_moderator_or_administrator_is(page, assert_accessible, sample, subtests):
    member = make_moderator()
    member.is_superuser = True
    member.save()
    come_in(page, member)
    for path in _paths({**OF_MODERATORS, **OF_ADMINISTRATORS}):
        with subtests.test(path):
            named = path.format(
                submission=sample["submission"].public_id,
                member=sample["member"].pk,
                price=sample["price"].pk,
                batch=sample["batch"].pk,
            )
            _check_on_a_phone(page, named, assert_accessible)
