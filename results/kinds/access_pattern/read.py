"""Find access patterns in a parsed paste: what DTrace scripts, biolatency and zpool iostat's histograms print."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parsers.base.readings import (
    BiolatencyReading,
    HistogramReading,
    ParsedPaste,
    TableReading,
    ZpoolIostatReading,
)
from results.kinds.access_pattern.models import DISK, LOG, POOL, AccessPattern
from results.kinds.envelope import DescribedPool, RowRun, Stated
from results.kinds.pool.models import NO_LOG, WITH_LOG
from results.kinds.pool.pools import POOL_MASK, FoundPool, log_name_of, pools_of
from results.kinds.pool.questions import LAYOUT_KEYS
from results.kinds.pool.runs import OMITS_BOOT, Paste, Where
from results.kinds.refused import Refused, refused

IOPATTERN, SEEKSIZE, BITESIZE, ZILSTAT = "iopattern", "seeksize", "bitesize", "zilstat"
BIOLATENCY, SIZES, LATENCIES = "biolatency", "zpool_iostat_r", "zpool_iostat_w"
NEVER_RANKED = "Access patterns aren’t ranked: they describe a workload, not a drive."
NOTHING_WRITTEN = "Nothing was written while this was observed. Observe busy minutes."
TOO_LARGE = "These figures are larger than any disk could have counted."
MAX_PATTERNS = 20  # of a text
TOO_MANY = f"We read {MAX_PATTERNS} patterns per text. Submit the others separately."
MAX_ROWS = 500  # of a table; more are summed up in groups
_PARTS = {"disk_wait_write": "disk", "syncq_wait_write": "queue", "total_wait_write": "total"}
_MICROSECONDS = {"nsecs": 0.001, "usecs": 1.0, "msecs": 1000.0}
_NANOSECOND = 0.001  # in µs
_SUMS = frozenset({"count", "read_kb", "write_kb", "bytes", "buffer_bytes", "ops", "ops_le_4kb", "ops_4_32kb",
                   "ops_ge_32kb"})  # fmt: skip
_MIN, _MAX = frozenset({"min_bytes"}), frozenset({"max_bytes", "bytes_max_rate", "buffer_bytes_max_rate"})
_OF_COUNT = frozenset({"percent_random", "percent_sequential", "mean_bytes"})  # means over the I/Os of a row

Row = Mapping[str, Any]
Observed = TableReading | HistogramReading | BiolatencyReading | ZpoolIostatReading


class PatternRun(RowRun):
    """An observed pattern."""

    table = AccessPattern


LARGEST = 2**53  # what every reader of JSON, and of the exports, holds exactly


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What one tool printed of one pool or disk: its readings, and the figures in them.

    `name` is that of the pool or disk in the text, for finding its pool only.
    """

    method: str
    readings: Sequence[Observed]
    figures: Mapping[str, Any]
    name: str = ""

    @property
    def first_line(self) -> int:
        return self.readings[0].first_line

    @property
    def last_line(self) -> int:
        return self.readings[-1].last_line

    @property
    def _counted(self) -> list[Mapping[str, Any]]:
        figures = self.figures
        buckets = [bucket for latency in figures.get("latencies", []) for bucket in latency["buckets"]]
        return [*figures.get("rows", []), *figures.get("seeks", []), *figures.get("sizes", []), *buckets]

    @property
    def has_writes(self) -> bool:
        return any(row.get("count") or row.get("ops") for row in self._counted)

    @property
    def largest(self) -> float:
        """The largest figure, of either sign."""
        return max((abs(value) for row in self._counted for value in row.values() if value), default=0)


def find_patterns(paste: ParsedPaste, stated: Stated) -> Iterator[PatternRun | Refused]:
    """Find the patterns, one for each table, script, or histogram of a pool or disk."""
    within = Paste(paste, pools_of(paste), (), stated)
    seen = sorted(_seen(paste), key=lambda pattern: pattern.first_line)
    for number, pattern in enumerate(seen, start=1):
        lines = (pattern.first_line, pattern.last_line)
        if not pattern.has_writes:
            yield refused("no_writes_observed", NOTHING_WRITTEN, *lines)
        elif pattern.largest > LARGEST:
            yield refused("impossible_figure", TOO_LARGE, *lines)
        elif number > MAX_PATTERNS:
            yield refused("too_many_patterns", TOO_MANY, *lines)
        else:
            yield _run(pattern, within)


def _seen(paste: ParsedPaste) -> Iterator[_Seen]:
    latencies: dict[Any, list[BiolatencyReading]] = {}
    histograms: dict[Any, list[ZpoolIostatReading]] = {}
    for reading in paste.readings:
        if isinstance(reading, TableReading):
            yield from _tables(reading)
        elif isinstance(reading, HistogramReading):
            yield _script(reading)
        elif isinstance(reading, BiolatencyReading):
            if not reading.flags or "Write" in reading.flags:  # of all I/Os together, or of a kind of writes
                latencies.setdefault((reading.disk, reading.flags), []).append(reading)
        elif isinstance(reading, ZpoolIostatReading) and reading.buckets:
            histograms.setdefault((reading.form, reading.name), []).append(reading)
    yield from map(_biolatency, latencies.values())
    yield from (_iostat(form, name or "", found) for (form, name), found in histograms.items())


def _tables(reading: TableReading) -> Iterator[_Seen]:
    """iopattern's table, one for each device that it names, or zilstat's."""
    for device in dict.fromkeys(row.device for row in reading.rows):
        rows = [dict(row.figures) for row in reading.rows if row.device == device]
        size = -(-len(rows) // MAX_ROWS)
        groups = [rows[at : at + size] for at in range(0, len(rows), size)]
        yield _Seen(
            method=reading.kind,
            readings=[reading],
            figures={
                "rows": [_summed(group) for group in groups],
                "row_group": size if size > 1 else None,
                "seconds_a_row": _zilstat_seconds(rows, size),
                "observed": LOG if reading.kind == ZILSTAT else "",
            },
        )


def _summed(rows: Sequence[Row]) -> Row:
    """Several rows as one: sums, extremes, and means by the number of I/Os."""
    if len(rows) == 1:
        return rows[0]
    total = sum(row.get("count") or 0 for row in rows)
    found: dict[str, Any] = {}
    for name in rows[0]:
        known = [row[name] for row in rows if row.get(name) is not None]
        if not known:
            found[name] = None
        elif name in _SUMS:
            found[name] = sum(known)
        elif name in _MIN:
            found[name] = min((value for value in known if value), default=0)
        elif name in _MAX:
            found[name] = max(known)
        elif name in _OF_COUNT:
            weighted = sum((row[name] or 0) * (row.get("count") or 0) for row in rows)
            found[name] = round(weighted / total) if total else 0
        else:
            found[name] = round(sum(known) / len(rows))
    return found


def _zilstat_seconds(rows: Sequence[Row], size: int) -> float | None:
    """The seconds of a stored row, since zilstat prints bytes and bytes a second; None for iopattern."""
    written = [(row["bytes"], row["bytes_s"]) for row in rows if row.get("bytes") and row.get("bytes_s")]
    rate = sum(bytes_s for _, bytes_s in written)
    return round(size * sum(seconds for seconds, _ in written) / rate, 3) if rate else None


def _script(reading: HistogramReading) -> _Seen:
    """seeksize or bitesize: the histograms of all processes as one."""
    counts: Counter[int] = Counter()
    for process in reading.processes:
        for value, count in process.buckets:
            counts[value] += count
    names = ("seeks", "sectors") if reading.kind == SEEKSIZE else ("sizes", "bytes")
    buckets = [{names[1]: value, "count": counts[value]} for value in sorted(counts)]
    return _Seen(method=reading.kind, readings=[reading], figures={names[0]: buckets})


def _biolatency(found: Sequence[BiolatencyReading]) -> _Seen:
    counts: Counter[tuple[float, float]] = Counter()
    for reading in found:
        factor = _MICROSECONDS[reading.unit]
        for low, high, count in reading.buckets:
            is_open = low > 0 and high == 2 * low  # as bpftrace prints it; bcc includes the upper bound
            counts[low * factor, (high if is_open else high + 1) * factor] += count
    return _Seen(
        method=BIOLATENCY,
        readings=found,
        figures={
            "latencies": [
                {"part": "io", "buckets": [_bucket(*bounds, counts[bounds]) for bounds in sorted(counts)]}
            ],
            "observed": DISK if found[0].disk else "",
        },
    )


def _iostat(form: str, name: str, found: Sequence[ZpoolIostatReading]) -> _Seen:
    """The samples of a histogram as one: the first is the average since boot, unless the command has -y."""
    is_omitted = any(OMITS_BOOT.search(reading.command or "") for reading in found)
    during = found if is_omitted or len(found) == 1 else found[1:]
    is_of_sizes = form == "size_histogram"
    figures = _iostat_sizes(during) if is_of_sizes else _iostat_latencies(during)
    return _Seen(
        method=SIZES if is_of_sizes else LATENCIES,
        readings=found,
        name=name,
        figures={
            **figures,
            "is_since_boot": len(found) == 1 and not is_omitted,
            "observed": POOL if POOL_MASK.fullmatch(name) else DISK,
        },
    )


def _iostat_sizes(found: Iterable[ZpoolIostatReading]) -> dict[str, Any]:
    """The sizes of sync writes, single and merged ones, and their share of all writes."""
    sizes: Counter[int] = Counter()
    others = 0
    for bucket in (bucket for reading in found for bucket in reading.buckets):
        size = int(bucket["low_bytes"] or 0)
        sizes[size] += sum(int(bucket.get(f"sync_write_{part}") or 0) for part in ("ind", "agg"))
        others += sum(int(bucket.get(f"async_write_{part}") or 0) for part in ("ind", "agg"))
    total = sum(sizes.values())
    return {
        "sizes": [{"bytes": size, "count": sizes[size]} for size in sorted(sizes)],
        "sync_percent": round(100 * total / (total + others), 2) if total else None,
    }


def _iostat_latencies(found: Iterable[ZpoolIostatReading]) -> dict[str, Any]:
    counts: dict[str, Counter[float]] = {part: Counter() for part in _PARTS.values()}
    for bucket in (bucket for reading in found for bucket in reading.buckets):
        for column, part in _PARTS.items():
            counts[part][float(bucket["high_ns"] or 0)] += int(bucket.get(column) or 0)
    return {
        "latencies": [
            {"part": part, "buckets": _buckets(for_part)}
            for part, for_part in counts.items()
            if any(for_part.values())
        ]
    }


def _buckets(counts: Mapping[float, int]) -> list[dict[str, float]]:
    """Buckets that begin where the one before ends, in µs, from their upper ends in ns."""
    ends = sorted(counts)
    return [
        _bucket(low * _NANOSECOND, high * _NANOSECOND, counts[high])
        for low, high in zip([0.0, *ends], ends, strict=False)
    ]


def _bucket(low: float, high: float, count: int) -> dict[str, float]:
    return {"from_us": round(low, 3), "below_us": round(high, 3), "count": count}


def _run(seen: _Seen, within: Paste) -> PatternRun:
    where = within.run_at(f"/{seen.name}/", seen.first_line)
    found, pool = where.found, where.pool
    return PatternRun(
        pool=pool,
        method=seen.method,
        is_complete=all(reading.complete for reading in seen.readings),
        platform=pool.platform,
        first_line=seen.first_line,
        last_line=seen.last_line,
        measured_on=within.stated.day_of(seen.readings[0].measured_on),
        not_ranked_reason=NEVER_RANKED,
        answers_key=where.answers_key,
        settled=frozenset({"no_benchmark"}),
        answered=_answered(seen, within.pools, found, pool),
        figures={**seen.figures, **_stated(seen, found, pool, where)},
    )


def _stated(seen: _Seen, found: FoundPool | None, pool: DescribedPool, where: Where) -> dict[str, Any]:
    """What the sender states, where the text doesn't say it."""
    figures, answers = seen.figures, where.answers
    for_text = "" if found is None or found.status is None else WITH_LOG if found.log_vdevs else NO_LOG
    log = answers.get("log", "") or (WITH_LOG if answers.get("log_device") else "") or for_text
    slug = answers.get("log_device", "") if log == WITH_LOG else ""
    seconds = answers.get("seconds_a_row")
    is_log = found is not None and any(seen.name in vdev.devices for vdev in found.log_vdevs)
    return {
        "observed": (LOG if is_log else figures.get("observed", "")) or answers.get("observed", ""),
        "file_systems": int(answers["file_systems"]) if "file_systems" in answers else None,
        "seconds_a_row": figures.get("seconds_a_row")
        or (int(seconds) * (figures.get("row_group") or 1) if seconds and seen.method == IOPATTERN else None),
        "log_device": slug,
        "log_name": (where.log_name(slug) if slug else log_name_of(pool.logs)) if log == WITH_LOG else "",
    }


def _answered(
    seen: _Seen, pools: Sequence[FoundPool], found: FoundPool | None, pool: DescribedPool
) -> frozenset[str]:
    """The questions that needn't be asked: what the text says itself."""
    states = {
        "observed": bool(seen.figures.get("observed")),
        "seconds_a_row": seen.method != IOPATTERN,
        "pool": len(pools) < 2 or bool(seen.name and found),
        "log": bool(found and found.status),
        "log_device": bool(pool.logs),
        "system": bool(pool.platform),
        **dict.fromkeys(LAYOUT_KEYS, bool(found and found.status) or len(pools) > 1),
    }
    return frozenset(key for key, is_known in states.items() if is_known)
