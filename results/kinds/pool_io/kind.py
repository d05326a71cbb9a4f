"""Workloads on a pool as a kind of results."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from results.core.addresses import address
from results.core.described import meanings_of, with_moved
from results.core.formats import (
    format_block_size,
    format_capacity,
    format_count,
    format_memory,
    format_number,
)
from results.core.record import Record, field
from results.core.subject import Subject, describe_layout, subject_of, subject_of_pool
from results.kinds.metric import Payload
from results.kinds.pool.found_sets import ListedSet, sets_with_logs, submissions_with_sets
from results.kinds.pool.metrics import METRICS
from results.kinds.pool.models import (
    ACCESS,
    COLUMNS,
    DIRECTIONS,
    METHODS,
    NO_LOG,
    READ,
    WRITE,
    PoolIO,
    log_label,
)
from results.kinds.pool.questions import QUESTIONS
from results.kinds.pool.sets import name_run
from results.kinds.pool_io.read import find_workloads
from results.kinds.pool_io.shipped import POOL_FILE, PoolLine
from results.kinds.refused import NO_DEVICE
from results.kinds.result_kind import ResultKind, Shown
from results.models import Pool, Result
from results.models.choices import State, SubjectKind

SHOWN_POOLS = 5  # on a device's page


class LogActivityRecord(Record):
    """What `zpool iostat` shows of the log devices during a run."""

    ops_share: float | None = field("of the pool's write operations, 0 to 1")
    bytes_share: float | None = field("of the bytes that the pool wrote, 0 to 1")
    latency_us: float | None = field(
        "mean total wait of their writes in µs, without their flushes; null without `-l`"
    )
    samples: int = field("how many samples it is the average of")


class PoolIORecord(Record):
    """What a workload did on a pool, and under which conditions: null or empty where nobody states it."""

    table = PoolIO
    columns = with_moved(meanings_of(PoolIO), "record_size", before="arc_bytes")
    first = COLUMNS

    log_activity: LogActivityRecord | None = field()


def _synced(payload: Payload) -> str:
    if payload["sync_mode"] == "always":
        return "each write, by sync=always"
    if payload["each_synced"]:
        return "each write"
    return {True: "once, at the end", False: "never", None: ""}[payload["is_synced"]]


class ShownWorkload(Shown):
    """What was done, under which conditions, and the log's part of it."""

    @property
    def sentence(self) -> str:
        """What was done, in one sentence."""
        payload = self.payload
        if payload["work"] and payload["seconds"]:
            return f"{payload['work']} took {_duration(payload['seconds'])}, timed by hand."
        rate = payload["throughput_bytes_s"]
        speed = f" at {format_number(rate / 1e6)} MB/s" if rate else ""
        verb = {READ: "Read", WRITE: "Wrote"}.get(payload["direction"], "Moved")
        data = f" {format_capacity(payload['data_bytes'])}" if payload["data_bytes"] else ""
        size = f" in blocks of {format_block_size(payload['block_size'])}" if payload["block_size"] else ""
        taken = f" in {_duration(payload['seconds'])}" if payload["seconds"] else ""
        return f"{verb}{data}{size}{taken}{speed}."

    @property
    def conditions(self) -> dict[str, str]:
        """The conditions that make runs comparable, by label; "" where not stated."""
        payload = self.payload
        size, data, memory = payload["record_size"], payload["data_bytes"], payload["arc_bytes"]
        if payload["work"]:
            for_work = {"Work": payload["work"]}
        else:
            for_work = {
                "Direction": DIRECTIONS.get(payload["direction"], ""),
                "Block size": format_block_size(payload["block_size"]) if payload["block_size"] else "",
                **({} if payload["direction"] == READ else {"Synced": _synced(payload)}),
                "Data": format_capacity(data),
            }
        return {
            **for_work,
            "Log device": log_label(payload),
            "sync": payload["sync_mode"],
            "recordsize": format_block_size(size) if size else "",
            "compression": payload["compression"],
            "Access": ACCESS.get(payload["access"], ""),
            "Memory": format_memory(memory),
        }

    @property
    def activity(self) -> str:
        """The log's part of the work, in a sentence; "" if zpool iostat doesn't show it."""
        found = self.payload["log_activity"]
        if not found:
            return ""
        shares = [
            f"{format_number(found[key] * 100)} % of {what}"
            for key, what in (("ops_share", "write operations"), ("bytes_share", "bytes written"))
            if found[key] is not None
        ]
        latency = (
            f", {format_number(found['latency_us'])} µs each without the flush"
            if found["latency_us"] is not None
            else ""
        )
        took = f"The log took {' and '.join(shares)}{latency}" if shares else "The log took no writes"
        return f"{took} (zpool iostat, {format_count(found['samples'], 'sample')})."


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{format_number(seconds)} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


@dataclass(frozen=True, slots=True)
class LogSection:
    """The newest pools that a device, or one of several, is a log of, and their comparison sets."""

    pools: Sequence[Subject]
    has_more: bool
    sets: Sequence[ListedSet]


def _on_logs(device_ids: Collection[int]) -> LogSection | None:
    """Two queries."""
    pools = Pool.objects.filter(logs__in=device_ids, submission__state=State.PUBLISHED).distinct()
    found = list(pools.order_by("-pk")[: SHOWN_POOLS + 1])
    if not found:
        return None
    shown = [subject_of_pool(pool) for pool in found[:SHOWN_POOLS]]
    return LogSection(shown, len(found) > SHOWN_POOLS, sets_with_logs(device_ids))


def _on_paste(result: Result) -> str | None:
    """The address of the comparison set of the runs of its submission. One query."""
    has_set = submissions_with_sets(result__submission=result.submission_id).exists()
    return address("compare-set", result.submission.public_id) if has_set else None


def _subject_of(result: Result) -> Subject:
    """The subject of a result; a pool that had no log device during the run is named without it."""
    subject = subject_of(result)
    if result.pool is None or result.pool_io.log != NO_LOG:
        return subject
    name = describe_layout(vdev for vdev in result.pool.layout if vdev["role"] != "log")
    return replace(subject, name=name, short_name=name)


POOL_IO = ResultKind(
    key="pool_io",
    label="Workloads on a pool",
    meaning="What a pool does with a workload: dd, fio on a file or zvol, or work timed by hand.",
    methods=METHODS,
    metrics=METRICS,
    find_runs=find_workloads,
    shown=ShownWorkload,
    record=PoolIORecord,
    on_logs=_on_logs,
    on_paste=_on_paste,
    subject=SubjectKind.POOL,
    subject_of=_subject_of,
    name_run=name_run,
    alike=("work", "block_size"),
    questions=QUESTIONS,
    questions_if_refused=frozenset({NO_DEVICE}),
    table=PoolIO,
    columns=COLUMNS,
    shipped=(POOL_FILE, PoolLine),
)
