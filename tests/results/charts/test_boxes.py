import re

import pytest

from results.charts.boxes import box_legend, box_plot
from results.charts.description import EXPECTED, Box, Expected, View
from results.charts.live import live_plot
from results.charts.svg import draw


def plot(*boxes, **view):
    return draw(box_plot(boxes, View(**view)), title="Classes", description="Side by side")


def numbers(svg, element, *names):
    """The attributes `names` of every `element` of that class, as numbers."""
    tags = re.findall(rf'<\w+ class="{element}"[^>]*>', svg)
    return [tuple(float(re.search(rf' {name}="([\d.]+)%?"', tag)[1]) for name in names) for tag in tags]


def test_five_numbers_are_on_one_logarithmic_axis():
    svg = plot(Box("disks", (1.0, 10.0, 100.0, 1000.0, 9900.0)))  # the axis: 0.5 µs to 10 ms
    (whisker,) = numbers(svg, "whisker", "x1", "x2")
    (box,) = numbers(svg, "box", "x", "width")
    (median,) = numbers(svg, "median", "x1", "x2")
    assert median == pytest.approx((53.5, 53.5), abs=0.1)
    assert box == pytest.approx((30.25, 46.5), abs=0.1)
    assert whisker == pytest.approx((7, 99.9), abs=0.1)


def test_rows_share_the_axis():
    svg = plot(Box("fast", (10.0,) * 5), Box("slow", (10_000.0,) * 5))
    (fast, slow) = numbers(svg, "median", "x1", "y1")
    assert fast[0] < 10 < 90 < slow[0]
    assert fast[1] < slow[1]


def test_expected_band_is_beneath_the_box():
    svg = plot(Box("disks", (20.0, 30.0, 40.0, 50.0, 60.0), (Expected("20 to 30 µs", 20.0, 30.0),)))
    assert svg.index('class="expected"') < svg.index('class="box"')
    assert "<title>20 to 30 µs</title>" in svg


def test_single_expected_figure_is_a_visible_band_in_the_middle():
    svg = plot(Box("disks", (20.0, 30.0, 40.0, 50.0, 60.0), (Expected("about 40 µs", 40.0, 40.0),)))
    ((left, width),) = numbers(svg, "expected", "x", "width")
    ((median, _),) = numbers(svg, "median", "x1", "x2")
    assert width == 0.8
    assert left + width / 2 == pytest.approx(median, abs=0.02)


def test_class_without_devices_shows_only_the_expected_band():
    svg = plot(Box("cards", None, (Expected("2.5 µs", 2.5, 2.5),)))
    assert "cards" in svg
    assert numbers(svg, "expected", "y")
    assert not numbers(svg, "median", "x1")


def test_a_single_device_is_its_median():
    svg = plot(Box("cards", (25.0,) * 5))
    assert numbers(svg, "box", "width") == [(0.0,)]
    assert len(numbers(svg, "median", "x1")) == 1


@pytest.mark.parametrize("boxes", [[], [Box("cards", None)]])
def test_plot_without_data_is_empty(boxes):
    assert plot(*boxes) == ""


def test_names_are_escaped():
    assert "<b>" not in plot(Box("<b>", (1.0,) * 5, (Expected("<b>", 1.0, 1.0),)))


def test_box_has_a_tooltip_with_its_five_numbers():
    assert "<title>cards; lowest 1.00 µs, lower quartile 2.00 µs, median 3.00 µs" in plot(
        Box("cards", (1.0, 2.0, 3.0, 4.0, 5.0))
    )


TWO = [
    Box("fast: 3", (10.0, 20.0, 50.0, 60.0, 99.0), name="fast", key="fast"),
    Box("slow: none", None, (Expected("20 ms", 20_000.0, 20_000.0),), name="slow", key="slow"),
]


def test_hidden_row_keeps_its_position_but_does_not_affect_the_axis():
    svg = plot(*TWO, is_linear=True, hidden=frozenset({"slow"}))
    assert numbers(svg, "median", "x1") == [(50.0,)]
    assert not numbers(svg, "expected", "x")
    assert 'height="152"' in svg
    assert '<text class="row-name is-out" y="80">slow: none</text>' in svg


def test_axis_covers_all_rows_if_nothing_of_them_is_left():
    for boxes, hidden, tick in ((TWO, {"slow", "fast"}, "10 ms"), (TWO[1:], {EXPECTED}, "20 ms")):
        svg = plot(*boxes, hidden=frozenset(hidden))
        assert tick in svg
        assert not numbers(svg, "median", "x1")


def test_legend_links_hide_and_show_rows():
    urls = {"fast": "/?hide=fast&a=b", "slow": "/", EXPECTED: "/?hide=expected"}
    fast, slow, expected = re.findall(
        r"<li.*?</li>", box_legend(TWO, urls=urls, view=View(hidden=frozenset({"slow"})))
    )
    assert 'href="/?hide=fast&amp;a=b#chart"' in fast
    assert "hidden" not in fast.replace("hide=", "")
    assert 'class="is-hidden"' in slow
    assert "(hidden)" in slow
    assert 'data-key="expected"><span class="name">Expected in 2018</span></a>' in expected


def test_hidden_expected_bands_do_not_affect_the_axis():
    boxes = [
        Box("disks", (10.0, 20.0, 50.0, 60.0, 99.0), (Expected("20 ms", 20_000.0, 20_000.0),), key="hdd")
    ]
    svg = plot(*boxes, is_linear=True, hidden=frozenset({EXPECTED}))
    assert numbers(svg, "median", "x1") == [(50.0,)]
    assert not numbers(svg, "expected", "x")


def test_scripts_get_the_points_of_the_plot():
    live = live_plot(box_plot(TWO))
    assert (live.axis, live.stops) == ("y", ["fast: 3", "slow: none"])
    medians, expected = live.series
    assert [(point.stop, point.lines[2]) for point in medians.points] == [(0, "median 50.0 µs")]
    assert [(point.stop, point.lines) for point in expected.points] == [(1, ["expected in 2018, 20 ms"])]
    hidden = live_plot(box_plot(TWO, View(hidden=frozenset({"fast"}))))
    assert hidden.stops == ["slow: none"]
