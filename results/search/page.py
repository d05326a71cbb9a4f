"""The search page: redirects a full name to its page, lists matches otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django import forms
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from results.catalogue.matching.names import VENDOR_SEPARATOR
from results.core.addresses import address, drive_address, with_query
from results.core.drive_names import drive_name
from results.core.formats import format_date, format_device
from results.core.public import public_page
from results.core.security.rate_limits import QUERY_LIMIT
from results.core.subject import DEVICE_COLUMNS, ListedDevice, subject_of_pool
from results.core.today import today
from results.models import Firmware, Product, Submission, Vendor
from results.models.choices import State, SubjectKind
from results.models.device import of_device
from results.ranking.standing import main_rows
from results.search.answers import find_answers
from results.search.cards import product_cards
from results.search.comparisons import comparison_url, devices_called
from results.search.pools import find_pools
from results.search.products import find_products
from results.search.query import find_devices

MOST_SHOWN = 50
MOST_CARDS = 6  # products; the others are in a table
MOST_VENDORS = 5
MOST_POOLS = 10


class SearchForm(forms.Form):
    """The search text; optional."""

    q = forms.CharField(max_length=QUERY_LIMIT, required=False)

    def clean_q(self) -> str:
        return " ".join(self.cleaned_data["q"].split())


@public_page(SearchForm)
def search(request: HttpRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    if not form.is_valid():
        return render(request, "results/search/page.html", {"fault": form.errors["q"][0]}, status=400)
    text = form.cleaned_data["q"]
    if not text:
        return render(request, "results/search/page.html")
    if comparison := comparison_url(text):
        return HttpResponseRedirect(comparison)
    found = find_products(text)
    only = _only_page(text, found.match, is_name=found.is_name)
    if only:
        return HttpResponseRedirect(only)
    answers = find_answers(text)
    # A question without a number isn't a misspelled name
    is_question = found.is_similar and bool(answers) and not any(letter.isdigit() for letter in text)
    shown_ids = [] if is_question else found.ids[:MOST_SHOWN]
    context = {
        "q": text,
        "cards": product_cards(shown_ids[:MOST_CARDS], today()),
        "products": _products(shown_ids[MOST_CARDS:]),
        "more_products": 0 if is_question else len(found.ids) - len(shown_ids),
        "is_shared": found.is_shared,
        "is_similar": found.is_similar,
        "devices": _devices(text, found.ids if found.is_shared else []),
        "pools": _pools(text, [] if found.is_similar else found.ids),
        "all_pools_url": with_query(address("results"), subject=SubjectKind.POOL.value),
        "vendors": _vendors(text),
        "firmwares": _firmwares(text),
        "questions": answers,
    }
    return render(request, "results/search/page.html", context)


def _only_page(text: str, match: int | None, *, is_name: bool) -> str:
    """The URL of the only device or product with this name; else empty."""
    if not is_name:
        found = devices_called(text).only("slug", "page")[:2]
        if len(found) == 1:
            return found[0].get_absolute_url()
    if match is None:
        return ""
    return address("product", Product.objects.values_list("slug", flat=True).get(pk=match))


def _products(ids: Sequence[int]) -> list[Product]:
    """The products in the order of `ids`, each with its number of ranked devices. One query."""
    ranked = Count("devices", filter=Q(devices__rankings__in=main_rows()), distinct=True)
    found = Product.objects.annotate(device_count=ranked).select_related("vendor").in_bulk(ids)
    return [found[pk] for pk in ids]


def _devices(text: str, product_ids: Sequence[int]) -> list[ListedDevice]:
    rows = find_devices(text, product_ids, fields=DEVICE_COLUMNS, most=MOST_SHOWN)
    return [ListedDevice(*(row[name] for name in DEVICE_COLUMNS)) for row in rows]


@dataclass(frozen=True, slots=True)
class FoundPool:
    """A pool with the names of its log devices; `origin` is where and when it was published."""

    name: str
    url: str
    origin: str
    logs: Sequence[str]


def _pools(text: str, product_ids: Sequence[int]) -> list[FoundPool]:
    """Pools with this layout or log device, newest first. Two queries."""
    found = find_pools(text, product_ids).select_related("submission").defer("submission__text")
    return [
        FoundPool(
            subject_of_pool(pool).name,
            pool.get_absolute_url(),
            _origin(pool.submission),
            [
                format_device(log.model_name, log.capacity_bytes)
                for log in sorted(pool.logs.all(), key=lambda log: (log.model_name, log.pk))
            ],
        )
        for pool in found.prefetch_related("logs")[:MOST_POOLS]
    ]


def _origin(submission: Submission) -> str:
    """Where and when it was published: pools of one layout differ in little else."""
    host = urlsplit(submission.source_url).hostname or ""
    day = submission.posted_on or (None if submission.survey_id else submission.created_at.date())
    return ", ".join([*([host] if host else []), *([format_date(day)] if day else [])])


def _vendors(text: str) -> list[tuple[Vendor, str]]:
    """Vendors whose names have all words, with product counts, and their addresses. One query."""
    has_words = Q()
    for word in text.split():
        has_words &= Q(name__icontains=word)
    vendors = Vendor.objects.filter(has_words).annotate(product_count=Count("products")).order_by("name")
    return [
        (vendor, with_query(address("products"), q=vendor.name.split(VENDOR_SEPARATOR)[0].lower()))
        for vendor in vendors[:MOST_VENDORS]
    ]


@dataclass(frozen=True, slots=True)
class FoundFirmware:
    """A version of a device's firmware; `vendor` and `line` are those of its product."""

    version: str
    slug: str
    page: str
    model_name: str
    capacity_bytes: int | None
    vendor: str | None
    line: str | None

    @property
    def url(self) -> str:
        return drive_address(self.page, self.slug)

    @property
    def name(self) -> str:
        return drive_name(self.vendor, self.line, self.model_name)


def _firmwares(text: str) -> list[FoundFirmware]:
    """Devices with a published result with exactly this firmware version."""
    found = (
        Firmware.objects.filter(version__iexact=text, results__submission__state=State.PUBLISHED)
        .distinct()
        .order_by("device__model_name", "device__capacity_bytes", "id")
    )
    names = of_device(
        "slug", "page", "model_name", "capacity_bytes", "product__vendor__name", "product__name"
    )
    rows = found.values_list("version", *names, "id")[:MOST_SHOWN]
    return [FoundFirmware(*row[:-1]) for row in rows]
