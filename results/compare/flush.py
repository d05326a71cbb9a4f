"""What a flush costs, from a pair of results with and without flushes."""

from results.compare.pairs import Pair
from results.core.formats import format_number
from results.models.conditions import FLUSH_OFF

FREE_FLUSH = 1.25  # times the write alone: two runs differ by as much
FREE = (
    "A flush costs nothing here: the cache is protected, or flushes are ignored or never sent (VWC 0, WCE off, write "
    "through)."
)
_FIGURES = ("latency_4k_us", "zil_latency_us")


def flush_note(pair: Pair) -> str:
    """What a flush costs, in sentences; "" unless one of two runs of a device, otherwise alike, flushed nothing."""
    methods = {pair.a.sync_method, pair.b.sync_method}
    if FLUSH_OFF not in methods or None in methods or len(methods) != 2:
        return ""
    if pair.a.device_id is None or pair.a.device_id != pair.b.device_id or pair.a.writers != pair.b.writers:
        return ""
    ratios = {one.metric.key: one for one in pair.ratios}
    found = next((ratios[key] for key in _FIGURES if key in ratios), None)
    if found is None:
        return ""
    plain, flushed = (found.a, found.b) if pair.a.sync_method == FLUSH_OFF else (found.b, found.a)
    if flushed / plain < FREE_FLUSH:
        return FREE
    return (
        f"A flush costs {format_number(flushed - plain)} µs here: a write takes {flushed / plain:.3g} times as long "
        f"with it as without ({found.metric.label})."
    )
