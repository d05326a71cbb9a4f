"""Access patterns as a kind of results."""

from functools import cached_property
from typing import Any

from django.db.models import Q

from results.core.described import meanings_of, with_moved
from results.core.formats import format_count, format_number, round_figure
from results.core.record import Record, Row, field, null_if_empty
from results.kinds.access_pattern.asks import BOTH, LATENCY, THROUGHPUT, Requirements, requirements_of
from results.kinds.access_pattern.charts import PatternChart, charts_of
from results.kinds.access_pattern.metrics import METRICS
from results.kinds.access_pattern.models import COLUMNS, OBSERVED, AccessPattern
from results.kinds.access_pattern.questions import QUESTIONS
from results.kinds.access_pattern.read import (
    BIOLATENCY,
    BITESIZE,
    IOPATTERN,
    LATENCIES,
    SEEKSIZE,
    SIZES,
    ZILSTAT,
    find_patterns,
)
from results.kinds.metric import Payload, compute_metrics
from results.kinds.result_kind import ResultKind, Shown
from results.models import DeviceRanking
from results.models.choices import Board, SubjectKind

RANDOM_FROM = 20  # percent, from which sequential figures say little
BOUNDS = {
    LATENCY: "Latency: the writes are small, so what counts is how long a drive takes for one write and its flush.",
    THROUGHPUT: "Throughput: the writes are large, so MiB/s at 128 KiB count more than latency at 4 KiB.",
    BOTH: "Latency and throughput: the writes are mid-sized, so compare drives for this exact mix.",
}


class SeekRecord(Record):
    """A bar of the seeks."""

    sectors: int = field("from the end of the previous write; negative is back, 0 is sequential")
    count: int = field("I/Os")


class SizeRecord(Record):
    """A bar of the sizes."""

    bytes: int = field("from this size to below the next")
    count: int = field("writes")


class LatencyBucketRecord(Record):
    """A bar of a latency histogram."""

    from_us: float = field("its lower end, in µs")
    below_us: float = field("its upper end, in µs")
    count: int = field("I/Os")


class LatencyRecord(Record):
    """A latency histogram."""

    part: str = field(
        "what took the time: the drive (`disk` by zpool iostat, `io` by biolatency), ZFS’s queue of sync "
        "writes, or both",
        choices=[
            ("disk", "the drive"),
            ("queue", "ZFS’s queue of sync writes"),
            ("total", "both"),
            ("io", "the drive"),
        ],
    )
    buckets: list[LatencyBucketRecord] = field("ascending")


class AskedRecord(Record):
    """What the pattern asks of a log device; null where it doesn’t tell."""

    bound: str | None = field("latency, throughput or both", to=null_if_empty, choices=list(BOUNDS.items()))
    typical_write_bytes: float | None = field(
        "the size that this follows from, in bytes: the mean, or the median of a histogram",
        "typical_bytes",
        to=lambda size: None if size is None else round_figure(size),
    )
    link_gbit_s: float | None = field(
        "the slowest common link that carries this rate, in Gbit/s",
        "link.gbit_s",
        to=lambda rate: None if rate is None else float(rate),
    )
    terabytes_a_year: float | None = field("written in a year at this rate, in TB")
    most_us: float | None = field("the time that a write may take if all come one after the other, in µs")


class AccessPatternRecord(Record):
    """What was observed: empty or null where the tool doesn’t print it and nobody states it."""

    table = AccessPattern
    columns = with_moved(meanings_of(AccessPattern), "row_group", before="is_since_boot")
    first = COLUMNS

    rows: list[dict[str, float | None]] = field()
    seeks: list[SeekRecord] = field(to=list)
    sizes: list[SizeRecord] = field(to=list)
    latencies: list[LatencyRecord] = field(to=list)
    mix: str = field("the sizes as the parameter `mix` of `/workload/`; empty without sizes")
    asks: AskedRecord = field("what this asks of a log device")

    @classmethod
    def of(cls, source: Payload, /, **given: Any) -> Row:
        required = requirements_of(source, compute_metrics(METRICS, source))
        return super().of(source, mix=required.mix, asks=AskedRecord.of(required), **given)


class ShownPattern(Shown):
    """What was observed, and what it asks of a log device."""

    @cached_property
    def required(self) -> Requirements:
        return requirements_of(self.payload, compute_metrics(METRICS, self.payload))

    @property
    def sentence(self) -> str:
        """What was observed, in one sentence."""
        payload = self.payload
        what = OBSERVED.get(payload["observed"], "")
        of = f" of {what}" if what else ""
        count = payload["file_systems"]
        systems = f", {format_count(count, 'file system')} written to at the same time" if count else ""
        if payload["rows"]:
            total = len(payload["rows"]) * (payload["row_group"] or 1)
            return f"{format_count(total, 'row')}{of}{systems}."
        counts = [bucket["count"] for bucket in [*payload["seeks"], *payload["sizes"]]]
        counts = counts or [
            bucket["count"] for latency in payload["latencies"][:1] for bucket in latency["buckets"]
        ]
        share = payload["sync_percent"]
        sync = f"; {share:.3g} % of all writes are sync writes" if share is not None else ""
        noun = "sync write" if share is not None else "I/O"
        boot = " since boot" if payload["is_since_boot"] else ""
        return f"{format_count(sum(counts), noun)}{of}{boot}{systems}{sync}."

    @property
    def charts(self) -> list[PatternChart]:
        return charts_of(self.payload, _own_figure(self.payload))

    @property
    def asks(self) -> list[str]:
        """What a drive needs, in sentences."""
        required, metrics = self.required, compute_metrics(METRICS, self.payload)
        found = []
        if required.bound and required.typical_bytes:
            size = format_number(required.typical_bytes / 1024)
            found.append(f"{BOUNDS[required.bound]} A typical write is {size} KiB.")
        if required.most_us:
            found.append(
                f"{format_number(metrics['pattern_writes_s'])} writes per second: if they come one after the other, "
                f"each may take {format_number(required.most_us)} µs at most."
            )
        if required.link:
            rate = format_number(metrics["pattern_mib_s"])
            found.append(
                f"{rate} MiB/s: {required.link.ethernet} can carry that much, and the drive has to keep up."
            )
        if required.terabytes_a_year:
            terabytes = required.terabytes_a_year
            written = f"{terabytes / 1000:,.3g} PB" if terabytes >= 1000 else f"{terabytes:,.3g} TB"
            found.append(f"{written} a year at this rate: check the drive’s rated endurance.")
        share = metrics.get("random_percent", 100 - metrics.get("zero_seek_percent", 100))
        if share >= RANDOM_FROM:
            found.append(
                f"{share:.3g} % random. With capacitors or Optane that hardly matters to a flush; look at sustained "
                "figures, not at a data sheet’s sequential ones."
            )
        elif "random_percent" in metrics or "zero_seek_percent" in metrics:
            found.append(f"Only {share:.3g} % random: nearly all writes are sequential.")
        wait = metrics.get("slow_wait_us")
        if wait:
            found.append(
                f"99 of 100 I/Os take {format_number(wait)} µs or less, without the flush that a sync write also "
                "waits for."
            )
        return found

    @property
    def conditions(self) -> dict[str, str]:
        """The conditions that make patterns comparable, by label; "" where not stated."""
        payload = self.payload
        count, seconds = payload["file_systems"], payload["seconds_a_row"]
        since_boot = {True: "since boot", False: "a stretch of time", None: ""}[payload["is_since_boot"]]
        return {
            "Observed": OBSERVED.get(payload["observed"], ""),
            "File systems": str(count) if count else "",
            "Log device": payload["log_name"],
            **({"Time": since_boot} if since_boot else {}),
            **({"Seconds per row": f"{seconds:g}" if seconds else ""} if payload["rows"] else {}),
        }


def _own_figure(payload: Payload) -> tuple[str, float] | None:
    """The log device and its 4 KiB latency in µs, if it was measured here. One query, if there is a latency chart."""
    slug, name = payload["log_device"], payload["log_name"]
    if not payload["latencies"] or not (slug or name):
        return None
    which = Q(device__slug=slug) if slug else Q(device__model_name=name)
    rows = DeviceRanking.objects.filter(which, board=Board.SYNC_WRITE, is_main=True)
    return rows.values_list("device__model_name", "score").first()


ACCESS_PATTERN = ResultKind(
    key="access_pattern",
    label="Access patterns",
    meaning="What a log device or a pool has to do: sizes, order and rate of writes, and how long they take.",
    methods={
        IOPATTERN: "iopattern",
        SEEKSIZE: "seeksize",
        BITESIZE: "bitesize",
        ZILSTAT: "zilstat",
        BIOLATENCY: "biolatency",
        SIZES: "zpool iostat -r",
        LATENCIES: "zpool iostat -w",
    },
    metrics=METRICS,
    find_runs=find_patterns,
    shown=ShownPattern,
    record=AccessPatternRecord,
    subject=SubjectKind.POOL,
    questions=QUESTIONS,
    table=AccessPattern,
    columns=COLUMNS,
)
