"""What the tables can hold beyond what the parsers check: a run outside these limits is not a measurement.

parsers.base.units has the ranges of what a tool prints of a device.
"""

import re
from collections.abc import Iterable
from decimal import Decimal

from parsers.base.readings import LatencyPoint, Notice

SHORTEST_LATENCY_US = Decimal("0.01")  # a tenth of what diskinfo prints; nothing durable is near it
LONGEST_LATENCY_US = Decimal(10) ** 9
NO_TEXT = re.compile("[\0\ud800-\udfff]")  # JSON can escape what no text of PostgreSQL holds


def refuse_figures(
    points: Iterable[LatencyPoint], capacity_bytes: int | None, *, line: int | None
) -> Notice | None:
    """Why these figures can't be those of a run, or None. `line` is where the run begins."""
    for point in points:
        if not SHORTEST_LATENCY_US <= point.latency_us <= LONGEST_LATENCY_US:
            message = (
                f"A durable write can't take {point.latency_us:.3g} µs: check the latencies in the table."
            )
            return Notice("impossible_latency", message, point.line or line)
    if capacity_bytes == 0:
        return Notice("impossible_capacity", "The device reports a capacity of 0 bytes.", line)
    return None


def fitting_text(text: str | None, *, longest: int) -> str:
    """The text as a column of that length can hold it; empty for None."""
    return NO_TEXT.sub("\ufffd", text or "")[:longest]
