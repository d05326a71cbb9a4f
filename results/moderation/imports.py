"""Imports: the states of their submissions, and rejecting all submissions of one."""

from collections.abc import Sequence
from dataclasses import dataclass

from celery import shared_task
from django import forms
from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from results.core.formats import format_count
from results.core.paging import find_page, pager
from results.core.queue import enqueue
from results.core.read_only import WritingTask
from results.core.security.members import member_of, moderators_only
from results.models import ImportBatch, Member, Result, Submission, lengths
from results.models.choices import Action, State
from results.moderation.decide import COUNTING, checked_reason, reject_all
from results.moderation.mail import enqueue_decision_mail

LEFT_TO_WORKER = (
    "The import is being rejected. Reload this page to see how many submissions are rejected so far."
)


@dataclass(frozen=True, slots=True)
class Summary:
    """An import, with the number of its submissions in each state."""

    batch: ImportBatch
    states: dict[State, int]
    result_count: int

    @property
    def by(self) -> str:
        return str(self.batch.created_by or "the operator")

    @property
    def rejectable(self) -> int:
        return sum(self.states.get(state, 0) for state in COUNTING)

    @property
    def written_states(self) -> str:
        """As "3 published, 1 rejected"."""
        counts = (f"{self.states[state]:,} {state.label.lower()}" for state in State if state in self.states)
        return ", ".join(counts) or "nothing stored"


def summaries(batches: Sequence[ImportBatch]) -> list[Summary]:
    """Summaries of these imports, in their order. Two queries."""
    states: dict[int, dict[State, int]] = {}
    counted = Submission.objects.filter(batch__in=batches).values_list("batch_id", "state")
    for batch_id, state, count in counted.annotate(Count("pk")).order_by():
        states.setdefault(batch_id, {})[State(state)] = count
    results = Result.objects.filter(submission__batch__in=batches).values_list("submission__batch_id")
    result_counts = dict(results.annotate(Count("pk")).order_by())
    return [Summary(batch, states.get(batch.pk, {}), result_counts.get(batch.pk, 0)) for batch in batches]


def reject_import(batch: ImportBatch, *, moderator: Member | str, reason: str) -> int:
    """Reject what is published or held of an import; return the number. Owners who claimed a result get a mail.

    Idempotent: one that was interrupted can be run again. Raises DecisionError without a reason.
    """
    reason = f"Import {batch.pk}: {checked_reason(reason)}"
    rejected = reject_all(Submission.objects.filter(batch=batch), moderator=moderator, reason=reason)
    for submission in rejected:
        enqueue_decision_mail(
            submission.owner_id, public_id=submission.public_id, decision=Action.REJECTED.label, reason=reason
        )
    return len(rejected)


@shared_task(base=WritingTask)
def reject_imported(batch_id: int, moderator_id: int, reason: str) -> None:
    """Reject an import for a moderator, whose request doesn't wait for it."""
    batch, moderator = ImportBatch.objects.get(pk=batch_id), Member.objects.get(pk=moderator_id)
    reject_import(batch, moderator=moderator, reason=reason)


class RejectForm(forms.Form):
    reason = forms.CharField(label="Reason (the owners see it)", max_length=lengths.GIVEN_REASON)
    is_confirmed = forms.BooleanField(
        label="Reject all submissions of this import",
        error_messages={"required": "Confirm that you want to reject all of them."},
    )


@require_safe
@moderators_only
def moderation_imports(request: HttpRequest) -> HttpResponse:
    page = find_page(
        ImportBatch.objects.select_related("created_by").order_by("-pk"),
        request.GET.get("page", "1"),
        or_last=True,
    )
    context = {"rows": summaries(list(page)), "page": pager(page, is_by_time=True), "section": "import"}
    return render(request, "results/moderation/imports.html", context)


@moderators_only
def moderation_import_batch(request: HttpRequest, batch_id: int) -> HttpResponse:
    batch = get_object_or_404(ImportBatch.objects.select_related("created_by"), pk=batch_id)
    [summary] = summaries([batch])
    form = RejectForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        messages.success(request, _reject(request, batch, form.cleaned_data["reason"]))
        return redirect("moderation-import-batch", batch_id)
    page = find_page(
        batch.submissions.defer("text").order_by("-pk"), request.GET.get("page", "1"), or_last=True
    )
    context = {
        "summary": summary,
        "submissions": page,
        "page": pager(page, is_by_time=True),
        "form": form,
        "section": "import",
    }
    status = 422 if form.errors else 200
    return render(request, "results/moderation/import_batch.html", context, status=status)


def _reject(request: HttpRequest, batch: ImportBatch, reason: str) -> str:
    """Leave it to a worker, or do it here if Redis is unavailable; return the message about it."""
    moderator = member_of(request)
    if enqueue(reject_imported, [batch.pk, moderator.pk, reason]):
        return LEFT_TO_WORKER
    return f"{format_count(reject_import(batch, moderator=moderator, reason=reason), 'submission')} rejected."
