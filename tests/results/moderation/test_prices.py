import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from results.accounts.data import close_account, write_archive
from results.core.data_version import stored_version
from results.models import AuditEntry, PriceReport, PriceSighting
from results.models.choices import Action
from results.moderation.decide import DecisionError
from results.moderation.prices import MAX_WAITING, decide_price
from tests.factories import make_member, make_moderator, make_price, make_price_report, make_product
from tests.page import Page

pytestmark = pytest.mark.django_db
LINK = "https://shop.example/s1?id=7"


@pytest.fixture
def member(client):
    made = make_member(display_name="Ann <b>")
    client.force_login(made)
    return made


@pytest.fixture
def product():
    return make_product(slug="aldera-one", name="One")


def sent(**changes):
    return {
        "price": "89.90",
        "currency": "EUR",
        "capacity": "480 GB",
        "condition": "used",
        "seller_kind": "marketplace",
        "seen_on": str(timezone.now().date()),
        "source_url": LINK,
        **changes,
    }


def send(client, **changes):
    return client.post("/products/aldera-one/price/", sent(**changes))


def test_a_price_waits_for_a_moderator(client, member, product):
    assert send(client, source_url=f"{LINK}&utm_source=forum")["Location"] == "/account/prices/"
    report = PriceReport.objects.get()
    assert (report.reporter, report.state, report.capacity_bytes) == (member, "waiting", 480_000_000_000)
    assert report.source_url == LINK
    assert not PriceSighting.objects.exists()
    assert LINK not in client.get("/products/aldera-one/").text
    assert "Waiting for a moderator" in client.get("/account/prices/").text


def test_an_accepted_price_is_on_the_page_with_its_link_and_without_a_name(client, member, product):
    send(client)
    version = stored_version()
    decide_price(
        PriceReport.objects.get(), Action.PRICE_ACCEPTED, moderator=make_moderator(), reason="on the page"
    )
    page = client.get("/products/aldera-one/").text
    assert "€89.90" in page
    assert f'href="{LINK.replace("&", "&amp;")}" rel="nofollow"' in page
    assert "Ann" not in page
    assert stored_version() > version
    seen = PriceSighting.objects.get()
    assert (seen.is_added, seen.shown_as, seen.is_line_price) == (True, "used", True)


def test_a_decision_is_logged_and_made_once(member, product):
    report, moderator = make_price_report(product, member), make_moderator()
    decide_price(report, Action.PRICE_REJECTED, moderator=moderator, reason="another drive")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.member_id, entry.reason) == (
        "price_rejected",
        member.pk,
        "aldera-one: another drive",
    )
    with pytest.raises(DecisionError, match="already"):
        decide_price(report, Action.PRICE_ACCEPTED, moderator=moderator, reason="it is there")
    assert not PriceSighting.objects.exists()


def test_moderators_do_not_decide_on_their_own_prices(product):
    moderator = make_moderator()
    report = make_price_report(product, moderator)
    with pytest.raises(DecisionError, match="your own"):
        decide_price(report, Action.PRICE_ACCEPTED, moderator=moderator, reason="mine")


def test_a_moderator_decides_in_the_queue(client, moderator, product):
    make_price(product, source_url="https://elsewhere.example/1")
    report = make_price_report(product, make_member(display_name="Ann <b>"))
    address = f"/moderation/prices/{report.pk}/"
    queue = client.get("/moderation/").text
    assert address in queue
    assert "The queue is empty" not in queue
    item = client.get(address).text
    assert "Ann &lt;b&gt;" in item
    assert f'href="{report.source_url}" rel="nofollow ugc noopener noreferrer"' in item
    assert "elsewhere.example" in item
    assert client.post(address, {"action": "price_accepted", "reason": " "}).status_code == 422
    done = client.post(address, {"action": "price_accepted", "reason": "seen it"}, follow=True)
    assert "Accepted a price." in done.text
    assert "The queue is empty" in done.text
    assert "Accepted a price" in client.get("/moderation/log/").text
    assert "already decided" in client.post(address, {"action": "price_rejected", "reason": "no"}).text


def test_what_is_wrong_with_a_price_is_named(client, member, product, subtests):
    make_price(product, capacity_bytes=480_000_000_000)
    make_price(product, capacity_bytes=960_000_000_000)
    tomorrow = str(timezone.now().date() + timedelta(days=1))
    bad_link = "Enter the full link to the offer, such as https://shop.example/p1600x."
    for changes, expected in (
        ({"price": "0"}, "greater than or equal to 1"),
        ({"price": "9999999"}, "less than or equal to"),
        ({"currency": "XAU"}, "Select a valid choice"),
        ({"condition": "launch_msrp"}, "Select a valid choice"),
        ({"seller_kind": "press"}, "Select a valid choice"),
        ({"capacity": ""}, "This product comes in several capacities."),
        ({"capacity": "huge"}, "We couldn’t read “huge”."),
        ({"seen_on": tomorrow}, "today or earlier"),
        ({"seen_on": "1999-01-01"}, "today or earlier"),
        ({"source_url": "javascript:alert(1)"}, bad_link),
        ({"source_url": "ftp://shop.example/s1"}, bad_link),
        ({"source_url": "data:text/html,x"}, bad_link),
        ({"source_url": "https://localhost/admin"}, bad_link),
        ({"source_url": "https://127.0.0.1/"}, bad_link),
        ({"source_url": "https://[::1]/"}, bad_link),
        ({"source_url": "https://user:secret@shop.example/"}, bad_link),
        ({"source_url": "https://shop.example/" + "x" * 500}, "at most 500 characters"),
    ):
        with subtests.test(**changes):
            response = send(client, **changes)
            assert response.status_code == 422
            assert expected in " ".join(Page(response).errors)
    assert not PriceReport.objects.exists()


def test_a_capacity_is_the_known_one_that_is_nearly_equal(client, member, product):
    make_price(product, capacity_bytes=480_000_000_000)
    send(client, capacity="500 GB")
    send(client, capacity="960 GB")
    send(client, capacity="", price="70")
    found = PriceReport.objects.order_by("pk").values_list("capacity_bytes", flat=True)
    assert list(found) == [480_000_000_000, 960_000_000_000, 480_000_000_000]


def test_the_same_price_is_reported_once(client, member, product):
    send(client)
    assert "You have already reported this price." in Page(send(client, seller_kind="shop")).errors
    decide_price(
        PriceReport.objects.get(), Action.PRICE_ACCEPTED, moderator=make_moderator(), reason="on the page"
    )
    client.force_login(make_member())
    assert "We already have this price. Thank you!" in Page(send(client)).errors


def test_a_member_has_a_bounded_number_of_waiting_prices(client, member, product):
    for _ in range(MAX_WAITING):
        make_price_report(product, member)
    assert "still waiting for a moderator" in Page(send(client)).errors[0]


def test_banned_members_report_no_prices(client, member, product):
    member.banned_at, member.ban_reason = timezone.now(), "spam"
    member.save()
    assert Page(send(client)).errors == ["You can no longer report prices: spam"]


def test_too_many_prices_wait(client, member, product, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "member-write": (2, 3600)}
    for price in ("10", "11"):
        send(client, price=price)
    assert "Too many prices at once." in Page(send(client, price="12")).errors[0]
    assert PriceReport.objects.count() == 2


def test_the_download_has_the_prices_and_closing_the_account_deletes_them(member, product):
    report = make_price_report(product, member)
    decide_price(report, Action.PRICE_ACCEPTED, moderator=make_moderator(), reason="on the page")
    file = io.BytesIO()
    write_archive(member, file)
    with zipfile.ZipFile(file) as archive:
        (exported,) = json.loads(archive.read("slogdb.json"))["price_reports"]
    assert (exported["product__slug"], exported["state"], exported["source_url"]) == (
        "aldera-one",
        "accepted",
        report.source_url,
    )
    close_account(member, keeps_results=False)
    assert not PriceReport.objects.exists()
    assert PriceSighting.objects.get().source_url == report.source_url
