"""A member's results: the state of each, and actions on it."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from results.core.formats import format_count, format_date
from results.core.paging import find_page, pager
from results.core.parameters import parse_whole_number
from results.core.security.members import member_of, member_page, posted_from
from results.core.security.rate_limits import spend_write, wait_text
from results.core.subject import subject_of, subject_of_pool, with_subjects
from results.kinds.pool_sets import same_set_url
from results.kinds.registry import NAMED_PAYLOADS
from results.models import AuditEntry, Member, Pool, Result, ResultPair, Submission, lengths
from results.models.choices import Action, Change
from results.models.result import PUBLIC_ID
from results.submissions import edit
from results.submissions.claim import ClaimError, claim_carried, claim_submission, claimable
from results.submissions.claim_cookie import forget_published, published_here
from results.submissions.form.same_pool import SamePool, offer_same_pool
from results.submissions.result_summary import ListedRun
from results.submissions.text.blocks import TextBlock, text_blocks

OfSubmission = TypeVar("OfSubmission", Result, Pool)
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
        field.label_from_instance = lambda other: (
            f"{subject_of_pool(other).name}, sent {format_date(other.submission.created_at.date())}"
        )


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


@dataclass(frozen=True, slots=True)
class OwnSubmission:
    """A member's submission in a list."""

    submission: Submission

    @property
    def subjects(self) -> str:
        """What it is about, once each: "Sample SSD, Pool: 2 mirrors of 2 (36 runs)"."""
        names = Counter(subject_of(result).short_name for result in self.submission.results.all())
        return ", ".join(name if count == 1 else f"{name} ({count} runs)" for name, count in names.items())

    @property
    def reason(self) -> str:
        reason = self.submission.state_reason
        return "" if reason == edit.ERASED_BY_OWNER else reason


@dataclass(frozen=True, slots=True)
class OwnRun(ListedRun):
    """A run of a member's submission, with the form for its description."""

    form: DescribeForm


@dataclass(frozen=True, slots=True)
class ResultPage(OwnSubmission):
    """What templates/results/accounts/result.html shows of a member's submission."""

    runs: Sequence[OwnRun]
    decisions: Sequence[AuditEntry]
    pool_forms: Sequence[SamePoolForm]
    same_pool: SamePool | None
    pairs: QuerySet[ResultPair]
    pair_form: PairForm
    text_blocks: Sequence[TextBlock]

    @property
    def is_reason_repeated(self) -> bool:
        """Whether the reason is shown with the decisions."""
        return self.reason in {entry.reason for entry in self.decisions}

    @property
    def shown(self) -> set[str]:
        """Why it isn't public, which runs needn't repeat."""
        return {self.submission.get_state_display(), self.reason}


@require_GET
@member_page
def account_results(request: HttpRequest) -> HttpResponse:
    page = find_page(_newest(_own_submissions(request)), request.GET.get("page", "1"), or_last=True)
    context = {
        "rows": [OwnSubmission(submission) for submission in page],
        "page": pager(page, is_by_time=True),
        "section": "results",
        "offered": offered_submissions(request),
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
    context = {"page": _result_page(submission, described, pair_form), "section": "results"}
    status = 422 if described or pair_form else 200
    return render(request, "results/accounts/result.html", context, status=status)


def _describe(request: HttpRequest, submission: Submission) -> HttpResponse:
    result = _one_of(submission.results.all(), request.POST.get("result"))
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
    spent = spend_write(request)
    if spent is not None and not spent.is_granted:
        form.add_error(field, f"Too many changes. Try again in {wait_text(spent)}.")


def _unlink(request: HttpRequest, submission: Submission) -> HttpResponse:
    edit.unlink_pair(submission, parse_whole_number(request.POST["unlink"]) or 0)
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
    stated = dict(form.cleaned_data)
    ids = {name: stated.pop(name) for name in ("before", "after")}
    own = Result.objects.filter(submission__owner=member_of(request)).select_related("submission")
    found = {result.public_id: result for result in own.named(ids.values())}
    for name, public_id in ids.items():
        if public_id not in found:
            form.add_error(name, "None of your results has this id.")
    if form.is_valid():
        try:
            edit.link_pair(
                found[ids["before"]], found[ids["after"]], change=stated.pop("change"), stated=stated
            )
        except edit.NotAllowedError as error:
            form.add_error("after", str(error))


def _say_same_pool(request: HttpRequest, submission: Submission) -> HttpResponse:
    pool = _one_of(submission.pools.select_related("submission"), request.POST["pool"])
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


def _one_of(found: Iterable[OfSubmission], public_id: str | None) -> OfSubmission:
    """The one of a submission's results or pools with that id; raises Http404 for any other value."""
    for candidate in found:
        if candidate.public_id == public_id:
            return candidate
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
            claimed = claim_carried(
                published_here(request), member_of(request), shows_name=_shows_name(request)
            )
        except ClaimError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"{format_count(len(claimed), 'submission')} added to your account.")
    forget_published(response)
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


def offered_submissions(request: HttpRequest) -> list[OwnSubmission]:
    """What was published in this browser and has no owner yet, for accounts/offer.html."""
    public_ids = published_here(request)
    found = claimable().filter(public_id__in=public_ids) if public_ids else Submission.objects.none()
    return [OwnSubmission(submission) for submission in _newest(found)]


def _own_submissions(request: HttpRequest) -> Any:
    return Submission.objects.filter(owner=member_of(request))


def _newest(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """The newest first, with what OwnSubmission needs."""
    return with_subjects(submissions.defer("text")).order_by("-pk")


def _result_page(
    submission: Submission, described: DescribeForm | None, pair_form: PairForm | None
) -> ResultPage:
    results = list(
        submission.results.order_by("position").select_related(
            "device__product__vendor", "pool", *NAMED_PAYLOADS
        )
    )
    decisions = AuditEntry.objects.filter(
        Q(submission=submission.public_id, action__in=DECISIONS)
        | Q(device__in={result.device.slug for result in results if result.device}, action__in=DEVICE_ACTIONS)
    ).exclude(action=Action.RESTORED, actor_id=submission.owner_id)  # published again by the owner
    return ResultPage(
        submission,
        [OwnRun(result, _describe_form(result, described)) for result in results],
        list(decisions.order_by("-pk")),
        [_same_pool_form(pool) for pool in submission.pools.select_related("submission", "same_as")],
        offer_same_pool(submission, Submission.objects.filter(owner=submission.owner_id)),
        edit.pairs_of(submission),
        pair_form or PairForm(initial={"after": results[0].public_id if results else ""}),
        text_blocks(submission.text, [(result.first_line, result.last_line) for result in results]),
    )


def _same_pool_form(pool: Pool) -> SamePoolForm:
    """The form of a pool, with the earliest that it is the same as."""
    same = pool.same_as.public_id if pool.same_as else ""
    return SamePoolForm(
        pool=pool, auto_id=f"id_{pool.public_id}_%s", initial={"pool": pool.public_id, "same": same}
    )


def _describe_form(result: Result, described: DescribeForm | None) -> DescribeForm:
    if described is not None and described.prefix == result.public_id:
        return described
    return DescribeForm(prefix=result.public_id, initial={"notes": result.notes, **result.told_conditions})
