"""Comparison sets in the API."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from results.api.lists import RowList
from results.api.rows import Row, rounded
from results.api.serializers import TextListField
from results.api.views import ReadEndpoint
from results.compare.sets_page import requested_set, set_url
from results.core.addresses import full_url
from results.kinds.pool_io.found_sets import submissions_with_sets
from results.kinds.pool_io.models import SYNC_MODES
from results.kinds.pool_io.sets import LATENCY, P99, Comparison, Panel
from results.kinds.pool_io.stored_sets import CHOSEN, FoundSet, find_sets


class ArmSerializer(serializers.Serializer):
    """An arrangement of log device and sync mode."""

    number = serializers.IntegerField(help_text="as on its page, the same for all workloads")
    name = serializers.CharField(help_text="in words")
    log = serializers.ChoiceField(
        choices=[("none", "none"), ("device", "a log device")],
        allow_null=True,
        help_text="of the pool; null if not stated",
    )
    log_name = serializers.CharField(allow_blank=True, help_text="the models of the log devices")
    sync_mode = serializers.ChoiceField(
        choices=list(SYNC_MODES.items()), allow_null=True, help_text="the property sync; null if not stated"
    )
    is_synced = serializers.BooleanField(
        allow_null=True, help_text="whether each write waited for the log; null if unknown"
    )


class SetFigureSerializer(serializers.Serializer):
    """The figures of an arrangement at one number of threads: medians, if runs were repeated."""

    arm = serializers.IntegerField(help_text="the number of the configuration")
    threads = serializers.IntegerField(help_text="concurrent writers")
    value = serializers.FloatField(allow_null=True, help_text="of the workload’s metric")
    latency_us = serializers.FloatField(allow_null=True, help_text="mean latency in µs")
    p99_us = serializers.FloatField(allow_null=True, help_text="99 of 100 writes take no longer, in µs")
    results = TextListField(help_text="the ids of the runs")


class SetRatioSerializer(serializers.Serializer):
    """Two arrangements at one number of threads."""

    base = serializers.IntegerField(help_text="the number of the configuration compared with")
    other = serializers.IntegerField(help_text="the number of the other configuration")
    is_of_log_device = serializers.BooleanField(
        help_text="only the log device differs; else what syncing costs"
    )
    threads = serializers.IntegerField(help_text="concurrent writers")
    ratio = serializers.FloatField(help_text="how many times as good the other one is")
    noise_factor = serializers.FloatField(
        allow_null=True, help_text="nine in ten pairs of repeated runs differ by less; null for single runs"
    )
    exceeds_noise = serializers.BooleanField(
        allow_null=True, help_text="null for single runs, which can’t tell"
    )
    differences = TextListField(help_text="what else differs")
    not_stated = TextListField(help_text="conditions that one or both don’t state")
    a = serializers.CharField(help_text="the id of the first run compared with")
    b = serializers.CharField(help_text="the id of the first other run")


class SetWorkloadSerializer(serializers.Serializer):
    """What was done in every arrangement."""

    name = serializers.CharField(help_text="in words")
    metric = serializers.CharField(help_text="the key of the metric that is compared")
    figures = SetFigureSerializer(many=True, help_text="by configuration and number of threads")
    ratios = SetRatioSerializer(many=True, help_text="of configurations that can be compared")


class ComparisonSetSerializer(serializers.Serializer):
    """Runs on a pool with and without a log device, by sync mode and threads."""

    id = serializers.CharField(help_text="the id of the submission; “chosen” for chosen results")
    url = serializers.URLField(help_text="its page for people")
    title = serializers.CharField(help_text="the pool, and what its runs differ in")
    source_url = serializers.CharField(
        allow_blank=True, help_text="where the figures were published, if elsewhere"
    )
    run_count = serializers.IntegerField(help_text="of its runs")
    noise_factor = serializers.FloatField(
        allow_null=True, help_text="nine in ten pairs of repeated runs differ by less; null for single runs"
    )
    sentences = TextListField(help_text="what follows")
    problems = TextListField(help_text="what can’t be concluded")
    arms = ArmSerializer(many=True, help_text="the configurations")
    workloads = SetWorkloadSerializer(many=True, help_text="what was done in them")


class SetList(RowList):
    """Comparison sets of pools, newest first."""

    queryset = submissions_with_sets().values("id")
    record = ComparisonSetSerializer
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
    record = ComparisonSetSerializer

    def find(self, public_id: str) -> Row:
        return set_record(requested_set(self.request, public_id))


def set_record(found: FoundSet) -> dict[str, Any]:
    """ComparisonSetSerializer's shape."""
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
