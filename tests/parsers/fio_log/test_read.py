"""fio's logs and CSV: series by file and direction, samples that are wrong, and as many as an upload may have."""

from decimal import Decimal

import pytest

from parsers.text.decode import MAX_LOG_SIZE, MAX_SIZE
from parsers.text.samples import fold, without_samples
from tests import pastes
from tests.growth import is_linear
from tests.parsers import samples
from tests.parsers.samples import codes, parse, places


def rows(count, *, direction=1, start=1000, value=500):
    return "".join(f"{start + at * 1000}, {value + at}, {direction}, 4096, 0\n" for at in range(count))


def read(text):
    paste = samples.read(text)
    assert len(paste.source_lines) == paste.text.count("\n")
    return paste


def series(text):
    return [(reading.metric, reading.job, reading.direction, reading.rows) for reading in read(text).readings]


@pytest.mark.parametrize("count", [5, 500])  # in lines, and folded
def test_a_log_without_its_name_has_no_metric(count):
    (log,) = read(rows(count)).readings
    assert (log.metric, log.direction, log.rows, log.complete) == (None, "write", count, True)
    assert (log.first_ms, log.last_ms, log.mean) == (1000, count * 1000, Decimal(1000 + count - 1) / 2)
    assert log.values[:2] == (500, 501)


def test_the_name_of_the_file_tells_metric_and_job():
    for caption in (
        "==> quist_iops.2.log <==",
        "root@quist:~# cat /mnt/quist/quist_iops.2.log",
        "$ head -52 quist-randwrite_iops.2.log",
        "quist_iops.2.log:",
    ):
        text = f"{caption}\n{rows(60)}"
        assert series(text) == [("iops", 2, "write", 60)], caption
        assert "quist" not in read(text).text, caption


def test_each_file_and_each_direction_is_a_series():
    mixed = "".join(f"{at}000, {at}, {at % 2}, 0\n" for at in range(1, 101))
    text = f"==> x_bw.1.log <==\n{mixed}\n==> x_clat.1.log <==\n{rows(70)}\n{rows(80, direction=2)}"
    assert series(text) == [
        ("bw", 1, "write", 50), ("bw", 1, "read", 50), ("clat", 1, "write", 70), ("clat", 1, "trim", 80),
    ]  # fmt: skip


def test_files_that_were_joined_are_told_by_their_times():
    assert series(rows(100) + rows(120)) == [(None, None, "write", 100), (None, None, "write", 120)]


@pytest.mark.parametrize("metric", ["iops", "latency_us"])
def test_csv_with_the_two_names_is_a_series(metric):
    samples = "".join(f"{at / 2},{at * 1.5}\n" for at in range(200))
    (log,) = read(f"seconds,{metric}\n{samples}").readings
    assert (log.metric, log.direction, log.rows) == (metric, None, 200)
    assert (log.first_ms, log.last_ms, log.mean) == (0, 99500, Decimal("149.25"))


def test_csv_with_other_names_is_none():
    paste = read("time,iops\n" + "".join(f"{at},5\n" for at in range(100)))
    assert codes(paste) == ["nothing_found"]


def test_a_bad_sample_is_left_out_with_its_line():
    for bad, code in (
        ("3000, inf, 1, 4096\n", "impossible_figure"),
        ("3000, -5, 1, 4096\n", "impossible_figure"),
        ("-3000, 5, 1, 4096\n", "impossible_figure"),
        ("60500, 5, 1, 4096\n2500, 5, 1, 4096\n", None),
    ):
        text = rows(50) + bad + rows(50, start=61000)
        paste = read(text)
        if code:
            assert places(paste) == [(code, 51)], bad
            (log,) = paste.readings
            assert (log.rows, log.complete) == (100, False), bad
        else:  # the times begin again: another file
            assert len(paste.readings) == 2, bad


def test_samples_out_of_order_are_sorted():
    (log,) = read(rows(50) + "40500, 9, 1, 0\n" + rows(10, start=51000)).readings
    assert (list(log.times_ms) == sorted(log.times_ms), log.complete) == (True, False)
    assert codes(read(rows(50) + "40500, 9, 1, 0\n")) == ["unordered_samples"]


def test_a_sample_that_is_cut_off_is_named():
    paste = read(rows(60) + "61000, 5")
    assert places(paste) == [("truncated", 61)]


def test_a_missing_file_is_named():
    paste = read("cat: quist_iops.1.log: No such file or directory\n")
    assert (paste.readings, codes(paste)) == ((), ["tool_error"])
    assert "quist" not in paste.text


def test_two_rows_of_numbers_are_no_log():
    assert read(pastes.diskinfo() + "\n1, 2, 1, 4096\n2, 3, 1, 4096\n").readings[1:] == ()


def test_lines_below_a_log_have_the_numbers_that_were_sent():
    paste = read(rows(200) + pastes.diskinfo())
    log, diskinfo = paste.readings
    assert (log.last_line, diskinfo.first_line) == (200, 201)
    assert paste.sent_line(diskinfo.first_line) == 201


def test_the_largest_log_is_read_and_a_larger_one_is_not():
    most = rows(100_000)
    assert len(most.encode()) > MAX_SIZE
    (log,) = read(most.encode()).readings
    assert log.rows == 100_000
    assert codes(read((most + rows(9, start=10**9)).encode())) == ["too_many_samples"]
    longest = "9" * 18
    huge = "".join(f"{at}, {longest}, 1, {longest[:12]}, {longest}, {longest}\n" for at in range(70_000))
    assert len(huge) > MAX_LOG_SIZE + MAX_SIZE
    assert codes(parse(huge.encode())) == ["too_large"]


def test_other_text_is_not_read_for_its_samples():
    text = "x" * (MAX_SIZE + 1) + "\n" + rows(100)
    assert codes(parse(text.encode())) == ["too_large"]


@pytest.mark.parametrize("quote", ["", "> "])
def test_reading_a_log_takes_linear_time(quote):
    small, large = ("".join(f"{quote}{line}\n" for line in rows(n).splitlines()) for n in (1500, 6000))
    assert is_linear(parse, small, large)


def test_many_runs_that_are_too_short_to_be_folded_are_told_in_linear_time():
    few, many = (f"{rows(length)}x\n" * (4000 // length) for length in (9, 36))
    assert is_linear(without_samples, few, many)
    folded = rows(40) + "x\n" + rows(39) + "x\n" + rows(41)
    assert [len(run) for run in fold(folded).runs.values()] == [40, 41]
