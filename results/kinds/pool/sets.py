"""Comparison sets: runs on a pool with and without a log device, by sync mode and number of threads.

A set is arithmetic over stored runs: nothing of it is stored. Its runs are grouped by workload. Within a workload, a
configuration is one arrangement of log device and sync mode, a cell is a configuration at a number of threads, and a
comparison is the ratio of two configurations.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from statistics import median, variance
from typing import Any

from django.utils.text import capfirst

from results.advice.comparison import (
    REPEATS,
    Comparable,
    Noise,
    Ratio,
    Reading,
    find_ratios,
    join_points,
    pair_factor,
)
from results.core.formats import format_block_size, format_count, format_times, join_words
from results.kinds.flags import UNSYNCED
from results.kinds.metric import Metric
from results.kinds.pool.metrics import METRICS
from results.kinds.pool.models import NO_LOG, READ, WITH_LOG

SMALL_BLOCK = 32 * 1024  # bytes: up to here IOPS say more than MiB/s
FEWEST_REPEATS = 2
LATENCY, P99 = METRICS["pool_latency_us"], METRICS["pool_p99_us"]
# Conditions that are the same in a comparison, or what it is about
_COMPARED = frozenset({"Log device", "sync", "Synced", "Work", "Direction", "Block size"})


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
    def configuration(self) -> "Configuration":
        payload = self.payload
        name = payload["log_name"] if payload["log"] == WITH_LOG else ""
        return Configuration(self.pool, payload["log"], name, payload["sync_mode"], self.is_synced)

    @property
    def doubts(self) -> list[str]:
        """The codes of its flags, but for that it wasn't synced, which its configuration says."""
        return [code for code in self.flags if code != UNSYNCED]


def name_run(method: str, payload: Mapping[str, Any], pattern: str) -> str:
    """A run among those of its pool: "random 4 KiB writes, no log device, sync=always, 4 threads"."""
    run, writers = SetRun("", method, payload, {}, 0, pattern), payload["writers"]
    threads = [format_count(writers, "thread")] if writers else []
    return ", ".join([run.workload.name, run.configuration.label, *threads])


@dataclass(frozen=True, slots=True)
class Workload:
    """What was done in every configuration."""

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
        known = {key for run in runs for key, value in run.metrics.items() if value}
        is_small = bool(self.block_size) and (self.block_size or 0) <= SMALL_BLOCK
        rates = ("pool_iops", "pool_mib_s") if is_small else ("pool_mib_s", "pool_iops")
        order = ("pool_seconds", *rates, "pool_latency_us", "pool_p99_us")
        return METRICS[next((key for key in order if key in known), rates[0])]


@dataclass(frozen=True, slots=True)
class Configuration:
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
    """The runs of a configuration at one number of threads."""

    configuration: Configuration
    threads: int
    runs: tuple[SetRun, ...]

    def value_of(self, metric: Metric) -> float | None:
        """The median of its runs; None if none has the figure."""
        values = [run.metrics[metric.key] for run in self.runs if run.metrics.get(metric.key)]
        return median(values) if values else None

    def comparable(self, metric: Metric, noise: Noise) -> Comparable["Cell", Metric]:
        """The cell as a comparable: its figure, and the conditions of its first run that may explain a difference."""
        value = self.value_of(metric)
        readings = {metric: Reading(value, value, value, metric.is_lower_better, noise)} if value else {}
        stated = {label: text for label, text in self.first.conditions.items() if label not in _COMPARED}
        return Comparable(self.configuration.label, self, readings, stated)

    @property
    def first(self) -> SetRun:
        return self.runs[0]

    @property
    def is_doubted(self) -> bool:
        return any(run.doubts for run in self.runs)


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two configurations of one workload, by their ratio at every number of threads that both have."""

    base: Configuration
    other: Configuration
    is_of_log: bool  # how much a log device helps, or two of them; else what syncing costs
    ratios: tuple[Ratio[Cell, Metric], ...]

    @property
    def label(self) -> str:
        if self.is_of_log:
            return f"{capfirst(self.other.log_label)} vs. {self.base.log_label} ({self.other.sync_label})"
        return f"{capfirst(self.other.label)}, vs. the ceiling ({self.base.label})"

    @property
    def is_of_slog(self) -> bool:
        """Whether it shows how much a log device helps, compared with none."""
        return self.is_of_log and self.base.log == NO_LOG

    @property
    def is_of_one_thing(self) -> bool:
        """Whether nothing else is known to differ."""
        return not any(ratio.conditions.differences for ratio in self.ratios)

    @property
    def is_doubted(self) -> bool:
        """Whether a run on either side is doubted, so that its ratio is no headline."""
        return any(ratio.base.subject.is_doubted or ratio.other.subject.is_doubted for ratio in self.ratios)


@dataclass(frozen=True, slots=True)
class Panel:
    """A workload of a set: its configurations, its numbers of threads, its cells and comparisons."""

    workload: Workload
    metric: Metric  # that is compared
    configurations: tuple[Configuration, ...]
    threads: tuple[int, ...]
    cells: Mapping[tuple[Configuration, int], Cell]
    comparisons: tuple[ComparedPair, ...]

    @property
    def unknowns(self) -> list[str]:
        """The conditions that runs of a comparison don't state."""
        ratios = (ratio for comparison in self.comparisons for ratio in comparison.ratios)
        return list(dict.fromkeys(unknown.label for ratio in ratios for unknown in ratio.conditions.unknowns))


@dataclass(frozen=True, slots=True)
class RunSet:
    """A comparison set; `noise_factor` is how much its repeated runs differ."""

    runs: tuple[SetRun, ...]
    panels: tuple[Panel, ...]
    noise_factor: float | None

    @property
    def numbers(self) -> dict[Configuration, int]:
        """The number of each configuration, the same in all panels."""
        found = sorted({run.configuration for run in self.runs}, key=_order)
        return {configuration: number for number, configuration in enumerate(found, 1)}

    @property
    def comparisons(self) -> list[ComparedPair]:
        return [comparison for panel in self.panels for comparison in panel.comparisons]

    @property
    def sentences(self) -> list[str]:
        return [sentence for panel in self.panels for sentence in _sentences(panel)]

    @property
    def problems(self) -> list[str]:
        """What can’t be concluded from it, in sentences."""
        return list(_problems(self))


_order = attrgetter("order")


def build_set(runs: Sequence[SetRun]) -> RunSet:
    """Arrange runs; those of a workload are only compared within one pool."""
    by_workload: dict[Workload, list[SetRun]] = defaultdict(list)
    for run in runs:
        by_workload[run.workload].append(run)
    metrics = {workload: workload.metric_of(found) for workload, found in by_workload.items()}
    noise = _noise_factor(_cells(runs), metrics)
    panels = [_panel(workload, metrics[workload], found, noise) for workload, found in by_workload.items()]
    return RunSet(tuple(runs), tuple(panels), noise)


def _cells(runs: Iterable[SetRun]) -> dict[tuple[Workload, Configuration, int], Cell]:
    found: dict[tuple[Workload, Configuration, int], list[SetRun]] = defaultdict(list)
    for run in runs:
        found[run.workload, run.configuration, run.threads].append(run)
    return {key: Cell(key[1], key[2], tuple(of)) for key, of in found.items()}


def _panel(workload: Workload, metric: Metric, runs: Sequence[SetRun], noise: float | None) -> Panel:
    cells = {key[1:]: cell for key, cell in _cells(runs).items()}
    configurations = tuple(sorted({configuration for configuration, _ in cells}, key=_order))
    threads = tuple(sorted({number for _, number in cells}))
    figures = {key: cell.comparable(metric, REPEATS._replace(factor=noise)) for key, cell in cells.items()}
    comparisons = []
    for base, other, is_of_log in _to_compare(configurations):
        shared = [number for number in threads if {(base, number), (other, number)} <= figures.keys()]
        found = (find_ratios(figures[base, number], figures[other, number]) for number in shared)
        if ratios := tuple(chain.from_iterable(found)):
            comparisons.append(ComparedPair(base, other, is_of_log, ratios))
    return Panel(workload, metric, configurations, threads, cells, tuple(comparisons))


def _to_compare(
    configurations: Sequence[Configuration],
) -> Iterator[tuple[Configuration, Configuration, bool]]:
    """What is compared: no log device with each, two log devices, and each with the ceiling."""
    for at, configuration in enumerate(configurations):
        for other in configurations[at + 1 :]:
            is_alike = replace(other, log=configuration.log, log_name=configuration.log_name) == configuration
            if is_alike and configuration.log and other.log and configuration.is_synced is not False:
                yield configuration, other, True
    for configuration in configurations:
        ceiling = _ceiling_of(configuration, configurations)
        if ceiling is not None:
            yield ceiling, configuration, False


def _ceiling_of(
    configuration: Configuration, configurations: Iterable[Configuration]
) -> Configuration | None:
    """What waits for nothing on the same pool, best with the same log device and with sync=disabled."""
    if not configuration.is_synced:
        return None
    on_pool = (other for other in configurations if other.pool == configuration.pool)
    return min(
        (other for other in on_pool if other.is_synced is False),
        key=lambda run: (
            (run.log, run.log_name) != (configuration.log, configuration.log_name),
            run.sync_mode != "disabled",
            run.order,
        ),
        default=None,
    )


def _noise_factor(
    cells: Mapping[tuple[Workload, Configuration, int], Cell], metrics: Mapping[Workload, Metric]
) -> float | None:
    """By what factor nine in ten pairs of equal runs differ less, from the cells with repeated runs."""
    logs = [
        [math.log(value) for run in cell.runs if (value := run.metrics.get(metrics[workload].key))]
        for (workload, _, _), cell in cells.items()
    ]
    repeats = [values for values in logs if len(values) >= FEWEST_REPEATS]
    freedom = sum(len(values) - 1 for values in repeats)
    squares = sum(variance(values) * (len(values) - 1) for values in repeats)
    return pair_factor(math.sqrt(squares / freedom)) if freedom else None


def _sentences(panel: Panel) -> Iterator[str]:
    """What follows from a workload’s comparisons."""
    name = panel.workload.name
    with_log = [comparison for comparison in panel.comparisons if comparison.is_of_log]
    yield from (_for_log(comparison, name) for comparison in with_log)
    shown: set[Configuration] = set()
    for comparison in panel.comparisons:
        if comparison.is_of_log or comparison.base in shown or comparison.is_doubted:
            continue
        if comparison.other.log != NO_LOG:
            if not with_log:  # else the ratio to no log device says more
                reached = _over_threads(comparison.ratios, lambda ratio: f"{ratio.gain:.0%}")
                yield (
                    f"{capfirst(name)} ({comparison.other.sync_label}): {comparison.other.log_label} reaches "
                    f"{reached} of the ceiling ({comparison.base.sync_label})."
                )
            continue
        shown.add(comparison.base)
        most = [Ratio(ratio.metric, ratio.other, ratio.base) for ratio in comparison.ratios]
        yield (
            f"{capfirst(name)}, ceiling ({comparison.base.sync_label}) vs. no log device "
            f"({comparison.other.sync_label}): {_over_threads(most)}."
        )


def _for_log(comparison: ComparedPair, name: str) -> str:
    """How much a log device helped, or why we can't say."""
    base, other, ratios = comparison.base, comparison.other, comparison.ratios
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
        return f"{what}, speedup from {subject}: {_over_threads(ratios)}."
    reached = _over_threads(ratios, lambda ratio: format_times(ratio.gain))
    return f"{what}: compared with {base.log_name or base.log_label}, {subject} reaches {reached}."


def _slowest(comparison: ComparedPair) -> str:
    """What the slowest writes took, if fio says it: figures without a conclusion."""
    if len(comparison.ratios) != 1:
        return ""
    (ratio,) = comparison.ratios
    base, other = ratio.base.subject.value_of(P99), ratio.other.subject.value_of(P99)
    if base is None or other is None:
        return ""
    return (
        f" 99 of 100 writes took at most {P99.format(base)} {P99.unit} with {comparison.base.log_label} and "
        f"{P99.format(other)} {P99.unit} with {comparison.other.log_label}."
    )


def _over_threads(
    ratios: Sequence[Ratio[Cell, Metric]],
    describe: Callable[[Ratio[Cell, Metric]], str] = attrgetter("gain_in_words"),
) -> str:
    """ "5.6× at 1 thread, 2× at 4 and no gain at 16"."""
    return join_points([(ratio.base.subject.threads, describe(ratio)) for ratio in ratios], "thread")


def _problems(found: RunSet) -> Iterator[str]:
    if not found.runs:
        return
    if len(found.runs) == 1:
        yield "One run is no comparison. Add another: without the log device, or with another sync mode."
        return
    if len({run.pool for run in found.runs}) > 1:
        yield (
            "As far as we know, these runs are on different pools. Layout, drives and memory differ from one pool to "
            "the next, so we only compare runs on the same pool: a ratio across two pools means nothing."
        )
    comparisons = found.comparisons
    if not comparisons:
        yield (
            "No two of these runs have the same workload and number of threads on one pool and differ in the log "
            "device or the sync mode, so there is no ratio to show."
        )
    ratios = (ratio for comparison in comparisons for ratio in comparison.ratios)
    mixed = {str(condition) for ratio in ratios for condition in ratio.conditions.differences}
    if mixed:
        yield f"Other conditions differ, too: {'; '.join(sorted(mixed))}. So no ratio is down to one cause alone."
    doubted = sum(1 for run in found.runs if run.doubts)
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
    names = join_words(panel.workload.name for panel in found.panels[:3])
    return f"{format_count(count, 'run')}: {names}." if count else "Nobody has published figures yet."
