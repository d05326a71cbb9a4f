"""How many devices a list has, and each option of the filters would leave, cached for each version of the data.

All pages and orders of a list have the same counts, and counting takes longer than reading a page.
"""

from collections.abc import Callable, Hashable
from hashlib import blake2b

from django.core.cache import caches

from results.ranking.facets import FacetCounts


def kept_counts(chosen: Hashable, version: int | None, count: Callable[[], FacetCounts]) -> FacetCounts:
    """The counts of what was chosen in this version of the data, or a later one; None for one that is not known."""
    if version is None:
        return count()
    found: FacetCounts | None = caches["pages"].get(_key(chosen, version))
    if found is None:
        found = count()
        caches["pages"].set(_key(chosen, found.version or version), found)
    return found


def _key(chosen: Hashable, version: int) -> str:
    return f"facet-counts:{version}:{blake2b(repr(chosen).encode(), digest_size=16).hexdigest()}"
