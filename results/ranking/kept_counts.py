"""How many devices a list has, and each option of the filters would leave, counted once for each state of the data.

All pages and orders of a list have the same counts, and to count takes longer than to read a page of it.
"""

from collections.abc import Callable, Hashable

from results.ranking.facets import FacetCounts
from slogdb.kept import Kept

_kept = Kept[Hashable, FacetCounts]("counts of lists")


def kept_counts(chosen: Hashable, version: int | None, count: Callable[[], FacetCounts]) -> FacetCounts:
    """The counts of what was chosen in this version of the data, or a later one; None for one that is not known."""
    kept = _kept.get(chosen)
    if kept is None or version is None or kept.version != version:
        kept = _kept[chosen] = count()
    return kept
