"""Whatever a paste does to fio's output: a reading, a notice or ParseError, quickly, and never a wrong figure."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.base.format import Block, Outcome, ParseError
from parsers.base.readings import FioReading, Notice
from parsers.fio.read import read_fio, starts
from tests.growth import SIZE, is_linear, repeated
from tests.parsers.samples import parse

CASES = sorted((Path(__file__).parents[1] / "corpus").glob("fio_*/*/*.txt"))
TEXTS = [case.read_text() for case in CASES]
COMPLETE_JSON = next(
    parse(text).text for case, text in zip(CASES, TEXTS, strict=True) if case.stem.endswith("global-options")
)
ANY_TIME = settings(deadline=None, max_examples=50)  # a busy machine is no finding
# pieces that the formats themselves are made of, to reach deeper than letters at random would
PIECES = st.sampled_from([
    '{"fio version" : "fio-3.33",', '"jobs" : [', '"write" : {', '"iops" : ', '"lat_ns" : {', '"mean" : ',
    "{", "}", "[", "]", ",", '"', "\\", "nan", "-1", "1e999999999", "true", "null", "9" * 40, "\n", " ", "²", "٣",
    "a: (g=0): rw=write, bs=", "(W) 4096B-4096B", ", ioengine=psync, iodepth=", "a: (groupid=0, jobs=1): err= 0:",
    "write: IOPS=", "BW=1.5.5KiB/s (", "lat (usec): min=", ", avg=", ", stdev=", "clat percentiles (usec):",
    "| 99.00th=[", "IO depths : 1=", "issued rwts: total=", "sda: ios=0/", "Run status group 0", "fio: ",
])  # fmt: skip


def read(text: str, command: str | None = None) -> Outcome:
    lines = tuple(text.splitlines())
    try:
        return read_fio(Block(lines, tuple(range(1, len(lines) + 1)), (command,) if command else ()))
    except ParseError as error:
        return Outcome(notices=(Notice(error.code, str(error), error.line_number),))


@ANY_TIME
@given(st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join), st.none() | st.text(max_size=40))
def test_nothing_but_a_parse_error_escapes(text, options):
    read(text, options and f"fio {options}")


@ANY_TIME
@given(st.sampled_from(TEXTS), st.data())
def test_an_edit_anywhere_raises_nothing_else(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 80)))
    inserted = data.draw(PIECES | st.text(max_size=5) | st.just(""))
    edited = text[:start] + inserted + text[end:]
    outcome = read(edited)
    lines = range(1, len(edited.splitlines()) + 1)
    assert all(notice.line is None or notice.line in lines for notice in outcome.notices)
    for reading in outcome.readings:
        assert isinstance(reading, FioReading)
        assert reading.first_line <= reading.last_line


@ANY_TIME
@given(st.integers(0, len(COMPLETE_JSON) - 2))
def test_a_truncated_document_states_nothing_that_the_complete_one_does_not(length):
    complete = read(COMPLETE_JSON).readings[0]
    assert isinstance(complete, FioReading)
    for reading in read(COMPLETE_JSON[:length]).readings:
        assert isinstance(reading, FioReading)
        for job, full in zip(reading.jobs, complete.jobs, strict=False):
            assert job.iops in (None, full.iops)
            assert job.write_latency_us in (None, full.write_latency_us)
            assert job.block_size in (None, full.block_size)


@ANY_TIME
@given(st.decimals("0.01", "90000000", places=2), st.integers(1, 10**9), st.integers(1, 10**9))
def test_the_figures_of_a_document_are_read_unchanged(iops, mean_ns, bytes_s):
    write = {"io_bytes": 1, "iops": float(iops), "bw_bytes": bytes_s, "lat_ns": {"mean": mean_ns}}
    document = {"fio version": "fio-3.33", "jobs": [{"jobname": "a", "write": write}]}
    (reading,) = read(json.dumps(document, indent=2)).readings
    assert isinstance(reading, FioReading)
    (job,) = reading.jobs
    assert float(job.iops or 0) == float(iops)
    assert job.throughput_bytes_s == bytes_s
    assert float(job.write_latency_us or 0) == pytest.approx(mean_ns / 1000)


@pytest.mark.parametrize(
    "piece",
    [
        '{"fio version" : "fio-3.33", "jobs" : [\n', '{"fio version":' + "[" * 500, '"fio version":\\"',
        "\n", " ", ": ", "| 99.", "a: (g=0): rw=write, bs=, ", "a: (groupid=0, jobs=1): err= 0\n", "fio: x\n",
        "write: io=, bw=1KB/s, iops=1", "write: IOPS=1\n", "lat (usec): min=, avg=1",
        "a: (g=0): rw=write, bs=4K-4K, ioengine=a\n",
    ],
)  # fmt: skip
def test_parsing_is_linear(piece):
    def find_and_read(text):
        for line in text.splitlines():
            starts(line)
        read(text)

    assert is_linear(find_and_read, repeated(piece, SIZE // 4), repeated(piece, SIZE))
