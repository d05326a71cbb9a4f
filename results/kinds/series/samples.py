"""A series of samples: its phases of writing, a figure for each minute, and its form in storage and charts.

A sample at t is the mean since the sample before it, as fio's `log_avg_msec` and Iometer's updates are. Times are
seconds from the beginning of the first phase.
"""

import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from statistics import median

from results.core.formats import SHORT_DIGITS, round_figure

ROUND_S = 60.0  # a round of SNIA's PTS
IDLE_S = 60.0  # silence or zeros of a minute and more: nothing was written
MAX_DAYS = 7
MAX_POINTS = 300  # of a chart
DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Series:
    """Samples in the order of their times."""

    times: Sequence[float]  # s
    values: Sequence[float]  # 1/s, or µs

    @property
    def interval(self) -> float:
        """The usual time between two samples, in s; 1 for a single one."""
        steps = [second - first for first, second in pairwise(self.times) if second > first]
        return median(steps) if steps else 1.0

    def shifted(self, seconds: float) -> "Series":
        return Series([time + seconds for time in self.times], self.values)


@dataclass(frozen=True, slots=True)
class Phase:
    """A time of writing without a pause, and the mean of each whole minute in it."""

    start: float
    end: float
    rounds: tuple[float, ...]
    sums: tuple[float, ...] = field(default=(), repr=False)  # of writes up to the times
    times: tuple[float, ...] = field(default=(), repr=False)

    def writes_until(self, time: float) -> float:
        """How many writes were done from the beginning up to a time; linear between samples."""
        if time >= self.end:
            return self.sums[-1]
        at = bisect_left(self.times, time)
        if at == 0:
            return 0.0
        share = (time - self.times[at - 1]) / (self.times[at] - self.times[at - 1])
        return self.sums[at - 1] + share * (self.sums[at] - self.sums[at - 1])


def phases_of(series: Series) -> list[Phase]:
    """The phases of a series of IOPS; a phase ends before a minute or more without a sample or with zeros alone."""
    if not series.times:
        return []
    interval = series.interval
    found: list[Phase] = []
    for first, last in _stretches(series, interval):
        start = max(series.times[first] - interval, series.times[first - 1] if first else -interval)
        times = [start, *series.times[first : last + 1]]
        writes = [0.0]
        for (begin, end), value in zip(pairwise(times), series.values[first : last + 1], strict=True):
            writes.append(max(0.0, end - begin) * value)
        sums = list(accumulate(writes))
        found.append(_phase(times, sums))
    return found


def _stretches(series: Series, interval: float) -> Iterator[tuple[int, int]]:
    """The first and last index of each stretch of samples without a pause; zeros at its ends don't belong to it."""
    first: int | None = None
    last = 0  # the latest sample that isn't zero
    for at, (time, value) in enumerate(zip(series.times, series.values, strict=True)):
        if value <= 0:
            continue
        if first is None:
            first = at
        elif _pause(series, last, at, time, interval) >= IDLE_S:
            yield first, last
            first = at
        last = at
    if first is not None:
        yield first, last


def _pause(series: Series, last: int, at: int, time: float, interval: float) -> float:
    """How long nothing was written between two samples with writes, the interval of the later one not counted."""
    begin = series.times[at - 1] if at - 1 > last else time - interval
    return max(begin, time - interval) - series.times[last]


def _phase(times: Sequence[float], sums: Sequence[float]) -> Phase:
    whole = Phase(times[0], times[-1], (), tuple(sums), tuple(times))
    count = int((times[-1] - times[0] + 0.5) // ROUND_S)  # clocks of samples jitter
    ends = [min(times[0] + ROUND_S * number, times[-1]) for number in range(count + 1)]
    totals = [whole.writes_until(end) for end in ends]
    rounds = tuple(
        (after - before) / (until - since)
        for (before, after), (since, until) in zip(pairwise(totals), pairwise(ends), strict=True)
    )
    return Phase(whole.start, whole.end, rounds, whole.sums, whole.times)


def add_up(several: Sequence[Series]) -> Series:
    """The sum of series that ran at the same time, as fio's jobs write one log each; it ends with the shortest."""
    if len(several) == 1:
        return several[0]
    longest = max(several, key=lambda series: series.interval)
    end = min(series.times[-1] for series in several) + longest.interval / 2
    at = [0] * len(several)
    times, values = [], []
    for time in longest.times:
        if time > end:
            break
        total = 0.0
        for number, series in enumerate(several):
            while at[number] + 1 < len(series.times) and abs(series.times[at[number] + 1] - time) <= abs(
                series.times[at[number]] - time
            ):
                at[number] += 1
            total += series.values[at[number]]
        times.append(time)
        values.append(total)
    return Series(times, values)


def one_after_the_other(several: Sequence[Series], *, idle_s: float) -> Series:
    """Series of phases in a row, with that much time between each and the next."""
    times: list[float] = []
    values: list[float] = []
    for series in several:
        start = times[-1] + idle_s if times else 0.0
        offset = start - max(0.0, series.times[0] - series.interval) if times else 0.0
        times += [time + offset for time in series.times]
        values += series.values
    return Series(times, values)


def reduced(series: Series, most: int = MAX_POINTS) -> list[list[float]]:
    """At most that many samples for a chart: of equal stretches of time the lowest and the highest, in order."""
    count = len(series.times)
    if count <= most:
        chosen = list(range(count))
    else:
        chosen = []
        buckets = most // 2
        for number in range(buckets):
            inside = range(number * count // buckets, (number + 1) * count // buckets)
            ends = {min(inside, key=series.values.__getitem__), max(inside, key=series.values.__getitem__)}
            chosen += sorted(ends)
    return [[round(series.times[at], 3), round_figure(series.values[at], SHORT_DIGITS)] for at in chosen]


_HEAD = 4  # bytes of the number of samples


def pack(series: Series) -> bytes:
    """The series for storage: the differences of its times in ms and its values as 32-bit floats, by zlib."""
    stamps = [round(time * 1000) for time in series.times]
    steps = array("i", [second - first for first, second in pairwise([0, *stamps])])
    values = array("f", series.values)
    head = len(stamps).to_bytes(_HEAD, "little")
    return zlib.compress(head + steps.tobytes() + values.tobytes(), 6)


def unpack(packed: bytes) -> Series:
    raw = zlib.decompress(packed)
    count = int.from_bytes(raw[:_HEAD], "little")
    steps, values = array("i"), array("f")
    steps.frombytes(raw[_HEAD : _HEAD + 4 * count])
    values.frombytes(raw[_HEAD + 4 * count :])
    return Series([stamp / 1000 for stamp in accumulate(steps)], list(values))
