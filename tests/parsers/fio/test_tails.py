"""Slow writes and flushes: the percentiles and the maximum, from the text and the JSON of all versions."""

import json
from decimal import Decimal

from tests.parsers.samples import only, parse, text_of

TEXT = text_of("fio_tails")


def job_of(text):
    reading = only(text)
    (job,) = reading.jobs
    return job


def tails(job, side):
    return [getattr(job, f"{side}_latency_{name}_us") for name in ("p99", "p999", "p9999", "max")]


def document(version, ending, percentiles):
    times = {"min": 1, "max": 9000, "mean": 10.5, "stddev": 0.1, "percentile": percentiles}
    write = {"iops": 500.0, "bw": 2000, f"lat{ending}": {"mean": 11.5, "max": 9500}, f"clat{ending}": times}
    job = {"jobname": "x", "groupid": 0, "error": 0, "write": write, "sync": {f"lat{ending}": times}}
    return json.dumps({"fio version": version, "jobs": [job]}, indent=1)


RANKS = {"50.000000": 5, "99.000000": 1000, "99.900000": 2000, "99.990000": 4000}


def test_the_json_states_them_in_either_unit():
    for version, ending, factor in (("fio-3.36", "_ns", Decimal("0.001")), ("fio-2.14", "", Decimal(1))):
        job = job_of(document(version, ending, RANKS))
        assert (
            tails(job, "write")
            == tails(job, "flush")
            == [1000 * factor, 2000 * factor, 4000 * factor, 9000 * factor]
        ), version


def test_percentiles_not_printed_by_fio_are_unknown():
    job = job_of(document("fio-3.36", "_ns", {"95.000000": 700, "99.000000": 0}))
    assert tails(job, "write") == [None, None, None, 9]


def test_the_file_that_fio_lays_out_is_the_target():
    plain = TEXT.format(unit="usec", max="90")
    reading = only(plain.replace("fio-3.36\n", "fio-3.36\nx: Laying out IO file (1 file / 22MiB)\n"))
    assert reading.target == "file"
    assert parse(plain).readings[0].target == "device"
