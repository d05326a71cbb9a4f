"""fio's set-up line, the longest that it prints, as terminals and mail break it."""

import pytest

from parsers.fio.slog import rungs_of
from tests.parsers.samples import codes, only, parse

SETUP = (
    "sync test: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 16.0KiB-16.0KiB, (T) 4096B-4096B, "
    "ioengine=libaio, iodepth=32"
)
ABOVE = "$ fio --name='sync test' --sync=1\n"
BELOW = """
fio-3.33
Starting 1 process

sync test: (groupid=0, jobs=1): err= 0: pid=4239: Sat Nov 21 02:22:54 2026
  write: IOPS=6770, BW=26.4MiB/s (27.7MB/s)(79.4MiB/3002msec); 0 zone resets
     lat (usec): min=38, max=130222, avg=146.31, stdev=999.50
  cpu          : usr=2.10%, sys=7.66%, ctx=40642, majf=0, minf=11
"""


def job_of(setup):
    reading = only(f"{ABOVE}{setup}{BELOW}".encode())
    (job,) = reading.jobs
    return job.name, job.rw, job.block_size, job.ioengine, job.iodepth


def test_a_set_up_is_read_at_every_width_of_a_terminal(subtests):
    """A depth of 32 that is cut to 3, or a size of 16 KiB cut to 1, would be a wrong number."""
    for width in range(24, len(SETUP)):
        with subtests.test(width=width):
            broken = "\n".join(SETUP[start : start + width] for start in range(0, len(SETUP), width))
            assert job_of(broken) == ("sync test", "randwrite", 16384, "libaio", 32)


@pytest.mark.parametrize("words", range(3, 9))
def test_a_set_up_is_read_as_mail_breaks_it(words):
    parts = SETUP.split(" ")
    broken = "\n".join(" ".join(parts[start : start + words]) for start in range(0, len(parts), words))
    assert job_of(broken) == ("sync test", "randwrite", 16384, "libaio", 32)


def test_a_line_that_is_cut_off_is_kept_without_a_foreign_one_below():
    text = f"{ABOVE}{SETUP}{BELOW}".replace("minf=11", "\nBerta's minf=3")
    kept = parse(text).text
    assert "  cpu          : usr=2.10%, sys=7.66%, ctx=40642, majf=0,\n" in kept
    assert "Berta" not in kept


def test_text_after_a_set_up_line_is_not_part_of_it():
    assert job_of(f"{SETUP}\n...")[-1] == 32
    assert job_of(SETUP.replace("32", "3") + "\nnote: 2 of 4")[-1] == 3


def test_a_set_up_that_was_cut_at_a_column_states_what_is_left_and_is_no_slog_result(subtests):
    for width in range(len("sync test: (g=0): rw=randwrite,"), SETUP.index("32")):
        with subtests.test(width=width):
            behind_size = len(SETUP.partition(", (T)")[0])
            size = 16384 if width > behind_size else None
            assert job_of(SETUP[:width]) == ("sync test", "randwrite", size, None, None)
            paste = parse(f"{ABOVE}{SETUP[:width]}{BELOW}")
            assert paste.warnings[0].code == "unreadable_line"
            assert paste.warnings[-1].code == "depth_not_stated"


def test_the_command_states_the_depth_that_was_cut_off():
    above = ABOVE.replace("--sync=1", "--sync=1 --ioengine=libaio --iodepth=4")
    paste = parse(f"{above}{SETUP[:80]}{BELOW}")
    assert codes(paste) == ["unreadable_line", "file_system"]
    assert (paste.readings[0].jobs[0].iodepth, rungs_of(paste.readings[0])[0].writers) == (4, 4)
    above = ABOVE.replace("--sync=1", "--sync=1 --ioengine=psync")
    paste = parse(f"{above}{SETUP[:80]}{BELOW}")
    assert codes(paste) == ["unreadable_line", "file_system"]
