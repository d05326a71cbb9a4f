"""Do the intervals keep their promise? Devices whose true latency is known, measured as people measure.

Pure: what the statements of results.ranking.aggregate do is done here in Python, and tests/results/ranking/
test_aggregate.py holds them to the same figures.
"""

import math
import random
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import pytest

from results.ranking.intervals import blended_spread, half_width, interval, own_spread, pooled_spread
from results.ranking.ties import Place, find_place, order_ends

UNIT_SPREAD = 0.12  # between units of a device, natural log; differs by device, see SPREAD_OF_SPREADS
SPREAD_OF_SPREADS = 0.25
RUN_SPREAD = 0.03
GROSS_SHARE = 0.02  # of units: a busy host, a wrong cable
EAGER_SHARE = 0.1  # of units: measured up to 50 times
DEVICES = 6000
LEAST, MOST = 0.86, 0.95
BOARDS = 300


@dataclass(frozen=True)
class Device:
    """A true latency, and the log of what each unit came to."""

    truth_us: float
    units: list[float]

    @property
    def score(self):
        return median(self.units)

    @property
    def differences(self):
        pairs = zip(self.units[::2], self.units[1::2], strict=False)
        return [abs(first - second) for first, second in pairs]

    def interval(self, pooled):
        count = len(self.units)
        deviation = median(abs(unit - self.score) for unit in self.units)
        own = own_spread(deviation, count) if count > 1 else None
        return interval(math.exp(self.score), half_width(blended_spread(pooled, own, count), count))


def draw_device(source, *, truth_us, unit_count):
    spread = UNIT_SPREAD * math.exp(source.gauss(0, SPREAD_OF_SPREADS))
    return Device(truth_us, [draw_unit(source, math.log(truth_us), spread) for _ in range(unit_count)])


def draw_unit(source, log_truth, spread):
    """The median over its runs."""
    centre = log_truth + source.gauss(0, spread)
    if source.random() < GROSS_SHARE:
        centre += source.uniform(1, 2.5)
    runs = source.randint(2, 50) if source.random() < EAGER_SHARE else 1
    return median(centre + source.gauss(0, RUN_SPREAD) for _ in range(runs))


def spread_of(devices):
    return pooled_spread(median(one for device in devices for one in device.differences[:10]))


@pytest.fixture(scope="module")
def board():
    """Devices with one unit to twenty, most with few, and the spread that they show."""
    source = random.Random(20181)  # noqa: S311 - drawing, not secrets
    devices = [
        draw_device(
            source,
            truth_us=math.exp(source.uniform(2, 9)),
            unit_count=min(20, 1 + int(source.expovariate(0.2))),
        )
        for _ in range(DEVICES)
    ]
    return devices, spread_of(devices)


@pytest.mark.parametrize(
    "unit_counts", [range(1, 21), [1], [2], range(3, 5), range(5, 10), range(10, 21)], ids=str
)
def test_nine_in_ten_intervals_hold_the_truth(board, unit_counts):
    devices, pooled = board
    held = [
        found.low <= device.truth_us <= found.high
        for device in devices
        if len(device.units) in unit_counts
        for found in [device.interval(pooled)]
    ]
    assert len(held) > 800
    assert LEAST <= sum(held) / len(held) <= MOST


def test_a_lone_lucky_result_does_not_lead():
    """It is the fastest of twenty results of a device that is a fifth slower than ten that are well measured."""
    source = random.Random(1)  # noqa: S311
    led_by_figure, led_by_interval = 0, 0
    for _ in range(BOARDS):
        proven = [draw_device(source, truth_us=100, unit_count=8) for _ in range(10)]
        results = [draw_device(source, truth_us=120, unit_count=1) for _ in range(20)]
        lucky = min(results, key=lambda device: device.score)
        led_by_figure += lucky.score < min(device.score for device in proven)
        highs = [device.interval(UNIT_SPREAD).high for device in proven]
        led_by_interval += lucky.interval(UNIT_SPREAD).high < min(highs)
    assert led_by_figure > 0.3 * BOARDS
    assert led_by_interval < led_by_figure / 4


def test_true_ties_come_out_as_ties():
    source = random.Random(2)  # noqa: S311
    whole_boards, tied, pairs = 0, 0, 0
    for _ in range(BOARDS):
        intervals = [
            draw_device(source, truth_us=100, unit_count=source.randint(1, 12)).interval(UNIT_SPREAD)
            for _ in range(6)
        ]
        ends = order_ends(intervals)
        whole_boards += all(find_place(ends, one).tie_group == 1 for one in intervals)
        for first, second in combinations(intervals, 2):
            pairs += 1
            tied += first.low <= second.high and second.low <= first.high
    assert tied > 0.95 * pairs
    assert whole_boards > 0.75 * BOARDS


def test_devices_that_differ_by_more_than_their_intervals_are_told_apart():
    source = random.Random(3)  # noqa: S311
    intervals = [
        draw_device(source, truth_us=100 * 4**step, unit_count=5).interval(UNIT_SPREAD) for step in range(6)
    ]
    ends = order_ends(intervals)
    assert [find_place(ends, one) for one in intervals] == [
        Place(rank, rank, rank, rank) for rank in range(1, 7)
    ]


def test_a_unit_with_fifty_runs_does_not_outweigh_five_with_one():
    source = random.Random(4)  # noqa: S311
    for _ in range(BOARDS):
        five = draw_device(source, truth_us=100, unit_count=5)
        eager = Device(100, [*five.units, math.log(20)])
        assert eager.score >= min(five.units)
        assert eager.interval(UNIT_SPREAD).high > 85
