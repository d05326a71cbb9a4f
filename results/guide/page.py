"""The guide: a short page per question, each with its own URL."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from results.advice.guide_pages import PAGES
from results.advice.openzfs import facts
from results.advice.protection import MEANINGS
from results.advice.questions import QUESTIONS
from results.core.addresses import address
from results.core.formats import format_origin
from results.core.head import Social
from results.core.public import public_page
from results.guide.patterns import read_paper
from results.models import DeviceRanking, Product
from results.models.choices import PROTECTED, Badge, Plp, plp_badge
from results.ranking.recommend import VouchedFigures, recommended, vouched_figures

FEW = 5
GUIDE_DESCRIPTION = "What a SLOG is, whether you need one, which is good, how big, and how long it lasts."
BY_SLUG = {page.slug: number for number, page in enumerate(PAGES)}


@public_page(in_sitemap=True)
def guide(request: HttpRequest) -> HttpResponse:
    social = Social("A guide to SLOG devices", GUIDE_DESCRIPTION, address("guide"))
    return render(request, "results/guide/index.html", {"pages": PAGES, "social": social})


@public_page()
def guide_page(request: HttpRequest, slug: str) -> HttpResponse:
    """A page without a form; pages with one have views of their own."""
    if slug not in BY_SLUG:
        raise Http404
    name, find = MORE.get(slug, ("", None))
    return render_guide(request, slug, {name: find()} if find else {})


def render_guide(
    request: HttpRequest, slug: str, more: Mapping[str, object], *, status: int = 200
) -> HttpResponse:
    """A page of the guide, in the frame that all of them have (guide/frame.html)."""
    number = BY_SLUG[slug]
    page = PAGES[number]
    context = {
        "page": page,
        "pages": PAGES,
        "previous": PAGES[number - 1] if number else None,
        "next": PAGES[number + 1] if number + 1 < len(PAGES) else None,
        "openzfs": facts(),
        "social": Social(page.title, page.description, address("guide-page", slug)),
        **more,
    }
    return render(request, f"results/guide/{slug}.html", context, status=status)


def _good_devices() -> list[tuple[DeviceRanking, VouchedFigures, str]]:
    """The first recommended devices, with the figures behind that and their origin."""
    rankings = recommended().select_related("device__product")[:FEW]
    return [
        (
            ranking,
            vouched_figures(vars(ranking)),
            format_origin(ranking.device.elsewhere_count, ranking.device.result_count),
        )
        for ranking in rankings
    ]


class Protections(NamedTuple):
    """Each value of protection as a badge, what it means, and its number of products."""

    values: Sequence[tuple[Badge, str, int]]
    protected_count: int
    product_count: int


def _protections() -> Protections:
    counts = dict(Product.objects.order_by("plp").values_list("plp").annotate(count=Count("id")))
    return Protections(
        [(plp_badge(plp.value), MEANINGS[plp], counts.get(plp.value, 0)) for plp in Plp],
        sum(counts.get(plp, 0) for plp in PROTECTED),
        sum(counts.values()),
    )


# What pages have besides the frame: by their slugs, the name in the template and how it is found
MORE: dict[str, tuple[str, Callable[[], object]]] = {
    "access-patterns": ("paper", read_paper),
    "what-makes-a-good-one": ("devices", _good_devices),
    "safety": ("protections", _protections),
    "questions": ("questions", lambda: QUESTIONS),
}
