"""Checks of a curve alone, without the text it was printed in."""

from decimal import Decimal

from parsers.diskinfo.checks import is_timer_tick

AT_100_HZ = [
    9990.9,
    9977.0,
    9986.2,
    9977.1,
    9991.1,
    10002.9,
    9854.5,
    9982.3,
    7868.0,
    9977.6,
    19998.0,
    39990.5,
]


def test_multiples_of_a_tick_are_not_the_speed_of_a_device(subtests):
    for latencies_us, is_tick in [
        (AT_100_HZ, True),
        ([Decimal(str(latency)) for latency in AT_100_HZ], True),
        (AT_100_HZ[:7], False),  # too few to say so
        ([4000.0] * 9 + [4100.0] * 3, True),
        ([4000.0] * 8 + [4500.0] * 7, False),
        ([1000.0 * number for number in range(1, 12)], True),
        ([100.0 * number for number in range(1, 16)], False),
        ([20.0] * 15, False),
        ([], False),
    ]:
        with subtests.test(latencies_us=latencies_us):
            assert is_timer_tick(latencies_us) is is_tick
