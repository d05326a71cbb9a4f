"""Comparison sets of workloads on pools: those of one submission, and results chosen by their ids."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import Http404

from results.core.addresses import address, with_query
from results.core.formats import write_cache_label
from results.core.subject import describe_layout
from results.kinds.conditions import in_words
from results.kinds.pool.found_sets import ListedSet, submissions_with_sets
from results.kinds.pool.models import NO_LOG, WITH_LOG
from results.kinds.pool.sets import RunSet, SetRun, build_set
from results.kinds.registry import KINDS, kind_of
from results.models import Pool, Result, Submission
from results.models.choices import State

MAX_RUNS = 100  # of a set
LOOKED_AT, MAX_ANSWERS = 12, 4  # of the newest sets
POOL_IO = KINDS["pool_io"]
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
        return list({result.submission_id: result.submission for result in self.results}.values())

    @property
    def source_url(self) -> str:
        """Where its figures were published, if elsewhere."""
        return next((submission.source_url for submission in self.submissions if submission.source_url), "")

    @property
    def title(self) -> str:
        return f"{self.pool_name}{self._varied}"

    @property
    def pool_name(self) -> str:
        """The pool without its log devices, which differ: "Pool: raidz2 of 5"; several pools are counted."""
        pools = {
            result.pool.same_as_id or result.pool_id: result.pool for result in self.results if result.pool
        }
        if len(pools) != 1:
            return f"{len(pools)} pools"
        (pool,) = pools.values()
        return describe_layout(vdev for vdev in pool.layout if vdev["role"] != "log")

    @property
    def _varied(self) -> str:
        """What the runs differ in: ", with and without a log device, by sync mode"."""
        found = list(self.runs.numbers)
        logs = {configuration.log for configuration in found}
        parts = []
        if {NO_LOG, WITH_LOG} <= logs:
            parts.append("with and without a log device")
        elif len({configuration.log_name for configuration in found if configuration.log == WITH_LOG}) > 1:
            parts.append("with several log devices")
        if len({(configuration.sync_mode, configuration.is_synced) for configuration in found}) > 1:
            parts.append("by sync mode")
        threads = sorted({run.threads for run in self.runs.runs})
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
            runs, verb = ("run", "isn’t") if self.left_out == 1 else ("runs", "aren’t")
            found.append(
                f"{self.left_out} more {runs} of this submission {verb} shown: a set has at most {MAX_RUNS} runs."
            )
        return [*found, *self.runs.problems]


def find_set(submission_id: str) -> FoundSet:
    """The set of a submission’s workloads on pools. Two queries; raises Http404 if it has none."""
    workloads = _workloads().filter(submission__public_id=submission_id)
    found = list(workloads.order_by("position")[:MAX_RUNS])
    if not found:
        raise Http404(f"There is no comparison set “{submission_id}”.")
    return FoundSet(submission_id, found, _set_of(found), left_out=workloads.count() - len(found))


def find_chosen(ids: Sequence[str]) -> FoundSet:
    """The set of the results with these ids, in their order. One query; raises Http404 if none is published."""
    published = Result.objects.published().named(ids).select_related("pool", "submission", POOL_IO.key)
    found = {result.public_id: result for result in published.defer("submission__text")}
    if not found:
        raise Http404("None of these results is published.")
    chosen = [found[public_id] for public_id in ids if public_id in found]
    shown = [result for result in chosen if kind_of(result.method) is POOL_IO]
    others = [result.public_id for result in chosen if result not in shown]
    missing = tuple(public_id for public_id in ids if public_id not in found)
    return FoundSet(CHOSEN, shown, _set_of(shown), missing, tuple(others))


def find_sets(submission_ids: Sequence[int]) -> dict[int, FoundSet]:
    """The sets of these submissions, by their ids in the database. One query."""
    results: dict[int, list[Result]] = {}
    for workload in _workloads().filter(submission__in=submission_ids).order_by("submission_id", "position"):
        results.setdefault(workload.submission_id, []).append(workload)
    return {
        pk: FoundSet(of[0].submission.public_id, shown, _set_of(shown), left_out=len(of) - len(shown))
        for pk, of in results.items()
        if (shown := of[:MAX_RUNS])
    }


def same_set_url(pool: Pool) -> str:
    """The URL of the set of all workloads on this pool and those that are the same; "" without others. One query."""
    first = pool.same_as_id or pool.pk
    found = _workloads().filter(Q(pool=first) | Q(pool__same_as=first)).order_by("submission_id", "position")
    rows = list(found.values_list("public_id", "pool")[:MAX_RUNS])
    if len({pool_id for _, pool_id in rows}) < 2:
        return ""
    return with_query(address("compare-set", CHOSEN), results=",".join(public_id for public_id, _ in rows))


def newest_answers() -> list[ListedSet]:
    """The newest sets that say what a log device brought, each with its first sentence. Two queries."""
    sets = find_sets(list(submissions_with_sets().values_list("pk", flat=True)[:LOOKED_AT]))
    answers = [
        ListedSet(found.title, address("compare-set", found.key), found.runs.sentences[0])
        for _, found in sorted(sets.items(), reverse=True)
        if any(comparison.is_of_slog and not comparison.is_doubted for comparison in found.runs.comparisons)
    ]
    return answers[:MAX_ANSWERS]


def _workloads() -> QuerySet[Result]:
    published = Result.objects.filter(submission__state=State.PUBLISHED, latency_us=None)
    found = published.filter(method__in=POOL_IO.methods).select_related("pool", "submission", POOL_IO.key)
    return found.defer("submission__text")


def _set_of(results: Sequence[Result]) -> RunSet:
    return build_set([run_of(result) for result in results])


def run_of(result: Result) -> SetRun:
    """A stored result with its pool and payload as a run of a set."""
    payload, pool = POOL_IO.payload_of_result(result), result.pool
    if pool is None:
        raise ValueError(f"{result} is about no pool")
    further = {
        "Operating system": result.platform or pool.platform,
        "OpenZFS": pool.zfs_version,
        "Data written": in_words("data_content", result.data_content),
        "Page cache": in_words("is_direct", result.is_direct),
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
        flags=tuple(flag["code"] for flag in result.flags),
    )
