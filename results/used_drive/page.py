"""The page that checks a used drive, from smartctl output or what a listing says. Stores nothing.

What was filled in by hand becomes the page's address, so that it can be shared; output never does. Line numbers
refer to the text shown.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from parsers.base.readings import Notice
from results.core.addresses import address
from results.core.forms import faults, field_row
from results.core.head import Social
from results.core.parameters import takes
from results.core.reader import ReadingError
from results.core.security.bodies import reads_texts
from results.core.security.rate_limits import counted, spend_write
from results.submissions.form.page import TOO_LONG, too_many_attempts_notice
from results.submissions.intake.receive import PasteTooLongError
from results.used_drive.check import Checked, Plan, check_named, check_paste, read_output, why_not
from results.used_drive.drives import Listing
from results.used_drive.form import UsedDriveForm

TITLE = "Check a used drive"
DESCRIPTION = (
    "Paste a seller’s smartctl output, or fill in model, wear and price, to see whether the drive is safe as a SLOG,"
    " how long it will last, what looks odd, and whether the price is fair."
)
NOTHING_FOUND = Notice(
    "no_smartctl",
    "We found no smartctl output here. Ask the seller for the full output of “smartctl -x /dev/…” and paste it, or"
    " clear the box and fill in what the listing says.",
)
_ANSWER = "#answer"
# The unit and the hint of each field, for a drive without output and for the buyer
_OF_DRIVE = {
    "model": ("", "a part number or product name, like SSDPEDMD400G4 or P3700"),
    "capacity": ("", "like 400 GB or 1.6 TB, if the model doesn’t say it"),
    "wear": ("", "like 12 % used, or 88 % left"),
    "written": ("TB", "if the listing says so"),
    "hours": ("h", "if the listing says so"),
}
_OF_BUYER = {
    "price": ("", "like $45 or 45 EUR"),
    "gb_per_day": ("", "sync writes only; zpool iostat -v shows what goes to the log"),
}


@reads_texts
@never_cache
@takes(UsedDriveForm, in_sitemap=True)
@counted
@require_http_methods(["GET", "POST"])
def used_drive(request: HttpRequest) -> HttpResponse:
    return _check_output(request) if request.method == "POST" else _check_offer(request)


def _check_offer(request: HttpRequest) -> HttpResponse:
    if not request.GET:
        return _page(request, UsedDriveForm())
    form = UsedDriveForm(request.GET)
    if not form.is_valid():
        return _page(request, form, status=400)
    data = form.cleaned_data
    if not data["model"]:
        return _page(request, UsedDriveForm())
    checked = check_named(data["model"], *_filled_in(data), product_slug=data["product"])
    return _page(request, form, checked=checked)


def _check_output(request: HttpRequest) -> HttpResponse:
    form = UsedDriveForm(request.POST)
    is_valid = form.is_valid()
    text = request.POST.get("text", "")
    spent = spend_write(request)
    if spent is not None and not spent.is_granted:
        response = _page(request, form, errors=[too_many_attempts_notice(spent)], text=text, status=429)
        response["Retry-After"] = str(spent.retry_after_s)
        return response
    if is_valid and not text.strip() and form.cleaned_data["model"]:
        return HttpResponseRedirect(_offer_url(form))
    try:
        paste = read_output(text)
    except PasteTooLongError:
        return _page(request, form, errors=[TOO_LONG], text=text, status=413)
    except ReadingError as error:
        return _page(request, form, errors=[error.notice], text=text, status=422)
    shown = paste.text or text
    if not is_valid:
        return _page(request, form, text=shown, status=400)
    checked = check_paste(paste, *_filled_in(form.cleaned_data))
    if not checked.drives:
        return _page(request, form, errors=why_not(paste, checked) or [NOTHING_FOUND], text=shown, status=422)
    return _page(request, form, checked=checked, text=shown)


def _filled_in(data: dict[str, Any]) -> tuple[Listing, Plan]:
    listing = Listing(data["capacity"], data["wear"], data["written"], data["hours"])
    return listing, Plan(gb_a_day=data["gb_per_day"], price=data["price"])


def _offer_url(form: UsedDriveForm, **changes: str) -> str:
    """The address of what was filled in."""
    filled = {name: str(form[name].value() or "").strip() for name in (*_OF_DRIVE, *_OF_BUYER)}
    query = {name: value for name, value in {**filled, **changes}.items() if value}
    return f"{address('used-drive')}?{urlencode(query)}{_ANSWER}"


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
        "for_drive": [field_row(form, name, *hints) for name, hints in _OF_DRIVE.items()],
        "for_buyer": [field_row(form, name, *hints) for name, hints in _OF_BUYER.items()],
        "faults": faults(form) if form.is_bound else [],
        "errors": errors,
        "text": text,
        "checked": checked,
        "choices": [
            (product.full_name, _offer_url(form, model=product.full_name, product=product.slug))
            for product in (checked.may_be if checked else ())
        ],
        "capacities": [
            (capacity, _offer_url(form, capacity=capacity))
            for drive in (checked.drives if checked and not text else ())
            for capacity in drive.capacities
        ],
        "social": Social(TITLE, DESCRIPTION, address("used-drive")),
    }
    return render(request, "results/used_drive/page.html", context, status=status)
