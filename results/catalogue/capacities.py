"""Ranges of capacities, as filters of lists."""

from parsers.base.units import GIGABYTE, TERABYTE

# By the first byte, up to the next range's. Marketed capacities count, so "256 GB" is in the second range.
CAPACITIES = {
    "under-64gb": ("under 64 GB", 0),
    "64-256gb": ("64 to 256 GB", 64 * GIGABYTE),
    "256gb-1tb": ("256 GB to 1 TB", 256 * GIGABYTE),
    "1-4tb": ("1 to 4 TB", TERABYTE),
    "from-4tb": ("4 TB and more", 4 * TERABYTE),
}
_LARGEST = 2**63 - 1


def capacity_range(key: str) -> tuple[int, int]:
    """The start and the exclusive end of the range in bytes."""
    starts = [start for _, start in CAPACITIES.values()]
    start = CAPACITIES[key][1]
    return start, next((end for end in starts if end > start), _LARGEST)
