"""Whether something is a good SLOG: what a buyer has to know first of a device or a product line."""

from enum import StrEnum

from results.advice.protection import HEADLINES, Safety
from results.models import DeviceRanking
from results.ranking.recommend import is_too_slow


class Overall(StrEnum):
    """What a buyer has to know first of a protected drive."""

    FIT = "fit"
    FIT_UNDATED = "fit, by one undated run"
    SAFE_UNMEASURED = "safe, not measured"
    SAFE_TOO_FEW = "safe, too few results"
    SAFE_TOO_SLOW = "safe, too slow for its class"
    SAFE_NO_GAIN = "safe, no gain"


def judge_overall(
    safety: Safety, ranking: DeviceRanking | None, times_faster_than_disks: float | None
) -> Overall | Safety:
    """Safety first: of a drive that isn't protected, its safety is the answer, however fast it is.

    Only a device that meets the criteria of results.ranking.recommend is called fit. `times_faster_than_disks` is how
    many times as long the median hard disk takes, None if unknown.
    """
    if safety is not Safety.SAFE:
        return safety
    if ranking is None:
        return Overall.SAFE_UNMEASURED
    if is_too_slow(ranking.device_class, ranking.metrics.get("latency_4k_us")):
        return Overall.SAFE_TOO_SLOW
    if ranking.recommended_high is None:
        return Overall.SAFE_TOO_FEW
    is_faster = times_faster_than_disks is None or times_faster_than_disks > 1
    if not is_faster:
        return Overall.SAFE_NO_GAIN
    is_undated = ranking.result_count == 1 and ranking.last_measured_on is None
    return Overall.FIT_UNDATED if is_undated else Overall.FIT


# No reason to look for another drive
GOOD_ENOUGH = frozenset({Overall.FIT, Overall.FIT_UNDATED, Overall.SAFE_UNMEASURED, Overall.SAFE_TOO_FEW})
OVERALL_TEXTS: dict[str, tuple[str, str]] = {
    **HEADLINES,
    Overall.FIT: ("Good SLOG, based on the data we have", "good"),
    Overall.FIT_UNDATED: ("Good SLOG, going by a single run without a date", "good"),
    Overall.SAFE_UNMEASURED: ("Protected, but no result counts yet, so we can’t judge speed", ""),
    Overall.SAFE_TOO_FEW: ("Protected, but too few results to judge speed", ""),
    Overall.SAFE_TOO_SLOW: ("Protected, but far slower than its class should be", "warn"),
    Overall.SAFE_NO_GAIN: ("Protected, but may be no faster than a hard disk", "warn"),
}
