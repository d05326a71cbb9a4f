"""The search page: redirects a full name to its page, lists matches otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django import forms
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from results.catalogue.matching.names import VENDOR_SEPARATOR
from results.core.addresses import address, with_query
from results.core.drive_names import DriveName
from results.core.formats import format_date
from results.core.public import public_page
from results.core.security.rate_limits import QUERY_LIMIT
from results.core.subject import DEVICE_COLUMNS, ListedDevice, subject_of_pool
from results.models import Firmware, Product, Submission, Vendor
from results.models.choices import State, SubjectKind
from results.models.device import for_device
from results.ranking.standing import main_rows
from results.search.answers import find_answers
from results.search.cards import product_cards
from results.search.comparisons import comparison_url, devices_called
from results.search.pools import find_pools
from results.search.products import find_products
from results.search.query import find_devices

MAX_SHOWN = 50
MAX_CARDS = 6  # products; the others are in a table
MAX_VENDORS = 5
MAX_POOLS = 10


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
    shown_ids = [] if is_question else found.ids[:MAX_SHOWN]
    context = {
        "q": text,
        "cards": product_cards(shown_ids[:MAX_CARDS]),
        "products": _products(shown_ids[MAX_CARDS:]),
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
    rows = find_devices(text, product_ids, fields=DEVICE_COLUMNS, most=MAX_SHOWN)
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
                DriveName(log.model_name, log.capacity_bytes).model
                for log in sorted(pool.logs.all(), key=lambda log: (log.model_name, log.pk))
            ],
        )
        for pool in found.prefetch_related("logs")[:MAX_POOLS]
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
        for vendor in vendors[:MAX_VENDORS]
    ]


def _firmwares(text: str) -> list[tuple[str, ListedDevice]]:
    """The versions that are called so, and the devices with a published result with one."""
    found = (
        Firmware.objects.filter(version__iexact=text, results__submission__state=State.PUBLISHED)
        .distinct()
        .order_by("device__model_name", "device__capacity_bytes", "id")
    )
    rows = found.values_list("version", *for_device(*DEVICE_COLUMNS), "id")[:MAX_SHOWN]
    return [(version, ListedDevice(*row[:-1])) for version, *row in rows]
