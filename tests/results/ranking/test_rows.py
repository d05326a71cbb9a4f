import re
from itertools import pairwise

import pytest

from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from results.ranking.rows import board_axis, device_rows
from tests.factories import (
    make_device,
    make_price,
    make_product,
    make_result,
    make_stated_product,
    rank_everything,
)

pytestmark = pytest.mark.django_db


def ranked(**filters):
    """The rows of the leaderboard, as its page reads them."""
    return rank_devices(LeaderboardFilter(**filters), with_options=True).rows


def test_rows_share_the_axis_of_their_page():
    make_result(20, device=make_device(model_name="a"))
    make_result(900, device=make_device(model_name="b"))
    rank_everything()
    first, second = ranked(sort="device")
    (alone, *_), (beside, *_) = device_rows([first], ()), device_rows([first, second], ())
    assert alone.scale != beside.scale
    assert alone.interval_svg != beside.interval_svg


@pytest.mark.parametrize(
    ("measured", "claimed", "expected"),
    [
        (None, None, []),
        (500, None, ["carried"]),
        (None, 3000, ["on-paper"]),
        (500, 3000, ["on-paper"]),
        (3000, 500, ["carried"]),
        (500, 500, ["carried"]),
    ],
)
def test_a_row_shows_the_link_that_was_measured_unless_a_faster_one_is_claimed(measured, claimed, expected):
    make_result(20)
    rank_everything()
    (row,) = ranked()
    (shown,) = device_rows([{**row, "measured_mib_s": measured, "claimed_mib_s": claimed}], ())
    assert [chip.state for chip in shown.links] == expected


def test_labels_that_would_touch_are_left_out_on_phones():
    make_result(20)
    rank_everything()
    axis = board_axis(ranked(), (3, 70_000), "sync_write")  # of five decades, each 21 % of the width
    assert [(tick.value, tick.is_minor) for tick in axis.ticks] == [
        (10, False),
        (100, False),
        (1000, False),
        (10_000, True),
        (100_000, False),
    ]
    assert [(tier.lines, tier.css) for tier in axis.tiers] == [
        (["excellent"], ""),
        (["very", "good"], "minor"),
        (["good"], "minor"),
        (["slow"], "minor"),
        (["helps hard disks", "only"], "minor"),
    ]


def test_a_tier_is_named_in_the_middle_of_its_range():
    make_result(20)
    rank_everything()
    axis = board_axis(ranked(), (1, 100_000), "sync_write")
    ends = [0, *(100 * axis.scale.up(tier.end) for tier in axis.tiers)]
    middles = [float(tier.x.removesuffix("%")) for tier in axis.tiers]
    assert middles == pytest.approx([sum(pair) / 2 for pair in pairwise(ends)], abs=0.1)
    assert middles == sorted(middles)


def test_the_labels_at_the_ends_of_the_axis_stay_within_it():
    make_result(20)
    rank_everything()
    first, *others, last = board_axis(ranked(), (), "sync_write").ticks
    assert (first.anchor, last.anchor) == ("start", "end")
    assert {tick.anchor for tick in others} == {"middle"}


def test_bars_are_as_long_as_their_figures_are_high():
    for latency_us in (20, 200, 2000):
        make_result(latency_us)
    rank_everything()
    rows = device_rows(ranked(), ())
    lengths = [float(re.search(r'<rect width="([\d.]+)%"', row.scale)[1]) for row in rows]
    assert [row.score for row in rows] == [20, 200, 2000]
    assert lengths[1] - lengths[0] == pytest.approx(
        lengths[2] - lengths[1], abs=0.2
    )  # the axis is logarithmic
    assert lengths[0] > 0


def test_what_rests_on_an_assumed_spread_is_hatched():
    make_result(20)
    rank_everything()
    (row,) = ranked()
    (assumed,), (measured,) = device_rows([row], ()), device_rows([{**row, "assumed_spread": False}], ())
    assert 'class="assumed"' in assumed.scale
    assert "µs, assumed spread)</title>" in assumed.scale
    assert "interval assumed" in assumed.interval_svg
    assert "assumed" not in measured.scale + measured.interval_svg


def test_a_bar_has_the_color_of_its_drives_protection():
    for latency_us, plp in enumerate(("yes", "by_design", "unknown", "partial", "disputed", "no"), 20):
        make_result(latency_us, device=make_device(product=make_stated_product(plp)))
    rank_everything()
    rows = device_rows(ranked(), ())
    assert [row.tone for row in rows] == ["good", "good", "muted", "muted", "muted", "bad"]
    assert [row.has_capacitors for row in rows] == [True, False, False, False, False, False]


def test_a_row_has_the_price_and_the_form_factors_of_its_capacity():
    product = make_product(form_factors="M.2 22110 (380 GB), U.2")
    for capacity, price in ((380 * 10**9, "89.90"), (960 * 10**9, "200")):
        make_result(20, device=make_device(product=product, capacity_bytes=capacity))
        make_price(product, price=price, capacity_bytes=capacity, seen_on="2024-05")
    make_result(30)
    rank_everything()
    small, large, unknown = sorted(device_rows(ranked(), ()), key=lambda row: row.price is None)
    small, large = sorted((small, large), key=lambda row: row.name.capacity_bytes)
    assert (small.price.text, small.price.note, small.form) == ("$90", "in 2024", "m2-22110")
    assert (large.price.text, large.form_factors, large.form) == ("$200", ["U.2"], "u2")
    assert (unknown.price, unknown.form_factors, unknown.form) == (None, (), "")
