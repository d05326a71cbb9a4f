"""Addresses of the site's own pages, worked out once for each name: a page has more than a hundred of them."""

from functools import cache, lru_cache
from urllib.parse import urlencode

from django.urls import reverse

_PLACE = "SLUG"
KEPT_PARAMETERS = 4000


def address(name: str, slug: str = "") -> str:
    """What `reverse` gives for a page without arguments, or one whose only argument is a slug or a public id."""
    if not slug:
        return _whole(name)
    before, after = _around(name)
    return f"{before}{slug}{after}"


def with_query(path: str, /, **parameters: str) -> str:
    """A path with those of the parameters that say something."""
    query = "&".join(_parameter(name, value) for name, value in parameters.items() if value)
    return f"{path}?{query}" if query else path


@lru_cache(maxsize=KEPT_PARAMETERS)
def _parameter(name: str, value: str) -> str:
    """As it stands in an address: most links of a page share theirs."""
    return urlencode({name: value}, safe=",")


@cache
def _whole(name: str) -> str:
    return reverse(name)


@cache
def _around(name: str) -> tuple[str, str]:
    before, _, after = reverse(name, args=[_PLACE]).partition(_PLACE)
    return before, after
