"""Reports of results to the moderators, by anybody, with or without an account."""

from django import forms
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from parsers.privacy.free_text import mask_free_text
from results.core.security.bans import find_network_ban, why_network_may_not
from results.core.security.digests import digest_network
from results.core.security.rate_limits import sender_address, spend_write
from results.kinds.envelope import fitting_text
from results.models import Member, Report, Result, lengths
from results.models.choices import ReportReason
from results.moderation.mail import enqueue_report_mail
from results.submissions.result_summary import ListedRun


class OwnResultError(Exception):
    """The reporter is the result's owner, who can withdraw it instead."""


@transaction.atomic
def report_result(
    result: Result, reason: str, *, text: str = "", reporter: Member | None = None, network: str = ""
) -> tuple[Report, bool]:
    """Return the report and whether it is new: a reporter can have one open report of a result.

    The result's owner gets a mail about a new one. Raises OwnResultError, and Result.DoesNotExist for a result that
    was erased meanwhile.
    """
    if reporter is not None and result.submission.owner_id == reporter.pk:
        raise OwnResultError("This is your own result. You can withdraw or erase it in your account.")
    Result.objects.select_for_update(no_key=True).get(pk=result.pk)  # serializes concurrent reports
    sender = {"reporter": reporter} if reporter else {"reporter": None, "network": network}
    existing = Report.objects.filter(result=result, closed_at__isnull=True, **sender).first()
    if existing is not None:
        return existing, False
    text = fitting_text(mask_free_text(text.strip()), longest=lengths.REPORT)
    report = Report.objects.create(result=result, reason=reason, text=text, **sender)
    enqueue_report_mail(report)
    return report, True


def reportable(public_id: str) -> Result | None:
    """The published result with this id."""
    return (
        Result.objects.published()
        .select_related("device__product__vendor", "pool", "submission")
        .named([public_id])
        .first()
    )


TOO_MANY = "Too many reports from your network. Try again later."
CHOOSE = "Choose a reason."


class ReportForm(forms.Form):
    reason = forms.ChoiceField(
        label="What's wrong?",
        choices=ReportReason.choices,
        widget=forms.RadioSelect,
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )
    text = forms.CharField(
        label="Details for the moderator",
        required=False,
        max_length=lengths.REPORT,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"max_length": f"This is longer than {lengths.REPORT:,} characters."},
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, public_id: str) -> HttpResponse:
    result = reportable(public_id)
    if result is None:
        raise Http404
    form = ReportForm(request.POST) if request.method == "POST" else ReportForm()
    status = 200
    ban = None if isinstance(request.user, Member) else find_network_ban(request)
    if request.method == "POST" and ban is not None:
        form.add_error(None, why_network_may_not("report results", ban))
        status = 403
    elif request.method == "POST":
        if form.is_valid() and _send(request, result, form):
            return _page(request, ListedRun(result))
        status = 422
    return _page(request, ListedRun(result), form, status)


def _page(
    request: HttpRequest, reported: ListedRun, form: ReportForm | None = None, status: int = 200
) -> HttpResponse:
    """The form, or thanks without one."""
    context = {"reported": reported, "form": form}
    return render(request, "results/moderation/report.html", context, status=status)


def _send(request: HttpRequest, result: Result, form: ReportForm) -> bool:
    """Store the report; if that isn't possible, return False with the reason in the form."""
    reporter = request.user if isinstance(request.user, Member) else None
    network = digest_network(sender_address(request))
    spent = spend_write(request)
    if spent is not None and not spent.is_granted:
        form.add_error(None, TOO_MANY)
        return False
    data = form.cleaned_data
    try:
        report_result(result, data["reason"], text=data["text"], reporter=reporter, network=network)
    except Result.DoesNotExist as error:
        raise Http404 from error
    except OwnResultError as error:
        form.add_error(None, str(error))
        return False
    return True
