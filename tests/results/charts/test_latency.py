import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from results.charts import svg
from results.charts.curves import chart_legend, curve_plot
from results.charts.description import CurvePoint, Series, View
from results.charts.plot import END_GAP

BLOCK_SIZES = [512 * 2**step for step in range(15)]


def series_of(latencies_us, *, label="device", mark="", spread=None, key=""):
    """A curve over the first block sizes; `spread` is the factor of its band in both directions."""
    points = (
        CurvePoint(size, us, us / spread, us * spread) if spread else CurvePoint(size, us)
        for size, us in zip(BLOCK_SIZES, latencies_us, strict=False)
    )
    return Series(label, tuple(points), mark, key)


def draw(*series, **view):
    return svg.draw(curve_plot(series, View(**view)), title="Latency", description="What it shows")


def element(svg):
    return ElementTree.fromstring(svg)  # noqa: S314 - drawn by the code under test


def paths(svg, css_class):
    return re.findall(rf'<path class="{css_class}(?: square)?" d="([^"]*)"', svg)


def test_an_assumed_spread_is_drawn_dashed():
    known = series_of([20.0] * 15, spread=1.3)
    assert paths(draw(replace(known, is_assumed=True)), "band assumed") == paths(draw(known), "band")


def test_chart_without_points_is_empty():
    assert draw() == ""
    assert draw(series_of([])) == ""


def test_a_chart_is_an_image_with_a_name_and_a_description():
    svg = element(draw(series_of([20.0] * 15)))
    assert svg.get("role") == "img"
    assert [(child.tag, child.text) for child in svg[:2]] == [("title", "Latency"), ("desc", "What it shows")]


def test_no_chart_holds_inline_style_or_script():
    svg = draw(series_of([20.0] * 15, spread=1.3), series_of([30.0] * 15, mark="2"))
    assert not re.search(r"style=|<style|<script|fill=|stroke=|\son\w+=", svg)


def test_the_curve_runs_from_edge_to_edge_on_whole_coordinates():
    (line,) = paths(draw(series_of([10.0 * 1.5**step for step in range(15)])), "curve")
    spots = [tuple(map(int, spot)) for spot in re.findall(r"(\d+) (\d+)", line)]
    assert [x for x, _ in spots] == list(range(0, 701, 50))
    heights = [y for _, y in spots]
    assert heights == sorted(heights, reverse=True)


def test_one_curve_has_a_marker_at_each_point_and_several_only_in_the_ranked_range():
    flat = series_of([20.0] * 15)
    (alone,) = paths(draw(flat), "marks")
    assert alone.count("M") == 15
    assert [marks.count("M") for marks in paths(draw(flat, flat), "marks")] == [6, 6]


def test_curves_differ_in_more_than_color():
    svg = draw(*[series_of([20.0 + step] * 15) for step in range(4)])
    assert re.findall(r'<g class="(s\d)">', svg) == ["s1", "s2", "s3", "s4"]
    assert len(paths(svg, "holes")) == 2


def test_known_spread_is_a_band():
    assert len(paths(draw(series_of([20.0] * 15, spread=1.5)), "band")) == 1
    assert paths(draw(series_of([20.0] * 15)), "band") == []
    assert paths(draw(series_of([20.0] * 15, spread=1.0)), "band") == []


def test_at_most_eight_curves_are_drawn_and_named():
    many = [series_of([20.0 + step] * 15, label=f"device {step}") for step in range(12)]
    assert draw(*many).count("<g ") == 8
    assert chart_legend(many).count("<li ") == 8


def test_marks_at_the_ends_of_equal_curves_do_not_cover_each_other():
    svg = draw(*[series_of([20.0] * 15, mark=str(place)) for place in range(1, 6)])
    heights = [float(y) for y in re.findall(r'class="end s\d" x="100%" y="([\d.]+)%" dx="9"', svg)]
    gaps = [below - above for above, below in pairwise(heights)]
    assert len(heights) == 5
    assert min(gaps) == pytest.approx(100 * END_GAP, abs=0.02)
    assert max(heights) <= 100


def test_a_curve_that_ends_early_has_no_mark_at_the_edge():
    assert 'class="end' not in draw(series_of([20.0] * 9, mark="1"))


def test_the_ranked_range_is_shaded_from_4_to_128_kib():
    assert '<rect class="ranked" x="21.43%" width="35.71%" height="100%"/>' in draw(series_of([20.0] * 15))


def test_a_chart_of_eight_curves_stays_small():
    svg = draw(*[series_of([20.0 + step * 7] * 15, label="M" * 20, mark=str(step)) for step in range(8)])
    assert len(svg.encode()) < 6500


def test_the_legend_names_curves_in_order_with_their_marks():
    legend = chart_legend(
        [series_of([1.0], label="A<B", mark="1"), series_of([], label="empty"), series_of([1.0])]
    )
    assert re.findall(r'class="name">([^<]*)<', legend) == ["1 A&lt;B", "device"]


def labels(svg):
    return re.findall(r'<text x="-8" [^>]*dy="-?\d" text-anchor="end">([^<]*)</text>', svg)


def test_throughput_view_draws_mib_per_second():
    svg = draw(series_of([10.0 + 2.0**step for step in range(15)]), is_throughput=True)
    assert labels(svg) == ["20", "50", "100", "200", "500"]
    assert ">MiB/s</text>" in svg
    (line,) = paths(svg, "curve")
    heights = [int(y) for y in re.findall(r"\d+ (\d+)", line)]
    assert heights[0] > heights[-1]


def test_linear_axes_begin_at_zero():
    svg = draw(series_of([100.0] * 15), is_linear=True)
    assert labels(svg)[0] == "0 µs"
    (line,) = paths(svg, "curve")
    assert re.findall(r"(\d+) \d+", line)[-2:] == ["350", "700"]  # 4 and 8 MiB


def test_ranked_sizes_fill_the_width():
    svg = draw(series_of([100.0] * 15), is_ranked_only=True)
    (line,) = paths(svg, "curve")
    assert re.findall(r"(\d+) \d+", line) == ["0", "140", "280", "420", "560", "700"]
    assert "4 KiB" in svg
    assert "512 B" not in svg


def test_hidden_curve_is_not_drawn_and_others_keep_their_style():
    first, second = series_of([20.0] * 15, key="a"), series_of([30.0] * 15, key="b")
    svg = draw(first, second, hidden=frozenset({"a"}))
    assert re.findall(r'<g class="(s\d)">', svg) == ["s2"]
    assert paths(svg, "marks")[0].count("M") == 6


def test_axes_stay_if_all_curves_are_hidden():
    svg = draw(series_of([20.0] * 15, key="a"), hidden=frozenset({"a"}))
    assert "<g " not in svg
    assert labels(svg)


def test_legend_links_hide_and_show_curves():
    curves = [series_of([1.0], label="A", key="a"), series_of([1.0], label="B", key="b")]
    urls = {"a": "/?hide=b&x=1", "b": "/?hide=a"}
    legend = chart_legend(curves, view=View(hidden=frozenset({"a"})), urls=urls)
    assert re.findall(r'<li class="([^"]*)"><a href="([^"]*)"', legend) == [
        ("s1 is-hidden", "/?hide=b&amp;x=1#chart"),
        ("s2", "/?hide=a#chart"),
    ]
    assert legend.count("(hidden)") == 1
