"""Reports: somebody, with an account or without, thinks that a person should look at a result."""

from django.db import transaction

from results.ingest.limits import fitting_text
from results.ingest.mail import enqueue_report_mail
from results.ingest.masked import masked
from results.models import Member, Report, Result, lengths


class OwnResultError(Exception):
    """Who sent a result can withdraw it, and need not report it."""


@transaction.atomic
def report_result(
    result: Result, reason: str, *, text: str = "", reporter: Member | None = None, network: str = ""
) -> tuple[Report, bool]:
    """The report, and whether it is new: a reporter has one open report of a result.

    The result's owner gets a mail about a new one. Raises OwnResultError, and Result.DoesNotExist for a result that
    was erased meanwhile.
    """
    if reporter is not None and result.submission.owner_id == reporter.pk:
        raise OwnResultError("This is your own result: withdraw it, or erase it.")
    Result.objects.select_for_update(no_key=True).get(pk=result.pk)  # one of two at once waits
    whose = {"reporter": reporter} if reporter else {"reporter": None, "network": network}
    held = Report.objects.filter(result=result, closed_at__isnull=True, **whose).first()
    if held is not None:
        return held, False
    written = fitting_text(masked(text), longest=lengths.REPORT)
    report = Report.objects.create(result=result, reason=reason, text=written, **whose)
    enqueue_report_mail(report)
    return report, True


def reportable(public_id: str) -> Result | None:
    """The published result with this id."""
    return Result.objects.published().select_related("submission").named([public_id]).first()
