"""A comparison set in a plain sentence."""

from collections.abc import Sequence
from typing import NamedTuple

from results.advice.comparison import Ratio
from results.core.formats import format_times
from results.kinds.metric import Metric
from results.kinds.pool.sets import Cell, RunSet

RAM_DISK = "RAM disk"  # in names of log devices


class SetSummary(NamedTuple):
    """A set in a sentence, and where it is in the list: what shows how much a SLOG helps comes first."""

    order: int
    sentence: str


def summarize(runs: RunSet) -> SetSummary:
    of_logs = [comparison for comparison in runs.comparisons if comparison.is_of_log]
    with_and_without = [comparison for comparison in of_logs if comparison.is_of_slog]
    sound = [comparison for comparison in with_and_without if not comparison.is_doubted]
    ratios = [ratio for comparison in sound if comparison.is_of_one_thing for ratio in comparison.ratios]
    if ratios:
        return describe_speedup(ratios)
    if with_and_without and not sound:
        return SetSummary(3, "One of the runs is doubtful, so this doesn’t show what the SLOG does.")
    if with_and_without:
        return SetSummary(2, "More than the log device differs, so it isn’t clear what the SLOG alone does.")
    logs = [side.log_name for comparison in of_logs for side in (comparison.base, comparison.other)]
    if any(name.startswith(RAM_DISK) for name in logs):
        return SetSummary(4, "An experiment with a RAM disk, which loses everything in a power cut.")
    if of_logs:
        return SetSummary(3, "Log devices against each other; there is no run without one.")
    return SetSummary(4, "No comparison of a SLOG with none.")


def describe_speedup(ratios: Sequence[Ratio[Cell, Metric]]) -> SetSummary:
    """How much a log device helped, in a sentence."""
    most, changes = format_times(max(ratio.gain for ratio in ratios)), {ratio.change for ratio in ratios}
    if changes == {-1}:
        return SetSummary(1, "Writes were slower with the log device.")
    if 1 not in changes:
        did = "made no difference" if changes == {0} else "didn’t help"
        return SetSummary(1, f"The log device {did}.")
    slower = ", but some were slower" if -1 in changes else ""
    return SetSummary(0, f"Writes were up to {most} as fast with the log device{slower}.")
