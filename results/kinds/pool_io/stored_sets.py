"""Comparison sets of workloads on pools: those of one submission, and results chosen by their ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404

from results.core.addresses import address, with_query
from results.core.formats import format_count, write_cache_label
from results.core.subject import Subject, describe_layout, subject_of
from results.kinds.pool_io.found_sets import submissions_with_sets
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.pool_io.models import NO_LOG, WITH_LOG
from results.kinds.pool_io.sets import RunSet, SetRun, build_set
from results.models import Pool, Result, Submission
from results.models.choices import PAGE_CACHE, DataContent, State

MOST_RUNS = 100  # of a set
LOOKED_AT, MAX_ANSWERS = 12, 4  # of the newest sets
NAME_FIELDS = ("public_id", "method", "metrics", "pattern", "writers", *POOL_IO.lookups)
CHOSEN = "chosen"  # in place of a submission's id, whose alphabet has no vowels


@dataclass(frozen=True, slots=True)
class FoundSet:
    """A set with what it is called, where it is from, and which of the chosen results aren't in it, with reasons."""

    key: str  # the id of the submission, or CHOSEN
    results: Sequence[Result]
    runs: RunSet
    missing: tuple[str, ...] = ()  # ids of no published result
    others: tuple[str, ...] = ()  # ids of results that aren't workloads on a pool
    left_out: int = 0  # more runs than a set shows

    @property
    def submissions(self) -> list[Submission]:
        return list({one.submission_id: one.submission for one in self.results}.values())

    @property
    def title(self) -> str:
        return f"{self.pool_name}{self._varied}"

    @property
    def pool_name(self) -> str:
        """The pool without its log devices, which differ: "Pool: raidz2 of 5"; several pools are counted."""
        pools = {one.pool.same_as_id or one.pool_id: one.pool for one in self.results if one.pool}
        if len(pools) != 1:
            return f"{len(pools)} pools"
        (pool,) = pools.values()
        return describe_layout(vdev for vdev in pool.layout if vdev["role"] != "log")

    @property
    def _varied(self) -> str:
        """What the runs differ in: ", with and without a log device, by sync mode"."""
        arms = list(self.runs.arm_numbers)
        logs = {arm.log for arm in arms}
        parts = []
        if {NO_LOG, WITH_LOG} <= logs:
            parts.append("with and without a log device")
        elif len({arm.log_name for arm in arms if arm.log == WITH_LOG}) > 1:
            parts.append("with several log devices")
        if len({(arm.sync_mode, arm.is_synced) for arm in arms}) > 1:
            parts.append("by sync mode")
        threads = self.runs.threads
        if len(threads) > 1:
            parts.append(f"{threads[0]} to {threads[-1]} threads")
        return "".join(f", {part}" for part in parts)

    @property
    def problems(self) -> list[str]:
        """What can't be concluded, in sentences."""
        found = []
        if self.missing:
            verb = "isn’t" if len(self.missing) == 1 else "aren’t"
            found.append(f"{', '.join(self.missing)} {verb} published, or no longer. We show the rest.")
        if self.others:
            verb = "measures" if len(self.others) == 1 else "measure"
            found.append(
                f"{', '.join(self.others)} {verb} something other than a workload on a pool. We left that out."
            )
        if self.left_out:
            found.append(
                f"{self.left_out} more runs of this submission aren’t shown: a set has at most {MOST_RUNS} runs."
            )
        return [*found, *self.runs.problems]


def find_set(submission_id: str) -> FoundSet:
    """The set of a submission’s workloads on pools. Two queries; raises Http404 if it has none."""
    if "\0" in submission_id:
        raise Http404
    found = list(
        _workloads().filter(submission__public_id=submission_id).order_by("position")[: MOST_RUNS + 1]
    )
    if not found:
        raise Http404(f"There is no comparison set “{submission_id}”.")
    more = _workloads().filter(submission__public_id=submission_id).count() - MOST_RUNS
    shown = found[:MOST_RUNS]
    return FoundSet(submission_id, shown, _set_of(shown), left_out=max(0, more))


def find_chosen(ids: Sequence[str]) -> FoundSet:
    """The set of the results with these ids, in their order. One query; raises Http404 if none is published."""
    published = Result.objects.published().named(ids).select_related("pool", "submission", POOL_IO.key)
    found = {one.public_id: one for one in published.defer("submission__text")}
    if not found:
        raise Http404("None of these results is published.")
    shown = [found[one] for one in ids if one in found and found[one].method in POOL_IO.methods]
    others = [one for one in ids if one in found and found[one].method not in POOL_IO.methods]
    missing = tuple(one for one in ids if one not in found)
    return FoundSet(CHOSEN, shown, _set_of(shown), missing, tuple(others))


def find_sets(submission_ids: Sequence[int]) -> dict[int, FoundSet]:
    """The sets of these submissions, by their ids in the database. One query."""
    results: dict[int, list[Result]] = {}
    for one in _workloads().filter(submission__in=submission_ids).order_by("submission_id", "position"):
        results.setdefault(one.submission_id, []).append(one)
    return {
        pk: FoundSet(
            of[0].submission.public_id,
            of[:MOST_RUNS],
            _set_of(of[:MOST_RUNS]),
            left_out=max(0, len(of) - MOST_RUNS),
        )
        for pk, of in results.items()
    }


def same_set_url(pool: Pool) -> str:
    """The URL of the set of all workloads on this pool and those that are the same; "" without others. One query."""
    first = pool.same_as_id or pool.pk
    found = _workloads().filter(Q(pool=first) | Q(pool__same_as=first)).order_by("submission_id", "position")
    rows = list(found.values_list("public_id", "pool")[:MOST_RUNS])
    if len({pool_id for _, pool_id in rows}) < 2:
        return ""
    return with_query(address("compare-set", CHOSEN), results=",".join(public_id for public_id, _ in rows))


def newest_answers() -> list[dict[str, str]]:
    """The newest sets that say what a log device brought, each with its first sentence. Two queries."""
    newest = list(submissions_with_sets().values_list("pk", flat=True)[:LOOKED_AT])
    answers = []
    for pk, found in find_sets(newest).items():
        panels = [one for panel in found.runs.panels for one in panel.comparisons]
        if any(one.is_of_log and one.base.log == NO_LOG and not one.is_doubted for one in panels):
            answers.append((pk, found))
    return [
        {"name": found.title, "url": address("compare-set", found.key), "sentence": found.runs.sentences[0]}
        for _, found in sorted(answers, key=lambda one: -one[0])[:MAX_ANSWERS]
    ]


def _workloads() -> QuerySet[Result]:
    published = Result.objects.filter(submission__state=State.PUBLISHED, latency_us=None)
    found = published.filter(method__in=POOL_IO.methods).select_related("pool", "submission", POOL_IO.key)
    return found.defer("submission__text")


def _set_of(results: Sequence[Result]) -> RunSet:
    return build_set([run_of(one) for one in results])


def subject_of_run(result: Result) -> Subject:
    """The subject of a result; a pool that had no log device during the run is named without it."""
    subject = subject_of(result)
    if result.pool is None or result.method not in POOL_IO.methods:
        return subject
    if POOL_IO.payload_of_result(result)["log"] != NO_LOG:
        return subject
    name = describe_layout(vdev for vdev in result.pool.layout if vdev["role"] != "log")
    return replace(subject, name=name, short_name=name)


def run_name(result: Result) -> str:
    """A run among those of its pool: "random 4 KiB writes, no log device, sync=always, 4 threads"."""
    return _name(run_of(result))


def run_name_of_row(row: Mapping[str, Any]) -> str:
    """The same from a row with NAME_FIELDS; "" for results of other kinds."""
    if row["method"] not in POOL_IO.methods:
        return ""
    payload, pattern = POOL_IO.payload_of(row), row["pattern"] or ""
    return _name(SetRun(row["public_id"], row["method"], payload, row["metrics"], 0, pattern))


def _name(run: SetRun) -> str:
    writers = run.payload["writers"]
    return ", ".join(
        [run.workload.name, run.arm.label, *([format_count(writers, "thread")] if writers else [])]
    )


def run_of(result: Result) -> SetRun:
    """A stored result with its pool and payload as a run of a set."""
    payload, pool = POOL_IO.payload_of_result(result), result.pool
    if pool is None:
        raise ValueError(f"{result} is about no pool")
    further = {
        "Operating system": result.platform or pool.platform,
        "OpenZFS": pool.zfs_version,
        "Data written": DataContent(result.data_content).label if result.data_content else "",
        "Page cache": "" if result.is_direct is None else PAGE_CACHE[result.is_direct],
        "Sync method": result.sync_method or "",
        "Write cache": write_cache_label(result.write_cache_enabled),
    }
    return SetRun(
        public_id=result.public_id,
        method=result.method,
        payload=payload,
        metrics=result.metrics,
        pool=pool.same_as_id or pool.pk,
        pattern=result.pattern or "",
        conditions={**POOL_IO.conditions(payload), **further},
        flags=tuple(one["code"] for one in result.flags),
    )
