from results.charts.axes import value_axis
from results.charts.svg import bar_lines, dot_bar


def test_a_dot_is_at_its_value_on_a_bar_over_its_interval():
    axis = value_axis([0, 99], is_linear=True)
    drawn = dot_bar(25, 50, 75, axis=axis, css="fio good")
    assert '<rect x="25%" width="50%"/>' in drawn
    assert '<circle class="fio good" cx="50%"/>' in drawn
    assert "assumed" not in drawn
    assert 'class="interval assumed"' in dot_bar(25, 50, 75, axis=axis, css="", is_assumed=True)


def test_all_bars_share_the_gridlines():
    axis = value_axis([10, 900], is_linear=False)
    assert bar_lines(axis).count("<line") == len(axis.ticks)
    assert '<g id="bar-lines">' in bar_lines(axis)
    assert '<use href="#bar-lines"/>' in dot_bar(20, 30, 40, axis=axis, css="")
