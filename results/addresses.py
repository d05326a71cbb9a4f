"""Addresses of the site's own pages, worked out once for each name: a page has more than a hundred of them."""

from functools import cache

from django.urls import reverse

_PLACE = "SLUG"


def address(name: str, slug: str = "") -> str:
    """What `reverse` gives for a page without arguments, or one whose only argument is a slug or a public id."""
    if not slug:
        return _whole(name)
    before, after = _around(name)
    return f"{before}{slug}{after}"


@cache
def _whole(name: str) -> str:
    return reverse(name)


@cache
def _around(name: str) -> tuple[str, str]:
    before, _, after = reverse(name, args=[_PLACE]).partition(_PLACE)
    return before, after
