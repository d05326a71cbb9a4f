"""What is read of texts about patterns; none of these tests needs a database."""

import orjson
import pytest

from parsers.__main__ import to_json
from parsers.paste import parse_paste
from results.kinds.access_pattern.asks import requirements_of
from results.kinds.access_pattern.kind import ACCESS_PATTERN
from results.kinds.access_pattern.read import MAX_PATTERNS, MAX_ROWS
from results.kinds.answers import ALL, SenderAnswers
from results.kinds.registry import find_runs
from tests.results.kinds.access_pattern import texts
from tests.results.kinds.pool_io import texts as pools

KEY = b"a key of 32 characters, for tests"


def read(text, **told):
    return find_runs(parse_paste(text, unit_key=KEY), answers=SenderAnswers({ALL: told} if told else {}))


def metrics(run):
    return ACCESS_PATTERN.compute(run.payload)


def test_the_rate_of_iopattern_needs_its_interval():
    (run,) = read(texts.IOPATTERN).runs
    assert {"pattern_writes_s", "pattern_mib_s"}.isdisjoint(metrics(run))
    assert "seconds_a_row" not in run.answered
    (told,) = read(texts.IOPATTERN, seconds_a_row="10", file_systems="5").runs
    rates = {"pattern_writes_s": 133.3333, "pattern_mib_s": 0.6510417}
    assert metrics(told) == {**metrics(run), **rates, "file_systems": 5.0}
    (zilstat,) = read(texts.ZILSTAT).runs
    assert zilstat.payload["seconds_a_row"] == 10
    assert "seconds_a_row" in zilstat.answered


def test_reads_beside_the_writes_are_not_counted_as_writes():
    (run,) = read(texts.IOPATTERN.replace("0   8000", "7   8000"), seconds_a_row="10").runs
    assert "pattern_writes_s" not in metrics(run)


def test_large_writes_ask_for_throughput():
    (large,) = read(texts.sizes(sync=(10, 0, 0, 0, 0, 90))).runs
    assert requirements_of(large.payload, metrics(large)).bound == "throughput"


def test_the_first_sample_of_several_is_the_time_since_boot():
    since_boot, later = texts.sizes(options="-r"), texts.sizes(options="-r", sync=(1, 0, 0, 0, 0, 0))
    (alone,) = read(since_boot).runs
    assert (alone.payload["is_since_boot"], metrics(alone)["small_write_percent"]) == (True, 50)
    (both,) = read(since_boot + later.partition("\n")[2]).runs
    assert (both.payload["is_since_boot"], metrics(both)["small_write_percent"]) == (False, 100)


def test_what_was_not_written_to_is_refused_with_what_to_do():
    found = read(texts.sizes(sync=(0,) * 6))
    assert (found.runs, [gap.code for gap in found.left_out]) == ((), ["no_writes_observed"])
    assert "busy" in found.notices[0].message


def test_a_histogram_of_reads_is_no_pattern_of_writes():
    reads = texts.BIOLATENCY.replace("disk = nvme0n1\n", "disk = nvme0n1\nflags = Read\n")
    assert read(reads).runs == ()


def test_a_pattern_belongs_to_the_pool_that_it_names():
    text = pools.LOG_DEVICE + pools.status() + texts.sizes() + texts.latencies(name="nvme0n1")
    sizes, latencies = read(text).runs
    assert sizes.pool == latencies.pool
    assert (sizes.payload["observed"], latencies.payload["observed"]) == ("pool", "log")
    assert latencies.payload["log_name"] == pools.LOG_MODEL


def test_several_disks_of_one_histogram_each_are_several_patterns():
    other = texts.BIOLATENCY.replace("nvme0n1", "sda").partition("disk =")
    assert len(read(texts.BIOLATENCY + "\ndisk =" + other[2]).runs) == 2


def test_long_tables_are_summed_up_and_keep_their_totals():
    rows = texts.IOPATTERN.splitlines()
    text = "\n".join([*rows[:2], *rows[2:] * 700]) + "\n"
    (run,) = read(text, seconds_a_row="1").runs
    assert (len(run.payload["rows"]) <= MAX_ROWS, run.payload["row_group"]) == (True, 5)
    assert sum(row["count"] for row in run.payload["rows"]) == 700 * 4000
    assert metrics(run)["pattern_writes_s"] == pytest.approx(4000 / 3, rel=0.01)


def test_hostile_counts_and_many_tables_are_bounded():
    huge = texts.BITESIZE.replace("50\n", f"{10**14}\n")
    (run,) = read(huge).runs
    assert metrics(run)["small_write_percent"] > 99
    many = read((texts.IOPATTERN + "\n") * (MAX_PATTERNS + 3))
    assert len(many.runs) <= MAX_PATTERNS
    assert all(gap.code == "too_many_patterns" for gap in many.left_out)


def test_no_name_is_left_in_what_is_stored():
    paste = parse_paste(pools.status() + texts.WHOLE, unit_key=KEY)
    runs = find_runs(paste).runs
    stored = paste.text + repr(
        [(run.pool, run.path, run.payload, ACCESS_PATTERN.record.of(run.payload)) for run in runs]
    )
    assert len(runs) == 7
    for name in (pools.POOL, pools.HOST):
        assert name not in stored


def test_figures_that_64_bits_do_not_hold_are_left_out(subtests):
    for text in [
        texts.ZILSTAT.replace("Bytes", "MB").replace("10000000", "99999999999999"),
        texts.ZILSTAT.replace("10000000", "9" * 18),
        texts.BITESIZE.replace("4096 |", f"{'9' * 20} |"),
        texts.BIOLATENCY.replace(": 1", f": {'9' * 15}"),
        texts.sizes(sync=("9999999999E", 300, 100, 0, 0, 100)),
    ]:
        with subtests.test(text=text[:40]):
            paste = parse_paste(text, unit_key=KEY)
            assert orjson.loads(to_json(paste))
            runs = find_runs(paste, answers=SenderAnswers({})).runs
            assert all(orjson.dumps(dict(run.payload)) for run in runs)


def test_sums_that_are_too_large_are_refused():
    row = f"  {'9' * 13} |@@@ {'9' * 12}\n"
    text = texts.BITESIZE.partition("count\n")[0] + "count\n" + row * 9100
    read_text = find_runs(parse_paste(text, unit_key=KEY), answers=SenderAnswers({}))
    assert (len(read_text.runs), [gap.code for gap in read_text.left_out]) == (0, ["impossible_figure"])
