"""The rated latencies of products, for the checks of results."""

import re

from results.models import Claim, Product
from results.models.choices import ClaimQuantity
from results.models.fact import is_same_capacity

# Other latencies: under sustained load, without the cache, or for sequential writes.
_OTHER_LATENCY = re.compile(r"sequential|steady|disabled|maximum|\bmax\b")


def rated_random_write_latency_us(product: Product, capacity_bytes: int | None) -> float | None:
    """The product's rated typical random write latency, if a source states it.

    A figure for the capacity takes precedence over one for the whole line; of several, the lowest counts. Without
    a capacity all of them are considered. One query, or none with `prefetch_related_objects(products, "claims")`.
    """
    rated = [claim for claim in product.claims.all() if is_typical_random_write(claim)]
    for_capacity = [claim for claim in rated if is_same_capacity(claim.capacity_bytes, capacity_bytes)]
    for_line = [claim for claim in rated if claim.capacity_bytes is None]
    chosen = rated if capacity_bytes is None else for_capacity or for_line
    return min((float(claim.value) for claim in chosen if claim.value is not None), default=None)


def is_comparable(claim: Claim) -> bool:
    """Whether the claim, if it is a latency, is about small random writes."""
    return claim.quantity != ClaimQuantity.WRITE_LATENCY or is_typical_random_write(claim)


def is_typical_random_write(claim: Claim) -> bool:
    """Whether a claim is a typical random write latency, and not only a bound."""
    words = set(re.findall(r"[a-z]+", claim.note.lower()))
    is_other = claim.is_below or _OTHER_LATENCY.search(claim.note.lower()) is not None
    return claim.quantity == ClaimQuantity.WRITE_LATENCY and {"typical", "random"} <= words and not is_other
