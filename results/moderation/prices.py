"""Prices that members report on product pages: each waits for a moderator, and is a sighting once accepted.

The link is never requested by the site: a moderator opens it.
"""

from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.core.validators import URLValidator
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from parsers.base.units import TERABYTE
from results.catalogue.files.added_prices import without_tracking
from results.catalogue.prices import CURRENCIES, DEFAULT_CURRENCY, load_sightings, mark_shown
from results.catalogue.prices_on_pages import seen_prices
from results.core.data_version import bump_data_version
from results.core.formats import format_capacity
from results.core.security.audit import log_action
from results.core.security.members import member_of, member_page, moderators_only, posted_from
from results.core.security.rate_limits import spend_write, wait_text
from results.models import Claim, Device, Member, PriceReport, PriceSighting, Product, lengths
from results.models.choices import Action, PriceCondition, PriceReportState, SellerKind
from results.models.fact import HIGHEST_PRICE, is_same_capacity
from results.moderation.decide import DecisionError, checked_reason
from results.used_drive.form import SizeField

MAX_WAITING = 20  # of a member
OLDEST = date(2000, 1, 1)
LARGEST = 200 * TERABYTE
SHOWN = 50  # of a member's reports, on their page
_CONDITIONS = (PriceCondition.NEW, PriceCondition.USED, PriceCondition.REFURBISHED)


class PriceReportError(Exception):
    """The price can't be reported; the message says why."""


@dataclass(frozen=True, slots=True)
class ReportedPrice:
    """What a member saw; without a capacity if the line has only one."""

    capacity_bytes: int | None
    price: Any
    currency: str
    condition: str
    seller_kind: str
    seen_on: date
    source_url: str


@transaction.atomic
def report_price(product: Product, member: Member, seen: ReportedPrice) -> PriceReport:
    """Store it for the moderators. Raises PriceReportError."""
    if member.is_banned:
        raise PriceReportError(member.why_not("report prices"))
    Member.objects.select_for_update(no_key=True).get(pk=member.pk)  # so that concurrent reports are counted
    values = asdict(seen)
    if PriceSighting.objects.filter(product=product, **{**values, "seen_on": str(seen.seen_on)}).exists():
        raise PriceReportError("We already have this price. Thank you!")
    same = {name: value for name, value in values.items() if name != "seller_kind"}
    if member.price_reports.filter(product=product, **same).exists():
        raise PriceReportError("You have already reported this price.")
    if member.price_reports.filter(state=PriceReportState.WAITING).count() >= MAX_WAITING:
        raise PriceReportError(
            f"{MAX_WAITING} of your prices are still waiting for a moderator. Report more once they are checked."
        )
    return PriceReport.objects.create(product=product, reporter=member, **values)


@transaction.atomic
def decide_price(report: PriceReport, action: Action, *, moderator: Member, reason: str) -> None:
    """Accept it as a sighting, or reject it. Raises DecisionError."""
    reason = checked_reason(reason)
    if report.reporter_id == moderator.pk and not moderator.is_superuser:
        raise DecisionError("You can’t decide on your own prices.")
    is_accepted = action == Action.PRICE_ACCEPTED
    state = PriceReportState.ACCEPTED if is_accepted else PriceReportState.REJECTED
    waiting = PriceReport.objects.filter(pk=report.pk, state=PriceReportState.WAITING)
    if not waiting.update(state=state, reason=reason):
        raise DecisionError("Somebody else has already decided on this price.")
    log_action(moderator, action, member=report.reporter, reason=f"{report.product.slug}: {reason}")
    if is_accepted:
        _add_sighting(report)


def _add_sighting(report: PriceReport) -> None:
    """Store the sighting, unless it is already stored; prices of a product are changed one at a time."""
    Product.objects.select_for_update(no_key=True).get(pk=report.product_id)
    seen = {field.name: getattr(report, field.name) for field in fields(ReportedPrice)}
    sighting = PriceSighting(
        **{**seen, "seen_on": str(report.seen_on)}, product_id=report.product_id, is_added=True
    )
    PriceSighting.objects.bulk_create([sighting], ignore_conflicts=True)
    mark_shown([report.product_id])
    bump_data_version()


def waiting_prices() -> QuerySet[PriceReport]:
    """The queue, oldest first."""
    found = PriceReport.objects.filter(state=PriceReportState.WAITING)
    return found.select_related("product__vendor", "reporter").order_by("pk")


class PriceReportForm(forms.Form):
    """What a member saw, of one product."""

    price = forms.DecimalField(
        label="Price", min_value=1, max_value=HIGHEST_PRICE, max_digits=9, decimal_places=2
    )
    currency = forms.ChoiceField(
        label="Currency",
        choices=[(code, code) for code in (DEFAULT_CURRENCY, *sorted(CURRENCIES - {DEFAULT_CURRENCY}))],
    )
    capacity = SizeField("Capacity", unit="G", example="400 GB", most=LARGEST)
    condition = forms.ChoiceField(
        label="Condition",
        choices=[(condition.value, condition.label) for condition in _CONDITIONS],
        widget=forms.RadioSelect,
    )
    seller_kind = forms.ChoiceField(
        label="Offered by",
        choices=[(SellerKind.SHOP, "a shop"), (SellerKind.MARKETPLACE, "a marketplace (eBay, a forum)")],
        widget=forms.RadioSelect,
    )
    seen_on = forms.DateField(label="Seen on", widget=forms.DateInput(attrs={"type": "date"}))
    source_url = forms.CharField(
        label="Link to the offer",
        help_text="Starts with https:// or http://. Public once accepted.",
        max_length=lengths.ADDRESS,
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, product: Product) -> None:
        super().__init__(data, initial={"seen_on": timezone.now().date(), "currency": DEFAULT_CURRENCY})
        self.capacities = known_capacities(product)
        if self.capacities:
            named = ", ".join(format_capacity(capacity) for capacity in self.capacities)
            self.fields["capacity"].help_text = f"Known capacities: {named}."
        self.fields["capacity"].widget.attrs["placeholder"] = "400 GB"

    def clean_capacity(self) -> int | None:
        """The known capacity that it is nearly equal to; required if the line has several."""
        size: int | None = self.cleaned_data["capacity"]
        if size is None and len(self.capacities) > 1:
            raise forms.ValidationError("This product comes in several capacities. Enter the one offered.")
        if size is None:
            return self.capacities[0] if self.capacities else None
        return next((capacity for capacity in self.capacities if is_same_capacity(capacity, size)), size)

    def clean_seen_on(self) -> date:
        seen_on: date = self.cleaned_data["seen_on"]
        if not OLDEST <= seen_on <= timezone.now().date():
            raise forms.ValidationError("Enter the day you saw it: today or earlier.")
        return seen_on

    def clean_source_url(self) -> str:
        return safe_link(self.cleaned_data["source_url"])

    def seen(self) -> ReportedPrice:
        cleaned = dict(self.cleaned_data)
        return ReportedPrice(capacity_bytes=cleaned.pop("capacity"), **cleaned)


_check_url = URLValidator(schemes=["http", "https"])
BAD_LINK = "Enter the full link to the offer, such as https://shop.example/p1600x."


def safe_link(text: str) -> str:
    """A link to a public page, without tracking parameters. Raises ValidationError."""
    try:
        _check_url(text)
        parts = urlsplit(text)
    except (forms.ValidationError, ValueError) as error:
        raise forms.ValidationError(BAD_LINK) from error
    host = parts.hostname or ""
    is_public = "." in host and not host.replace(".", "").isdigit() and not host.startswith("[")
    if not is_public or ":" in host or parts.username is not None:
        raise forms.ValidationError(BAD_LINK)
    return without_tracking(text, is_shop=True)


def known_capacities(product: Product) -> list[int]:
    """Those that claims, prices and devices of the line name, smallest first."""
    claimed = Claim.objects.filter(product=product).values_list("capacity_bytes", flat=True)
    seen = PriceSighting.objects.filter(product=product).values_list("capacity_bytes", flat=True)
    measured = Device.objects.shown().filter(product=product).values_list("capacity_bytes", flat=True)
    found = {capacity for capacity in (*claimed, *seen) if capacity}
    for capacity in filter(None, measured):
        if not any(is_same_capacity(capacity, known) for known in found):
            found.add(capacity)
    return sorted(found)


@member_page
def product_price(request: HttpRequest, slug: str) -> HttpResponse:
    """The form that reports a price of this product."""
    product = get_object_or_404(Product.objects.select_related("vendor"), slug=slug)
    is_sent = request.method == "POST"
    form = PriceReportForm(request.POST if is_sent else None, product=product)
    if is_sent and form.is_valid() and _send(request, product, form):
        messages.success(request, "Thank you. A moderator will check the offer before we show its price.")
        return redirect("account-prices")
    context = {"product": product, "form": form}
    return render(request, "results/moderation/price_form.html", context, status=422 if is_sent else 200)


def _send(request: HttpRequest, product: Product, form: PriceReportForm) -> bool:
    """Store the price; if that isn't possible, return False with the reason in the form."""
    member = member_of(request)
    spent = spend_write(request)
    if spent is not None and not spent.is_granted:
        form.add_error(None, f"Too many prices at once. Try again in {wait_text(spent)}.")
        return False
    try:
        report_price(product, member, form.seen())
    except PriceReportError as error:
        form.add_error(None, str(error))
        return False
    return True


@require_safe
@member_page
def account_prices(request: HttpRequest) -> HttpResponse:
    """The prices that the member reported."""
    own = member_of(request).price_reports.select_related("product__vendor", "reporter").order_by("-pk")
    context = {"reports": own[:SHOWN], "section": "prices"}
    return render(request, "results/accounts/prices.html", context)


@posted_from("account-prices")
def account_price_delete(request: HttpRequest, price_id: int) -> HttpResponse:
    """Delete one of the member's reports; a price that was accepted stays, without a name."""
    deleted, _ = member_of(request).price_reports.filter(pk=price_id).delete()
    if deleted:
        messages.success(request, "Deleted.")
    else:
        messages.error(request, "You haven’t reported this price.")
    return redirect("account-prices")


class PriceDecisionForm(forms.Form):
    """A moderator's decision on a price, and its reason."""

    action = forms.ChoiceField(
        label="Decision",
        choices=[
            (Action.PRICE_ACCEPTED, "Accept: show it with its link, and use it in the shortlist"),
            (Action.PRICE_REJECTED, "Reject"),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(label="Reason (the member sees it)", max_length=lengths.REASON)


@moderators_only
def moderation_price(request: HttpRequest, price_id: int) -> HttpResponse:
    """A reported price, what else was seen for the product, and the decision."""
    found = PriceReport.objects.select_related("product__vendor", "reporter")
    report = get_object_or_404(found, pk=price_id)
    form = PriceDecisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        action = Action(form.cleaned_data["action"])
        try:
            decide_price(report, action, moderator=member_of(request), reason=form.cleaned_data["reason"])
        except DecisionError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{action.label}.")
            return redirect("moderation")
    context = {
        "report": report,
        "prices": seen_prices(load_sightings([report.product_id]), has_chart=False),
        "form": form,
        "section": "queue",
    }
    return render(request, "results/moderation/price.html", context, status=422 if form.errors else 200)
