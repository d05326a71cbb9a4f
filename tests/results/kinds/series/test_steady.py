"""The steady state by SNIA's PTS, against series worked by hand, and at its limits."""

import pytest

from results.kinds.series.samples import Phase, Series, phases_of
from results.kinds.series.steady import NOT_STEADY, PLATEAU, SHORT, STEADY, judge, measure_window
from tests.results.kinds.sustained import texts

CAPACITY = 10**9
SIZE = 4096


def series(values, *, step=1.0):
    return Series([step * (at + 1) for at in range(len(values))], [float(value) for value in values])


def judged(values, *, capacity=CAPACITY, size=SIZE, is_preconditioned=False):
    found = phases_of(series(values))
    return judge(found, transfer_size=size, capacity_bytes=capacity, is_preconditioned=is_preconditioned)


def with_pause(before, after, seconds):
    times = [at + 1.0 for at in range(len(before))]
    times += [len(before) + seconds + at + 1.0 for at in range(len(after))]
    return phases_of(Series(times, [float(value) for value in (*before, *after)]))


def test_a_flat_end_after_twice_the_capacity_is_steady():
    """5 minutes of 10,000 writes of 4 KiB before the window are 12.3 GB, 12 times the capacity."""
    found = judged(texts.minutes(*[10_000] * 10))
    assert (found.verdict, found.sustained, found.first_minute) == (STEADY, 10_000, 10_000)
    assert found.written_bytes == pytest.approx(300 * 10_000 * SIZE)
    assert (found.window_start, found.minutes_to_drop, found.recovery) == (300, None, None)


def test_less_written_before_is_a_plateau():
    """One byte less than twice the capacity before the window, and exactly twice it."""
    written = 300 * 10_000 * SIZE
    values = texts.minutes(*[10_000] * 10)
    assert judged(values, capacity=written // 2 + 1).verdict == PLATEAU
    assert judged(values, capacity=written // 2).verdict == STEADY
    assert judged(values, capacity=None).verdict == PLATEAU
    assert judged(values, size=None).verdict == PLATEAU
    assert judged(values, capacity=10**15, is_preconditioned=True).verdict == STEADY


def test_a_drifting_series_is_not_steady():
    """1000, 1040, 1080, 1120, 1160: the mean is 1080, the range 160 (14.8 %), the line rises by 160 (14.8 %)."""
    found = judged(texts.minutes(*[1000] * 5, 1000, 1040, 1080, 1120, 1160))
    assert (found.verdict, found.sustained) == (NOT_STEADY, pytest.approx(1080))
    assert found.window.range_share == pytest.approx(160 / 1080)
    assert found.window.rise_share == pytest.approx(160 / 1080)


def test_a_stepping_series_is_not_steady():
    """900, 1100, 900, 1100, 900: the mean is 980, the range 200 (20.4 %), and the fitted line is flat."""
    found = judged(texts.minutes(*[1000] * 5, 900, 1100, 900, 1100, 900))
    assert found.verdict == NOT_STEADY
    assert found.window.rise_share == pytest.approx(0)
    assert found.window.range_share == pytest.approx(200 / 980)


def test_the_limits_belong_to_what_is_steady(subtests):
    for rounds, is_flat in [
        ((1000, 900, 1100, 900, 1100), True),  # range exactly 20 %, rise 2 x 40/1000
        ((1000, 899, 1101, 899, 1101), False),
        ((950, 975, 1000, 1025, 1050), True),  # rise exactly 10 %
        ((1050, 1025, 1000, 975, 950), True),
        ((949, 975, 1000, 1025, 1051), False),
    ]:
        with subtests.test(rounds=rounds):
            assert measure_window([float(value) for value in rounds]).is_flat is is_flat


def test_a_series_shorter_than_five_minutes_says_nothing_of_what_lasts():
    found = judged(texts.minutes(*[10_000] * 5)[:-1])
    assert (found.verdict, found.sustained, found.window) == (SHORT, None, None)
    assert (found.first_minute, found.slowest_minute) == (10_000, 10_000)
    assert judged([]).verdict == SHORT
    assert judged(texts.minutes(*[10_000] * 5)).verdict == PLATEAU  # five, and nothing before them


def test_a_drop_is_found_half_way_to_what_lasts():
    """50,000 falls to 5,000: half way is 27,500, and the third minute is the first one below."""
    found = judged(texts.FALLING)
    assert (found.first_minute, found.sustained, found.minutes_to_drop) == (50_000, 5000, 2)
    assert found.slowest_minute == 5000
    assert judged(texts.minutes(*[1000] * 5, *[800] * 5)).minutes_to_drop is None  # 80 % is no drop
    assert judged(texts.minutes(*[1000] * 5, *[799] * 5)).minutes_to_drop == 5


def test_a_pause_shows_how_far_a_device_recovers():
    phases = with_pause(texts.minutes(50_000, 5000), texts.minutes(20_000, *[4000] * 6), 3600)
    assert [(phase.start, phase.end, len(phase.rounds)) for phase in phases] == [(0, 120, 2), (3720, 4140, 7)]
    found = judge(phases, transfer_size=SIZE, capacity_bytes=CAPACITY, is_preconditioned=False)
    assert (found.recovery, found.verdict, found.sustained) == (0.4, STEADY, 4000)
    assert found.window_start == 3840
    assert found.written_bytes == pytest.approx((55_000 + 20_000 + 4000) * 60 * SIZE)


def test_a_pause_is_a_minute_and_more_without_a_write():
    for seconds, count in ((59, 1), (60, 2), (61, 2)):
        assert len(with_pause(texts.minutes(1000, 1000), texts.minutes(1000), seconds)) == count, seconds
        zeros = [0] * seconds
        logged = phases_of(series([*texts.minutes(1000, 1000), *zeros, *texts.minutes(1000)]))
        assert len(logged) == count, seconds


def test_samples_a_minute_apart_are_no_pauses():
    (phase,) = phases_of(series([1000.0] * 180, step=60.0))
    assert (phase.start, phase.end, len(phase.rounds)) == (0, 10_800, 180)


def test_zeros_alone_are_no_phase():
    assert phases_of(series([0] * 100)) == []
    assert measure_window([0.0] * 5) is None
    assert judge([], transfer_size=None, capacity_bytes=None, is_preconditioned=True).verdict == SHORT


def test_samples_at_one_time_count_once():
    (phase,) = phases_of(Series([1.0, 2.0, 2.0, 3.0], [10.0, 10.0, 99.0, 10.0]))
    assert phase.sums[-1] == 30
    assert isinstance(phase, Phase)
