"""Synced writes with O_DIRECT may go past the log device: which runs that is said of, and what a set then says."""

from datetime import date

import pytest

from parsers.base.target import Target
from results.advice.openzfs import bypasses_log
from results.compare.sets.words import summarize
from results.kinds.envelope import payload_of
from results.kinds.pool.models import NO_LOG, WITH_LOG, PoolIO
from results.kinds.pool.sets import SetRun, build_set
from results.kinds.pool_io.checks import PAST_THE_LOG, Workload, check_workload

KIB = 1024
BEFORE, AFTER = date(2024, 12, 31), date(2025, 1, 14)


@pytest.mark.parametrize(
    ("version", "day", "block_size", "record_size", "expected"),
    [
        ("2.2.7", None, 128 * KIB, 128 * KIB, False),
        ("0.8.6", AFTER, None, None, False),
        ("2.3.0", BEFORE, 4 * KIB, 128 * KIB, True),
        ("2.3.4", None, 4 * KIB, 128 * KIB, True),
        ("2.4.1", None, 4 * KIB, 128 * KIB, False),
        ("2.4.1", None, 128 * KIB, 128 * KIB, True),
        ("2.4.1", None, 1024 * KIB, 128 * KIB, True),
        ("2.4.1", None, 192 * KIB, 128 * KIB, True),
        ("2.4.1", None, 4 * KIB, None, True),
        ("3.0.0", None, 16 * KIB, 16 * KIB, True),
        ("", None, 4 * KIB, 128 * KIB, True),
        ("", AFTER, 4 * KIB, 128 * KIB, True),
        ("", BEFORE, 4 * KIB, 128 * KIB, False),
    ],
)
def test_which_writes_may_go_past_the_log(version, day, block_size, record_size, expected):
    assert bypasses_log(version, day=day, block_size=block_size, record_size=record_size) is expected


def workload(**values) -> Workload:
    figures = {"direction": "write", "log": WITH_LOG, "sync_mode": "", "is_synced": True, "each_synced": True}
    figures |= {"throughput_bytes_s": 1e7, "block_size": 4 * KIB}
    figures |= {name: values.pop(name) for name in list(values) if name in figures}
    for_run = {"tool": "fio", "data_content": None, "layout": (), "is_complete": True, "is_direct": True}
    return Workload(payload=payload_of(PoolIO, figures), **{**for_run, **values})


@pytest.mark.parametrize(
    ("values", "is_flagged"),
    [
        ({}, True),
        ({"platform": "Linux", "zfs_version": "2.3.4"}, True),
        ({"zfs_version": "2.2.4"}, False),
        ({"is_direct": False}, False),
        ({"is_direct": None}, False),
        ({"target": Target.ZVOL}, False),
        ({"platform": "FreeBSD 14.2"}, False),
        ({"platform": "TrueNAS CORE"}, False),
        ({"log": NO_LOG}, False),
        ({"direction": "read"}, False),
        ({"is_synced": False, "each_synced": False}, False),
        ({"is_synced": False, "each_synced": False, "sync_mode": "always"}, True),
        ({"sync_mode": "disabled"}, False),
    ],
)
def test_only_synced_direct_writes_to_a_file_are_flagged(values, is_flagged):
    flags = [value for value in check_workload(workload(**values)) if value.code == PAST_THE_LOG]
    assert len(flags) == is_flagged


def test_the_flag_says_which_version_does_that():
    unknown, known = (
        next(
            flag.message
            for flag in check_workload(workload(zfs_version=version))
            if flag.code == PAST_THE_LOG
        )
        for version in ("", "2.3.4")
    )
    assert "version of OpenZFS isn’t stated; on Linux, 2.3 and newer write such data straight" in unknown
    assert "On Linux, OpenZFS 2.3.4 writes such data straight" in known


def run(log: str, iops: float, p99: float, *flags: str) -> SetRun:
    figures = {"direction": "write", "log": log, "sync_mode": "always", "block_size": 8 * KIB}
    return SetRun(
        "ab12",
        "fio_pool",
        {**payload_of(PoolIO, figures), "writers": 8},
        {"pool_iops": iops, "pool_p99_us": p99},
        pool=1,
        pattern="random",
        flags=flags,
    )


def test_a_doubted_arm_gets_no_headline():
    runs = [run(NO_LOG, 8786, 8978, "doubted_source"), run(WITH_LOG, 9532, 1434, PAST_THE_LOG)]
    found = build_set(runs)
    assert (
        summarize(found).sentence == "One of the runs is doubtful, so this doesn’t show what the SLOG does."
    )
    assert found.sentences == [
        "Random 8 KiB writes: one of the runs is doubtful, so we don’t compare rates. 99 of 100 writes took at most"
        " 8,978 µs with no log device and 1,434 µs with a log device."
    ]
    sound = build_set([run(NO_LOG, 8786, 8978), run(WITH_LOG, 9532, 1434)])
    assert summarize(sound).sentence == "The log device made no difference."
