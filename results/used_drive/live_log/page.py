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
from results.advice.felt import ROUND_TRIP_US, SIZES, Client
from results.advice.lights import Check
from results.core.addresses import address
from results.core.formats import format_block_size
from results.core.forms import NumberField, faults, field_row
from results.core.head import Social
from results.core.parameters import takes
from results.core.reader import ReadingError
from results.core.security.bodies import reads_texts
from results.core.security.rate_limits import counted, spend_write
from results.submissions.form.page import TOO_LONG, too_many_attempts_notice
from results.submissions.intake.receive import PasteTooLongError
from results.used_drive.live_log.check import COMMANDS, check_text, shared_text
from results.used_drive.live_log.noticed import MAX_ROUND_TRIP_US, MAX_WRITERS, notice

_OF_CLIENT = {
    "round_trip": (
        "µs",
        "Between the client and this server; ping shows it. In the same room it’s about 100.",
    ),
    "size": ("", "VMs and databases mostly write 4 to 16 KiB."),
    "writers": ("", "How many wait for their writes at the same time."),
}
_INITIAL = {"round_trip": f"{ROUND_TRIP_US:g}", "size": str(SIZES[0]), "writers": "1"}
TITLE = "Check my SLOG"
DESCRIPTION = (
    "Is your SLOG being used, is it fast enough and safe, and how long will it last? Run a read-only command block"
    " for half a minute, paste the output, and get fourteen lights, each with its rule, its sources and a next step."
)


class CheckForm(forms.Form):
    """What the commands printed, and who waits for the log."""

    text = forms.CharField(
        label="Output",
        required=False,
        strip=False,
        error_messages={"null_characters_not_allowed": NOT_TEXT},
    )
    round_trip = NumberField("Round trip", most=MAX_ROUND_TRIP_US, least="1")
    size = forms.TypedChoiceField(
        label="Write size",
        required=False,
        coerce=int,
        choices=[(str(size), format_block_size(size)) for size in SIZES],
        error_messages={"invalid_choice": "Choose one of the sizes."},
    )
    writers = NumberField("Writers at the same time", most=MAX_WRITERS, least="1")

    def client(self) -> Client:
        """Who waits, by a form that is valid."""
        given = self.cleaned_data
        usual = Client()
        return Client(
            round_trip_us=float(given["round_trip"] or usual.round_trip_us),
            size=given["size"] or usual.size,
            writers=int(given["writers"] or usual.writers),
        )


@reads_texts
@never_cache
@takes(in_sitemap=True)
@counted
@require_http_methods(["GET", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return _page(request, CheckForm(initial=_INITIAL))
    text, form = request.POST.get("text", ""), CheckForm(request.POST)
    spent = spend_write(request)
    if spent is not None and not spent.is_granted:
        response = _page(request, form, errors=[too_many_attempts_notice(spent)], text=text, status=429)
        response["Retry-After"] = str(spent.retry_after_s)
        return response
    if not form.is_valid():
        errors = [Notice("binary", str(message)) for message in form.errors.get("text", [])]
        return _page(request, form, errors=errors, text="" if errors else text, status=400)
    try:
        found, shared = check_text(text), shared_text(text)
    except PasteTooLongError:
        return _page(request, form, errors=[TOO_LONG], text=text, status=413)
    except ReadingError as error:
        return _page(request, form, errors=[error.notice], text=text, status=422)
    return _page(request, form, found=found, shared=shared)


def _page(
    request: HttpRequest,
    form: CheckForm,
    *,
    found: Check | None = None,
    shared: str = "",
    errors: Sequence[Notice] = (),
    text: str = "",
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "title": TITLE,
        "commands": COMMANDS,
        "found": found,
        "noticed": notice(found, form.client()) if found else None,
        "shared": shared,
        "for_client": [field_row(form, name, *hints) for name, hints in _OF_CLIENT.items()],
        "faults": [fault for fault in faults(form) if fault.name != "text"],
        "errors": errors,
        "text": text,
        "social": Social(TITLE, DESCRIPTION, address("check")),
    }
    return render(request, "results/used_drive/live_log.html", context, status=status)
