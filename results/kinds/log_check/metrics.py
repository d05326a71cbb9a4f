"""The metrics of a check of a log: they describe a workload as much as a drive, so neither end is better."""

from collections.abc import Callable
from operator import itemgetter

from parsers.base.units import MEBIBYTE
from results.advice.lifetime import LONG_YEARS
from results.core.formats import format_number
from results.kinds.metric import PER_SECOND, Metric, Payload, by_key

COMMITS_S, COMMIT_US = "log_commits_s", "log_commit_us"
_PERCENT = 100


def _commit_us(payload: Payload) -> float | None:
    write_us, flush_us = payload["write_us"], payload["flush_us"]
    return None if write_us is None or flush_us is None else write_us + flush_us


def _scaled(name: str, factor: float) -> Callable[[Payload], float | None]:
    return lambda payload: None if payload[name] is None else payload[name] * factor


def _years(value: float | None) -> str:
    """Like figures of other results, but "over 50" for anything longer."""
    return f"over {LONG_YEARS}" if value is not None and value > LONG_YEARS else format_number(value)


def _metric(
    key: str,
    label: str,
    short_label: str,
    unit: str,
    meaning: str,
    compute: Callable[[Payload], float | None],
    show: Callable[[float | None], str] = format_number,
) -> Metric:
    return Metric(
        key=key,
        label=label,
        short_label=short_label,
        unit=unit,
        is_judged=False,
        meaning=meaning,
        compute=compute,
        format=show,
        is_minor=key not in {COMMITS_S, COMMIT_US},
    )


METRICS = by_key(
    _metric(
        COMMITS_S,
        "Commits per second",
        "Commits",
        PER_SECOND,
        "How often something waited for the log of a pool in use: an fsync, or a sync write.",
        itemgetter("commits_s"),
    ),
    _metric(
        COMMIT_US,
        "Write and flush in use",
        "Write + flush",
        "µs",
        "Mean time of a write to the slowest disk of a log in use, and of a flush: a commit waits at least "
        "that long.",
        _commit_us,
    ),
    _metric(
        "log_write_us",
        "Write in use, without its flush",
        "Write",
        "µs",
        "Mean time of a write to the slowest disk of a log in use, without the flush.",
        itemgetter("write_us"),
    ),
    _metric(
        "log_mib_s",
        "Written to the log",
        "To the log",
        "MiB/s",
        "How much was written to the log devices of a pool in use per second.",
        _scaled("log_bytes_s", 1 / MEBIBYTE),
    ),
    _metric(
        "log_share_percent",
        "Share of the log’s bytes on the log device",
        "On the SLOG",
        "%",
        "The share of what a pool in use wrote to its log that went to the log devices.",
        _scaled("share", _PERCENT),
    ),
    _metric(
        "log_years",
        "Years left at this rate",
        "Years left",
        "years",
        "Years until a drive of the log is worn out at this rate, by the wear and the bytes written that it reports.",
        itemgetter("years_left"),
        _years,
    ),
)
