"""How many devices each option of the filters would leave, counted once for each state of the data.

All pages and orders of a list have the same counts, and to count takes longer than to read a page of it.
"""

from collections.abc import Callable, Hashable

from results.ranking.compiled import Statement
from results.ranking.facets import FacetCounts, fetch_options
from slogdb.kept import Kept

KEPT_LISTS = 200

_kept = Kept[Hashable, FacetCounts](KEPT_LISTS)


def kept_counts(chosen: Hashable, version: int | None, options: Callable[[], Statement]) -> FacetCounts:
    """The counts of what was chosen in this version of the data, or a later one; None for one that is not known."""
    kept = _kept.get(chosen)
    if kept is None or version is None or kept.version != version:
        kept = _kept[chosen] = fetch_options(options())
    return kept
