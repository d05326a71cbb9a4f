"""Comparison sets in the API."""

from collections.abc import Mapping, Sequence

from drf_spectacular.utils import OpenApiParameter

from results.api.lists import RowList
from results.api.records import rounded
from results.api.views import ReadEndpoint
from results.compare.sets.page import requested_set, set_url
from results.core.addresses import full_url
from results.core.record import Record, Row, Url, field, null_if_empty
from results.kinds.pool.found_sets import submissions_with_sets
from results.kinds.pool.models import SYNC_MODES
from results.kinds.pool.sets import LATENCY, P99, Configuration, Panel
from results.kinds.pool_sets import CHOSEN, FoundSet, find_sets


class ArmRecord(Record):
    """An arrangement of log device and sync mode."""

    number: int = field("as on its page, the same for all workloads")
    name: str = field("in words", "label")
    log: str | None = field(
        "of the pool; null if not stated",
        to=null_if_empty,
        choices=[("none", "none"), ("device", "a log device")],
    )
    log_name: str = field("the models of the log devices")
    sync_mode: str | None = field(
        "the property sync; null if not stated", to=null_if_empty, choices=list(SYNC_MODES.items())
    )
    is_synced: bool | None = field("whether each write waited for the log; null if unknown")


class SetFigureRecord(Record):
    """The figures of an arrangement at one number of threads: medians, if runs were repeated."""

    arm: int = field("the number of the configuration")
    threads: int = field("concurrent writers")
    value: float | None = field("of the workload’s metric")
    latency_us: float | None = field("mean latency in µs", lambda cell: cell.value_of(LATENCY))
    p99_us: float | None = field("99 of 100 writes take no longer, in µs", lambda cell: cell.value_of(P99))
    results: list[str] = field("the ids of the runs", lambda cell: [run.public_id for run in cell.runs])


class SetRatioRecord(Record):
    """Two arrangements at one number of threads."""

    base: int = field("the number of the configuration compared with")
    other: int = field("the number of the other configuration")
    is_of_log_device: bool = field("only the log device differs; else what syncing costs")
    threads: int = field("concurrent writers", "base.subject.threads")
    ratio: float = field(
        "how many times as good the other one is", "gain", to=lambda ratio: float(f"{ratio:.6g}")
    )
    noise_factor: float | None = field(
        "nine in ten pairs of repeated runs differ by less; null for single runs", "noise.factor", to=rounded
    )
    exceeds_noise: bool | None = field("null for single runs, which can’t tell")
    differences: list[str] = field(
        "what else differs", "conditions.differences", to=lambda found: [*map(str, found)]
    )
    not_stated: list[str] = field(
        "conditions that one or both don’t state",
        "conditions.unknowns",
        to=lambda found: [condition.label for condition in found],
    )
    a: str = field("the id of the first run compared with", "base.subject.first.public_id")
    b: str = field("the id of the first other run", "other.subject.first.public_id")


class SetWorkloadRecord(Record):
    """What was done in every arrangement."""

    name: str = field("in words", "workload.name")
    metric: str = field("the key of the metric that is compared", "metric.key")
    figures: list[SetFigureRecord] = field("by configuration and number of threads")
    ratios: list[SetRatioRecord] = field("of configurations that can be compared")


class ComparisonSetRecord(Record):
    """Runs on a pool with and without a log device, by sync mode and threads."""

    id: str = field("the id of the submission; “chosen” for chosen results", "key")
    url: Url = field("its page for people", lambda found: full_url(set_url(found)))
    title: str = field("the pool, and what its runs differ in")
    source_url: str = field("where the figures were published, if elsewhere")
    run_count: int = field("of its runs", "results", to=len)
    noise_factor: float | None = field(
        "nine in ten pairs of repeated runs differ by less; null for single runs",
        "runs.noise_factor",
        to=rounded,
    )
    sentences: list[str] = field("what follows", "runs.sentences")
    problems: list[str] = field("what can’t be concluded")
    arms: list[ArmRecord] = field("the configurations")
    workloads: list[SetWorkloadRecord] = field("what was done in them")


class SetList(RowList):
    """Comparison sets of pools, newest first."""

    queryset = submissions_with_sets().values("id")
    record = ComparisonSetRecord
    ordering_fields = {"id": "id"}

    def rows(self, page: Sequence[Row]) -> list[Row]:
        ids = [row["id"] for row in page]
        found = find_sets(ids)
        return [set_record(found[pk]) for pk in ids if pk in found]


class SetDetail(ReadEndpoint):
    """One comparison set: of a submission, or of chosen results."""

    operation_id = "comparison_set"
    query = (
        OpenApiParameter(
            "results",
            {"type": "string", "maxLength": 1500, "pattern": "^[a-z0-9, -]*$"},
            description=f"ids of results, separated by commas, if the id is “{CHOSEN}”",
        ),
    )
    record = ComparisonSetRecord

    def find(self, public_id: str) -> Row:
        return set_record(requested_set(self.request, public_id))


def set_record(found: FoundSet) -> Row:
    """The record of a set, whose configurations have the same numbers everywhere."""
    numbers = found.runs.numbers
    return ComparisonSetRecord.of(
        found,
        arms=[ArmRecord.of(configuration, number=number) for configuration, number in numbers.items()],
        workloads=[_workload(panel, numbers) for panel in found.runs.panels],
    )


def _workload(panel: Panel, numbers: Mapping[Configuration, int]) -> Row:
    return SetWorkloadRecord.of(
        panel,
        figures=[
            SetFigureRecord.of(
                cell, arm=numbers[configuration], threads=threads, value=cell.value_of(panel.metric)
            )
            for configuration in panel.configurations
            for threads in panel.threads
            if (cell := panel.cells.get((configuration, threads)))
        ],
        ratios=[
            SetRatioRecord.of(
                ratio,
                base=numbers[comparison.base],
                other=numbers[comparison.other],
                is_of_log_device=comparison.is_of_log,
            )
            for comparison in panel.comparisons
            for ratio in comparison.ratios
        ],
    )
