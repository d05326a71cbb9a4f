"""Workloads on a pool as a kind of results."""

from typing import Any

from results.core.addresses import address, with_query
from results.core.described import meanings_of, with_moved
from results.core.formats import (
    format_block_size,
    format_capacity,
    format_count,
    format_memory,
    format_number,
    writers_label,
)
from results.core.record import Record, field
from results.core.subject import subject_of_pool
from results.kinds.named_device import device_url
from results.kinds.pool_io.found_sets import sets_with_logs, submissions_with_sets
from results.kinds.pool_io.metrics import METRICS
from results.kinds.pool_io.models import ACCESS, COLUMNS, DIRECTIONS, NO_LOG, READ, WITH_LOG, WRITE, PoolIO
from results.kinds.pool_io.questions import QUESTIONS
from results.kinds.pool_io.read import DD, FIO, OTHER, TIMED, find_workloads
from results.kinds.refused import NO_DEVICE
from results.kinds.result_kind import Payload, ResultKind
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


def log_label(payload: Payload) -> str:
    """The log device in words: "none", "INTEL SSDPE21D280GA 280 GB"; "" if not stated."""
    if payload["log"] == NO_LOG:
        return "none"
    return payload["log_name"] or ("yes, model not stated" if payload["log"] == WITH_LOG else "")


def conditions_of(payload: Payload) -> dict[str, str]:
    """The conditions that make runs comparable, by label; "" where not stated."""
    size, data, memory = payload["record_size"], payload["data_bytes"], payload["arc_bytes"]
    if payload["work"]:
        of_work = {"Work": payload["work"]}
    else:
        of_work = {
            "Direction": DIRECTIONS.get(payload["direction"], ""),
            "Block size": format_block_size(payload["block_size"]) if payload["block_size"] else "",
            **({} if payload["direction"] == READ else {"Synced": _synced(payload)}),
            "Data": format_capacity(data),
        }
    return {
        **of_work,
        "Log device": log_label(payload),
        "sync": payload["sync_mode"],
        "recordsize": format_block_size(size) if size else "",
        "compression": payload["compression"],
        "Access": ACCESS.get(payload["access"], ""),
        "Memory": format_memory(memory),
    }


def _synced(payload: Payload) -> str:
    if payload["sync_mode"] == "always":
        return "each write, by sync=always"
    if payload["each_synced"]:
        return "each write"
    return {True: "once, at the end", False: "never", None: ""}[payload["is_synced"]]


def _context(payload: Payload, _name: str, **_: Any) -> dict[str, Any]:
    return {
        "pool_io": {
            "sentence": _sentence(payload),
            "writers": writers_label(payload["writers"]),
            "log_url": device_url(payload["log_device"]),
            "conditions": conditions_of(payload),
            "activity": _activity(payload["log_activity"]),
        }
    }


def _sentence(payload: Payload) -> str:
    """What was done, in one sentence."""
    if payload["work"] and payload["seconds"]:
        return f"{payload['work']} took {_duration(payload['seconds'])}, timed by hand."
    rate = payload["throughput_bytes_s"]
    speed = f" at {format_number(rate / 1e6)} MB/s" if rate else ""
    verb = {READ: "Read", WRITE: "Wrote"}.get(payload["direction"], "Moved")
    data = f" {format_capacity(payload['data_bytes'])}" if payload["data_bytes"] else ""
    size = f" in blocks of {format_block_size(payload['block_size'])}" if payload["block_size"] else ""
    taken = f" in {_duration(payload['seconds'])}" if payload["seconds"] else ""
    return f"{verb}{data}{size}{taken}{speed}."


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{format_number(seconds)} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _activity(found: dict[str, Any] | None) -> str:
    """The log's part of the work, in a sentence; "" if zpool iostat doesn't show it."""
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


def _on_device(device_id: int) -> dict[str, Any]:
    """The newest pools that it is a log device of, and their comparison sets. Two queries."""
    pools = Pool.objects.filter(logs=device_id, submission__state=State.PUBLISHED).order_by("-pk")
    found = list(pools[: SHOWN_POOLS + 1])
    return {
        "pools": [
            {"name": subject_of_pool(one).name, "url": one.get_absolute_url()} for one in found[:SHOWN_POOLS]
        ],
        "has_more": len(found) > SHOWN_POOLS,
        "sets": sets_with_logs([device_id]) if found else [],
        "all_url": with_query(address("results"), subject=SubjectKind.POOL.value),
    }


def _on_paste(result: Result) -> dict[str, Any]:
    """The comparison set of the runs of its submission; {} without one. One query."""
    of_submission = submissions_with_sets(result__submission=result.submission_id)
    if not of_submission.exists():
        return {}
    return {"url": address("compare-set", result.submission.public_id)}


POOL_IO = ResultKind(
    key="pool_io",
    label="Workloads on a pool",
    meaning="What a pool does with a workload: dd, fio on a file or zvol, or work timed by hand.",
    methods={DD: "dd", FIO: "fio on a pool", TIMED: "timed by hand", OTHER: "another tool"},
    metrics=METRICS,
    find_runs=find_workloads,
    context=_context,
    record=PoolIORecord,
    conditions=conditions_of,
    on_device=_on_device,
    on_paste=_on_paste,
    subject=SubjectKind.POOL,
    asks=QUESTIONS,
    asks_if_refused=frozenset({NO_DEVICE}),
    table=PoolIO,
    columns=COLUMNS,
)
