"""The search page: redirects a full name to its page, lists matches otherwise."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.names import VENDOR_SEPARATOR
from results.core.addresses import address, drive_address, with_query
from results.core.drive_names import drive_name
from results.core.formats import format_capacity, format_count, format_date, format_device
from results.core.public import public_page
from results.core.security.rate_limits import QUERY_LIMIT
from results.core.subject import subject_of_pool
from results.core.today import today
from results.models import Firmware, Product, Submission, Vendor
from results.models.choices import State, SubjectKind, plp_badge
from results.ranking.rows import DEVICE_COLUMNS, device_cells
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


def _products(ids: Sequence[int]) -> list[dict[str, Any]]:
    """The products in the order of `ids`. One query, none without any."""
    rows = (
        Product.objects.filter(pk__in=ids)
        .annotate(device_count=Count("devices", filter=Q(devices__rankings__in=main_rows()), distinct=True))
        .values("id", "slug", "vendor__name", "name", "device_class", "plp", "plp_statements", "device_count")
    )
    shown = {
        row["id"]: {
            "url": address("product", row["slug"]),
            "name": f"{row['vendor__name']} {row['name']}",
            "class_label": DeviceClass(row["device_class"]).label,
            "plp": plp_badge(row["plp"], row["plp_statements"]),
            "measured": f"{format_count(row['device_count'], 'device')} ranked"
            if row["device_count"]
            else "",
        }
        for row in rows
    }
    return [shown[pk] for pk in ids]


def _devices(text: str, product_ids: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {**device_cells(row), "results": format_count(row["result_count"], "result")}
        for row in find_devices(text, product_ids, fields=DEVICE_COLUMNS, most=MOST_SHOWN)
    ]


def _pools(text: str, product_ids: Sequence[int]) -> list[dict[str, Any]]:
    """Pools with this layout or log device, newest first. Two queries."""
    found = find_pools(text, product_ids).select_related("submission").defer("submission__text")
    return [
        {
            "name": subject_of_pool(pool).name,
            "url": pool.get_absolute_url(),
            "origin": _origin(pool.submission),
            "logs": ", ".join(
                format_device(log.model_name, log.capacity_bytes)
                for log in sorted(pool.logs.all(), key=lambda log: (log.model_name, log.pk))
            ),
        }
        for pool in found.prefetch_related("logs")[:MOST_POOLS]
    ]


def _origin(submission: Submission) -> str:
    """Where and when it was published: pools of one layout differ in little else."""
    host = urlsplit(submission.source_url).hostname or ""
    day = submission.posted_on or (None if submission.survey_id else submission.created_at.date())
    return ", ".join([*([host] if host else []), *([format_date(day)] if day else [])])


def _vendors(text: str) -> list[dict[str, Any]]:
    """Vendors whose names have all words, with product counts. One query."""
    has_words = Q()
    for word in text.split():
        has_words &= Q(name__icontains=word)
    vendors = Vendor.objects.filter(has_words).annotate(product_count=Count("products")).order_by("name")
    return [
        {
            "name": vendor.name,
            "products": format_count(vendor.product_count, "product"),
            "url": with_query(address("products"), q=vendor.name.split(VENDOR_SEPARATOR)[0].lower()),
        }
        for vendor in vendors[:MOST_VENDORS]
    ]


def _firmwares(text: str) -> list[dict[str, Any]]:
    """Devices with a published result with exactly this firmware version."""
    found = (
        Firmware.objects.filter(version__iexact=text, results__submission__state=State.PUBLISHED)
        .distinct()
        .order_by("device__model_name", "device__capacity_bytes", "id")
        .values(
            *("version", "device__slug", "device__page", "device__model_name", "device__capacity_bytes"),
            *("device__product__vendor__name", "device__product__name"),
        )
    )
    return [
        {
            "version": row["version"],
            "url": drive_address(row["device__page"], row["device__slug"]),
            "name": drive_name(
                row["device__product__vendor__name"],
                row["device__product__name"],
                row["device__model_name"],
            ),
            "capacity": format_capacity(row["device__capacity_bytes"]),
        }
        for row in found[:MOST_SHOWN]
    ]
