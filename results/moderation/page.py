"""Moderation pages: the queue, a submission with the context for a decision, the log, members."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, cast
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from results.compare.devices.query import resolve_devices
from results.core.formats import writers_label
from results.core.paging import find_page, pager
from results.core.security.members import member_of, moderators_only
from results.core.subject import Subject, subject_of, with_subjects
from results.kinds.flags import Effect, FlagRow, flag_rows
from results.kinds.metric import Metric
from results.kinds.registry import kind_of, method_label
from results.kinds.result_kind import ResultKind, Shown
from results.kinds.tables import Measure, MetricCell, measures, metric_cells
from results.models import AuditEntry, Member, Report, Result, Submission, lengths
from results.models.choices import Action, State
from results.moderation.decide import (
    MAX_DAYS,
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
from results.moderation.prices import waiting_prices
from results.submissions.intake.judge import is_trusted
from results.submissions.text.blocks import TextBlock, text_blocks

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

    action = forms.ChoiceField(choices=DECISIONS, label="Decision", widget=forms.RadioSelect)
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
    waiting = with_subjects(submissions_to_review().defer("text").select_related("owner"))
    page = find_page(waiting, request.GET.get("page", "1"), or_last=True)
    moderator = member_of(request)
    prices = list(waiting_prices()[: PRICES_SHOWN + 1]) if page.number == 1 else []
    context = {
        "rows": [_waiting(submission, moderator) for submission in page],
        "page": pager(page),
        "prices": prices[:PRICES_SHOWN],
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
    context = {
        "item": _item(submission),
        "form": form,
        "next": next_to_review(submission),
        "section": "queue",
    }
    return render(request, "results/moderation/item.html", context, status=422 if form.errors else 200)


@require_safe
@moderators_only
def moderation_log(request: HttpRequest) -> HttpResponse:
    page = find_page(AuditEntry.objects.order_by("-pk"), request.GET.get("page", "1"), or_last=True)
    members = Member.objects.in_bulk({entry.member_id for entry in page if entry.member_id})
    context = {
        "entries": [(entry, members.get(entry.member_id or 0)) for entry in page],
        "unknown_devices": resolve_devices(entry.device for entry in page if entry.device).unknown,
        "page": pager(page, is_by_time=True),
        "section": "log",
    }
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


@dataclass(frozen=True, slots=True)
class Sent:
    """A submission, and who sent it."""

    submission: Submission

    @property
    def sender(self) -> str:
        """The sender's name; "" if there is none."""
        return str(self.submission.owner) if self.submission.owner else self.submission.forum_handle

    @property
    def origin(self) -> str:
        """Where it is from, if it has no sender's name."""
        if not (self.submission.survey_id or self.submission.batch_id):
            return "without an account"
        host = urlsplit(self.submission.source_url).hostname or ""
        return ", ".join(filter(None, ["import", host.removeprefix("www.")]))


@dataclass(frozen=True, slots=True)
class Waiting(Sent):
    """A submission in the queue, and why it is there."""

    names: Sequence[str]  # of what it is about; none if no results were read
    why: str
    report_count: int
    can_approve: bool


def _waiting(submission: Any, moderator: Member) -> Waiting:
    results = list(submission.results.all())
    return Waiting(
        submission,
        sorted({subject_of(result).short_name for result in results}),
        _why(submission, results)[0],
        submission.report_count,
        can_approve=submission.owner_id != moderator.pk or moderator.is_superuser,
    )


def _why(submission: Any, results: list[Result]) -> list[str]:
    """Why it is in the queue, the most important reason first; at least one."""
    why = ["Somebody reported it"] if submission.report_count else []
    if submission.state == State.HELD:
        why.append(submission.state_reason or "Held")
    why += [flag["message"] for result in results for flag in result.flags if flag["effect"] == Effect.WAITS]
    return list(dict.fromkeys(why)) or [
        "First results from this sender" if submission.owner_id else "Submitted without an account"
    ]


@dataclass(frozen=True, slots=True)
class ReviewedRun:
    """A run, and others of its device or pool."""

    result: Result
    kind: ResultKind
    others: Sequence[tuple[str, Mapping[str, float], bool]]  # id, metrics, whether it is ranked

    @property
    def is_public(self) -> bool:
        return self.result.submission.state == State.PUBLISHED

    @property
    def load(self) -> str:
        return writers_label(self.result.writers)

    @property
    def notes(self) -> list[str]:
        return [*filter(None, [self.result.notes]), *self.result.told_conditions.values()]

    @property
    def template(self) -> str:
        return self.kind.template("preview")

    @property
    def shown(self) -> Shown:
        """What `template` needs."""
        return self.kind.shown(self.kind.payload_of_result(self.result), subject_of(self.result).short_name)

    @property
    def figures(self) -> list[Measure]:
        return measures(self.result.metrics, self.kind.metrics.values())

    @property
    def columns(self) -> list[Metric]:
        return [metric for metric in self.kind.metrics.values() if not metric.is_minor]

    @property
    def rows(self) -> list[tuple[str, list[MetricCell], bool]]:
        return [
            (public_id, metric_cells(metrics, self.columns), is_ranked)
            for public_id, metrics, is_ranked in self.others
        ]


@dataclass(frozen=True, slots=True)
class Block:
    """Runs of one device by one method, such as a ladder of writers; what they have in common is stated once."""

    runs: Sequence[ReviewedRun]
    flags: Sequence[FlagRow]
    not_ranked_reasons: Sequence[str]

    @property
    def first(self) -> Result:
        return self.runs[0].result

    @property
    def subject(self) -> Subject:
        return subject_of(self.first)

    @property
    def has_page(self) -> bool:
        """Whether its subject is public."""
        return any(run.is_public or run.others for run in self.runs)

    @property
    def method(self) -> str:
        return method_label(self.first.method)


@dataclass(frozen=True, slots=True)
class Item(Sent):
    """A submission with everything that a decision needs."""

    reason: str  # of its state; "" if it is among the other reasons
    why: Sequence[str]  # it is in the queue; none if it isn't
    blocks: Sequence[Block]
    reports: Sequence[Report]
    decisions: Sequence[AuditEntry]
    text_blocks: Sequence[TextBlock]


def _item(submission: Submission) -> Item:
    results = list(
        submission.results.order_by("position").select_related(
            "device__product__vendor", "pool", "firmware", "submission"
        )
    )
    decisions = list(AuditEntry.objects.filter(submission=submission.public_id).order_by("-pk"))
    waiting = submissions_to_review().filter(pk=submission.pk).first()
    why = _why(waiting, results) if waiting else []
    reason = submission.state_reason
    shown = {State(submission.state).label, reason, *why}
    return Item(
        submission,
        "" if reason in {*why, *(entry.reason for entry in decisions)} else reason,
        why,
        [
            _block(list(runs), shown)
            for _, runs in groupby(results, lambda run: (run.device_id, run.pool_id, run.method))
        ],
        list(Report.objects.filter(result__submission=submission).order_by("-pk")),
        decisions,
        text_blocks(submission.text, [(result.first_line, result.last_line) for result in results]),
    )


def _block(results: Sequence[Result], shown: Container[str]) -> Block:
    flags = {row.message: row for result in results for row in flag_rows(result.flags)}
    reasons = dict.fromkeys(result.not_ranked_reason for result in results)
    return Block(
        [_run(result) for result in results],
        list(flags.values()),
        [reason for reason in reasons if reason and reason not in shown and reason not in flags],
    )


def _run(result: Result) -> ReviewedRun:
    others = (
        Result.objects.published()
        .filter(device=result.device, pool=result.pool, method=result.method, writers=result.writers)
        .exclude(submission=result.submission)
        .order_by("-pk")
        .values_list("public_id", "metrics", "is_ranked")[:OTHERS_SHOWN]
    )
    return ReviewedRun(result, kind_of(result.method), list(others))


SHOWN = 100


class BanForm(forms.Form):
    reason = forms.CharField(label="Reason (the member sees it)", max_length=lengths.REASON)
    days = forms.IntegerField(
        label="For how many days?",
        help_text=f"Up to {MAX_DAYS:,}. Leave it empty to ban until a moderator lifts it.",
        required=False,
        min_value=1,
        max_value=MAX_DAYS,
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
    counts = member.submissions.values_list("state").annotate(Count("pk")).order_by()
    context = {
        "member": member,
        "is_trusted": is_trusted(member),
        "counts": [(State(state).label, count) for state, count in counts],
        "submissions": member.submissions.defer("text").order_by("-pk")[:SHOWN],
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
