"""Comparison sets in the API."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter

from results.api.lists import RowList
from results.api.rows import Row, rounded
from results.api.views import ReadEndpoint
from results.compare.sets_page import requested_set, set_url
from results.core.addresses import full_url
from results.core.record import Record, Url, field
from results.kinds.pool_io.found_sets import submissions_with_sets
from results.kinds.pool_io.models import SYNC_MODES
from results.kinds.pool_io.sets import LATENCY, P99, Comparison, Panel
from results.kinds.pool_io.stored_sets import CHOSEN, FoundSet, find_sets


class ArmRecord(Record):
    """An arrangement of log device and sync mode."""

    number: int = field("as on its page, the same for all workloads")
    name: str = field("in words")
    log: str | None = field(
        "of the pool; null if not stated", choices=[("none", "none"), ("device", "a log device")]
    )
    log_name: str = field("the models of the log devices")
    sync_mode: str | None = field("the property sync; null if not stated", choices=list(SYNC_MODES.items()))
    is_synced: bool | None = field("whether each write waited for the log; null if unknown")


class SetFigureRecord(Record):
    """The figures of an arrangement at one number of threads: medians, if runs were repeated."""

    arm: int = field("the number of the configuration")
    threads: int = field("concurrent writers")
    value: float | None = field("of the workload’s metric")
    latency_us: float | None = field("mean latency in µs")
    p99_us: float | None = field("99 of 100 writes take no longer, in µs")
    results: list[str] = field("the ids of the runs")


class SetRatioRecord(Record):
    """Two arrangements at one number of threads."""

    base: int = field("the number of the configuration compared with")
    other: int = field("the number of the other configuration")
    is_of_log_device: bool = field("only the log device differs; else what syncing costs")
    threads: int = field("concurrent writers")
    ratio: float = field("how many times as good the other one is")
    noise_factor: float | None = field(
        "nine in ten pairs of repeated runs differ by less; null for single runs"
    )
    exceeds_noise: bool | None = field("null for single runs, which can’t tell")
    differences: list[str] = field("what else differs")
    not_stated: list[str] = field("conditions that one or both don’t state")
    a: str = field("the id of the first run compared with")
    b: str = field("the id of the first other run")


class SetWorkloadRecord(Record):
    """What was done in every arrangement."""

    name: str = field("in words")
    metric: str = field("the key of the metric that is compared")
    figures: list[SetFigureRecord] = field("by configuration and number of threads")
    ratios: list[SetRatioRecord] = field("of configurations that can be compared")


class ComparisonSetRecord(Record):
    """Runs on a pool with and without a log device, by sync mode and threads."""

    id: str = field("the id of the submission; “chosen” for chosen results")
    url: Url = field("its page for people")
    title: str = field("the pool, and what its runs differ in")
    source_url: str = field("where the figures were published, if elsewhere")
    run_count: int = field("of its runs")
    noise_factor: float | None = field(
        "nine in ten pairs of repeated runs differ by less; null for single runs"
    )
    sentences: list[str] = field("what follows")
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


def set_record(found: FoundSet) -> dict[str, Any]:
    """ComparisonSetRecord's shape."""
    return {
        "id": found.key,
        "url": full_url(set_url(found)),
        "title": found.title,
        "source_url": next((one.source_url for one in found.submissions if one.source_url), ""),
        "run_count": len(found.results),
        "noise_factor": rounded(found.runs.noise_factor),
        "sentences": found.runs.sentences,
        "problems": found.problems,
        "arms": [
            {
                "number": number,
                "name": arm.label,
                "log": arm.log or None,
                "log_name": arm.log_name,
                "sync_mode": arm.sync_mode or None,
                "is_synced": arm.is_synced,
            }
            for arm, number in found.runs.arm_numbers.items()
        ],
        "workloads": [_workload(panel, found) for panel in found.runs.panels],
    }


def _workload(panel: Panel, found: FoundSet) -> Row:
    numbers = found.runs.arm_numbers
    return {
        "name": panel.workload.name,
        "metric": panel.metric.key,
        "figures": [
            {
                "arm": numbers[arm],
                "threads": threads,
                "value": cell.value_of(panel.metric),
                "latency_us": cell.value_of(LATENCY),
                "p99_us": cell.value_of(P99),
                "results": [one.public_id for one in cell.runs],
            }
            for arm in panel.arms
            for threads in panel.threads
            if (cell := panel.cells.get((arm, threads)))
        ],
        "ratios": [row for one in panel.comparisons for row in _ratios(one, found)],
    }


def _ratios(one: Comparison, found: FoundSet) -> list[Row]:
    numbers = found.runs.arm_numbers
    return [
        {
            "base": numbers[one.base],
            "other": numbers[one.other],
            "is_of_log_device": one.is_of_log,
            "threads": at.threads,
            "ratio": float(f"{at.ratio:.6g}"),
            "noise_factor": rounded(at.noise_factor),
            "exceeds_noise": None if at.noise_factor is None else not at.is_about_equal,
            "differences": list(at.differences),
            "not_stated": list(at.unknowns),
            "a": at.base.first.public_id,
            "b": at.other.first.public_id,
        }
        for at in one.at
    ]
