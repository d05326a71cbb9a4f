"""A member's results: the state of each, and actions on it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from results.core.addresses import address, pager, requested_page, with_query
from results.core.formats import format_count, format_date
from results.core.security.audit import NO_REASON
from results.core.security.members import member_of, member_page, posted_from
from results.core.security.rate_limits import wait_text
from results.core.subject import subject_of, subject_of_pool
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.pool_io.stored_sets import run_name, same_set_url
from results.models import AuditEntry, Member, Pool, Result, ResultPair, Submission, lengths
from results.models.choices import Action, Change, State
from results.models.result import PUBLIC_ID
from results.submissions import edit
from results.submissions.carried import carried, drop_carried
from results.submissions.claim import ClaimError, claim_carried, claim_submission, claimable
from results.submissions.page import count_attempt
from results.submissions.presentation import text_blocks
from results.submissions.same_pool import offer_same_pool

DECISIONS = (Action.APPROVED, Action.HELD, Action.REJECTED, Action.RESTORED, Action.NOTES_REMOVED)
DEVICE_ACTIONS = (Action.MERGED, Action.OVERRULED, Action.PINNED)
STEPS: dict[str, tuple[Callable[[Submission, Member], None], str]] = {
    "withdraw": (
        edit.withdraw,
        "Withdrawn. The result no longer counts, and its page says that it was withdrawn.",
    ),
    "restore": (edit.restore, "Published again."),
    "erase": (edit.erase, "Erased. The text and figures are gone."),
    "forget-unit": (lambda submission, _: edit.forget_unit(submission), "Unlinked from this drive."),
}


class DescribeForm(forms.Form):
    """The owner's description of a result."""

    notes = forms.CharField(
        label="Notes",
        help_text="Public, like everything in this form. Serial numbers and addresses are masked.",
        required=False,
        max_length=lengths.NOTES,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    platform = forms.CharField(label="Operating system", required=False, max_length=lengths.CONDITION)
    attachment = forms.CharField(
        label=edit.OWNER_CONDITIONS["attachment"], required=False, max_length=lengths.CONDITION
    )
    write_cache = forms.ChoiceField(
        label="Write cache of the device",
        required=False,
        choices=[("", "not specified"), ("on", "on"), ("off", "off")],
    )
    host = forms.CharField(label="Machine", required=False, max_length=lengths.CONDITION)


class SamePoolForm(forms.Form):
    """The owner's statement that a pool is that of another submission."""

    pool = forms.CharField(widget=forms.HiddenInput)
    same = forms.ModelChoiceField(
        Pool.objects.none(), to_field_name="public_id", required=False, empty_label="not stated"
    )

    def __init__(self, *arguments: Any, pool: Pool, **named: Any) -> None:
        super().__init__(*arguments, **named)
        others = Pool.objects.filter(submission__owner=pool.submission.owner_id).exclude(pk=pool.pk)
        field: Any = self.fields["same"]
        field.queryset = others.select_related("submission").defer("submission__text").order_by("-pk")
        field.label = f"{subject_of_pool(pool).name}: the same pool as"
        field.label_from_instance = _pool_label


_ID_MESSAGES = {
    "invalid": "Not a result’s id. An id is the last part of a result’s address, such as bcdfghjkmn-2."
}


class PairForm(forms.Form):
    """Two of the owner’s results before and after one change."""

    prefix = "pair"
    before = forms.RegexField(PUBLIC_ID, strip=True, label="Result before", error_messages=_ID_MESSAGES)
    after = forms.RegexField(PUBLIC_ID, strip=True, label="Result after", error_messages=_ID_MESSAGES)
    change = forms.ChoiceField(label="What changed", choices=Change.choices)
    before_value = forms.CharField(
        label="Before", help_text="such as P19", required=False, max_length=lengths.CONDITION
    )
    after_value = forms.CharField(
        label="After", help_text="such as P20", required=False, max_length=lengths.CONDITION
    )
    sentence = forms.CharField(
        label="Your conclusion",
        help_text="Public, like everything in this form. Serial numbers and addresses are masked.",
        required=False,
        max_length=lengths.NOTE,
    )


def _pool_label(pool: Pool) -> str:
    return f"{subject_of_pool(pool).name}, sent {format_date(pool.submission.created_at.date())}"


@require_GET
@member_page
def account_results(request: HttpRequest) -> HttpResponse:
    sent = (
        _own_submissions(request)
        .defer("text")
        .order_by("-pk")
        .prefetch_related("results__device__product__vendor", "results__pool")
    )
    page = requested_page(request, sent)
    rows = [_row(submission) for submission in page]
    context = {
        "rows": rows,
        "page": pager(page, is_by_time=True),
        "section": "results",
        **offer_context(request),
    }
    return render(request, "results/accounts/results.html", context)


@member_page
def account_result(request: HttpRequest, public_id: str) -> HttpResponse:
    submission = get_object_or_404(_own_submissions(request), public_id=public_id)
    if request.method == "POST":
        act = next((act for name, act in _ACTIONS.items() if name in request.POST), _describe)
        return act(request, submission)
    return _own_page(request, submission)


def _own_page(
    request: HttpRequest,
    submission: Submission,
    *,
    described: DescribeForm | None = None,
    pair_form: PairForm | None = None,
) -> HttpResponse:
    """The page of a submission, with a form that was refused."""
    context = _submission_context(submission, described, pair_form)
    status = 422 if described or pair_form else 200
    return render(request, "results/accounts/result.html", context, status=status)


def _describe(request: HttpRequest, submission: Submission) -> HttpResponse:
    result = _one_of(submission, request.POST.get("result"))
    described = DescribeForm(request.POST, prefix=result.public_id)
    _limit(request, described, "notes")
    if not described.is_valid():
        return _own_page(request, submission, described=described)
    conditions = dict(described.cleaned_data)
    try:
        edit.describe(result, notes=conditions.pop("notes"), told_conditions=conditions)
    except edit.NotAllowedError as error:
        described.add_error("notes", str(error))
        return _own_page(request, submission, described=described)
    except Result.DoesNotExist as error:
        raise Http404 from error
    messages.success(request, "Saved.")
    return redirect("account-result", public_id=submission.public_id)


def _limit(request: HttpRequest, form: forms.Form, field: str) -> None:
    """Count a change; if there were too many, the form's field says so."""
    spent = count_attempt(request)
    if spent is not None and not spent.is_granted:
        form.add_error(field, f"Too many changes. Try again in {wait_text(spent)}.")


def _unlink(request: HttpRequest, submission: Submission) -> HttpResponse:
    number = request.POST["unlink"]
    is_number = number.isascii() and number.isdecimal() and len(number) < 10
    edit.unlink_pair(submission, int(number) if is_number else 0)
    messages.success(request, "Unlinked.")
    return redirect("account-result", public_id=submission.public_id)


def _link(request: HttpRequest, submission: Submission) -> HttpResponse:
    form = PairForm(request.POST)
    _limit(request, form, "sentence")
    if form.is_valid():
        _link_results(request, form)
    if not form.is_valid():
        return _own_page(request, submission, pair_form=form)
    messages.success(request, "Linked.")
    return redirect("account-result", public_id=submission.public_id)


def _link_results(request: HttpRequest, form: PairForm) -> None:
    """Link two of the member’s results; the form gets errors if that isn’t possible."""
    told = dict(form.cleaned_data)
    ids = {name: told.pop(name) for name in ("before", "after")}
    own = Result.objects.filter(submission__owner=member_of(request)).select_related("submission")
    found = {one.public_id: one for one in own.named(ids.values())}
    for name, public_id in ids.items():
        if public_id not in found:
            form.add_error(name, "None of your results has this id.")
    if form.is_valid():
        try:
            edit.link_pair(found[ids["before"]], found[ids["after"]], change=told.pop("change"), told=told)
        except edit.NotAllowedError as error:
            form.add_error("after", str(error))


def _say_same_pool(request: HttpRequest, submission: Submission) -> HttpResponse:
    pool = get_object_or_404(
        submission.pools.select_related("submission"), public_id=request.POST["pool"].replace("\0", "")
    )
    form = SamePoolForm(request.POST, pool=pool)
    if not form.is_valid():
        messages.error(request, "Choose one of your other pools.")
    else:
        edit.say_same_pool(pool, form.cleaned_data["same"])
        pool.refresh_from_db()
        if "compare" in request.POST and (url := same_set_url(pool)):
            return redirect(url)
        messages.success(request, "Saved.")
    return redirect("account-result", public_id=submission.public_id)


_ACTIONS = {"pool": _say_same_pool, "unlink": _unlink, "pair-change": _link}  # by a field of their form


def _one_of(submission: Submission, public_id: str | None) -> Result:
    """The submission's result with that id; raises Http404 for any other value."""
    for result in submission.results.all():
        if result.public_id == public_id:
            return result
    raise Http404


@posted_from("account-result", "public_id")
def account_step(request: HttpRequest, public_id: str, step: str) -> HttpResponse:
    """Withdraw, restore, erase, or forget the unit; erasing must be confirmed."""
    submission = get_object_or_404(_own_submissions(request), public_id=public_id)
    act, done = STEPS[step]
    if step == "erase" and request.POST.get("confirm") != "yes":
        messages.error(request, "Check the box to confirm. Erased results can't be restored.")
        return redirect("account-result", public_id=public_id)
    try:
        act(submission, member_of(request))
    except edit.NotAllowedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, done)
    return redirect("account-result", public_id=public_id)


@posted_from("account-results")
def account_claim(request: HttpRequest) -> HttpResponse:
    """Claim a submission that was sent without an account, by its token."""
    try:
        claimed = claim_submission(
            request.POST.get("token", ""), member_of(request), shows_name=_shows_name(request)
        )
    except ClaimError as error:
        messages.error(request, str(error))
        return redirect("account-results")
    messages.success(request, "The result now belongs to your account.")
    return redirect("account-result", public_id=claimed.public_id)


@posted_from("account-results")
def account_claim_carried(request: HttpRequest) -> HttpResponse:
    """Claim what was published in this browser without an account, or forget it there."""
    response = redirect("account-results")
    if request.POST.get("action") == "forget":
        messages.success(request, "This browser no longer remembers them. A token still works.")
    else:
        try:
            claimed = claim_carried(carried(request), member_of(request), shows_name=_shows_name(request))
        except ClaimError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"{format_count(len(claimed), 'submission')} added to your account.")
    drop_carried(response)
    return response


@posted_from("account-result", "public_id")
def account_name(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the member's forum name with a submission, or none."""
    submission = get_object_or_404(_own_submissions(request), public_id=public_id)
    shown = member_of(request).forum_handle if _shows_name(request) else ""
    edit.set_forum_name(submission, shown)
    messages.success(request, f"Shown as {shown}." if shown else "Shown without a name.")
    return redirect("account-result", public_id=public_id)


def _shows_name(request: HttpRequest) -> bool:
    return request.POST.get("shows_name") == "yes"


def offer_context(request: HttpRequest) -> dict[str, Any]:
    """The context of accounts/offer.html: what was published in this browser and has no owner yet."""
    public_ids = carried(request)
    found = claimable().filter(public_id__in=public_ids) if public_ids else Submission.objects.none()
    offered = (
        found.defer("text")
        .order_by("-pk")
        .prefetch_related("results__device__product__vendor", "results__pool")
    )
    return {
        "offered": [_row(submission) for submission in offered],
        "forum_name": member_of(request).forum_handle,
    }


def _own_submissions(request: HttpRequest) -> Any:
    return Submission.objects.filter(owner=member_of(request))


def _row(submission: Submission) -> dict[str, Any]:
    return {
        "public_id": submission.public_id,
        "devices": _subjects(submission) or "nothing left",
        "sent": format_date(submission.created_at.date()),
        "state": State(submission.state).label,
        "reason": "" if submission.state_reason == edit.ERASED_BY_OWNER else submission.state_reason,
        "note": submission.note,
        "name": submission.forum_handle,
    }


def _subjects(submission: Submission) -> str:
    """What it is about, once each: "Sample SSD, Pool: 2 mirrors of 2 (36 runs)"."""
    names = Counter(subject_of(result).short_name for result in submission.results.all())
    return ", ".join(name if count == 1 else f"{name} ({count} runs)" for name, count in names.items())


def _submission_context(
    submission: Submission, described: DescribeForm | None, pair_form: PairForm | None
) -> dict[str, Any]:
    results = list(
        submission.results.order_by("position").select_related("device__product__vendor", "pool", POOL_IO.key)
    )
    decisions = AuditEntry.objects.filter(
        Q(submission=submission.public_id, action__in=DECISIONS)
        | Q(device__in={result.device.slug for result in results if result.device}, action__in=DEVICE_ACTIONS)
    ).exclude(action=Action.RESTORED, actor_id=submission.owner_id)  # published again by the owner
    decisions = decisions.order_by("-pk")
    row = _row(submission)
    shown = {row["state"], row["reason"]}
    if row["reason"] in {entry.reason for entry in decisions}:
        row["reason"] = ""  # it is shown with the decisions
    return {
        "submission": row,
        "is_public": submission.state == State.PUBLISHED,
        "is_withdrawn": submission.state == State.WITHDRAWN,
        "is_erased": submission.state == State.ERASED,
        "keeps_unit": bool(submission.unit_digests),
        "results": [_result(result, described, shown) for result in results],
        "pool_forms": [
            _same_pool_form(pool) for pool in submission.pools.select_related("submission", "same_as")
        ],
        "same_pool": offer_same_pool(submission, Submission.objects.filter(owner=submission.owner_id)),
        "pairs": [_pair(one) for one in edit.pairs_of(submission)],
        "pair_form": pair_form or PairForm(initial={"after": results[0].public_id if results else ""}),
        "decisions": [
            {
                "label": Action(entry.action).label,
                "reason": "" if entry.reason == NO_REASON else entry.reason,
                "on": format_date(entry.at.date()),
            }
            for entry in decisions
        ],
        "text_blocks": text_blocks(submission.text, [(one.first_line, one.last_line) for one in results]),
        "forum_name": submission.owner.forum_handle if submission.owner else "",
        "section": "results",
    }


def _pair(one: ResultPair) -> dict[str, Any]:
    return {
        "id": one.pk,
        "change": one.get_change_display(),
        "url": with_query(address("compare-results"), a=one.before.public_id, b=one.after.public_id),
        "before": one.before.public_id,
        "after": one.after.public_id,
    }


def _same_pool_form(pool: Pool) -> SamePoolForm:
    """The form of a pool, with the earliest that it is the same as."""
    same = pool.same_as.public_id if pool.same_as else ""
    return SamePoolForm(
        pool=pool, auto_id=f"id_{pool.public_id}_%s", initial={"pool": pool.public_id, "same": same}
    )


def _result(result: Result, described: DescribeForm | None, shown: set[str]) -> dict[str, Any]:
    """A run with its form, and why it isn't ranked, unless that is `shown` for the submission already."""
    is_described = described is not None and described.prefix == result.public_id
    form = (
        described
        if is_described
        else DescribeForm(prefix=result.public_id, initial={"notes": result.notes, **result.told_conditions})
    )
    return {
        "public_id": result.public_id,
        "subject": run_name(result) if result.method in POOL_IO.methods else subject_of(result).short_name,
        "not_ranked_reason": "" if result.not_ranked_reason in shown else result.not_ranked_reason,
        "form": form,
    }
