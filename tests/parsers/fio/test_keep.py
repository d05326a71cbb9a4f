"""What is kept of fio's lines and of its JSON where somebody's own words stand between them."""

import json

import pytest

from tests.parsers.samples import FIO_TEXT, identified, read

SETUP = ": (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1"


def kept(document):
    return json.loads(read(json.dumps(document, indent=1)).text)


def test_values_are_kept_if_they_are_figures_or_fios_options():
    job = {
        "jobname": "a",
        "job options": {"rw": "write", "lat_ns": "1.5", "error": "joe's nas", "iomem": "mmap:/home/joe"},
        "write": {"iops": 900, "lat_ns": {"mean": 1_000_000}},
        "secret": "words",
    }
    document = {"fio version": "fio-3.33", "time": "Thu Mar  2 23:59:01 2023", "jobs": [job]}
    (shown,) = kept(document)["jobs"]
    assert shown == {
        "jobname": "a",
        "job options": {"rw": "write", "lat_ns": "1.5", "error": "…", "iomem": "$value"},
        "write": job["write"],
        "…": "…",
    }


def test_of_a_long_text_in_front_of_a_job_only_its_last_word_is_the_name():
    text = f"{'a remark about the pool, and why it is slow, ' * 3}job{SETUP}\n{identified(FIO_TEXT)}"
    assert read(text).text.splitlines()[0] == f"job{SETUP}"


@pytest.mark.parametrize("width", [30, 40])
def test_a_line_of_latencies_that_a_terminal_broke_is_kept_as_one(width):
    line = "     lat (usec): min=98, max=1520, avg=128.60, stdev=12.21"
    text = identified(FIO_TEXT)
    broken = read(text.replace(line, f"{line[:width]}\n{line[width:]}")).text
    assert line in text
    assert broken.splitlines()[-1] == line
