"""The page that checks a live log, from what its commands print. Stores nothing."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from parsers.base.readings import Notice
from parsers.text.decode import NOT_TEXT
from results.advice.lights import Check
from results.core.addresses import address
from results.core.head import Social
from results.core.parameters import takes
from results.core.reader import ReadingError
from results.core.security.bodies import reads_texts
from results.core.security.rate_limits import counted, spend_write
from results.submissions.form.page import TOO_LONG, too_many_attempts_notice
from results.submissions.intake.receive import PasteTooLongError
from results.used_drive.live_log.check import COMMANDS, check_text

TITLE = "Check my SLOG"
DESCRIPTION = (
    "Is your SLOG being used, is it fast enough and safe, and how long will it last? Run a read-only command block"
    " for half a minute, paste the output, and get fourteen lights, each with its rule, its sources and a next step."
)


class CheckForm(forms.Form):
    """What the commands printed."""

    text = forms.CharField(
        label="Output",
        required=False,
        strip=False,
        error_messages={"null_characters_not_allowed": NOT_TEXT},
    )


@reads_texts
@never_cache
@takes(in_sitemap=True)
@counted
@require_http_methods(["GET", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return _page(request)
    text = request.POST.get("text", "")
    spent = spend_write(request)
    if spent is not None and not spent.is_granted:
        response = _page(request, errors=[too_many_attempts_notice(spent)], text=text, status=429)
        response["Retry-After"] = str(spent.retry_after_s)
        return response
    form = CheckForm(request.POST)
    if not form.is_valid():
        faults = [Notice("binary", str(message)) for message in form.errors.get("text", [])]
        return _page(request, errors=faults, status=400)
    try:
        found = check_text(text)
    except PasteTooLongError:
        return _page(request, errors=[TOO_LONG], text=text, status=413)
    except ReadingError as error:
        return _page(request, errors=[error.notice], text=text, status=422)
    return _page(request, found=found)


def _page(
    request: HttpRequest,
    *,
    found: Check | None = None,
    errors: Sequence[Notice] = (),
    text: str = "",
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "title": TITLE,
        "commands": COMMANDS,
        "found": found,
        "errors": errors,
        "text": text,
        "social": Social(TITLE, DESCRIPTION, address("check")),
    }
    return render(request, "results/used_drive/live_log.html", context, status=status)
