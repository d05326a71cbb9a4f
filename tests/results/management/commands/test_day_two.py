"""Commands of day two: moderators, bans, closed accounts, lost second factors. Each is logged."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from results.accounts.expiry import forget_expired
from results.core.security.digests import digest_network
from results.models import AuditEntry, ClosedAccount, Member, NetworkBan, Result, Submission
from results.models.choices import Action, State
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.commands import printed_by as run
from tests.factories import make_member, make_result
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db
ADDRESS, NEIGHBOR, ELSEWHERE = "203.0.113.7", "203.0.113.250", "198.51.100.7"
WHY = ("--reason", "for a test")


@pytest.fixture
def ann():
    return make_member(email="ann@example.org")


def send(address, client=None, **options):
    client = client or Client(REMOTE_ADDR=address)
    return client.post("/api/v1/submissions/", pastes.FIRST_PASTE, content_type="text/plain", **options)


def sent_by(owner):
    return receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission


def logged():
    return [(entry.action, entry.actor_name, entry.reason) for entry in AuditEntry.objects.order_by("pk")]


def test_a_moderator_has_just_the_rights_of_one(ann, client):
    assert "set up a second factor" in run("moderators", "--add", "Ann@example.org", *WHY)
    assert run("moderators") == "ann@example.org: moderator, no second factor yet\n"
    ann = Member.objects.get()
    assert ann.get_all_permissions() == {"results.change_submission"}
    client.force_login(ann)
    assert client.get("/moderation/")["Location"] == "/account/2fa/"
    Authenticator.objects.create(user=ann, type=Authenticator.Type.TOTP, data={})
    sign_in_with(client, ann, "mfa")
    answers = {
        path: client.get(path).status_code
        for path in ("/moderation/", "/operator/", "/admin/results/device/")
    }
    assert answers == {"/moderation/": 200, "/operator/": 403, "/admin/results/device/": 403}
    assert client.get("/admin/results/submission/").status_code == 200
    run("moderators", "--remove", "ann@example.org", *WHY)
    assert client.get("/moderation/").status_code == 403
    assert not Member.objects.get().is_staff
    assert run("moderators") == "There are no moderators.\n"
    assert logged() == [
        (Action.MODERATOR_ADDED, "the operator", "for a test"),
        (Action.MODERATOR_REMOVED, "the operator", "for a test"),
    ]


def test_only_moderators_are_removed(ann):
    make_member(email="root@example.org", is_staff=True, is_superuser=True)
    for address, why in {
        "ann@": "isn't a moderator",
        "root@": "administrator",
        "nobody@": "not the address",
    }.items():
        with pytest.raises(CommandError, match=why):
            run("moderators", "--remove", f"{address}example.org", *WHY)
    with pytest.raises(CommandError, match="Give a --reason"):
        run("moderators", "--add", "ann@example.org")
    assert logged() == []


def test_a_member_is_banned_for_a_time(ann, client):
    client.force_login(ann)
    assert "is banned until" in run("ban", "ann@example.org", "--days", "2", *WHY)
    assert run("ban").startswith(f"member {ann.pk} (ann@example.org) until ")
    assert re.search(r"submit results until \S+ \S+ UTC: for a test", client.get("/account/").text)
    Member.objects.update(banned_at=timezone.now() - timedelta(days=3), banned_until=timezone.now())
    assert not Member.objects.get().is_banned
    assert run("ban") == "Nobody is banned.\n"
    assert "for a test" not in client.get("/account/").text
    assert "until the ban is lifted" in run("ban", "ann@example.org", *WHY)
    run("ban", "ann@example.org", "--lift", *WHY)
    assert [action for action, _, _ in logged()] == [Action.BANNED, Action.BANNED, Action.UNBANNED]


def test_a_member_is_named_by_the_number_in_the_log(ann):
    assert f"member {ann.pk} is banned" in run("ban", str(ann.pk), *WHY).lower()
    assert Member.objects.get().is_banned
    run("ban", str(ann.pk), "--lift", *WHY)
    assert not Member.objects.get().is_banned
    with pytest.raises(CommandError, match="not the number of a member"):
        run("ban", str(ann.pk + 1), *WHY)
    digest = "123456789012"
    assert f"Network {digest}" in run("ban", digest, *WHY)


def test_the_owner_of_a_submission_is_banned_and_their_results_can_be_rejected(ann):
    public_id = sent_by(ann).public_id
    assert run("ban", public_id, "--reject-results", *WHY).endswith(" 1 submission rejected.\n")
    assert Member.objects.get().is_banned
    assert Submission.objects.get().state == State.REJECTED
    assert run("ban", "ann@example.org", "--reject-results", *WHY).endswith(" 0 submissions rejected.\n")
    lifted = run("ban", "ann@example.org", "--lift", *WHY)
    assert lifted.endswith(" is lifted. 1 submission stays rejected; approve each on its page.\n")


@pytest.mark.parametrize(
    "target", [ADDRESS, f"{ADDRESS}/32", digest_network(ADDRESS), digest_network(ADDRESS)[:12]]
)
def test_a_network_is_banned_for_a_time_by_its_address_or_digest(target):
    assert "is banned until" in run("ban", target, "--days", "3", *WHY)
    assert NetworkBan.objects.get().until > timezone.now() + timedelta(days=2)
    assert ADDRESS not in str(NetworkBan.objects.values().get()) + str(logged())
    for address in (ADDRESS, NEIGHBOR):
        refused = send(address)
        assert (refused.status_code, refused.json()["code"]) == (403, "banned")
        assert "until" in refused.json()["detail"]
        assert "for a test" in refused.json()["detail"]
    assert send(ELSEWHERE).status_code == 201
    NetworkBan.objects.update(until=timezone.now())
    assert send(ADDRESS).status_code == 200  # known already
    forget_expired()
    assert not NetworkBan.objects.exists()


def test_members_of_a_banned_network_can_send_and_others_can_neither_submit_nor_report(ann):
    result = make_result()
    run("ban", ADDRESS, *WHY)
    form = {"text": pastes.FIRST_PASTE, "action": "publish"}
    report = f"/results/{result.public_id}/report/"
    nobody, member = Client(REMOTE_ADDR=ADDRESS), Client(REMOTE_ADDR=ADDRESS)
    member.force_login(ann)
    assert nobody.get(report).status_code == 200
    for path, sent in {"/submit/": form, report: {"reason": "spam"}}.items():
        refused = nobody.post(path, sent)
        assert (refused.status_code, "from your network until" in refused.text) == (403, True), path
    assert nobody.post(f"/api/v1/results/{result.public_id}/reports/", {"reason": "spam"}).status_code == 403
    assert not result.reports.exists()
    assert member.post("/submit/", form).status_code == 201
    run("ban", ADDRESS, "--lift", *WHY)
    assert nobody.post(report, {"reason": "spam"}).status_code == 200
    assert [action for action, _, _ in logged()] == [Action.NETWORK_BANNED, Action.NETWORK_UNBANNED]


def test_the_sender_of_todays_submission_is_banned_until_midnight():
    assert send(ADDRESS).status_code == 201
    public_id = Submission.objects.get().public_id
    assert "recognize it only today" in run("ban", public_id, "--days", "30", *WHY)
    midnight = datetime.combine(datetime.now(UTC).date() + timedelta(days=1), datetime.min.time(), UTC)
    assert NetworkBan.objects.get().until == midnight
    assert send(ADDRESS).status_code == 403
    assert send(ELSEWHERE).status_code == 200
    Submission.objects.update(created_at=timezone.now() - timedelta(days=1))
    with pytest.raises(CommandError, match="only on the day it was sent"):
        run("ban", public_id, *WHY)


def test_what_names_no_sender_is_refused():
    for words, why in {
        ("nowhere",): "an address, a digest",
        (ADDRESS, "--lift"): "isn't banned",
        (ADDRESS, "--days", "0"): "--days must be",
        (make_result(submission__sender_digest="").submission.public_id,): "has no network",
    }.items():
        with pytest.raises(CommandError, match=why):
            run("ban", *words, *WHY)
    assert not NetworkBan.objects.exists()


@pytest.mark.parametrize(("results", "left"), [("keep", 1), ("erase", 0)])
def test_an_account_is_closed_on_request(ann, results, left):
    sent_by(ann)
    words = ("close_account", "ann@example.org", "--results", results, *WHY)
    with pytest.raises(CommandError, match="They have 1 submission"):
        run(*words)
    assert Member.objects.exists()
    run(*words, "--yes")
    assert (Member.objects.count(), Result.objects.count(), ClosedAccount.objects.count()) == (0, left, 1)
    assert "ann" not in str(list(AuditEntry.objects.values()))
    assert AuditEntry.objects.filter(action=Action.ACCOUNT_CLOSED, member_id=ann.pk).exists()


@pytest.mark.django_db(transaction=True)  # for the event, which is logged when the transaction ends
def test_a_lost_second_factor_is_reset_and_its_owner_told(ann, client, caplog):
    for kind in (Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES):
        Authenticator.objects.create(user=ann, type=kind, data={})
    client.force_login(ann)
    client.get("/account/")
    run("reset_second_factor", "ann@example.org", "--reason", "called back")
    assert not Authenticator.objects.exists()
    assert not Session.objects.exists()
    assert logged() == [(Action.FACTOR_RESET, "the operator", "called back")]
    assert [line.msg["member"] for line in caplog.records if "factor_reset" in str(line.msg)] == [ann.pk]
    (sent,) = mail.outbox
    assert (sent.to, "set up another one" in sent.body) == (["ann@example.org"], True)
    with pytest.raises(CommandError, match="has no second factor"):
        run("reset_second_factor", "ann@example.org", *WHY)
