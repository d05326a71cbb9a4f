"""Several writers at the same time, as fio prints them."""

import pytest

from parsers.fio.slog import refuse_as_slog, rungs_of
from tests import ladders
from tests.parsers.samples import only, parse

WAITS = {writers: writers * 1e6 / iops for writers, iops in ladders.IOPS.items()}


def waits(reading):
    """By the number of writers, how long each waits for a write of 4 KiB, in µs."""
    assert refuse_as_slog(reading) is None
    return {rung.writers: float(point.latency_us) for rung in rungs_of(reading) for point in rung.points()}


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("deep", [True, False])
@pytest.mark.parametrize("printed", [ladders.text, ladders.document])
def test_a_ladder_is_read_in_every_format(printed, deep, together):
    reading = only(printed(deep=deep, together=together))
    assert waits(reading) == pytest.approx(WAITS)


def test_a_shell_loop_is_a_reading_for_each_turn():
    assert [waits(reading) for reading in parse(ladders.loop()).readings] == [
        {writers: pytest.approx(wait)} for writers, wait in WAITS.items()
    ]


def test_clones_that_are_cut_off_are_missed():
    text = ladders.text({1: 5000, 4: 12_800}, together=False)
    start = text.rindex("slog: (groupid=1")
    reading = only(text[:start])
    assert reading.missing_jobs == 1
    refusal = refuse_as_slog(reading)
    assert refusal is not None
    assert (refusal.code, refusal.line) == ("missing_jobs", 8)


def test_a_ladder_of_single_writers_that_is_cut_off_is_read_as_far_as_it_goes():
    text = ladders.text({1: 5000, 4: 12_800}, deep=True)
    reading = only(text[: text.rindex("slog: (groupid=1")])
    assert waits(reading) == {1: 200}
