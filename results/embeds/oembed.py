"""oEmbed (oembed.com): what a forum shows in place of a link to a drive, result, comparison or leaderboard."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qs, urlsplit

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html

from parsers.base.device_class import DeviceClass
from results.api.errors import plain_problem
from results.api.middleware import ALLOW_ORIGIN
from results.charts.preview import SIZE
from results.compare.devices.names import compare_slugs
from results.compare.results.query import PairForm
from results.core.addresses import full_url, with_query
from results.core.head import picture_html
from results.core.parameters import parse_whole_number
from results.core.public import public_page
from results.core.subject import drive_name, product_name, subject_of
from results.devices.query import find_device, find_line
from results.models import Device, Result
from results.models.choices import DEVICE_CLASSES

SMALLEST = 40  # pixels: smaller pictures are illegible
CACHE_AGE_S = 3600


class Embedded(NamedTuple):
    """The content of a URL: its title, its path, and the path of its picture."""

    title: str
    path: str
    image_path: str


@public_page("url", "format", "maxwidth", "maxheight")
def oembed(request: HttpRequest) -> HttpResponse:
    try:
        response = _respond(request)
    except BadRequest as error:
        response = plain_problem(HTTPStatus.BAD_REQUEST, str(error), code="invalid")
    except Http404:
        detail = "There is no page with a picture at this URL."
        response = plain_problem(HTTPStatus.NOT_FOUND, detail, code="not_found")
    response[ALLOW_ORIGIN] = "*"
    return response


def _respond(request: HttpRequest) -> HttpResponse:
    """The answer; raises BadRequest, and Http404 for what can't be embedded."""
    if request.GET.get("format", "") not in {"", "json"}:
        detail = "The only format is json."
        return plain_problem(HTTPStatus.NOT_IMPLEMENTED, detail, code="not_implemented")
    if not request.GET.get("url"):
        raise BadRequest("The parameter “url” must be the URL of a page of this site.")
    size = _fitted(_limit(request, "maxwidth", SIZE[0]), _limit(request, "maxheight", SIZE[1]))
    return JsonResponse(_answer(_find(request.GET["url"]), *size))


def _limit(request: HttpRequest, name: str, most: int) -> int:
    text = request.GET.get(name, "")
    if not text:
        return most
    number = parse_whole_number(text)
    if number is None or number < SMALLEST:
        raise BadRequest(f"“{name}” must be a number of pixels, at least {SMALLEST}.")
    return min(number, most)


def _fitted(width: int, height: int) -> tuple[int, int]:
    """The largest size within these limits that keeps the picture's aspect ratio."""
    share = min(width / SIZE[0], height / SIZE[1])
    return max(1, round(SIZE[0] * share)), max(1, round(SIZE[1] * share))


def _find(url: str) -> Embedded:
    """The content of the URL; raises Http404 for other sites and for pages without a picture."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise Http404 from error
    if parts.scheme not in {"http", "https"} or parts.netloc != urlsplit(settings.SITE_URL).netloc:
        raise Http404
    if parts.path == reverse("compare"):
        return _comparison(parts)
    try:
        match = resolve(parts.path)
    except Resolver404 as error:
        raise Http404 from error
    finders: dict[str, Callable[..., Embedded]] = {
        "device": _device,
        "product": _drive,
        "drive": _drive,
        "part": _drive,
        "result": _result,
        "leaderboard": _leaderboard,
        "compare-results": _pair,
    }
    finder = finders.get(match.url_name or "")
    if finder is None:
        raise Http404
    return finder(parts, **match.kwargs)


def _device(_parts: SplitResult, slug: str) -> Embedded:
    return _embedded(find_device(slug))


def _embedded(found: Device) -> Embedded:
    return Embedded(
        drive_name(found).full, found.get_absolute_url(), reverse("device-preview", args=[found.slug])
    )


def _drive(_parts: SplitResult, slug: str, capacity: str = "", part: str = "") -> Embedded:
    """The device that a drive's page is about; of one that nobody has measured, with the product's picture."""
    line = find_line(slug)
    found = line.find(capacity, part)
    if found is None:
        raise Http404
    if found.pk is not None:
        return _embedded(found)
    name, shown = (drive_name(found), found) if capacity else (product_name(line.product), line.product)
    return Embedded(name.full, shown.get_absolute_url(), with_query(reverse("compare-preview"), devices=slug))


def _result(_parts: SplitResult, public_id: str) -> Embedded:
    published = Result.objects.published().select_related("device__product__vendor", "pool")
    found = get_object_or_404(published.named([public_id]))
    image_path = reverse("result-preview", args=[public_id])
    return Embedded(f"One run of {subject_of(found).in_text}", found.get_absolute_url(), image_path)


def _leaderboard(parts: SplitResult) -> Embedded:
    device_class = _parameter(parts, "class")
    if device_class and device_class not in DEVICE_CLASSES:
        raise Http404
    label = DeviceClass(device_class).label if device_class else "all classes"
    path, image_path = reverse("leaderboard"), reverse("leaderboard-preview")
    for_class = {"class": device_class}
    return Embedded(
        f"SLOG leaderboard: {label}", with_query(path, **for_class), with_query(image_path, **for_class)
    )


def _comparison(parts: SplitResult) -> Embedded:
    found = compare_slugs(_parameter(parts, "devices"))
    if not found:
        raise Http404
    chosen = ",".join(drive.device.slug for drive in found)
    return Embedded(
        " vs. ".join(drive.name for drive in found),
        with_query(reverse("compare"), devices=chosen),
        with_query(reverse("compare-preview"), devices=chosen),
    )


def _pair(parts: SplitResult) -> Embedded:
    ids = {name: _parameter(parts, name) for name in ("a", "b")}
    form = PairForm(ids)
    if not form.is_valid():
        raise Http404
    pair = form.cleaned_data["pair"]
    return Embedded(pair.title, pair.path, with_query(reverse("compare-results-preview"), **ids))


def _parameter(parts: SplitResult, name: str) -> str:
    return parse_qs(parts.query).get(name, [""])[-1]


def _answer(found: Embedded, width: int, height: int) -> dict[str, Any]:
    size = format_html(' width="{}" height="{}"', width, height)
    return {
        "version": "1.0",
        "type": "rich",
        "title": found.title,
        "provider_name": "slogdb",
        "provider_url": full_url("/"),
        "cache_age": CACHE_AGE_S,
        "thumbnail_url": full_url(found.image_path),
        "thumbnail_width": width,
        "thumbnail_height": height,
        "width": width,
        "height": height,
        "html": picture_html(found.title, found.path, found.image_path, size),
    }
