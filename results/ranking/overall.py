"""Whether something is a good SLOG: what a buyer has to know first of a device or a product line."""

from enum import StrEnum

from results.models import DeviceRanking
from results.models.choices import Plp
from results.ranking.recommend import is_too_slow


class Safety(StrEnum):
    """What a power cut does to acknowledged writes."""

    SAFE = "safe"
    CONDITIONAL = "conditional"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"


class Overall(StrEnum):
    """What a buyer has to know first."""

    FIT = "fit"
    SAFE_UNMEASURED = "safe, not measured"
    SAFE_TOO_FEW = "safe, too few results"
    SAFE_TOO_SLOW = "safe, too slow for its class"
    SAFE_NO_GAIN = "safe, no gain"
    CONDITIONAL = "conditional"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"


_SAFETY = {
    Plp.YES: Safety.SAFE,
    Plp.BY_DESIGN: Safety.SAFE,
    Plp.EXTERNAL: Safety.CONDITIONAL,
    Plp.PARTIAL: Safety.CONDITIONAL,
    Plp.DISPUTED: Safety.CONDITIONAL,
    Plp.NO: Safety.UNSAFE,
    Plp.UNKNOWN: Safety.UNKNOWN,
}


def judge_safety(plp: str | None) -> Safety:
    """Judge by the product's PLP value, None for a device without a product."""
    return _SAFETY[Plp(plp or Plp.UNKNOWN)]


def judge_overall(
    safety: Safety, ranking: DeviceRanking | None, times_faster_than_disks: float | None
) -> Overall:
    """Safety first: a device that can lose acknowledged writes is no SLOG, however fast.

    Only a device that meets the criteria of results.ranking.recommend is called fit. `times_faster_than_disks` is how
    many times as long the median hard disk takes, None if unknown.
    """
    if safety != Safety.SAFE:
        return Overall(safety.value)
    if ranking is None:
        return Overall.SAFE_UNMEASURED
    if is_too_slow(ranking.device_class, ranking.metrics.get("latency_4k_us")):
        return Overall.SAFE_TOO_SLOW
    if ranking.recommended_high is None:
        return Overall.SAFE_TOO_FEW
    is_faster = times_faster_than_disks is None or times_faster_than_disks > 1
    return Overall.FIT if is_faster else Overall.SAFE_NO_GAIN


OVERALL_TEXTS = {
    Overall.FIT: ("Good SLOG, based on the data we have", "good"),
    Overall.SAFE_UNMEASURED: ("Protected, but no result counts yet, so we can’t judge speed", ""),
    Overall.SAFE_TOO_FEW: ("Protected, but too few results to judge speed", ""),
    Overall.SAFE_TOO_SLOW: ("Protected, but far slower than its class should be", "warn"),
    Overall.SAFE_NO_GAIN: ("Protected, but may be no faster than a hard disk", "warn"),
    Overall.CONDITIONAL: (
        "Good SLOG only under certain conditions: check what its protection depends on",
        "warn",
    ),
    Overall.UNSAFE: ("Not a safe SLOG: it can lose acknowledged writes", "bad"),
    Overall.UNKNOWN: ("Don’t trust it as a SLOG yet: we don’t know if it is safe", "warn"),
}
