"""Moderation pages: the queue, a submission with the context for a decision, the log, members."""

from itertools import groupby
from typing import Any, cast
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from results.compare.query import resolve_devices
from results.core.addresses import address, pager, requested_page
from results.core.formats import format_date, writers_label
from results.core.security.members import member_of, moderators_only
from results.core.subject import subject_of
from results.kinds.flags import Effect, flag_rows
from results.kinds.registry import kind_of, method_label
from results.kinds.tables import measures, metric_cells
from results.models import AuditEntry, Member, Report, Result, Submission, lengths
from results.models.choices import Action, ReportReason, State
from results.moderation.decide import (
    MOST_DAYS,
    DecisionError,
    ban,
    decidable,
    decide,
    erase_as_moderator,
    lift_ban,
    next_to_review,
    remove_notes,
    submissions_to_review,
    written_ban,
    written_lift,
)
from results.moderation.mail import enqueue_decision_mail
from results.moderation.prices import price_rows, waiting_prices
from results.moderation.rows import submission_rows
from results.submissions.intake.judge import is_trusted
from results.submissions.presentation import text_blocks

OTHERS_SHOWN = 20
PRICES_SHOWN = 50  # the others follow once these are decided
DECISIONS = [
    (Action.APPROVED, "Approve: publish and rank it"),
    (Action.HELD, "Hold: hide it until a later decision"),
    (Action.REJECTED, "Reject: hide it"),
    (Action.NOTES_REMOVED, "Remove the notes: what the sender and the owner wrote about it"),
    (Action.ERASED, "Erase: permanently remove the text and the figures"),
]


class DecisionForm(forms.Form):
    """A moderator's decision and its reason."""

    action = forms.ChoiceField(
        choices=DECISIONS,
        label="Decision",
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label="Reason (the owner sees it)",
        help_text="Optional if you approve it.",
        max_length=lengths.REASON,
        required=False,
    )

    def offer(self, actions: set[Action]) -> None:
        """Show only these; others, from a page opened earlier, are still validated, and refused with the reason."""
        field = cast(forms.ChoiceField, self.fields["action"])
        field.choices = [(action, label) for action, label in DECISIONS if action in actions]


@require_safe
@moderators_only
def moderation(request: HttpRequest) -> HttpResponse:
    waiting = (
        submissions_to_review()
        .defer("text")
        .select_related("owner")
        .prefetch_related("results__device__product__vendor", "results__pool")
    )
    page, moderator = requested_page(request, waiting), member_of(request)
    prices = list(waiting_prices()[: PRICES_SHOWN + 1]) if page.number == 1 else []
    context = {
        "rows": [_row(one, moderator) for one in page],
        "page": pager(page),
        "prices": price_rows(prices[:PRICES_SHOWN]),
        "has_more_prices": len(prices) > PRICES_SHOWN,
        "section": "queue",
    }
    return render(request, "results/moderation/queue.html", context)


@moderators_only
def moderation_item(request: HttpRequest, public_id: str) -> HttpResponse:
    submission = get_object_or_404(Submission.objects.select_related("owner", "batch"), public_id=public_id)
    form = DecisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _decide(request, submission, form)
        except DecisionError as error:
            form.add_error(None, str(error))
        else:
            return redirect("moderation")
    form.offer(decidable(submission, moderator=member_of(request)))
    context = {**_item(submission), "form": form, "next": next_to_review(submission), "section": "queue"}
    return render(request, "results/moderation/item.html", context, status=422 if form.errors else 200)


@require_safe
@moderators_only
def moderation_log(request: HttpRequest) -> HttpResponse:
    page = requested_page(request, AuditEntry.objects.order_by("-pk"))
    unknown = resolve_devices(entry.device for entry in page if entry.device).unknown
    members = Member.objects.in_bulk({entry.member_id for entry in page if entry.member_id})
    rows = [
        {
            "at": entry.at.strftime("%Y-%m-%d %H:%M"),
            "actor": entry.actor_name,
            "action": entry.get_action_display(),
            "submission": entry.submission,
            "device": entry.device,
            "device_url": address("device", entry.device) if entry.device not in {"", *unknown} else "",
            "member": entry.member_id,
            "member_name": str(members.get(entry.member_id, "")),
            "reason": entry.reason,
        }
        for entry in page
    ]
    context = {"rows": rows, "page": pager(page, is_by_time=True), "section": "log"}
    return render(request, "results/moderation/log.html", context)


def _decide(request: HttpRequest, submission: Submission, form: DecisionForm) -> None:
    action, reason = Action(form.cleaned_data["action"]), form.cleaned_data["reason"]
    moderator = member_of(request)
    if action == Action.ERASED:
        erase_as_moderator(submission, moderator=moderator, reason=reason)
    elif action == Action.NOTES_REMOVED:
        remove_notes(submission, moderator=moderator, reason=reason)
    else:
        decide(submission, action, moderator=moderator, reason=reason)
    enqueue_decision_mail(
        submission.owner_id, public_id=submission.public_id, decision=action.label, reason=reason
    )
    messages.success(request, f"{action.label}: {submission.public_id}.")


def _row(submission: Any, moderator: Member) -> dict[str, Any]:
    results = list(submission.results.all())
    return {
        "public_id": submission.public_id,
        "devices": ", ".join(sorted({subject_of(result).short_name for result in results}))
        or "no results read",
        "sender": _sender(submission) or _origin(submission),
        "sent": format_date(submission.created_at.date()),
        "reports": submission.report_count,
        "why": _why(submission, results)[0],
        "can_approve": submission.owner_id != moderator.pk or moderator.is_superuser,
    }


def _why(submission: Any, results: list[Result]) -> list[str]:
    """Why it is in the queue, the most important reason first; at least one."""
    why = ["Somebody reported it"] if submission.report_count else []
    if submission.state == State.HELD:
        why.append(submission.state_reason or "Held")
    why += [flag["message"] for result in results for flag in result.flags if flag["effect"] == Effect.WAITS]
    return list(dict.fromkeys(why)) or [
        "First results from this sender" if submission.owner_id else "Submitted without an account"
    ]


def _sender(submission: Submission) -> str:
    """The sender's name; empty if there is none."""
    return str(submission.owner) if submission.owner else submission.forum_handle


def _origin(submission: Submission) -> str:
    """Where a submission without a sender's name is from."""
    if not (submission.survey_id or submission.batch_id):
        return "without an account"
    host = urlsplit(submission.source_url).hostname or ""
    return ", ".join(filter(None, ["import", host.removeprefix("www.")]))


def _item(submission: Submission) -> dict[str, Any]:
    results = list(
        submission.results.order_by("position").select_related(
            "device__product__vendor", "pool", "firmware", "submission"
        )
    )
    reports = Report.objects.filter(result__submission=submission).order_by("-pk")
    decisions = AuditEntry.objects.filter(submission=submission.public_id).order_by("-pk")
    waiting = submissions_to_review().filter(pk=submission.pk).first()
    why = _why(waiting, results) if waiting else []
    state, reason = State(submission.state).label, submission.state_reason
    is_elsewhere = reason in {*why, *(entry.reason for entry in decisions)}
    return {
        "submission": {
            "public_id": submission.public_id,
            "state": state,
            "reason": "" if is_elsewhere else reason,
            "sender": _sender(submission),
            "origin": _origin(submission),
            "member_id": submission.owner_id,
            "sent": format_date(submission.created_at.date()),
            "source_url": submission.source_url,
            "note": submission.note,
            "is_erased": submission.state == State.ERASED,
        },
        "why": why,
        "blocks": [
            _block(list(runs), shown={state, reason, *why})
            for _, runs in groupby(results, lambda one: (one.device_id, one.pool_id, one.method))
        ],
        "reports": [
            {
                "reason": ReportReason(report.reason).label,
                "text": report.text,
                "on": format_date(report.created_at.date()),
                "is_open": report.closed_at is None,
            }
            for report in reports
        ],
        "decisions": [
            {"label": entry.get_action_display(), "by": entry.actor_name, "reason": entry.reason}
            for entry in decisions
        ],
        "text_blocks": text_blocks(submission.text, [(one.first_line, one.last_line) for one in results]),
    }


def _block(results: list[Result], *, shown: set[str]) -> dict[str, Any]:
    """Runs of one device by one method, such as a ladder of writers; what they have in common is stated once."""
    first, subject = results[0], subject_of(results[0])
    runs = [_run(one) for one in results]
    flags = {one["message"]: one for result in results for one in flag_rows(result.flags)}
    reasons = dict.fromkeys(one.not_ranked_reason for one in results)
    return {
        "public_id": first.public_id,
        "subject": subject.short_name,
        "subject_url": subject.url if any(one["has_page"] for one in runs) else "",
        "device": first.device,
        "class_label": subject.class_label,
        "firmware": first.firmware.version if first.firmware else "",
        "method": method_label(first.method),
        "not_ranked_reasons": [one for one in reasons if one and one not in {*shown, *flags}],
        "flags": list(flags.values()),
        "runs": runs,
    }


def _run(result: Result) -> dict[str, Any]:
    """A run and others of its device."""
    others = (
        Result.objects.published()
        .filter(device=result.device, pool=result.pool, method=result.method, writers=result.writers)
        .exclude(submission=result.submission)
        .order_by("-pk")
        .values_list("public_id", "metrics", "is_ranked")[:OTHERS_SHOWN]
    )
    kind, subject = kind_of(result.method), subject_of(result)
    columns = [metric for metric in kind.metrics.values() if not metric.is_minor]
    is_public = result.submission.state == State.PUBLISHED
    return {
        "public_id": result.public_id,
        "url": result.get_absolute_url() if is_public else "",
        "has_page": is_public or bool(others),  # otherwise the device isn't public
        "load": writers_label(result.writers),
        "notes": [*filter(None, [result.notes]), *result.told_conditions.values()],
        "template": kind.template("preview"),
        **kind.context(kind.payload_of_result(result), subject.short_name),
        "metrics": measures(result.metrics, kind.metrics.values()),
        "metrics_shown": columns,
        "others": [
            {
                "public_id": public_id,
                "cells": metric_cells(metrics, columns),
                "is_ranked": is_ranked,
            }
            for public_id, metrics, is_ranked in others
        ],
    }


SHOWN = 100


class BanForm(forms.Form):
    reason = forms.CharField(label="Reason (the member sees it)", max_length=lengths.REASON)
    days = forms.IntegerField(
        label="For how many days?",
        help_text=f"Up to {MOST_DAYS:,}. Leave it empty to ban until a moderator lifts it.",
        required=False,
        min_value=1,
        max_value=MOST_DAYS,
    )
    rejects_results = forms.BooleanField(label="Reject all their submissions", required=False)


@moderators_only
def moderation_member(request: HttpRequest, member_id: int) -> HttpResponse:
    member = get_object_or_404(Member, pk=member_id)
    form = BanForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            done = _act(request, member, form)
        except DecisionError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, done)
            return redirect("moderation-member", member_id)
    counts = dict(member.submissions.values_list("state").annotate(Count("pk")).order_by())
    newest = member.submissions.defer("text").order_by("-pk")[:SHOWN]
    context = {
        "member": {
            "name": str(member),
            "joined": format_date(member.date_joined.date()),
            "forum_handle": member.forum_handle,
            "is_trusted": is_trusted(member),
            "ban_reason": member.ban_reason,
            "is_banned": member.is_banned,
            "banned_until": member.banned_until,
        },
        "counts": [{"state": State(state).label, "count": count} for state, count in counts.items()],
        "rows": submission_rows(newest),
        "form": form,
        "section": "queue",
    }
    return render(request, "results/moderation/member.html", context, status=422 if form.errors else 200)


def _act(request: HttpRequest, member: Member, form: BanForm) -> str:
    """Ban the member, or lift the ban; what was done. Raises DecisionError."""
    reason = form.cleaned_data["reason"]
    if member.is_banned:
        return "Ban lifted." + written_lift(lift_ban(member, moderator=member_of(request), reason=reason))
    rejects_results = form.cleaned_data["rejects_results"]
    rejected = ban(
        member,
        moderator=member_of(request),
        reason=reason,
        rejects_results=rejects_results,
        days=form.cleaned_data["days"],
    )
    return "Banned." + written_ban(rejected, rejects_results=rejects_results)
