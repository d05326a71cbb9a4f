"""The guide: a short page per question, each with its own URL."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from results.advice.questions import QUESTIONS
from results.catalogue.protection import MEANINGS
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


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the guide: its slug, its heading, and a description in one sentence."""

    slug: str
    title: str
    description: str

    @property
    def path(self) -> str:
        return reverse("guide-page", args=[self.slug])


PAGES = (
    Page(
        "what-is-a-slog",
        "What is a SLOG?",
        "What the ZFS intent log and a separate log device do, step by step, with diagrams of both kinds of write.",
    ),
    Page(
        "who-sends-sync-writes",
        "Who sends sync writes?",
        "NFS, SMB, iSCSI, databases and VMs: which of them wait for a SLOG, and the settings that decide.",
    ),
    Page(
        "access-patterns",
        "What does a log have to do?",
        "How random and how large a log’s writes are: one file system against five, and how to watch yours.",
    ),
    Page(
        "do-i-need-one",
        "Do I need a SLOG?",
        "Five questions to find out whether a separate log device would make a ZFS pool faster.",
    ),
    Page(
        "what-makes-a-good-one",
        "What makes a good SLOG?",
        "Fast flushes, throughput, and life under writes: the three needs of a SLOG, and how each is measured.",
    ),
    Page(
        "safety",
        "Is a fast SLOG a safe one?",
        "Power-loss protection of SSDs: what it must protect in a SLOG, and what counts as evidence.",
    ),
    Page(
        "how-big",
        "How big must a SLOG be?",
        "A calculator: link speed times the seconds of two to three transaction groups.",
    ),
    Page(
        "how-long-does-it-last",
        "How long does a SLOG last?",
        "A calculator: years of life from your synchronous writes a day and the device’s rating in TBW or DWPD.",
    ),
    Page(
        "how-the-test-works",
        "How does the test work?",
        "What diskinfo -wS and the same test with fio measure, and what they don’t.",
    ),
    Page(
        "what-changed-by-2026",
        "What changed by 2026",
        "OpenZFS 2.3 and 2.4, special vdevs as a log, the end of Optane, TrueNAS 25.10 and 26: what has changed.",
    ),
    Page(
        "questions",
        "Questions people ask",
        "A UPS, a mirror, a failed SLOG, partitions, special vdevs, SMB: short answers with their sources.",
    ),
)
BY_SLUG = {page.slug: number for number, page in enumerate(PAGES)}


@public_page
def guide(request: HttpRequest) -> HttpResponse:
    context = page_social("A guide to SLOG devices", GUIDE_DESCRIPTION, reverse("guide"))
    return render(request, "results/guide/index.html", {**context, "pages": PAGES})


@public_page
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
        **page_social(page.title, page.description, page.path),
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
                "zil_latency": format_number(vouched.metrics.get("zil_latency_us")),
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
