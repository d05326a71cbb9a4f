"""Comparison sets: runs on a pool with and without a log device, by sync mode and number of threads.

A set is arithmetic over stored runs: nothing of it is stored. Its runs are grouped by workload. Within a workload, an
arm is one arrangement of log device and sync mode, a cell is an arm at a number of threads, and a comparison is the
ratio of two arms.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist, median
from typing import Any

from django.utils.text import capfirst, get_text_list

from results.core.formats import format_block_size, format_times
from results.kinds.metric import Metric
from results.kinds.pool_io.checks import UNSYNCED
from results.kinds.pool_io.metrics import METRICS
from results.kinds.pool_io.models import NO_LOG, READ, WITH_LOG

SMALL_BLOCK = 32 * 1024  # bytes: up to here IOPS say more than MiB/s
ABOUT_EQUAL = 1.1  # single runs: ratios below aren't told apart from one
CONFIDENCE = 0.9
MAX_SPOKEN = 4  # numbers of threads that a sentence names
FEWEST_REPEATS = 2
LATENCY, P99 = METRICS["pool_latency_us"], METRICS["pool_p99_us"]
_SET_BY_ARM = frozenset({"Log device", "sync", "Synced"})  # conditions that tell arms apart
_OF_WORKLOAD = frozenset({"Work", "Direction", "Block size"})


@dataclass(frozen=True, slots=True)
class SetRun:
    """A run of a set: its address, what was measured, on which pool, and what it states."""

    public_id: str
    method: str
    payload: Mapping[str, Any]
    metrics: Mapping[str, float]
    pool: int  # the same for runs of one pool
    pattern: str = ""  # sequential, random
    conditions: Mapping[str, str] = field(default_factory=dict)  # by label, "" where not stated
    flags: tuple[str, ...] = ()  # their codes

    @property
    def threads(self) -> int:
        return self.payload["writers"] or 1

    @property
    def is_synced(self) -> bool | None:
        """Whether each write waited for the log: None if that isn't known."""
        mode = self.payload["sync_mode"]
        if mode in {"always", "disabled"}:
            return bool(mode == "always")
        return self.payload["each_synced"]  # type: ignore[no-any-return] # as stored

    @property
    def workload(self) -> "Workload":
        payload = self.payload
        return Workload(
            self.method, payload["work"], payload["direction"], self.pattern, payload["block_size"]
        )

    @property
    def arm(self) -> "Arm":
        payload = self.payload
        name = payload["log_name"] if payload["log"] == WITH_LOG else ""
        return Arm(self.pool, payload["log"], name, payload["sync_mode"], self.is_synced)

    @property
    def doubts(self) -> list[str]:
        """The codes of its flags, but for that it wasn't synced, which its arm says."""
        return [code for code in self.flags if code != UNSYNCED]


@dataclass(frozen=True, slots=True)
class Workload:
    """What was done in every arm."""

    method: str
    work: str
    direction: str
    pattern: str
    block_size: int | None

    @property
    def name(self) -> str:
        """In words: "random 4 KiB writes", "Windows 10 installation"."""
        if self.work:
            return self.work
        size = f"{format_block_size(self.block_size)} " if self.block_size else ""
        order = f"{self.pattern} " if self.pattern else ""
        return f"{order}{size}{'reads' if self.direction == READ else 'writes'}"

    def metric_of(self, runs: Iterable["SetRun"]) -> Metric:
        """The figure that is compared: IOPS of small writes, MiB/s of large ones, else what the runs have."""
        known = {key for one in runs for key, value in one.metrics.items() if value}
        is_small = bool(self.block_size) and (self.block_size or 0) <= SMALL_BLOCK
        rates = ("pool_iops", "pool_mib_s") if is_small else ("pool_mib_s", "pool_iops")
        order = ("pool_seconds", *rates, "pool_latency_us", "pool_p99_us")
        return METRICS[next((key for key in order if key in known), rates[0])]


@dataclass(frozen=True, slots=True)
class Arm:
    """An arrangement: the log device and the sync mode, on one pool."""

    pool: int
    log: str  # none, device, "" if not stated
    log_name: str
    sync_mode: str
    is_synced: bool | None

    @property
    def log_label(self) -> str:
        if self.log == NO_LOG:
            return "no log device"
        if self.log == WITH_LOG:
            return f"log device {self.log_name}" if self.log_name else "a log device"
        return "log device not stated"

    @property
    def sync_label(self) -> str:
        mode = f"sync={self.sync_mode}" if self.sync_mode else ""
        if self.is_synced and self.sync_mode != "always":
            return ", ".join(filter(None, [mode, "each write synced"]))
        if self.is_synced is False and self.sync_mode != "disabled":
            return ", ".join(filter(None, [mode, "not synced"]))
        return mode or "sync not stated"

    @property
    def label(self) -> str:
        return f"{self.log_label}, {self.sync_label}"

    @property
    def order(self) -> tuple[Any, ...]:
        """Sorts by what people compare: without a log device, with each, then what waits for nothing."""
        waits = {True: 0, None: 1, False: 2}[self.is_synced]
        logs = {NO_LOG: 0, WITH_LOG: 1}.get(self.log, 2)
        return self.pool, waits, logs, self.log_name, self.sync_mode


@dataclass(frozen=True, slots=True)
class Cell:
    """The runs of an arm at one number of threads."""

    arm: Arm
    threads: int
    runs: tuple[SetRun, ...]

    def value_of(self, metric: Metric) -> float | None:
        """The median of its runs; None if none has the figure."""
        values = [one.metrics[metric.key] for one in self.runs if one.metrics.get(metric.key)]
        return median(values) if values else None

    @property
    def first(self) -> SetRun:
        return self.runs[0]

    @property
    def is_doubted(self) -> bool:
        return any(one.doubts for one in self.runs)


@dataclass(frozen=True, slots=True)
class Compared:
    """Two cells of one number of threads: how many times as good the second is."""

    threads: int
    base: Cell
    other: Cell
    ratio: float  # above one: the second is better
    noise_factor: float | None  # nine in ten pairs of equal runs differ by less; None for single runs
    differences: tuple[str, ...]  # other conditions that differ, "recordsize: 128 KiB and 16 KiB"
    unknowns: tuple[str, ...]  # conditions that one or both don't state

    @property
    def is_about_equal(self) -> bool:
        return max(self.ratio, 1 / self.ratio) < (self.noise_factor or ABOUT_EQUAL)

    @property
    def certainty(self) -> str:
        if self.noise_factor is None:
            return "Single runs, so we can’t rule out chance."
        if self.is_about_equal:
            return "Within the noise: repeated runs in this set differ by as much."
        return "Beyond the noise: repeated runs in this set differ by less."


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms of one workload, at every number of threads that both have."""

    base: Arm
    other: Arm
    is_of_log: bool  # what a log device brings, or two of them; else what syncing costs
    at: tuple[Compared, ...]

    @property
    def label(self) -> str:
        if self.is_of_log:
            return f"{capfirst(self.other.log_label)} vs. {self.base.log_label} ({self.other.sync_label})"
        return f"{capfirst(self.other.label)}, vs. the ceiling ({self.base.label})"

    @property
    def is_of_one_thing(self) -> bool:
        """Whether nothing else is known to differ."""
        return not any(one.differences for one in self.at)

    @property
    def is_doubted(self) -> bool:
        """Whether a run on either side is doubted, so that its ratio is no headline."""
        return any(one.base.is_doubted or one.other.is_doubted for one in self.at)


@dataclass(frozen=True, slots=True)
class Panel:
    """A workload of a set: its arms, its numbers of threads, its cells and comparisons."""

    workload: Workload
    metric: Metric  # that is compared
    arms: tuple[Arm, ...]
    threads: tuple[int, ...]
    cells: Mapping[tuple[Arm, int], Cell]
    comparisons: tuple[Comparison, ...]

    @property
    def sentences(self) -> list[str]:
        return list(_sentences(self))


@dataclass(frozen=True, slots=True)
class RunSet:
    """A comparison set; `noise_factor` is how much its repeated runs differ."""

    runs: tuple[SetRun, ...]
    panels: tuple[Panel, ...]
    noise_factor: float | None

    @property
    def is_of_several_pools(self) -> bool:
        return len({one.pool for one in self.runs}) > 1

    @property
    def arm_numbers(self) -> dict[Arm, int]:
        """The number of each arm, the same in all panels."""
        arms = sorted({one.arm for one in self.runs}, key=lambda arm: arm.order)
        return {arm: number for number, arm in enumerate(arms, 1)}

    @property
    def threads(self) -> list[int]:
        return sorted({one.threads for one in self.runs})

    @property
    def sentences(self) -> list[str]:
        return [sentence for panel in self.panels for sentence in panel.sentences]

    @property
    def problems(self) -> list[str]:
        """What can’t be concluded from it, in sentences."""
        return list(_problems(self))


def build_set(runs: Sequence[SetRun]) -> RunSet:
    """Arrange runs; those of a workload are only compared within one pool."""
    by_workload: dict[Workload, list[SetRun]] = defaultdict(list)
    for one in runs:
        by_workload[one.workload].append(one)
    metrics = {workload: workload.metric_of(found) for workload, found in by_workload.items()}
    noise = _noise_factor(_cells(runs), metrics)
    panels = [_panel(workload, metrics[workload], found, noise) for workload, found in by_workload.items()]
    return RunSet(tuple(runs), tuple(panels), noise)


def _cells(runs: Iterable[SetRun]) -> dict[tuple[Workload, Arm, int], Cell]:
    found: dict[tuple[Workload, Arm, int], list[SetRun]] = defaultdict(list)
    for one in runs:
        found[one.workload, one.arm, one.threads].append(one)
    return {key: Cell(key[1], key[2], tuple(of)) for key, of in found.items()}


def _panel(workload: Workload, metric: Metric, runs: Sequence[SetRun], noise: float | None) -> Panel:
    cells = {(arm, threads): cell for (_, arm, threads), cell in _cells(runs).items()}
    arms = tuple(sorted({arm for arm, _ in cells}, key=lambda arm: arm.order))
    threads = tuple(sorted({number for _, number in cells}))
    comparisons = (
        _compare(base, other, is_of_log, metric, threads, cells, noise)
        for base, other, is_of_log in _to_compare(arms)
    )
    return Panel(workload, metric, arms, threads, cells, tuple(one for one in comparisons if one.at))


def _to_compare(arms: Sequence[Arm]) -> Iterator[tuple[Arm, Arm, bool]]:
    """Which arms are compared: without a log device and with each, two log devices, and each with the ceiling."""
    for at, one in enumerate(arms):
        for other in arms[at + 1 :]:
            is_alike = (one.pool, one.sync_mode, one.is_synced) == (
                other.pool,
                other.sync_mode,
                other.is_synced,
            )
            if is_alike and one.log and other.log and one.is_synced is not False:
                yield one, other, True
    for one in arms:
        ceiling = _ceiling_of(one, arms)
        if ceiling is not None:
            yield ceiling, one, False


def _ceiling_of(arm: Arm, arms: Iterable[Arm]) -> Arm | None:
    """The arm that waits for nothing on the same pool, best with the same log device and with sync=disabled."""
    if not arm.is_synced:
        return None
    found = [one for one in arms if one.pool == arm.pool and one.is_synced is False]
    return min(
        found,
        key=lambda one: (
            (one.log, one.log_name) != (arm.log, arm.log_name),
            one.sync_mode != "disabled",
            one.order,
        ),
        default=None,
    )


def _compare(
    base: Arm,
    other: Arm,
    is_of_log: bool,
    metric: Metric,
    threads: Iterable[int],
    cells: Mapping[tuple[Arm, int], Cell],
    noise: float | None,
) -> Comparison:
    at = []
    for number in threads:
        first, second = cells.get((base, number)), cells.get((other, number))
        if first is None or second is None:
            continue
        a, b = first.value_of(metric), second.value_of(metric)
        if not a or not b:
            continue
        ratio = a / b if metric.is_lower_better else b / a
        at.append(
            Compared(number, first, second, ratio, noise, *_other_conditions(first.first, second.first))
        )
    return Comparison(base, other, is_of_log, tuple(at))


def _other_conditions(first: SetRun, second: SetRun) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What else differs between two runs, and what one or both don't state."""
    differences, unknowns = [], []
    for label in dict.fromkeys([*first.conditions, *second.conditions]):
        if label in _SET_BY_ARM or label in _OF_WORKLOAD:
            continue
        a, b = first.conditions.get(label, ""), second.conditions.get(label, "")
        if not a or not b:
            unknowns.append(label)
        elif a.casefold() != b.casefold():
            differences.append(f"{label} ({a}, {b})")
    return tuple(differences), tuple(unknowns)


def _noise_factor(
    cells: Mapping[tuple[Workload, Arm, int], Cell], metrics: Mapping[Workload, Metric]
) -> float | None:
    """By what factor nine in ten pairs of equal runs differ less, from the cells with repeated runs."""
    squares, freedom = 0.0, 0
    for (workload, _, _), cell in cells.items():
        key = metrics[workload].key
        logs = [math.log(one.metrics[key]) for one in cell.runs if one.metrics.get(key)]
        if len(logs) < FEWEST_REPEATS:
            continue
        mean = sum(logs) / len(logs)
        squares += sum((one - mean) ** 2 for one in logs)
        freedom += len(logs) - 1
    if not freedom:
        return None
    quantile = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return math.exp(quantile * math.sqrt(2 * squares / freedom))


def _sentences(panel: Panel) -> Iterator[str]:
    """What follows from a workload’s comparisons."""
    name = panel.workload.name
    with_log = [one for one in panel.comparisons if one.is_of_log]
    yield from (_of_log(one, name) for one in with_log)
    shown: set[Arm] = set()
    for one in panel.comparisons:
        if one.is_of_log or one.base in shown or one.is_doubted:
            continue
        if one.other.log != NO_LOG:
            if not with_log:  # else the ratio to no log device says more
                reached = _joined_by_threads([(at.threads, f"{at.ratio:.0%}") for at in one.at])
                yield (
                    f"{capfirst(name)} ({one.other.sync_label}): {one.other.log_label} reaches {reached} of the "
                    f"ceiling ({one.base.sync_label})."
                )
            continue
        shown.add(one.base)
        most = [
            replace(compared, base=compared.other, other=compared.base, ratio=1 / compared.ratio)
            for compared in one.at
        ]
        yield (
            f"{capfirst(name)}, ceiling ({one.base.sync_label}) vs. no log device ({one.other.sync_label}): "
            f"{_by_threads(most)}."
        )


def _of_log(comparison: Comparison, name: str) -> str:
    """What a log device brought, or why that can't be said."""
    base, other, at = comparison.base, comparison.other, comparison.at
    if comparison.is_doubted:
        return (
            f"{capfirst(name)}: one of the runs is doubtful, so we don’t compare rates.{_slowest(comparison)}"
        )
    if not comparison.is_of_one_thing:
        return (
            f"{capfirst(name)}: {other.log_label} and {base.log_label} were measured under different conditions, so "
            "the ratio isn’t down to the log device alone."
        )
    is_unnamed = base.log == NO_LOG and not other.log_name
    subject = "the SLOG" if is_unnamed else other.log_name or other.log_label
    what = f"{capfirst(name)} ({other.sync_label})"
    if base.log == NO_LOG:
        return f"{what}, speedup from {subject}: {_by_threads(at)}."
    reached = _over_threads(at, lambda one: format_times(one.ratio))
    return f"{what}: compared with {base.log_name or base.log_label}, {subject} reaches {reached}."


def _slowest(comparison: Comparison) -> str:
    """What the slowest writes took, if fio says it: figures without a conclusion."""
    if len(comparison.at) != 1:
        return ""
    (at,) = comparison.at
    base, other = at.base.value_of(P99), at.other.value_of(P99)
    if base is None or other is None:
        return ""
    return (
        f" 99 of 100 writes took at most {P99.format(base)} {P99.unit} with {comparison.base.log_label} and "
        f"{P99.format(other)} {P99.unit} with {comparison.other.log_label}."
    )


def _by_threads(compared: Sequence[Compared]) -> str:
    """ "5.6× at 1 thread, 2× at 4 and no gain at 16"; just the ratio if there is only one thread."""
    return _over_threads(compared, format_ratio)


def _over_threads(compared: Sequence[Compared], say: Callable[[Compared], str]) -> str:
    if [one.threads for one in compared] == [1]:
        return say(compared[0])
    return _joined_by_threads([(one.threads, say(one)) for one in compared])


def _joined_by_threads(found: Sequence[tuple[int, str]]) -> str:
    """What holds at which numbers of threads; of many the first, middle and last; equal neighbours are joined."""
    if len(found) > MAX_SPOKEN:
        found = [found[0], found[len(found) // 2], found[-1]]
    parts: list[tuple[str, list[int]]] = []
    for threads, text in found:
        if parts and parts[-1][0] == text:
            parts[-1][1].append(threads)
        else:
            parts.append((text, [threads]))
    words = []
    for number, (text, joined) in enumerate(parts):
        noun = "" if number else " thread" if joined == [1] else " threads"
        words.append(f"{text} at {get_text_list(list(map(str, joined)), 'and')}{noun}")
    return get_text_list(words, "and")


def format_ratio(one: Compared) -> str:
    """ "5.6×"; "no gain" if the ratio can’t be told from one; below one "0.5× (slower)"."""
    if one.is_about_equal:
        return "no gain"
    return format_times(one.ratio) if one.ratio > 1 else f"{format_times(one.ratio)} (slower)"


def _problems(found: RunSet) -> Iterator[str]:
    if not found.runs:
        return
    if len(found.runs) == 1:
        yield "One run is no comparison. Add another: without the log device, or with another sync mode."
        return
    if found.is_of_several_pools:
        yield (
            "As far as we know, these runs are on different pools. Layout, drives and memory differ from one pool to "
            "the next, so we only compare runs on the same pool: a ratio across two pools means nothing."
        )
    comparisons = [one for panel in found.panels for one in panel.comparisons]
    if not comparisons:
        yield (
            "No two of these runs have the same workload and number of threads on one pool and differ in the log "
            "device or the sync mode, so there is no ratio to show."
        )
    mixed = {text for one in comparisons for at in one.at for text in at.differences}
    if mixed:
        yield f"Other conditions differ, too: {'; '.join(sorted(mixed))}. So no ratio is down to one cause alone."
    doubted = sum(1 for one in found.runs if one.doubts)
    if doubted:
        which = "1 run is flagged: it" if doubted == 1 else f"{doubted} runs are flagged: they"
        yield (
            f"{which} may show memory or compression, or have bypassed the log device. The reason is on the run’s "
            "page."
        )
    if comparisons and found.noise_factor is None:
        yield (
            "Each figure is a single run, so small differences may be chance. Repeat the runs to find out how much "
            "they vary."
        )


def summary_of(found: RunSet) -> str:
    """One line for link previews: the first sentence, else what the set has."""
    if found.sentences:
        return found.sentences[0]
    count = len(found.runs)
    names = get_text_list([panel.workload.name for panel in found.panels[:3]], "and")
    return (
        f"{count} run{'' if count == 1 else 's'}: {names}." if count else "Nobody has published figures yet."
    )
