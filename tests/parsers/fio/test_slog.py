import re
from dataclasses import replace
from decimal import Decimal

import pytest

from parsers.base.readings import FioJob, FioReading
from parsers.base.target import Target
from parsers.fio.options import (
    integer_option,
    makes_every_write_durable,
    read_command_line,
    write_block_size,
)
from parsers.fio.slog import (
    RIGHT_COMMAND,
    file_sync_jobs,
    is_through_file_system,
    refuse_as_slog,
    slog_points,
)

SYNC_JOB = FioJob(
    name="b4k",
    group=0,
    error=0,
    rw="randwrite",
    block_size=4096,
    iodepth=1,
    numjobs=1,
    ioengine="psync",
    direct=True,
    fsync=1,
    sync_each_write=True,
    iops=Decimal(5000),
    throughput_bytes_s=20_480_000,
)


def run_of(*jobs: FioJob) -> FioReading:
    return FioReading(first_line=1, last_line=9, complete=True, jobs=jobs)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"rw": "write"},
        {"rw": None},  # fio 2.x, or a paste without the set-up: only writes were seen
        {"iodepth": None, "numjobs": None},  # fio's defaults are 1
        {"iodepth": 32},  # psync writes one at a time all the same
        {"fsync": None, "sync": "dsync"},
        {"fsync": None, "flush_latency_us": Decimal(150)},  # the flushes themselves were seen
        {"write_latency_us": None},  # gtod_reduce: IOPS are enough
    ],
)
def test_single_sync_writes_are_a_slog_result(change):
    assert refuse_as_slog(run_of(replace(SYNC_JOB, **change))) is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"sync_each_write": False, "fsync": None}, "not_sync_write"),
        ({"sync_each_write": False, "fsync": 32}, "not_sync_write"),
        ({"sync_each_write": False, "fsync": None, "direct": False}, "page_cache"),
        ({"fsync": None}, "sync_not_stated"),
        ({"ioengine": "libaio", "iodepth": 8}, "depth_above_one"),
        ({"ioengine": None, "iodepth": 8}, "depth_above_one"),
        ({"numjobs": 4}, "several_jobs"),
        ({"block_size": None}, "mixed_block_sizes"),
        ({"rw": "randrw"}, "mixed_work"),
        ({"error": 5}, "job_failed"),
        ({"error": 28, "iops": None, "throughput_bytes_s": None}, "job_failed"),
        ({"error": 2, "sync_each_write": False, "fsync": None}, "job_failed"),
        ({"iops": Decimal(0)}, "no_iops"),
        ({"iops": None, "throughput_bytes_s": None}, "no_writes"),
    ],
)
def test_anything_else_is_refused_with_the_right_command(change, code):
    refusal = refuse_as_slog(run_of(replace(SYNC_JOB, **change)))
    assert refusal is not None
    assert refusal.code == code
    assert RIGHT_COMMAND in refusal.message


def test_a_failed_job_is_refused_with_its_error():
    refusal = refuse_as_slog(run_of(replace(SYNC_JOB, error=28)))
    assert refusal is not None
    assert refusal.message.startswith("the job 'b4k' failed with error 28 (No space left on device).")


def test_the_right_command_asks_for_what_is_accepted():
    one_size = re.sub(r"\$\(.*\)", "--name=slog --bs=4096", RIGHT_COMMAND)  # what the shell makes of its loop
    options = read_command_line(one_size).options_for("slog")
    asked = FioJob(
        rw=options["rw"],
        block_size=write_block_size(options),
        ioengine=options["ioengine"],
        fdatasync=integer_option(options, "fdatasync"),
        sync_each_write=makes_every_write_durable(options),
        iops=Decimal(1),
    )
    assert refuse_as_slog(run_of(asked)) is None


@pytest.mark.parametrize("change", [{"group": 0, "block_size": 8192}, {"group": 1, "block_size": 4096}])
def test_jobs_at_the_same_time_or_of_the_same_size_are_no_curve(change):
    refusal = refuse_as_slog(run_of(SYNC_JOB, replace(SYNC_JOB, **change)))
    assert refusal is not None
    assert refusal.code == "several_jobs"


def test_a_row_that_only_reads_is_passed_over():
    reads = FioJob(name="rd", group=0, rw="read", iops=Decimal(0), throughput_bytes_s=0)
    assert refuse_as_slog(run_of(reads, SYNC_JOB)) is None
    assert [point.block_size for point in slog_points(run_of(reads, SYNC_JOB))] == [4096]


def test_a_point_is_the_time_of_a_write_with_its_flush_by_ascending_block_size():
    large = replace(SYNC_JOB, group=1, block_size=131_072, iops=Decimal(1000), throughput_bytes_s=131_072_000)
    points = slog_points(run_of(large, SYNC_JOB))
    assert [(point.block_size, point.latency_us, point.throughput_mib_s) for point in points] == [
        (4096, Decimal(200), Decimal("19.53125")),
        (131_072, Decimal(1000), Decimal(125)),
    ]


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/dev/nvme0n1", False),
        ("/dev/disk/by-id/x", False),
        (None, False),  # not stated
        ("/mnt/tank/test.bin", True),
        ("test.bin", True),
        ("/dev/zvol/tank/v", True),
        ("/dev/zd16", True),
    ],
)
def test_a_file_or_a_zvol_is_not_the_device_alone(path, answer):
    assert is_through_file_system(replace(run_of(SYNC_JOB), path=path)) is answer


@pytest.mark.parametrize(
    ("target", "is_one"),
    [
        *((one, True) for one in (Target.FILE, Target.ZVOL, Target.MD, Target.LVM)),
        *((one, False) for one in (Target.DEVICE, Target.PARTITION, Target.SLICE)),
    ],
)
def test_single_sync_writes_to_a_file_or_a_volume_are_told_from_those_to_a_device(target, is_one):
    job = replace(SYNC_JOB, rw="write", ioengine="sync", block_size=2300, fsync=None, fdatasync=1)
    assert file_sync_jobs(replace(run_of(job), stated_target=target)) == ((job,) if is_one else ())


@pytest.mark.parametrize(
    "change", [{"iodepth": 8, "ioengine": "libaio"}, {"numjobs": 4}, {"sync_each_write": False}]
)
def test_what_is_no_single_sync_write_is_none_through_a_file_system_either(change):
    run = replace(run_of(replace(SYNC_JOB, **change)), stated_target=Target.FILE)
    assert file_sync_jobs(run) == ()
