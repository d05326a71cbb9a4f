"""A member's data: download, and account closure."""

import json
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib.auth import logout
from django.db import transaction
from django.db.models import Q
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from results.api.keys import revoke_keys
from results.core.security.digests import digest_account
from results.core.security.events import log_event
from results.core.security.members import member_of, member_page
from results.kinds.registry import KINDS
from results.kinds.result_kind import SHARED_COLUMNS
from results.models import AuditEntry, ClosedAccount, Member, Result, ResultPair, Submission
from results.models.choices import State
from results.models.conditions import CONDITION_FIELDS
from results.models.fields import BLOCK_SIZES
from results.models.result import OWNER_FIELDS
from results.submissions.edit import erase
from results.submissions.intake.reread import reread_submission

RESULT_FIELDS = (
    "public_id",
    "device__model_name",
    "device__capacity_bytes",
    "pool__public_id",
    "pool__layout",
    "pool__properties",
    "pool__same_as__public_id",
    "firmware__version",
    "method",
    "metrics",
    *(lookup for kind in KINDS.values() for lookup in kind.lookups),
    *SHARED_COLUMNS,
    "is_ranked",
    "not_ranked_reason",
    "flags",
    "measured_on",
    *CONDITION_FIELDS,
    *OWNER_FIELDS,
)

SUBMISSION_FIELDS = (
    *("public_id", "state", "state_reason", "forum_handle", "source_url", "note", "told", "created_at"),
    *("keeps_unit", "unit_digests", "notices"),
)
PRICE_REPORT_FIELDS = (
    "product__slug",
    "capacity_bytes",
    "price",
    "currency",
    "condition",
    "seller_kind",
    "seen_on",
    "source_url",
    "state",
    "reason",
    "created_at",
)


def write_archive(member: Member, file: IO[bytes]) -> None:
    """Write a ZIP archive of all data stored for `member`: one JSON file, and a file for each kept text."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("slogdb.json", json.dumps(_member_data(member), indent=1, default=str))
        for public_id, text in member.submissions.values_list("public_id", "text").iterator():
            if text:
                archive.writestr(f"texts/{public_id}.txt", text)


def _member_data(member: Member) -> dict[str, Any]:
    submissions = member.submissions.values("public_id")
    decided = AuditEntry.objects.filter(Q(member_id=member.pk) | Q(submission__in=submissions))
    return {
        "account": {
            "email": member.email,
            "display_name": member.display_name,
            "forum_handle": member.forum_handle,
            "forum_url": member.forum_url,
            "joined_at": member.date_joined,
            "last_login_at": member.last_login,
            "wants_decision_mail": member.wants_decision_mail,
            "wants_report_mail": member.wants_report_mail,
            "banned_at": member.banned_at,
            "banned_until": member.banned_until,
            "ban_reason": member.ban_reason,
        },
        "api_keys": list(
            member.api_keys.values("name", "prefix", "scopes", "created_at", "expires_at", "last_used_at")
        ),
        "email_addresses": list(
            EmailAddress.objects.filter(user=member).values("email", "verified", "primary")
        ),
        "second_factors": list(
            Authenticator.objects.filter(user=member).values("type", "created_at", "last_used_at")
        ),
        "sessions": list(
            UserSession.objects.filter(user=member).values("ip", "user_agent", "created_at", "last_seen_at")
        ),
        "forum_accounts": list(
            SocialAccount.objects.filter(user=member).values("provider", "uid", "extra_data", "date_joined")
        ),
        "log": list(decided.order_by("pk").values("at", "action", "submission", "reason")),
        "pairs": list(
            ResultPair.objects.filter(before__submission__owner=member, survey_id=None).values(
                "before__public_id",
                "after__public_id",
                "change",
                "before_value",
                "after_value",
                "sentence",
                "created_at",
            )
        ),
        "reports": list(member.reports.values("result__public_id", "reason", "text", "created_at")),
        "price_reports": list(member.price_reports.order_by("pk").values(*PRICE_REPORT_FIELDS)),
        "block_sizes": list(BLOCK_SIZES),
        "submissions": list(_submissions(member)),
    }


def _submissions(member: Member) -> Iterator[dict[str, Any]]:
    """Submissions with their results. Two queries."""
    results: dict[int, list[dict[str, Any]]] = defaultdict(list)
    found = Result.objects.filter(submission__owner=member).order_by("submission_id", "position")
    for row in found.values("submission_id", *RESULT_FIELDS):
        results[row.pop("submission_id")].append(row)
    for row in member.submissions.order_by("pk").values("id", *SUBMISSION_FIELDS):
        runs = results[row.pop("id")]
        yield {**row, "results": runs}


def close_account(member: Member, *, keeps_results: bool) -> None:
    """Remove the account with all personal data; its results remain without a name, or are erased, too.

    Each submission has its own transaction: a single one would hold the data version's lock while it waits for locks
    of devices. Submissions that arrive meanwhile are processed, too; keys are revoked first, so that this ends. The
    account is removed last, so that an interrupted closure can be repeated.
    """
    revoke_keys(member)
    while not _remove(member):
        for pk in list(member.submissions.order_by("pk").values_list("pk", flat=True)):
            _detach_or_erase(pk, member, keeps_results=keeps_results)


@transaction.atomic
def _remove(member: Member) -> bool:
    """Remove the account, unless a submission of it is left.

    Storing a submission locks the member until its transaction ends: it has either committed, and is found, or it is
    refused, since the member no longer exists. No submission lock is awaited while the member is locked.
    """
    Member.objects.select_for_update().filter(pk=member.pk).first()
    if member.submissions.exists():
        return False
    ClosedAccount.objects.get_or_create(digest=digest_account(member.pk, member.date_joined))
    member.delete()
    return True


@transaction.atomic
def _detach_or_erase(pk: int, member: Member, *, keeps_results: bool) -> None:
    submission = Submission.objects.select_for_update().get(pk=pk)
    if keeps_results:
        _detach(submission)
    else:
        erase(submission, member)
    Submission.objects.filter(pk=pk).update(owner=None)


def _detach(submission: Submission) -> None:
    """Remove the owner from a submission; erase it if it isn't published, since nobody could restore it."""
    if submission.state != State.PUBLISHED:
        erase(submission, submission.owner)
        return
    submission.owner, submission.forum_handle, submission.source_url = None, "", ""
    submission.save(update_fields=["owner", "forum_handle", "source_url"])
    reread_submission(submission)


ARCHIVE_IN_MEMORY_BYTES = 8 * 1024 * 1024  # larger ones are written to disk; they contain only kept text


class CloseForm(forms.Form):
    results = forms.ChoiceField(
        label="Your results",
        choices=[("keep", "Keep them, without my name"), ("erase", "Erase them")],
        widget=forms.RadioSelect,
    )
    confirm = forms.BooleanField(label="Permanently close my account")


@member_page
@reauthentication_required
def account_data(request: HttpRequest) -> HttpResponse:
    form = CloseForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        member = member_of(request)
        number = member.pk
        logout(request)
        close_account(member, keeps_results=form.cleaned_data["results"] == "keep")
        log_event("account_closed", request, member=number)
        return render(request, "results/accounts/closed.html")
    context = {"form": form, "section": "data"}
    return render(request, "results/accounts/data.html", context, status=422 if form.errors else 200)


@require_GET
@member_page
@reauthentication_required
def account_archive(request: HttpRequest) -> FileResponse:
    file = SpooledTemporaryFile(max_size=ARCHIVE_IN_MEMORY_BYTES)  # noqa: SIM115 - the response closes it
    write_archive(member_of(request), file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename="slogdb-my-data.zip")
