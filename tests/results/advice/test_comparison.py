from itertools import product

import pytest

from results.advice.comparison import (
    ASSUMED_SPREAD,
    OTHER_TEST,
    REPEATS,
    UNITS,
    Axis,
    Comparable,
    Comparison,
    Noise,
    Reading,
    compare_conditions,
    describe_ratios,
    find_ratios,
    join_points,
    pair_factor,
)
from results.ranking.ties import Span, surely_better


def reading(low, high=None, **values):
    """A figure of which lower is better, with its interval."""
    high = high or low
    return Reading(low, low, high, **{"is_lower_better": True, "text": f"{low}–{high}", **values})


def compare(*readings, between_methods=2):
    names = ("One", "Two", "Three")
    compared = [
        Comparable(name, None, {"latency": found} if found else {})
        for name, found in zip(names, readings, strict=False)
    ]
    return Comparison(compared, between_methods)


def ratio(base, other, noise=REPEATS, is_lower_better=False):
    sides = [
        Comparable(letter, None, {"": Reading(value, value, value, is_lower_better, noise)})
        for letter, value in (("A", base), ("B", other))
    ]
    (found,) = find_ratios(*sides)
    return found


def test_a_spread_of_ten_percent_is_a_factor_of_a_quarter():
    assert pair_factor(0.1) == pytest.approx(1.262, abs=1e-3)


TOO_CLOSE, CLEARLY = "Too close to call.", "One is clearly faster than Two."
HIGHER, FIO, LOOSE = {"is_lower_better": False}, {"method": "fio"}, {"noise": OTHER_TEST}
PROBABLY = {"noise": ASSUMED_SPREAD}
LEADERS = [
    ([reading(1, 2), reading(3, 4)], "best,", CLEARLY),
    ([reading(3, 4), reading(1, 2), reading(5, 6)], ",best,", "Two is clearly the fastest."),
    ([reading(1, 3), reading(2, 4)], "tie,tie", TOO_CLOSE),
    ([reading(1, 9), reading(3, 4)], "tie,tie", TOO_CLOSE),
    (
        [reading(1, 3), reading(3, 9), reading(4, 5)],
        "tie,tie,",
        "One and Two are the fastest; it’s too close to call between them.",
    ),
    ([reading(1, 3), reading(2, 4), None], "tie,tie,", "Too close to call between One and Two."),
    ([None, reading(1, 2), reading(3, 4)], ",best,", "Two is clearly faster than Three."),
    ([reading(10.0, 10.1, text="10.1"), reading(10.2, 10.3, text="10.1")], "tie,tie", TOO_CLOSE),
    ([reading(1, 2, **HIGHER), reading(3, 4, **HIGHER)], ",best", "Two is clearly faster than One."),
    ([reading(1, **PROBABLY), reading(3)], "best,", "One is probably faster than Two."),
    ([reading(1), reading(3, **PROBABLY)], "best,", "One is probably faster than Two."),
    ([reading(1), reading(1.9, **FIO)], "tie,tie", TOO_CLOSE),
    ([reading(1), reading(2.1, **FIO)], "best,", CLEARLY),
    ([reading(1), reading(9, **FIO, **LOOSE)], "tie,tie", TOO_CLOSE),
    (
        [reading(1, **PROBABLY), reading(11, **FIO, **LOOSE)],
        "best,",
        "One is almost certainly faster than Two.",
    ),
]


def test_leaders_are_those_no_other_clearly_beats():
    for readings, marks, verdict in LEADERS:
        found = compare(*readings)
        assert (",".join(found.marks("latency")), found.verdict("latency")) == (marks, verdict), readings
    assert compare(reading(1, 2), None).marks("latency") == ("", "")


def test_figures_with_intervals_are_tied_by_the_rule_of_the_ranking():
    ends = [(1, 2), (1.9, 2.5), (2.1, 3), (4.1, 5)]
    for (mine, method), (others, other_method) in product(product(ends, ("fio", "diskinfo")), repeat=2):
        is_ahead = surely_better(Span(method, *mine), Span(other_method, *others), 2)
        assert reading(*mine, method=method).is_better(reading(*others, method=other_method), 2) is is_ahead


@pytest.mark.parametrize(
    ("base", "other", "noise", "exceeds", "change"),
    [
        (1, 1.3, 1.26, True, 1),
        (1.3, 1, 1.26, True, -1),
        (1, 1.2, 1.26, False, 0),
        (1.2, 1, 1.26, False, 0),
        (1, 9, None, None, 1),
        (1, 1.05, None, None, 0),
    ],
)
def test_a_ratio_exceeds_the_noise_in_both_directions(base, other, noise, exceeds, change):
    found = ratio(base, other, Noise(noise))
    assert (found.exceeds_noise, found.change) == (exceeds, change)


def test_certainty_depends_on_the_source_of_the_noise():
    for source in (UNITS, REPEATS):
        texts = [ratio(1, 3, source._replace(factor=factor)).certainty for factor in (2, 4, None)]
        assert texts == [source.beyond, source.within, source.unknown]


@pytest.mark.parametrize(
    ("base", "other", "is_lower_better", "described", "gain"),
    [
        (100, 300, True, "A is 3 times better", "0.33× (slower)"),
        (100, 300, False, "B is 3 times better", "3×"),
        (300, 100, None, "3 times as much in A", "0.33× (slower)"),
        (1, 36, None, "36 times as much in B", "36×"),
        (100, 100.4, True, "the same", "no gain"),
        (100, 108, False, "B is 1.08 times better", "no gain"),
    ],
)
def test_a_ratio_in_words(base, other, is_lower_better, described, gain):
    found = ratio(base, other, is_lower_better=is_lower_better)
    assert (found.describe(), found.gain_in_words) == (described, gain)


@pytest.mark.parametrize(
    ("points", "joined"),
    [
        ([(1, "5.6×")], "5.6×"),
        ([(4, "2×")], "2× at 4 threads"),
        (
            [(1, "5.6×"), (4, "2×"), (8, "2×"), (16, "no gain")],
            "5.6× at 1 thread, 2× at 4 and 8 and no gain at 16",
        ),
        ([(number, f"{number}×") for number in range(1, 6)], "1× at 1 thread, 3× at 3 and 5× at 5"),
    ],
)
def test_points_are_joined_into_one_sentence(points, joined):
    assert join_points(points, "thread") == joined


SIZES = (64, 128, 256, 512)
RECORDS = Axis("record size", "record sizes", "at", "{} KiB".format)


@pytest.mark.parametrize(
    ("rates", "described"),
    [
        ((150, 150, 150, 150), "1.5× as fast as A"),
        ((150, 200, 150, 150), "1.6× as fast as A (1.5× to 2×)"),
        ((50, 50, 50, 50), "2× slower than A"),
        ((115, 110, 95, 100), "about as fast as A"),
        ((100, 100, 100, 300), "3× as fast as A at 512 KiB, and about as fast otherwise"),
        ((100, 100, 200, 300), "up to 3× as fast as A from 256 KiB on, and about as fast otherwise"),
        ((10, 100, 100, 100), "10× slower than A at 64 KiB, and about as fast otherwise"),
        ((300, 100, 300, 100), "up to 3× as fast as A at 2 of 4 record sizes, and about as fast otherwise"),
        ((200,), "2× as fast as A at 64 KiB"),
        (
            (50, 100, 200, 200),
            "faster than A from 256 KiB on, and slower at 64 KiB: which is faster depends on the record size",
        ),
    ],
)
def test_a_ratio_is_stated_only_where_intervals_are_apart(rates, described):
    base, other = (
        {size: Reading(rate, rate * 0.9, rate * 1.1) for size, rate in zip(SIZES, figures, strict=False)}
        for figures in ([100] * 4, rates)
    )
    ratios = find_ratios(Comparable("A", None, base), Comparable("B", None, other))
    assert describe_ratios(ratios, "A", RECORDS) == described


def test_what_nobody_states_is_never_alike():
    rows = compare_conditions([{"sync": "always", "Memory": ""}, {"sync": "Always", "Memory": "16 GiB"}])
    assert [(row.label, row.stated, row.differs, row.is_unknown) for row in rows] == [
        ("sync", ("always", "Always"), False, False),
        ("Memory", ("", "16 GiB"), False, True),
    ]


def test_a_device_may_state_several_values():
    states = [{"system": ("FreeBSD", "Linux")}, {"system": ("Linux",)}, {"system": ()}]
    (row,) = compare_conditions(states, {"system": "Operating system"})
    assert (row.stated, row.differs, row.is_unknown) == (("FreeBSD and Linux", "Linux", ""), True, True)
