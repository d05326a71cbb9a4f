import re

from results.charts.glyphs import sparkline


def line(svg):
    (path,) = re.findall(r'd="M([^"]*)"', svg)
    return path


def test_a_sparkline_rises_with_the_latency_on_a_log_scale():
    assert line(sparkline([10.0, 100.0, 1000.0])) == "0 18 50 10 100 2"


def test_a_flat_curve_is_a_line_in_the_middle():
    assert line(sparkline([10.0, 10.0])) == "0 10 100 10"


def test_a_single_latency_has_no_shape():
    assert sparkline([10.0]) == ""
