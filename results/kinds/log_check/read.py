"""Find the check of a log in a parsed paste: what the commands of `/check/` print about a pool in use."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from parsers.base.readings import LiveLogReading, ParsedPaste, SmartctlReading
from results.advice.lifetime import life_left
from results.advice.lights import LOG_FAULTS, OF_ALL_POOLS, check_log, slowest_disk, years_at
from results.kinds.envelope import DescribedPool, RowRun, Stated, fitting_condition
from results.kinds.log_check.models import LogCheck
from results.kinds.pool.pools import describe_pool, is_any_of, log_name_of, other_pool, pools_of
from results.kinds.refused import Refused, refused

SLOG_CHECK = "slog_check"
NEVER_RANKED = "Checks of logs in use aren’t ranked: they depend on what the pool does."
NO_LOG = "This check is of a pool without a log device, or the output of zpool status is missing."
IDLE = "Nothing waited for the log during the check. Check again while your clients are writing."
TOO_LARGE = "These figures are larger than any log device could have, or cover more than a day."
MOST = {"commits_s": 1e7, "log_bytes_s": 1e12, "write_us": 6e7, "flush_us": 6e7, "window_s": 86_400}


class CheckRun(RowRun):
    """A check of a log."""

    table = LogCheck


def find_log_checks(paste: ParsedPaste, stated: Stated) -> Iterator[CheckRun | Refused]:
    """Find the check, of which a text has one at most."""
    for log in paste.readings:
        if not isinstance(log, LiveLogReading):
            continue
        lines = (log.first_line, log.last_line)
        figures = _figures(log, paste)
        if not log.logs:
            yield refused("no_log_device", NO_LOG, *lines)
        elif figures["commits_s"] is None:
            why = LOG_FAULTS.get(log.fault or "", OF_ALL_POOLS)
            yield refused("log_not_counted", f"We can’t tell what the log did: {why}.", *lines)
        elif not figures["commits_s"]:
            yield refused("idle_log", IDLE, *lines)
        elif any((figures[name] or 0) > most for name, most in MOST.items()):
            yield refused("impossible_figure", TOO_LARGE, *lines)
        else:
            pool = _pool(log, paste, stated)
            yield CheckRun(
                pool=pool,
                method=SLOG_CHECK,
                is_complete=True,
                platform=pool.platform,
                first_line=log.first_line,
                last_line=log.last_line,
                measured_on=stated.day_of(log.measured_on),
                not_ranked_reason=NEVER_RANKED,
                figures={**figures, "log_name": log_name_of(pool.logs)},
            )


def _figures(log: LiveLogReading, paste: ParsedPaste) -> dict[str, Any]:
    check, disk = check_log(log, ()), slowest_disk(log)
    counts_flushes = disk is not None and disk.flushes_s is not None
    return {
        "window_s": log.window_s,
        "commits_s": check.commits_s,
        "log_bytes_s": check.log_bytes_s,
        "share": check.share,
        "write_us": check.write_us,
        "flush_us": (check.flush_us or 0.0) if counts_flushes else None,
        "years_left": _years_left(log, check.log_bytes_s, paste),
    }


def _years_left(log: LiveLogReading, log_bytes_s: float | None, paste: ParsedPaste) -> float | None:
    """By what each drive of the log states itself; None unless all do. Ratings aren't part of the text."""
    names = [name for vdev in log.logs or () for name in vdev.devices]
    drives = [
        reading
        for device in paste.devices
        if device.smartctl is not None
        and isinstance(reading := paste.readings[device.smartctl], SmartctlReading)
        and is_any_of(reading, names)
    ]
    left = [
        life_left(None, host_bytes_written=drive.host_bytes_written, wear_percent=drive.wear_percent)
        for drive in drives
    ]
    known = [life.bytes_left for life in left if life]
    if log_bytes_s is None or not names or len(known) < len(names):
        return None
    return years_at(log_bytes_s, min(known), parts=len(log.logs or ()))


def _pool(log: LiveLogReading, paste: ParsedPaste, stated: Stated) -> DescribedPool:
    pools = pools_of(paste)
    at = next((at for at, pool in enumerate(pools) if pool.mask == log.pool), 0 if len(pools) == 1 else None)
    pool = (
        other_pool(len(pools) + 1, paste, stated, is_only=not pools)
        if at is None
        else describe_pool(at, pools, paste, stated)
    )
    return replace(
        pool,
        platform=pool.platform or fitting_condition(log.system),
        zfs_version=pool.zfs_version or fitting_condition(log.version),
    )
