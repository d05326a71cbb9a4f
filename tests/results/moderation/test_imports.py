"""Imports in the moderators' pages and by command: what they list, and rejecting everything of one."""

import pytest
from django.core import mail
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from results.imports.bulk import Text, import_texts
from results.imports.thread import begin_import
from results.models import AuditEntry, ImportBatch, Result, Submission
from results.models.choices import Action, State
from results.moderation.decide import decide
from results.submissions.edit import withdraw
from tests import pastes
from tests.commands import printed_by
from tests.factories import make_member, make_verified_member

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def batch():
    """An import of four results: one withdrawn by its owner, one of another owner, who wants mail."""
    batch = begin_import("SLOG <thread>", "https://forum.example/t/1", None)
    texts = [Text(text=pastes.diskinfo(ident=f"ABC{number}"), place=str(number)) for number in range(4)]
    for _ in import_texts(texts, batch):
        pass
    leaving, owner = make_member(), make_verified_member()
    first, second = batch.submissions.order_by("pk")[:2]
    for submission, by in ((first, leaving), (second, owner)):
        Submission.objects.filter(pk=submission.pk).update(owner=by)
        submission.refresh_from_db()
    withdraw(first, leaving)
    return batch


def states(batch):
    return list(batch.submissions.order_by("pk").values_list("state", flat=True))


def test_the_command_lists_imports_with_what_became_of_them(batch, django_assert_num_queries):
    begin_import("Nothing in it", "", make_member(is_staff=True, display_name="Mo"))
    with django_assert_num_queries(3):
        newest, older = printed_by("imports").splitlines()
    assert newest.endswith("UTC by Mo: nothing stored; 0 results  Nothing in it")
    assert older.startswith(f"{batch.pk}  ")
    assert older.endswith(
        "by the operator: 3 published, 1 withdrawn; 4 results  SLOG <thread> https://forum.example/t/1"
    )
    ImportBatch.objects.all().delete()
    assert printed_by("imports") == "Nothing has been imported yet.\n"


def test_an_import_is_rejected_at_once_and_each_result_can_be_approved_again(batch, moderator):
    printed = printed_by("reject_import", batch.pk, reason="all made up")
    assert printed == f"Import {batch.pk}, “SLOG <thread>”: 3 submissions rejected.\n"
    assert states(batch) == [State.WITHDRAWN, *[State.REJECTED] * 3]
    assert not Result.objects.published().exists()
    reason = f"Import {batch.pk}: all made up"
    assert set(batch.submissions.filter(state=State.REJECTED).values_list("state_reason", flat=True)) == {
        reason
    }
    logged = AuditEntry.objects.filter(action=Action.REJECTED).values_list("actor_name", "reason")
    assert list(logged) == [("the operator", reason)] * 3
    assert printed_by("reject_import", batch.pk, reason="all made up").endswith("0 submissions rejected.\n")

    last = batch.submissions.order_by("pk").last()
    decide(last, Action.APPROVED, moderator=moderator, reason="it is real")
    assert states(batch)[-1] == State.PUBLISHED
    assert Result.objects.published().get().submission == last


def test_an_unknown_import_or_no_reason_is_refused(batch):
    with pytest.raises(CommandError, match=rf"no import {batch.pk + 1}\. List them: manage.py imports"):
        printed_by("reject_import", batch.pk + 1, reason="all made up")
    with pytest.raises(CommandError, match="Give a --reason"):
        printed_by("reject_import", batch.pk)
    with pytest.raises(CommandError, match="invalid int value"):
        printed_by("reject_import", "SLOG", reason="all made up")
    assert states(batch) == [State.WITHDRAWN, *[State.PUBLISHED] * 3]


def test_moderators_see_imports_and_reject_one_after_confirming(client, moderator, batch, monkeypatch):
    monkeypatch.setattr("results.moderation.imports.enqueue", lambda *_: False)  # Redis is away
    client.get("/moderation/imports/")  # this session was seen
    with CaptureQueriesContext(connection) as few:
        listed = client.get("/moderation/imports/").text
    for number in range(3):
        begin_import(f"Thread {number}", "", moderator)
    with CaptureQueriesContext(connection) as many:
        client.get("/moderation/imports/")
    assert len(many) == len(few)
    assert "SLOG &lt;thread&gt;" in listed
    assert "3 published, 1 withdrawn" in listed
    url = f"/moderation/imports/{batch.pk}/"
    assert "Reject 3 submissions" in client.get(url).text
    refused = client.post(url, {"reason": "all made up"})
    assert (refused.status_code, states(batch)[1]) == (422, State.PUBLISHED)
    assert "Confirm that you want to reject all of them." in refused.text
    done = client.post(url, {"reason": "all made up", "is_confirmed": "on"}, follow=True)
    assert "3 submissions rejected." in done.text
    assert "Reject the import" not in done.text
    assert states(batch) == [State.WITHDRAWN, *[State.REJECTED] * 3]
    assert AuditEntry.objects.filter(action=Action.REJECTED, actor_id=moderator.pk).count() == 3
    assert client.get(f"/moderation/imports/{batch.pk + 9}/").status_code == 404


def test_the_message_counts_what_was_rejected_if_that_is_known(client, moderator, batch, monkeypatch):
    own = batch.submissions.last()
    Submission.objects.filter(pk=own.pk).update(owner=moderator)
    url, form = f"/moderation/imports/{batch.pk}/", {"reason": "all made up", "is_confirmed": "on"}
    left = client.post(url, form, follow=True).text
    assert "The import is being rejected. Reload this page" in left
    assert "submissions rejected" not in left

    monkeypatch.setattr("results.moderation.imports.enqueue", lambda *_: False)  # Redis is away
    assert "2 submissions rejected." in client.post(url, form, follow=True).text  # not the moderator's own
    assert states(batch) == [State.WITHDRAWN, State.REJECTED, State.REJECTED, State.PUBLISHED]


def test_owners_who_claimed_a_result_get_a_mail(batch, monkeypatch):
    monkeypatch.setattr(
        "results.moderation.mail.enqueue", lambda task, arguments, *, kwargs: task(*arguments, **kwargs)
    )
    printed_by("reject_import", batch.pk, reason="all made up")
    owner = batch.submissions.order_by("pk")[1].owner
    assert [(message.to, "all made up" in message.body) for message in mail.outbox] == [([owner.email], True)]
