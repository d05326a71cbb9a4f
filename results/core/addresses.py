"""URLs of the site's pages, and their query strings."""

from collections.abc import Iterable
from functools import cache, lru_cache
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.text import slugify

from results.core.formats import format_capacity

_PLACE = "SLUG"
CACHED_PARAMETERS = 4000
LONGEST_CACHED = 200  # characters of a value: longer ones are no links of ours

MAX_COMPARED = 6


def address(name: str, slug: str = "") -> str:
    """The URL, from `reverse`, of a page without arguments or with only a slug or public id."""
    if not slug:
        return _path(name)
    before, after = _around(name)
    return f"{before}{slug}{after}"


UNSTATED = "unstated"  # in addresses, of a capacity


def capacity_path(product: str, capacity_bytes: int | None) -> str:
    """The path of a product's capacity below /products/: "intel-optane-900p/280-gb", "samsung-pm863/1-92-tb"."""
    capacity = slugify(format_capacity(capacity_bytes).replace(".", "-"))
    return f"{product}/{capacity or UNSTATED}"


def drive_address(page: str, slug: str) -> str:
    """The URL of a device's page, from the columns of these names."""
    return f"{_path('products')}{page}/" if page else address("device", slug)


def with_query(path: str, /, **parameters: str) -> str:
    """The path with those parameters that are not empty."""
    query = "&".join(
        (_cached_parameter if len(value) <= LONGEST_CACHED else _parameter)(name, value)
        for name, value in parameters.items()
        if value
    )
    return f"{path}?{query}" if query else path


def _parameter(name: str, value: str) -> str:
    return urlencode({name: value}, safe=",")


_cached_parameter = lru_cache(maxsize=CACHED_PARAMETERS)(_parameter)  # most links on a page share theirs


@cache
def _path(name: str) -> str:
    return reverse(name)


@cache
def _around(name: str) -> tuple[str, str]:
    before, _, after = reverse(name, args=[_PLACE]).partition(_PLACE)
    return before, after


def class_url(device_class: str, *, page: int = 1) -> str:
    """The URL of a class's leaderboard, or of one of its pages."""
    return with_query(
        address("leaderboard"), **{"class": device_class, "page": "" if page == 1 else str(page)}
    )


def compare_url(slugs: Iterable[str]) -> str:
    """The URL of the page that compares these devices, up to MAX_COMPARED of them."""
    return with_query(address("compare"), devices=",".join(list(slugs)[:MAX_COMPARED]))


def commands_url(product_slug: str = "") -> str:
    """The URL of the commands that measure a disk, for a product if given."""
    return with_query(address("commands"), product=product_slug)


def full_url(path: str) -> str:
    """The absolute URL of a path of the site."""
    return f"{settings.SITE_URL}{path}"
