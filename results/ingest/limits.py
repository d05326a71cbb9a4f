"""What the tables can hold: a run beyond that is no measurement, a condition beyond it is left to the text."""

import re
from collections.abc import Iterable
from decimal import Decimal

from parsers.kinds import Notice

SHORTEST_LATENCY_US = Decimal("0.01")  # a tenth of what diskinfo prints; nothing durable is near it
LONGEST_LATENCY_US = Decimal(10) ** 9
LARGEST_SMALL_INTEGER = 2**15 - 1
LARGEST_INTEGER = 2**31 - 1
LARGEST_BIG_INTEGER = (
    2**63 - 1
)  # of bytes more than any device takes, and the most that JSON is written with here
NO_TEXT = re.compile("[\0\ud800-\udfff]")  # JSON can escape what no text of PostgreSQL holds


def refuse_figures(
    curve: Iterable[Decimal | None], capacity_bytes: int | None, *, line: int | None
) -> Notice | None:
    """Why a run with these figures can't be one; None where it can."""
    for latency_us in curve:
        if latency_us is not None and not SHORTEST_LATENCY_US <= latency_us <= LONGEST_LATENCY_US:
            message = f"A durable write does not take {latency_us:.3g} µs: check the table's latencies."
            return Notice("impossible_latency", message, line)
    if capacity_bytes is not None and not 0 < capacity_bytes <= LARGEST_BIG_INTEGER:
        return Notice("impossible_capacity", f"A device of {capacity_bytes:.3g} bytes is none.", line)
    return None


def fitting(value: int | None, *, largest: int = LARGEST_INTEGER) -> int | None:
    """The value, None where no device has such a one."""
    return value if value is not None and 0 <= value <= largest else None


def fitting_text(text: str | None, *, longest: int) -> str:
    """The text as a column of that length can hold it; empty for None."""
    return NO_TEXT.sub("\ufffd", text or "")[:longest]
