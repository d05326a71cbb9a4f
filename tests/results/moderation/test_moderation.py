from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from results.accounts.data import close_account
from results.models import AuditEntry, Member, Report, Result, Submission
from results.models.choices import Action, State
from results.moderation import page as moderation_members
from results.moderation.mail import mail_decision
from results.moderation.reports import report_result
from results.submissions.edit import describe, withdraw
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_member, make_result, make_submission
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db
TEXT = '"results_submission"."text"'  # up to half a megabyte each, which no list shows


@pytest.fixture
def submission():
    owner = make_member(display_name="Ann <b>")
    return receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission


def mail_hold(submission):
    mail_decision(submission.owner_id, public_id=submission.public_id, decision="Held", reason="odd figures")


def decide(client, submission, action, reason="seen it"):
    return client.post(
        f"/moderation/{submission.public_id}/", {"action": action, "reason": reason}, follow=True
    )


def test_the_queue_shows_submissions_with_their_reasons(client, moderator, submission):
    page = client.get("/moderation/").text
    assert "MARVELL SD88SA02" in page
    assert "First results from this sender" in page
    Report.objects.create(result=Result.objects.get(), reason="figures", text="too <i>good</i>")
    assert "Somebody reported it" in client.get("/moderation/").text
    item = client.get(f"/moderation/{submission.public_id}/").text
    assert "Somebody reported it" in item
    assert "too &lt;i&gt;good&lt;/i&gt;" in item
    assert "Ann &lt;b&gt;" in item


def test_anonymous_submissions_are_not_called_first_results(client, moderator):
    receive_submission(pastes.FIRST_PASTE, Sender())
    page = client.get("/moderation/").text
    assert ("Submitted without an account" in page, "First results" in page) == (True, False)


def why(client, submission):
    page = Page(client.get(f"/moderation/{submission.public_id}/"))
    return [text_of(reason) for reason in page.root.xpath(".//section[@aria-labelledby='why']//li")]


def test_a_queued_submission_shows_why_it_is_queued(client, moderator, submission):
    assert why(client, submission) == ["First results from this sender"]
    Result.objects.update(flags=[{"code": "too_fast", "message": "Too fast for flash.", "effect": "waits"}])
    assert why(client, submission) == ["Too fast for flash."]
    decide(client, submission, "held", reason="Is the serial number on the photo?")
    assert why(client, submission)[0] == "Is the serial number on the photo?"
    decide(client, submission, "approved")
    assert why(client, submission) == []


@pytest.mark.parametrize(("action", "label"), [("held", "Held"), ("erased", "Erased")])
def test_the_owner_gets_a_mail_of_a_decision(
    client, moderator, submission, django_capture_on_commit_callbacks, monkeypatch, action, label
):
    sent = []
    monkeypatch.setattr(mail_decision, "apply_async", lambda owner, kwargs, **_: sent.append((owner, kwargs)))
    with django_capture_on_commit_callbacks(execute=True):
        decide(client, submission, action, reason="odd figures")
    values = {"public_id": submission.public_id, "decision": label, "reason": "odd figures"}
    assert sent == [((submission.owner_id,), values)]


def test_the_queue_takes_as_many_queries_for_one_as_for_many(
    client, moderator, django_assert_max_num_queries
):
    for number in range(6):
        receive_submission(pastes.diskinfo(ident=f"SERIAL{number}"), Sender(sender_digest=f"net {number}"))
    with django_assert_max_num_queries(17) as queries:
        client.get("/moderation/")
    assert not [query for query in queries.captured_queries if TEXT in query["sql"]]


def test_what_people_sent_comes_before_imports_and_is_walked_through(client, moderator):
    imported = make_submission(
        survey_id="d1", source_url="https://www.blog.example/a", needs_review=True, posted_on="2020-01-01"
    )
    sent = [
        receive_submission(
            pastes.diskinfo(ident=f"S{number}"), Sender(sender_digest=f"net {number}")
        ).submission
        for number in range(2)
    ]
    page = Page(client.get("/moderation/"))
    queue = [f"/moderation/{submission.public_id}/" for submission in (*sent, imported)]
    assert page.root.xpath(".//tbody//th/a[1]/@href") == queue
    assert "import, blog.example" in page.text
    assert sum(row["From"] == "without an account" for row in page.rows()) == 2
    for item, following in zip(queue, [*queue[1:], queue[0]], strict=True):
        assert Page(client.get(item)).links["Next item in the queue"] == following


def test_a_submission_is_approved_from_the_queue_without_a_reason(
    client, moderator, submission, django_capture_on_commit_callbacks, monkeypatch
):
    monkeypatch.setattr(
        mail_decision, "apply_async", lambda owner, kwargs, **_: mail_decision(*owner, **kwargs)
    )
    form = f'<form method="post" action="/moderation/{submission.public_id}/">'
    assert form in client.get("/moderation/").text
    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"/moderation/{submission.public_id}/", {"action": "approved"})
    assert Submission.objects.get().is_approved
    (sent,) = mail.outbox
    assert sent.subject == "Your MARVELL SD88SA02 result is approved"
    assert sent.body.startswith("Your MARVELL SD88SA02 result is approved.\n\nDetails and what you can do:")
    assert "No reason given." in client.get("/moderation/log/").text
    client.force_login(submission.owner)
    own = client.get(f"/account/results/{submission.public_id}/").text
    assert ("Approved." in own, "No reason" in own) == (True, False)


def test_moderators_cannot_approve_their_own_from_the_queue(client, moderator):
    receive_submission(pastes.FIRST_PASTE, Sender(owner=moderator))
    Submission.objects.update(needs_review=True)
    page = client.get("/moderation/").text
    assert ("MARVELL SD88SA02" in page, "Approve" in page) == (True, False)


def test_the_tab_of_the_catalogue_is_for_those_who_can_change_it(client, moderator, submission):
    path = f"/moderation/{submission.public_id}/"
    assert "Administrators can correct classes" in client.get(path).text
    assert 'href="/admin/"' not in client.get(path).text
    Member.objects.filter(pk=moderator.pk).update(is_superuser=True)
    assert client.get(path).text.count('href="/admin/"') == 2


def test_a_ladder_is_one_block_that_says_once_why_it_is_not_ranked(client, moderator):
    reason = "Only runs of one writer are ranked."
    first = make_result(20, not_ranked_reason=reason, writers=1, submission__needs_review=True)
    for position, writers in enumerate((2, 4, 8, 16), 2):
        make_result(
            20 * writers, device=first.device, submission=first.submission, position=position, writers=writers,
            public_id=f"{first.public_id}-{position}", not_ranked_reason=reason,
        )  # fmt: skip
    page = Page(client.get(f"/moderation/{first.submission.public_id}/"))
    assert page.text.count(reason) == 1
    assert len(page.root.xpath(".//section[starts-with(@aria-labelledby, 'result-')]")) == 1
    loads = [text_of(summary).partition(" ·")[0] for summary in page.root.iter("summary")]
    several = [f"{writers} writers at the same time" for writers in (2, 4, 8, 16)]
    assert loads[:5] == ["1 writer", *several]


def test_held_submissions_are_hidden_and_their_owner_sees_the_reason(client, moderator, submission):
    decide(client, submission, "held", "the figures are those of another model")
    public = client.get(f"/results/{submission.public_id}/").text
    assert "138.4" not in public
    assert pastes.FIRST_PASTE.splitlines()[3].strip()[:20] not in public
    client.force_login(submission.owner)
    assert (
        "the figures are those of another model"
        in client.get(f"/account/results/{submission.public_id}/").text
    )


def test_only_owners_who_want_mails_get_them(client, moderator, submission):
    mail_hold(submission)
    assert mail.outbox[0].to == [submission.owner.email]
    assert mail.outbox[0].subject == "Your MARVELL SD88SA02 result is on hold"
    assert "\n\nodd figures\n\n" in mail.outbox[0].body
    submission.owner.wants_decision_mail = False
    submission.owner.save()
    mail_hold(submission)
    assert len(mail.outbox) == 1


def test_a_refused_decision_is_explained_at_the_top_of_the_page(client, moderator, submission):
    withdraw(submission, submission.owner)
    page = decide(client, submission, "approved").text
    refusal = "Its owner has withdrawn it. Only the owner can publish it again."
    assert page.count(refusal) == 1
    assert page.index('role="alert"') < page.index(refusal) < page.index("Submitted on")


def test_an_incomplete_decision_is_refused(client, moderator, submission, subtests):
    for sent in [{"reason": ""}, {"action": "promoted"}]:
        with subtests.test(sent=sent):
            url = f"/moderation/{submission.public_id}/"
            assert client.post(url, {"action": "held", "reason": "so", **sent}).status_code == 422
            assert Submission.objects.get().state == State.PUBLISHED


def test_the_account_links_to_the_pages_of_moderators_and_operators(client, moderator):
    def linked():
        return [
            page
            for page in ("/moderation/", "/operator/")
            if f'href="{page}"' in client.get("/account/").text
        ]

    assert linked() == ["/moderation/"]
    client.force_login(make_member(is_staff=True, is_superuser=True))
    assert linked() == ["/moderation/", "/operator/"]
    client.force_login(make_member())
    assert linked() == []


def test_only_devices_with_a_page_are_linked(client, moderator, submission):
    device = submission.results.get().device
    for slug in (device.slug, "gone"):
        AuditEntry.objects.create(
            actor_id=moderator.pk, actor_name="Ann", action=Action.OVERRULED, device=slug, reason="so"
        )
    pages, link = (
        (f"/moderation/{submission.public_id}/", "/moderation/log/"),
        f'href="/devices/{device.slug}/"',
    )
    assert all(link in client.get(page).text for page in pages)
    decide(client, submission, "rejected", "made up")
    assert not any('href="/devices/' in client.get(page).text for page in pages)
    assert all(device.model_name in client.get(page).text for page in pages[:1])


def test_only_results_with_a_page_are_linked(client, moderator, submission):
    link = f'<a href="{submission.results.get().get_absolute_url()}">public page</a>'
    assert link in client.get(f"/moderation/{submission.public_id}/").text
    decide(client, submission, "held", "is the serial number on the photo?")
    assert "public page" not in client.get(f"/moderation/{submission.public_id}/").text


def test_the_log_links_to_existing_members(client, moderator):
    here, named, left = (make_member(display_name=name) for name in ("", "Ann <b>", "Bob"))
    for member in (here, named, left):
        AuditEntry.objects.create(
            actor_id=moderator.pk, actor_name="Ann", action=Action.BANNED, member_id=member.pk, reason="so"
        )
    gone = left.pk
    left.delete()
    page = client.get("/moderation/log/").text
    assert f'<a href="/moderation/members/{here.pk}/"><bdi>member {here.pk}</bdi></a>' in page
    assert f'<a href="/moderation/members/{named.pk}/"><bdi>Ann &lt;b&gt;</bdi></a>' in page
    assert f"member {gone} (account closed)" in page
    assert f"/moderation/members/{gone}/" not in page


def test_a_banned_member_cannot_submit(client, moderator, submission):
    url = f"/moderation/members/{submission.owner_id}/"
    page = client.post(url, {"reason": "made-up figures", "rejects_results": "on"}, follow=True).text
    assert "Banned: made-up figures" in page
    assert Submission.objects.get().state == State.REJECTED
    assert "Lift the ban" in page
    client.post(url, {"reason": "our mistake"})
    submission.owner.refresh_from_db()
    assert submission.owner.banned_at is None


def test_a_ban_can_have_an_end(client, moderator, submission):
    url = f"/moderation/members/{submission.owner_id}/"
    assert client.post(url, {"reason": "made-up figures", "days": "0"}).status_code == 422
    page = client.post(url, {"reason": "made-up figures", "days": "7"}, follow=True).text
    submission.owner.refresh_from_db()
    left = submission.owner.banned_until - timezone.now()
    assert timedelta(days=6) < left <= timedelta(days=7)
    assert f"Banned until {submission.owner.banned_until:%Y-%m-%d %H:%M} UTC: made-up figures" in page
    Member.objects.filter(pk=submission.owner_id).update(
        banned_at=timezone.now() - timedelta(days=8), banned_until=timezone.now() - timedelta(days=1)
    )
    assert "Lift the ban" not in client.get(url).text


@pytest.mark.parametrize("name", ["ban", "lift_ban"])
def test_a_member_whose_account_was_closed_can_be_neither_banned_nor_unbanned(
    client, moderator, monkeypatch, name
):
    member = make_member(
        **({"banned_at": timezone.now(), "ban_reason": "rude"} if name == "lift_ban" else {})
    )
    decide = getattr(moderation_members, name)

    def late(*given, **named):
        close_account(Member.objects.get(pk=member.pk), keeps_results=True)
        return decide(*given, **named)

    monkeypatch.setattr(moderation_members, name, late)
    answer = client.post(f"/moderation/members/{member.pk}/", {"reason": "made-up figures"})
    assert (answer.status_code, AuditEntry.objects.count()) == (422, 0)
    assert "This account has been closed" in answer.text


@pytest.mark.usefixtures("moderator")
def test_submissions_without_results_can_be_opened_from_the_queue(client):
    held = make_submission(text="?", state=State.HELD, state_reason="No reader got through it.")
    assert f'href="/moderation/{held.public_id}/">no results read</a>' in client.get("/moderation/").text


def offered(client, submission):
    return [*Page(client.get(f"/moderation/{submission.public_id}/")).fields["action"].choices]


def test_only_what_can_be_decided_is_offered(client, moderator, submission):
    assert offered(client, submission) == ["approved", "held", "rejected", "erased"]
    withdraw(submission, submission.owner)
    assert offered(client, submission) == ["rejected", "erased"]
    assert "Not ranked: Withdrawn" not in client.get(f"/moderation/{submission.public_id}/").text
    submission.owner = moderator
    submission.save()
    assert offered(client, submission) == ["erased"]


def test_notes_can_be_removed_without_the_result(client, moderator, submission):
    result = submission.results.get()
    Submission.objects.update(note="my phone is 555")
    describe(result, notes="call me", told_conditions={"host": "my flat"})
    report_result(result, "personal")
    page = client.get(f"/moderation/{submission.public_id}/").text
    assert [note for note in ("my phone is 555", "call me", "my flat") if note not in page] == []
    assert "notes_removed" in offered(client, submission)
    decide(client, submission, "notes_removed", "personal data")
    stored, run = Submission.objects.get(), Result.objects.get()
    assert (stored.note, stored.state, run.notes, run.told_conditions) == ("", State.PUBLISHED, "", {})
    assert "my phone is 555" not in client.get(run.get_absolute_url()).text
    assert Report.objects.get().closed_at is not None
    assert AuditEntry.objects.get().action == Action.NOTES_REMOVED
    assert "notes_removed" not in offered(client, submission)


def test_erased_submissions_offer_no_decision(client, moderator, submission):
    decide(client, submission, "erased", "somebody's address was in it")
    page = client.get(f"/moderation/{submission.public_id}/").text
    assert page.count("Erased") == 2  # what it is, and in the log of decisions
    assert 'name="action"' not in page
    answer = decide(client, submission, "approved")
    assert "No decision was made. Erased submissions can&#x27;t be restored." in answer.text
    assert "#decide" not in answer.text  # the form, which is not there


@pytest.mark.parametrize("action", ["held", "rejected", "erased", "approved"])
def test_the_reason_for_a_decision_is_shown_once(client, moderator, submission, action):
    decide(client, submission, action, "the figures are of another disk")
    page = client.get(f"/moderation/{submission.public_id}/").text
    assert page.count("the figures are of another disk") == 1 + (action == "held")  # it waits for that, too


def test_a_state_without_a_decision_is_explained_at_the_top(client, moderator, submission):
    Submission.objects.update(state=State.REJECTED, state_reason="no such disk was ever made")
    page = client.get(f"/moderation/{submission.public_id}/").text
    assert (
        page.count("no such disk was ever made") == page.count("<p>Why: no such disk was ever made</p>") == 1
    )


def test_two_columns_are_used_only_if_both_have_content(client, moderator, submission):
    def has_columns():
        return 'class="columns"' in client.get(f"/moderation/{submission.public_id}/").text

    assert has_columns()
    decide(client, submission, "erased", "somebody's address was in it")
    assert not has_columns()
