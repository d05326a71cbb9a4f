from results.charts.axes import value_axis
from results.charts.svg import bar_lines, value_bar


def test_a_bar_ends_at_its_value_with_a_whisker_over_its_interval():
    axis = value_axis([0, 99], is_linear=True)
    drawn = value_bar(25, 50, 75, axis=axis)
    assert '<rect width="50%"/>' in drawn
    assert '<line class="reach" x1="25%" x2="75%"/>' in drawn
    assert drawn.count('class="cap"') == 2


def test_an_assumed_spread_is_dashed():
    axis = value_axis([0, 99], is_linear=True)
    assert '<line class="reach assumed" x1="25%"' in value_bar(25, 50, 75, axis=axis, is_assumed=True)


def test_all_bars_share_the_gridlines():
    axis = value_axis([10, 900], is_linear=False)
    assert bar_lines(axis).count("<line") == len(axis.ticks)
    assert '<g id="bar-lines">' in bar_lines(axis)
    assert '<use href="#bar-lines"/>' in value_bar(20, 30, 40, axis=axis)
