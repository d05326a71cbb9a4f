"""The page that checks a used drive from smartctl output. Stores nothing; line numbers are of the text shown."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from parsers.base.readings import Notice, ParsedPaste
from results.core.forms import NumberField, faults
from results.core.head import page_social
from results.core.links import address
from results.core.reader import ReadingError
from results.core.today import today
from results.submissions.page import TOO_LONG, count_attempt, too_many_attempts_notice
from results.submissions.receive import PasteTooLongError, read_text
from results.used_drive.check import Checked, check_drives

TITLE = "Check a used drive"
DESCRIPTION = (
    "Paste a seller’s smartctl output: what the drive is, whether it is safe as a SLOG, how much life is left, and"
    " what is odd about it."
)
NOTHING_FOUND = Notice(
    "no_smartctl",
    "There is no smartctl output here. Ask the seller for what “smartctl -x /dev/…” prints, and paste all of it.",
)
_NOT_TEXT = frozenset({"binary", "too_large", "too_many_lines"})  # nothing could be read


class UsedDriveForm(forms.Form):
    """A seller's output, and the buyer's daily writes."""

    text = forms.CharField(label="smartctl output", required=False, strip=False)
    gb_per_day = NumberField("GB written per day", most=10_000_000)


@never_cache
@require_http_methods(["GET", "POST"])
def used_drive(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return _page(request, UsedDriveForm())
    form = UsedDriveForm(request.POST)
    is_valid = form.is_valid()
    text = request.POST.get("text", "")
    spent = count_attempt(request)
    if spent is not None and not spent.is_granted:
        response = _page(request, form, errors=[too_many_attempts_notice(spent)], text=text, status=429)
        response["Retry-After"] = str(spent.retry_after_s)
        return response
    try:
        paste = read_text(text)
    except PasteTooLongError:
        return _page(request, form, errors=[TOO_LONG], text=text, status=413)
    except ReadingError as error:
        return _page(request, form, errors=[error.notice], text=text, status=422)
    shown = paste.text or text
    if not is_valid:
        return _page(request, form, text=shown, status=400)
    checked = check_drives(paste, gb_a_day=form.cleaned_data["gb_per_day"], today=today())
    if not checked.drives:
        return _page(request, form, errors=_why_not(paste, checked), text=shown, status=422)
    return _page(request, form, checked=checked, text=shown)


def _why_not(paste: ParsedPaste, checked: Checked) -> list[Notice]:
    refused = [one for one in paste.warnings if one.code in _NOT_TEXT]
    return [*refused, *checked.notices] or [NOTHING_FOUND]


def _page(
    request: HttpRequest,
    form: UsedDriveForm,
    *,
    checked: Checked | None = None,
    errors: Sequence[Notice] = (),
    text: str = "",
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "title": TITLE,
        "form": form,
        "faults": faults(form) if form.is_bound else [],
        "errors": errors,
        "text": text,
        "checked": checked,
        **page_social(TITLE, DESCRIPTION, address("used-drive")),
    }
    return render(request, "results/used_drive/page.html", context, status=status)
