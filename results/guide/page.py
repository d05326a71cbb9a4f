"""The guide: a short page per question, each with its own URL."""

from collections.abc import Callable
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from results.advice.guide_pages import PAGES
from results.advice.openzfs import facts
from results.advice.protection import MEANINGS
from results.advice.questions import QUESTIONS
from results.core.addresses import address
from results.core.formats import format_number, format_origin
from results.core.head import page_social
from results.core.public import public_page
from results.guide.patterns import patterns_context
from results.models import Product
from results.models.choices import PROTECTED, Plp, plp_badge
from results.ranking.recommend import recommended
from results.ranking.vouched import vouched_figures

FEW = 5
GUIDE_DESCRIPTION = "What a SLOG is, whether you need one, which is good, how big, and how long it lasts."
BY_SLUG = {page.slug: number for number, page in enumerate(PAGES)}


@public_page()
def guide(request: HttpRequest) -> HttpResponse:
    context = page_social("A guide to SLOG devices", GUIDE_DESCRIPTION, address("guide"))
    return render(request, "results/guide/index.html", {**context, "pages": PAGES})


@public_page()
def guide_page(request: HttpRequest, slug: str) -> HttpResponse:
    """A page without a form; pages with one have views of their own."""
    if slug not in BY_SLUG:
        raise Http404
    more = MORE[slug]() if slug in MORE else {}
    return render(request, f"results/guide/{slug}.html", {**guide_context(slug), **more})


def guide_context(slug: str) -> dict[str, Any]:
    """The context of templates/results/guide/frame.html."""
    number = BY_SLUG[slug]
    page = PAGES[number]
    return {
        "page": page,
        "pages": PAGES,
        "previous": PAGES[number - 1] if number else None,
        "next": PAGES[number + 1] if number + 1 < len(PAGES) else None,
        "openzfs": facts(),
        **page_social(page.title, page.description, address("guide-page", slug)),
    }


def _good_devices() -> dict[str, Any]:
    rankings = list(recommended().select_related("device__product")[:FEW])
    shown = [(ranking, vouched_figures(vars(ranking))) for ranking in rankings]
    return {
        "devices": [
            {
                "name": ranking.device.model_name,
                "origin": format_origin(ranking.device.elsewhere_count, ranking.device.result_count),
                "url": ranking.device.get_absolute_url(),
                "class_label": ranking.get_device_class_display(),
                "latency_4k": format_number(vouched.metrics.get("latency_4k_us"), ranking.digits),
                "throughput": format_number(vouched.metrics.get("throughput_128k_mib_s")),
                "badge": ranking.device.plp_badge,
                "units": f"{vouched.unit_count:,}",
            }
            for ranking, vouched in shown
        ]
    }


def _protection() -> dict[str, Any]:
    counts = dict(Product.objects.order_by("plp").values_list("plp").annotate(count=Count("id")))
    return {
        "values": [
            {**plp_badge(plp.value), "meaning": MEANINGS[plp], "count": counts.get(plp.value, 0)}
            for plp in Plp
        ],
        "protected_count": sum(counts.get(plp, 0) for plp in PROTECTED),
        "product_count": sum(counts.values()),
    }


MORE: dict[str, Callable[[], dict[str, Any]]] = {
    "access-patterns": patterns_context,
    "what-makes-a-good-one": _good_devices,
    "safety": _protection,
    "questions": lambda: {"questions": QUESTIONS},
}
