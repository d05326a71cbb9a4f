"""What was published without an account is offered in the same browser, and there alone, for a day."""

import pytest
from django.core import signing
from django.test import Client

from results.models import Submission
from results.submissions import claim_cookie
from results.submissions.edit import erase_submission
from tests import pastes
from tests.factories import make_member
from tests.page import claim_token_of
from tests.results.publishing import publish_by_form

pytestmark = pytest.mark.django_db
OFFER = "Add what you published in this browser?"
CLAIM = "/account/claim/here/"


def sign_in(client, **values):
    member = make_member(**values)
    client.force_login(member)
    return member


def owners():
    return list(Submission.objects.order_by("pk").values_list("owner", flat=True))


@pytest.mark.parametrize("page", ["/account/", "/account/results/"])
def test_a_result_is_offered_after_signing_in_and_claimed_by_a_button(client, page):
    publish_by_form(client)
    member = sign_in(client)
    offer = client.get(page).text
    assert (OFFER in offer, "You haven't submitted anything yet" in offer) == (True, False)
    assert owners() == [None]
    assert "1 submission added to your account" in client.post(CLAIM, follow=True).text
    assert owners() == [member.pk]
    assert OFFER not in client.get(page).text


def test_all_that_was_published_here_is_claimed_at_once(client):
    publish_by_form(client)
    publish_by_form(client, pastes.diskinfo(ident="ANOTHER", description="ATA OTHER"))
    member = sign_in(client)
    client.post(CLAIM)
    assert owners() == [member.pk, member.pk]


def test_the_cookie_has_no_token_and_is_for_the_server_alone(client):
    response = publish_by_form(client)
    cookie = response.cookies["published"]
    assert claim_token_of(response) not in cookie.value
    assert set(signing.loads(cookie.value, salt=claim_cookie.SALT)) == {Submission.objects.get().public_id}
    assert (bool(cookie["httponly"]), cookie["samesite"], cookie["max-age"]) == (True, "Lax", 24 * 3600)


def test_another_browser_is_offered_nothing(client):
    publish_by_form(client)
    other = Client()
    sign_in(other)
    assert OFFER not in other.get("/account/results/").text
    assert "no longer remembers" in other.post(CLAIM, follow=True).text
    assert owners() == [None]


@pytest.mark.parametrize("sign", [signing.Signer().sign_object, signing.dumps, str])
def test_a_cookie_that_the_site_did_not_make_claims_nothing(client, sign):
    publish_by_form(client)
    other = Client()
    other.cookies["published"] = sign({Submission.objects.get().public_id: 2**40})
    sign_in(other)
    other.post(CLAIM)
    assert owners() == [None]


def test_it_is_forgotten_after_a_day_however_often_another_follows(client, monkeypatch):
    publish_by_form(client)
    now = claim_cookie.time.time()
    monkeypatch.setattr(claim_cookie.time, "time", lambda: now + claim_cookie.REMEMBERED_S - 1)
    publish_by_form(client, pastes.diskinfo(ident="ANOTHER", description="ATA OTHER"))
    monkeypatch.setattr(claim_cookie.time, "time", lambda: now + claim_cookie.REMEMBERED_S + 1)
    member = sign_in(client)
    client.post(CLAIM)
    assert owners() == [None, member.pk]


def test_a_used_cookie_is_cleared_and_its_copy_is_worth_nothing(client):
    publish_by_form(client)
    copy = client.cookies["published"].value
    member = sign_in(client)
    assert client.post(CLAIM).cookies["published"].value == ""
    thief = Client()
    thief.cookies["published"] = copy
    sign_in(thief)
    thief.post(CLAIM)
    assert owners() == [member.pk]


def test_what_is_not_mine_is_forgotten_without_being_claimed(client):
    publish_by_form(client)
    sign_in(client)
    assert OFFER not in client.post(CLAIM, {"action": "forget"}, follow=True).text
    assert owners() == [None]


def test_what_the_token_claimed_or_was_erased_is_offered_no_more(client):
    token = claim_token_of(publish_by_form(client))
    publish_by_form(client, pastes.diskinfo(ident="ANOTHER", description="ATA OTHER"))
    erase_submission(Submission.objects.latest("pk"), reason="mine")
    member = sign_in(client)
    client.post("/account/claim/", {"token": token})
    assert OFFER not in client.get("/account/results/").text
    assert owners() == [member.pk, None]


def test_a_member_publishes_without_the_cookie(client):
    sign_in(client)
    assert "published" not in publish_by_form(client).cookies


def test_a_banned_member_claims_nothing(client):
    publish_by_form(client)
    member = sign_in(client)
    member.banned_at, member.ban_reason = "2024-01-01T00:00Z", "made-up figures"
    member.save()
    assert "made-up figures" in client.post(CLAIM, follow=True).text
    assert owners() == [None]


@pytest.mark.parametrize("address", [CLAIM, "/account/claim/"])
@pytest.mark.parametrize(("sent", "shown"), [({"shows_name": "yes"}, "ann"), ({}, "")])
def test_a_forum_name_is_shown_only_if_chosen(client, address, sent, shown):
    published = publish_by_form(client)
    sign_in(client, forum_handle="ann")
    client.post(address, {"token": claim_token_of(published), **sent})
    assert Submission.objects.get().forum_handle == shown
    assert ("<bdi>ann</bdi>" in Client().get(published["Location"]).text) == bool(shown)


def test_a_forum_name_is_shown_and_removed_later(client):
    sign_in(client, forum_handle="ann")
    publish_by_form(client)
    public_id = Submission.objects.get().public_id
    page = client.post(f"/account/results/{public_id}/name/", {"shows_name": "yes"}, follow=True).text
    assert "Shown as ann." in page
    assert Submission.objects.get().forum_handle == "ann"
    client.post(f"/account/results/{public_id}/name/")
    assert Submission.objects.get().forum_handle == ""


def test_the_submit_form_has_a_members_forum_name(client):
    sign_in(client, forum_handle="ann")
    assert 'name="handle" maxlength="60" autocomplete="nickname" value="ann"' in client.get("/submit/").text
