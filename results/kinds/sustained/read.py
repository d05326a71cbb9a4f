"""Find the series of a parsed paste: fio's logs of one run together, or CSV of seconds and a figure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean
from typing import Any, cast

from parsers.base.device_class import DeviceClass
from parsers.base.readings import FioLogReading, FioReading, Notice, ParsedPaste, SmartctlReading
from parsers.base.units import KIBIBYTE, MEBIBYTE
from parsers.fio.slog import refuse_as_slog
from results.core.formats import round_figure
from results.kinds.answers import LINE
from results.kinds.envelope import RowRun, Run, Stated, UnnamedDeviceError, describe_device
from results.kinds.interconnects import INTERCONNECTS, fastest_link
from results.kinds.load import agreed, is_of_logs, load_of_jobs
from results.kinds.refused import Refused, refused
from results.kinds.series.models import CSV, FIO_LOG, PRECONDITIONED, Sustained
from results.kinds.series.samples import (
    DAY_S,
    IDLE_S,
    MAX_DAYS,
    Series,
    add_up,
    one_after_the_other,
    pack,
    phases_of,
    reduced,
)
from results.kinds.series.steady import NOT_STEADY, PLATEAU, SHORT, STEADY, judge
from results.kinds.sustained import questions
from results.models import Device
from results.models.choices import DataContent, Pattern
from results.models.conditions import FLUSH_OFF
from results.models.fields import BLOCK_SIZES, LARGEST_INTEGER
from results.models.result import MAX_WRITERS

NEEDS = "series_needs_answers"  # the preview asks them then
ON_BOARD = "It is ranked by sustained IOPS, not by latency."
WHY_NOT = {
    PLATEAU: "It ends flat, but we don’t know that twice the capacity was written before.",
    NOT_STEADY: "Its last five minutes are not steady.",
    SHORT: "Its last write phase is shorter than five minutes.",
    "": "A series of latencies has no IOPS.",
}
INCOMPLETE = "Samples are missing or damaged."
UNKNOWN_LOAD = (
    "To rank it, we need the order of its writes, their size, whether they are synced, and the queue depth."
)
EASY_CONTENT = "It didn’t write random data. A device with compression stores other data faster."
EPOCH_MS = 10**11  # larger times are the clock's, by log_unix_epoch
SHORTEST_LATENCY_NS = 1000  # no device writes in less, so smaller figures are µs
RATES = ("iops", "bw")
LATENCIES = ("latency_us", "lat", "clat")
MAX_IN_FLIGHT = MAX_WRITERS
SMALLEST_SIZE = 512  # bytes; of a write whose size isn't known


class SustainedRun(RowRun):
    """A series."""

    table = Sustained

    @property
    def latencies(self) -> tuple[float | None, ...]:
        """Its fastest minute as a latency, if it wrote blocks of one of our sizes."""
        row = self.payload
        fastest = max(filter(None, (row["first_minute_iops"], row["sustained_iops"])), default=0.0)
        latency = 1e6 * (self.writers or 1) / fastest if fastest else None
        return tuple(latency if size == row["transfer_size"] else None for size in BLOCK_SIZES)


@dataclass(frozen=True, slots=True)
class Logs:
    """The logs of writes in a paste, by what their figures are, and what is stated about them."""

    readings: Sequence[FioLogReading]
    answers: Mapping[str, str]
    # Of the only fio run of the paste: as in Result, and size, depth, workers, random
    load: Mapping[str, Any]

    def of(self, *metrics: str) -> list[FioLogReading]:
        """The logs of the first of these metrics that there is."""
        for metric in metrics:
            found = [reading for reading in self.readings if self.metric_of(reading) == metric]
            if found:
                return found
        return []

    def metric_of(self, log: FioLogReading) -> str:
        return log.metric or self.answers.get("series_metric", "")

    def number(self, key: str, name: str) -> int | None:
        """What the sender states, else the fio run; None if no column holds it."""
        found = int(self.answers[key]) if key in self.answers else self.load.get(name)
        most = LARGEST_INTEGER if name == "size" else MAX_IN_FLIGHT
        return found if found is not None and 0 < found <= most else None


def find_series(paste: ParsedPaste, stated: Stated) -> Iterator[Run | Refused | Notice]:
    """Find the run that the logs of a paste are of, if there are any."""
    logs = [reading for reading in paste.readings if isinstance(reading, FioLogReading)]
    if not logs:
        return
    first, last = logs[0].first_line, max(log.last_line for log in logs)
    fio = _only_fio(paste)
    answers_key = LINE.format(paste.sent_line(first))
    writes = [log for log in logs if log.direction in {None, "write"}]
    others = [log for log in logs if log.direction not in {None, "write"}]
    answers = stated.answers.about(answers_key)
    if not writes:
        yield refused("no_writes", "This log has no writes, so it says nothing about a SLOG.", first, last)
        return
    if others:
        message = "We leave out the reads and trims in this log: only its writes count."
        yield Notice("no_writes", message, others[0].first_line)
    found = Logs(writes, answers, _load_of(paste))
    try:
        device = _device(paste, answers, first)
    except UnnamedDeviceError as error:
        yield refused(error.notice.code, error.notice.message, first, last)
        return
    if (fault := _what_is_missing(found, device)) is not None:
        yield refused(*fault, first, last)
        return
    named = cast("dict[str, Any]", device)  # else it is missing
    if (line := _shorter_log(found)) is not None:
        message = "This log ends more than a minute before the others, so we read all of them up to its end."
        yield Notice("different_lengths", message, line)
    settled: frozenset[str] = frozenset()
    if fio is not None and is_of_logs(fio, paste):
        first, last = min(first, fio.first_line), max(last, fio.last_line)
        refusal = refuse_as_slog(fio)
        settled = frozenset({refusal.code} if refusal else ())
    run = _run(found, named, answers_key=answers_key, lines=(first, last), stated=stated)
    yield _possible(replace(run, settled=settled))


def _possible(run: SustainedRun) -> SustainedRun | Refused:
    """The run, unless no device can have written that much: a minute is beyond the fastest link of its class."""
    minutes = (run.figures["first_minute_iops"], run.figures["sustained_iops"])
    fastest = max(filter(None, minutes), default=0.0)
    link = fastest_link(DeviceClass(run.device_class)) or max(
        INTERCONNECTS, key=lambda series: series.ceiling_mib_s
    )
    if fastest * (run.figures["transfer_size"] or SMALLEST_SIZE) / MEBIBYTE <= link.ceiling_mib_s:
        return run
    message = (
        f"These figures can’t be right: {fastest:,.0f} writes per second are more than {link.name} can carry."
    )
    return refused("impossible_figure", message, run.first_line or 0, run.last_line or 0)


def _shorter_log(logs: Logs) -> int | None:
    """The line of the first log that ends a minute or more before one that it is added up with."""
    for together in _simultaneous(logs.of(*RATES), logs.answers):
        shortest = min(together, key=lambda series: series.last_ms)
        if max(reading.last_ms for reading in together) - shortest.last_ms >= IDLE_S * 1000:
            return shortest.first_line
    return None


def _simultaneous(logs: Sequence[FioLogReading], answers: Mapping[str, str]) -> list[list[FioLogReading]]:
    """The logs in the order of their phases, those that were written at the same time together.

    Logs of different jobs were written at the same time unless their clock or the sender says otherwise; several of
    one job one after the other.
    """
    if _have_clock(logs):
        return _overlapping(logs)
    jobs = [log.job for log in logs]
    order = answers.get("series_logs")
    is_of_one_job = None in jobs or len(set(jobs)) < len(jobs)
    is_in_turn = order == questions.IN_TURN or (order is None and is_of_one_job)
    return [[log] for log in logs] if is_in_turn else [list(logs)]


def _have_clock(logs: Iterable[FioLogReading]) -> bool:
    return all(log.first_ms > EPOCH_MS for log in logs)


def _overlapping(logs: Iterable[FioLogReading]) -> list[list[FioLogReading]]:
    """Logs with times of the clock, those that overlap together."""
    groups: list[list[FioLogReading]] = []
    for log in sorted(logs, key=lambda series: series.first_ms):
        if groups and log.first_ms < max(group.last_ms for group in groups[-1]):
            groups[-1].append(log)
        else:
            groups.append([log])
    return groups


def _what_is_missing(logs: Logs, device: Mapping[str, Any] | None) -> tuple[str, str] | None:
    """The code and the message of what keeps the logs from being a result; None if nothing does."""
    missing = []
    if device is None:
        missing.append("which device was tested (or add the output of smartctl -a)")
    if any(not logs.metric_of(reading) for reading in logs.readings):
        missing.append("what the log contains")
    rates, latencies = logs.of(*RATES), logs.of(*LATENCIES)
    if rates and logs.metric_of(rates[0]) == "bw" and logs.number("series_size", "size") is None:
        missing.append("the transfer size, which we need to turn KiB/s into IOPS")
    if missing:
        return NEEDS, f"This log leaves some things out. State {' and '.join(missing)}."
    if not rates and not latencies:
        return (
            "no_rates",
            "These logs have no IOPS, throughput or total latency. Add the _iops or _lat log.",
        )
    spans = [float(reading.last_ms - reading.first_ms) / 1000 for reading in logs.readings]
    clock = (
        float(
            max(reading.last_ms for reading in logs.readings)
            - min(reading.first_ms for reading in logs.readings)
        )
        / 1000
    )
    if max(sum(spans), clock) > MAX_DAYS * DAY_S:
        return (
            "too_long_series",
            f"This series is longer than {MAX_DAYS} days, or its clock jumped. Submit a part of it.",
        )
    return None


def _device(paste: ParsedPaste, answers: Mapping[str, str], line: int) -> dict[str, Any] | None:
    """The fields of a run about the device that the sender names, else about the only one that smartctl describes."""
    slug = answers.get("series_device", "")
    if slug:
        named = Device.objects.filter(slug=slug).first()
        if named is None:
            return None
        return {
            "model_name": named.model_name,
            "vendor": named.vendor,
            "capacity_bytes": named.capacity_bytes,
            "device_class": named.device_class,
        }
    described = {
        device.smartctl: device
        for device in reversed(paste.devices)
        if device.smartctl is not None and isinstance(paste.readings[device.smartctl], SmartctlReading)
    }
    if len(described) != 1:
        return None
    (device,) = described.values()
    return describe_device(device, paste, line=line)


def _only_fio(paste: ParsedPaste) -> FioReading | None:
    """The run of fio that wrote the logs, if the paste has only one."""
    runs = [reading for reading in paste.readings if isinstance(reading, FioReading) and reading.jobs]
    return runs[0] if len(runs) == 1 else None


def _load_of(paste: ParsedPaste) -> dict[str, Any]:
    """What the only run of fio in the paste states about its writes; empty for none and for several."""
    fio = _only_fio(paste)
    if fio is None:
        return {}
    jobs = fio.jobs
    job = jobs[0]
    shares = {
        Pattern.RANDOM.value: 100,
        Pattern.SEQUENTIAL.value: 0,
        Pattern.MIXED.value: job.percentage_random,
    }
    jobs_series = load_of_jobs(jobs)
    # Without the command, which also has the path, fio's text doesn't show whether it synced
    if fio.path is not None and all(job.sync_each_write is False for job in jobs):
        jobs_series["sync_method"] = jobs_series["sync_method"] or FLUSH_OFF
    return {
        **jobs_series,
        "size": agreed(job.block_size for job in jobs),
        "depth": agreed(job.iodepth for job in jobs),
        "workers": agreed(job.numjobs for job in jobs) or None,
        "random": shares.get(job.pattern or ""),
        "version": fio.tool_version or "",
    }


def _run(
    logs: Logs, device: Mapping[str, Any], *, answers_key: str, lines: tuple[int, int], stated: Stated
) -> SustainedRun:
    answers, load = logs.answers, logs.load
    size = logs.number("series_size", "size")
    rates, latencies = logs.of(*RATES), logs.of(*LATENCIES)
    iops = _joined(rates, answers, read=lambda log: _rates_of(log, logs, size), join=add_up)
    depth, workers = logs.number("series_depth", "depth"), logs.number("series_workers", "workers")
    latency_series = _joined(latencies, answers, read=lambda log: _latencies_of(log, logs), join=_mixed)
    if shown := iops or latency_series:  # a series begins one interval before its first sample
        start = shown.times[0] - min(shown.interval, 60.0)
        iops, latency_series = (
            series.shifted(-start) if series else None for series in (iops, latency_series)
        )
    pattern, random_percent = _pattern(answers, load)
    content = answers.get("series_content", "") or load.get("data_content") or ""
    if content == DataContent.REFILLED:
        content = "random"
    share = answers.get("series_share", "") if content == "compressible" else ""
    state = answers.get("series_state", "")
    figures = {
        "transfer_size": size,
        "random_percent": random_percent,
        "queue_depth": depth,
        "workers": workers,
        "content": f"{content} {share}".rstrip(),
        "state_before": state,
        **_figures(iops, latency_series, size, device.get("capacity_bytes"), state),
    }
    in_flight = (depth or 1) * (workers or 1)
    is_complete = all(reading.complete for reading in logs.readings)
    sync = answers.get("series_sync") or load.get("sync_method")
    reason = _why_not_ranked(figures, is_complete=is_complete, sync=sync, content=content)
    count = max(len(series.times) for series in (iops, latency_series) if series)
    return SustainedRun(
        **device,
        method=CSV if logs.readings[0].direction is None else FIO_LOG,
        is_complete=is_complete,
        not_ranked_reason=reason,
        sync_method=sync,
        data_content=questions.STORED_CONTENT.get(content),
        pattern=pattern,
        is_direct=load.get("is_direct"),
        block_align=int(answers["series_align"]) if "series_align" in answers else load.get("block_align"),
        writers=min(in_flight, MAX_IN_FLIGHT) if in_flight > 1 else None,
        first_line=lines[0],
        last_line=lines[1],
        measured_on=stated.day_of(logs.readings[0].measured_on),
        answers_key=answers_key,
        answered=_answered(logs),
        figures={**figures, "is_on_board": reason == ON_BOARD},
        bulk={
            "iops": pack(iops) if iops else None,
            "latency": pack(latency_series) if latency_series else None,
            "sample_count": count,
        },
    )


def _rates_of(log: FioLogReading, logs: Logs, size: int | None) -> Series:
    """A log of rates in writes per second."""
    times = [float(time) / 1000 for time in log.times_ms]
    values = [float(value) for value in log.values]
    if logs.metric_of(log) == "bw":
        return Series(times, [value * KIBIBYTE / (size or 1) for value in values])
    is_each_write = set(log.values) == {1} and len(times) > 1 and Series(times, values).interval < 1
    return _counted(times) if is_each_write else Series(times, values)


def _counted(times: Sequence[float]) -> Series:
    """The writes of each second, of a log that has a row for each write."""
    counts = [
        (second + 1.0, float(len(list(rows)))) for second, rows in groupby(times, key=lambda time: int(time))
    ]
    filled: list[tuple[float, float]] = []
    for time, count in counts:
        previous = filled[-1][0] if filled else time - 1
        if 1 < time - previous <= IDLE_S:
            filled += [(previous + step, 0.0) for step in range(1, int(time - previous))]
        filled.append((time, count))
    return Series([time for time, _ in filled], [count for _, count in filled])


def _latencies_of(log: FioLogReading, logs: Logs) -> Series:
    """A log of latencies in µs."""
    times = [float(time) / 1000 for time in log.times_ms]
    unit = logs.answers.get("series_unit") or (
        questions.MICROSECONDS if str(logs.load.get("version", "")).startswith("fio-2") else ""
    )
    if not unit:
        unit = questions.MICROSECONDS if log.mean < SHORTEST_LATENCY_NS else questions.NANOSECONDS
    is_ns = log.metric != "latency_us" and unit == questions.NANOSECONDS
    return Series(times, [float(value) / (1000 if is_ns else 1) for value in log.values])


def _joined(
    logs: Sequence[FioLogReading],
    answers: Mapping[str, str],
    *,
    read: Callable[[FioLogReading], Series],
    join: Callable[[Sequence[Series]], Series],
) -> Series | None:
    """The logs of all jobs and phases as one series, with `join` for those of a phase; None without any."""
    if not logs:
        return None
    phases = [join([read(log) for log in together]) for together in _simultaneous(logs, answers)]
    if not _have_clock(logs):
        return one_after_the_other(phases, idle_s=60.0 * int(answers.get("series_idle", 1)))
    return Series(
        [time for phase in phases for time in phase.times],
        [value for phase in phases for value in phase.values],
    )


def _mixed(several: Sequence[Series]) -> Series:
    """The samples of several jobs in the order of their times."""
    pairs = sorted(
        (pair for series in several for pair in zip(series.times, series.values, strict=True)),
        key=lambda pair: pair[0],
    )
    return Series([time for time, _ in pairs], [value for _, value in pairs])


def _figures(
    iops: Series | None, latency: Series | None, size: int | None, capacity: int | None, state: str
) -> dict[str, Any]:
    phases = phases_of(iops) if iops else []
    found = judge(
        phases, transfer_size=size, capacity_bytes=capacity, is_preconditioned=state == PRECONDITIONED
    )
    window = found.window
    shown = iops or latency
    return {
        "verdict": found.verdict if iops else "",
        "written_before": found.written_bytes,
        "phases": [
            {
                "start_s": round(phase.start, 1),
                "end_s": round(phase.end, 1),
                "rounds": [_rounded(rate) for rate in phase.rounds],
            }
            for phase in phases
        ],
        "window_start_s": found.window_start,
        "range_percent": None if window is None else _rounded(100 * window.range_share),
        "rise_percent": None if window is None else _rounded(100 * window.rise_share),
        "points": reduced(shown) if shown else [],
        "first_minute_iops": _rounded(found.first_minute),
        "sustained_iops": _rounded(found.sustained),
        "slowest_minute_iops": _rounded(found.slowest_minute),
        "minutes_to_drop": found.minutes_to_drop,
        "recovery_percent": None if found.recovery is None else _rounded(100 * found.recovery),
        **_latency_figures(latency, found.window_start),
    }


def _latency_figures(latency: Series | None, since: float | None) -> dict[str, Any]:
    if latency is None:
        return {}
    values = sorted(latency.values)
    in_window = [
        value
        for time, value in zip(latency.times, latency.values, strict=True)
        if since is None or time > since
    ]
    rank = -(-99 * len(values) // 100) - 1  # the nearest rank
    return {
        "mean_us": _rounded(fmean(in_window or values)),
        "p99_us": _rounded(values[rank]),
        "max_us": _rounded(values[-1]),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round_figure(value)


def _pattern(answers: Mapping[str, str], load: Mapping[str, Any]) -> tuple[str | None, int | None]:
    pattern = answers.get("series_pattern") or load.get("pattern")
    if "series_pattern" not in answers:
        return pattern, load.get("random")
    if pattern == Pattern.MIXED:
        return pattern, int(answers["series_random"]) if "series_random" in answers else None
    return pattern, 100 if pattern == Pattern.RANDOM else 0


def _why_not_ranked(figures: Mapping[str, Any], *, is_complete: bool, sync: str | None, content: str) -> str:
    if figures["verdict"] != STEADY:
        return WHY_NOT[figures["verdict"]]
    if not is_complete:
        return INCOMPLETE
    if content not in {"", "random"}:
        return EASY_CONTENT
    known = (figures["transfer_size"], figures["random_percent"], figures["queue_depth"], sync)
    return UNKNOWN_LOAD if None in known else ON_BOARD


def _answered(logs: Logs) -> frozenset[str]:
    """The questions that the text answers."""
    load, answers = logs.load, logs.answers
    several = max(len(logs.of(*RATES)), len(logs.of(*LATENCIES))) > 1
    by_clock = _have_clock(logs.readings)
    pattern = answers.get("series_pattern") or load.get("pattern")
    states = {
        "series_device": "series_device" not in answers,
        "series_metric": all(reading.metric for reading in logs.readings),
        "series_pattern": load.get("pattern") is not None,
        "series_random": pattern != Pattern.MIXED or load.get("random") is not None,
        "series_size": load.get("size") is not None,
        "series_align": load.get("block_align") is not None,
        "series_content": load.get("data_content") is not None,
        "series_share": answers.get("series_content") != "compressible",
        "series_depth": load.get("depth") is not None,
        "series_workers": load.get("workers") is not None,
        "series_sync": load.get("sync_method") is not None,
        "series_logs": not several or by_clock,
        "series_idle": not several or by_clock,
        "series_unit": not logs.of("lat", "clat"),
    }
    return frozenset(key for key, is_known in states.items() if is_known)
