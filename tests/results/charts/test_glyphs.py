import re

from results.charts.glyphs import interval_bar, sparkline


def test_an_interval_stands_on_the_scale_of_its_table():
    bar = interval_bar(10.0, 100.0, 1000.0, scale_us=(10.0, 1000.0))
    assert 'd="M0 4H100"' in bar
    assert 'class="value" d="M50 4h0"' in bar


def test_an_interval_that_leaves_the_scale_ends_at_its_edge():
    assert 'd="M0 4H100"' in interval_bar(1.0, 20.0, 9999.0, scale_us=(10.0, 1000.0))


def test_a_table_of_one_value_has_its_dot_in_the_middle():
    assert 'class="value" d="M50 4h0"' in interval_bar(20.0, 20.0, 20.0, scale_us=(20.0, 20.0))


def test_a_sparkline_rises_with_the_latency():
    (line,) = re.findall(r'd="M([^"]*)"', sparkline([10.0, 100.0, 1000.0]))
    assert line == "0 18 50 10 100 2"


def test_a_single_latency_has_no_shape():
    assert sparkline([10.0]) == ""
