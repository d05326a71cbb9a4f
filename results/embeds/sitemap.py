"""sitemap.xml and robots.txt: all pages, sliced by id, so that it scales to a million results."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Max, Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import get_resolver, reverse

from results.advice.guide_pages import PAGES as GUIDE
from results.core.addresses import address, drive_address, full_url, with_query
from results.core.parameters import IN_SITEMAP
from results.core.public import public_page
from results.models import Device, Pool, Product, Result
from results.models.choices import DEVICE_CLASSES, State
from results.ranking.indexed import indexed_devices

SLICE = 10_000  # ids per file; the protocol allows 50,000 URLs
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# Variants of pages that already have a canonical URL.
_ROBOTS = """\
User-agent: *
Disallow: /admin/
Disallow: /account/
Disallow: /moderation/
Disallow: /*?*sort=
Disallow: /*?*chart=
Disallow: /*?*hide=
Disallow: /*?*scale=
Disallow: /*?*sizes=
"""
_ROBOTS_OF_A_DEMONSTRATION = "User-agent: *\nDisallow: /\n"  # made-up figures must not be indexed
_THIS_MACHINE = {"127.0.0.1", "localhost", "::1"}


class Address(NamedTuple):
    """A page, and the day of its last change if known."""

    path: str
    changed_on: date | None = None


@public_page()
def robots(_request: HttpRequest) -> HttpResponse:
    # Other people's robots can't reach this machine: there a demo serves robots.txt as a real site does
    is_within_reach = urlsplit(settings.SITE_URL).hostname not in _THIS_MACHINE
    rules = _ROBOTS_OF_A_DEMONSTRATION if settings.IS_DEMO and is_within_reach else _ROBOTS
    text = f"{rules}\nSitemap: {full_url(reverse('sitemap'))}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@public_page()
def sitemap(_request: HttpRequest) -> HttpResponse:
    parts = [reverse("sitemap-pages")]
    for kind, model in (("devices", Device), ("pools", Pool), ("results", Result)):
        parts += [reverse("sitemap-slice", args=[kind, number]) for number in range(1, _slices(model) + 1)]
    entries = "".join(f"<sitemap><loc>{full_url(path)}</loc></sitemap>\n" for path in parts)
    return _xml(f'<sitemapindex xmlns="{_NAMESPACE}">\n{entries}</sitemapindex>\n')


@public_page()
def sitemap_pages(_request: HttpRequest) -> HttpResponse:
    """The site's own pages, a leaderboard per class, and the catalogue.

    Comparison pages that still have few results aren't in the sitemap: the guide links to them.
    """
    patterns: Any = get_resolver("results.urls").url_patterns
    listed = [reverse(pattern.name) for pattern in patterns if getattr(pattern.callback, IN_SITEMAP, False)]
    site_pages = [Address(path) for path in [*listed, *(address("guide-page", page.slug) for page in GUIDE)]]
    board = reverse("leaderboard")
    boards = [Address(with_query(board, **{"class": value})) for value in DEVICE_CLASSES]
    products = Product.objects.order_by("slug").values_list("slug", "changed_at")
    lines = [Address(reverse("product", args=[slug]), changed_at.date()) for slug, changed_at in products]
    return _urlset([*site_pages, *boards, *lines])


@public_page()
def sitemap_slice(_request: HttpRequest, kind: str, number: str) -> HttpResponse:
    results = Result.objects.filter(Q(device=None) | Q(is_ranked=True) | Q(device__in=indexed_devices()))
    slices: dict[str, tuple[type[Model], Callable[[int, int], Iterator[Address]]]] = {
        "devices": (Device, _devices),
        "pools": (Pool, partial(_sent, "pool", Pool.objects.all())),
        "results": (Result, partial(_sent, "result", results)),
    }
    model, addresses = slices[kind]
    if int(number) > _slices(model):
        raise Http404
    return _urlset(addresses((int(number) - 1) * SLICE + 1, int(number) * SLICE))


def _slices(model: type[Model]) -> int:
    largest: int = model._default_manager.aggregate(largest=Max("pk"))["largest"] or 0
    return -(-largest // SLICE)


def _devices(first: int, last: int) -> Iterator[Address]:
    """A device last changed on the day of its newest ranked result."""
    devices = indexed_devices().filter(pk__range=(first, last)).order_by("pk")
    rows = devices.annotate(newest=Max("rankings__last_measured_on")).values_list("page", "slug", "newest")
    return (Address(drive_address(page, slug), newest) for page, slug, newest in rows)


def _sent(page: str, found: QuerySet[Any], first: int, last: int) -> Iterator[Address]:
    """What a submission has, as of the day it was sent."""
    rows = (
        found.filter(submission__state=State.PUBLISHED, pk__range=(first, last))
        .order_by("pk")
        .values_list("public_id", "submission__created_at")
    )
    return (Address(reverse(page, args=[public_id]), sent_at.date()) for public_id, sent_at in rows)


def _urlset(addresses: Iterable[Address]) -> HttpResponse:
    entries = "".join(
        f"<url><loc>{full_url(path)}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>\n"
        for path, day in addresses
    )
    return _xml(f'<urlset xmlns="{_NAMESPACE}">\n{entries}</urlset>\n')


def _xml(body: str) -> HttpResponse:
    return HttpResponse(
        f'<?xml version="1.0" encoding="UTF-8"?>\n{body}', content_type="application/xml; charset=utf-8"
    )
