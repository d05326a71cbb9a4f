from functools import partial

from results.charts.axes import value_axis
from results.charts.glyphs import bar_lines, value_bar

AXIS = value_axis([0, 99], is_linear=True)
bar = partial(value_bar, 25, 50, 75, axis=AXIS, css="good", texts=("50 µs", "50 µs (25–75 <µs>)"))


def test_a_bar_ends_at_its_value_and_has_its_interval_as_a_whisker():
    drawn = bar(is_assumed=False)
    assert '<svg class="bar good" role="img"><title>50 µs (25–75 &lt;µs&gt;)</title>' in drawn
    assert '<rect width="50%"/>' in drawn
    assert '<line class="whisker" x1="25%" x2="75%"' in drawn
    assert '<text x="75%" y="50%">50 µs</text>' in drawn
    assert "assumed" not in drawn


def test_the_end_that_rests_on_an_assumed_spread_is_hatched():
    assert '<line class="assumed" x1="50%" x2="75%"' in bar(is_assumed=True)


def test_all_bars_share_the_lines_across():
    lines = bar_lines(AXIS, [30, 70])
    assert lines.count("<line") == len(AXIS.ticks) + 2
    assert '<line class="mark" x1="30%" x2="30%" y2="100%"/>' in lines
    assert '<g id="bar-lines">' in lines
    assert '<use href="#bar-lines"/>' in bar(is_assumed=False)
