import re
from dataclasses import replace
from decimal import Decimal

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.readings import FioJob, FioReading
from parsers.fio.options import (
    integer_option,
    makes_every_write_durable,
    read_command_line,
    write_block_size,
)
from parsers.fio.slog import (
    MAX_WRITERS,
    is_through_file_system,
    ladder_command,
    refuse_as_slog,
    rungs_of,
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


def test_single_sync_writes_are_a_slog_result(subtests):
    for change in [
        {},
        {"rw": "write"},
        {"rw": None},  # fio 2.x, or a paste without the set-up: only writes were seen
        {"iodepth": None, "numjobs": None},  # fio's defaults are 1
        {"iodepth": 32},  # psync writes one at a time all the same
        {"fsync": None, "sync": "dsync"},
        {"fsync": None, "flush_latency_us": Decimal(150)},  # the flushes themselves were seen
        {"write_latency_us": None},  # gtod_reduce: IOPS are enough
    ]:
        with subtests.test(change=change):
            assert refuse_as_slog(run_of(replace(SYNC_JOB, **change))) is None


def test_anything_else_is_refused_with_the_right_command(subtests):
    for change, code in [
        ({"sync_each_write": False, "fsync": None}, "not_sync_write"),
        ({"sync_each_write": False, "fsync": 32}, "not_sync_write"),
        ({"sync_each_write": False, "fsync": None, "direct": False}, "page_cache"),
        ({"fsync": None}, "sync_not_stated"),
        ({"iodepth": None, "ioengine": None, "setup_line": 2}, "depth_not_stated"),
        ({"numjobs": MAX_WRITERS + 1}, "too_many_writers"),
        ({"block_size": None}, "mixed_block_sizes"),
        ({"rw": "randrw"}, "mixed_work"),
        ({"error": 5}, "job_failed"),
        ({"error": 28, "iops": None, "throughput_bytes_s": None}, "job_failed"),
        ({"error": 2, "sync_each_write": False, "fsync": None}, "job_failed"),
        ({"iops": Decimal(0)}, "no_iops"),
        ({"iops": None, "throughput_bytes_s": None}, "no_writes"),
    ]:
        with subtests.test(change=change):
            refusal = refuse_as_slog(run_of(replace(SYNC_JOB, **change)))
            assert refusal is not None
            assert refusal.code == code
            assert refusal.message.endswith(HOW_TO_MEASURE)


def test_a_failed_job_is_refused_with_its_error():
    refusal = refuse_as_slog(run_of(replace(SYNC_JOB, error=28)))
    assert refusal is not None
    assert refusal.message.startswith("the job 'b4k' failed with error 28 (No space left on device).")


def test_the_command_of_the_page_produces_an_accepted_run():
    command = ladder_command("/dev/sdb")
    one_size = re.sub(r"\$\(.*\)", "--name=slog --bs=4096", command)  # what the shell makes of its loop
    options = read_command_line(one_size).options_for("slog")
    job = FioJob(
        rw=options["rw"],
        block_size=write_block_size(options),
        ioengine=options["ioengine"],
        fdatasync=integer_option(options, "fdatasync"),
        sync_each_write=makes_every_write_durable(options),
        iops=Decimal(1),
    )
    assert refuse_as_slog(run_of(job)) is None


def test_jobs_that_differ_at_the_same_time_or_of_the_same_size_are_no_curve():
    for change in (
        {"group": 0, "block_size": 8192},
        {"group": 0, "rw": "write"},
        {"group": 0, "fsync": None, "sync": "1"},
        {"group": 0, "ioengine": "libaio", "iodepth": 4},
        {"group": 1, "block_size": 4096},
    ):
        refusal = refuse_as_slog(run_of(SYNC_JOB, replace(SYNC_JOB, **change)))
        assert refusal is not None, change
        assert refusal.code == "several_jobs", change


def test_rows_without_a_group_are_not_assumed_to_be_sequential():
    job = replace(SYNC_JOB, group=None)
    assert refuse_as_slog(run_of(job)) is None
    refusal = refuse_as_slog(run_of(job, job))
    assert refusal is not None
    assert refusal.code == "several_jobs"


def rungs(reading):
    """By the number of writers, the time that each of them waits by block size, in µs."""
    assert refuse_as_slog(reading) is None
    return {
        rung.writers: {point.block_size: point.latency_us for point in rung.points()}
        for rung in rungs_of(reading)
    }


def test_writers_are_the_jobs_by_the_writes_that_each_has_in_flight():
    for change, writers in (
        ({}, 1),
        ({"numjobs": 4}, 4),
        ({"ioengine": "libaio", "iodepth": 8}, 8),
        ({"ioengine": None, "iodepth": 8}, 8),
        ({"ioengine": "libaio", "iodepth": 8, "numjobs": 4}, 32),
        ({"ioengine": "psync", "iodepth": 8, "numjobs": 4}, 4),
    ):
        assert rungs(run_of(replace(SYNC_JOB, **change))) == {writers: {4096: writers * Decimal(200)}}, change


def test_clones_that_are_printed_apart_are_added_up_without_their_percentiles():
    job = replace(SYNC_JOB, write_latency_us=Decimal(180), flush_latency_p99_us=Decimal(400))
    clones = [replace(job, iops=Decimal(iops)) for iops in (1000, 1500, 2000, 3500)]
    text = run_of(*clones)
    as_json = replace(text, format="json", jobs=tuple(replace(clone, numjobs=4) for clone in clones))
    for reading in (text, as_json):
        assert rungs(reading) == {4: {4096: Decimal(500)}}
        ((merged,),) = (rung.jobs for rung in rungs_of(reading))
        assert (merged.iops, merged.throughput_bytes_s) == (8000, 4 * 20_480_000)
        assert (merged.write_latency_us, merged.flush_latency_p99_us) == (None, None)


def test_differently_named_jobs_of_a_group_are_writers_too():
    other = replace(SYNC_JOB, name="c4k", numjobs=2, iops=Decimal(7000))
    assert rungs(run_of(SYNC_JOB, other)) == {3: {4096: Decimal(250)}}


def test_a_json_that_lacks_clones_is_refused():
    clone = replace(SYNC_JOB, numjobs=4)
    refusal = refuse_as_slog(replace(run_of(clone, clone), format="json"))
    assert refusal is not None
    assert refusal.code == "missing_jobs"


def test_a_run_of_several_groups_is_a_rung_for_each_number_of_writers():
    jobs = [
        replace(SYNC_JOB, group=group, numjobs=numjobs, block_size=size, iops=Decimal(iops))
        for group, (numjobs, size, iops) in enumerate(
            [(4, 4096, 16_000), (1, 4096, 5000), (1, 8192, 4000), (4, 8192, 10_000), (2, 4096, 8000)]
        )
    ]
    assert rungs(run_of(*jobs)) == {
        1: {4096: 200, 8192: 250},
        2: {4096: 250},
        4: {4096: 250, 8192: 400},
    }


def test_a_row_that_only_reads_is_passed_over():
    reads = FioJob(name="rd", group=0, rw="read", iops=Decimal(0), throughput_bytes_s=0)
    assert refuse_as_slog(run_of(reads, SYNC_JOB)) is None
    assert rungs(run_of(reads, SYNC_JOB)) == {1: {4096: 200}}


def test_a_point_is_the_time_of_a_write_with_its_flush_by_ascending_block_size():
    large = replace(SYNC_JOB, group=1, block_size=131_072, iops=Decimal(1000), throughput_bytes_s=131_072_000)
    (rung,) = rungs_of(run_of(large, SYNC_JOB))
    points = rung.points()
    assert [(point.block_size, point.latency_us, point.throughput_mib_s) for point in points] == [
        (4096, Decimal(200), Decimal("19.53125")),
        (131_072, Decimal(1000), Decimal(125)),
    ]


def test_a_file_or_a_zvol_is_not_the_device_alone():
    paths = {
        "/dev/nvme0n1": False,
        None: False,
        "test.bin": True,
        "/dev/zvol/tank/v": True,
        "/dev/zd16": True,
    }
    for path, answer in paths.items():
        assert is_through_file_system(replace(run_of(SYNC_JOB), path=path)) is answer, path
