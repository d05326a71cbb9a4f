import pytest

from results.charts.curves import MARK_RADIUS, curve_plot
from results.charts.description import CurvePoint, Series, View
from results.charts.live import live_plot

CURVE = Series("Optane", (CurvePoint(512, 12.3456, 10.0, 14.0), CurvePoint(4096, 16.0)), "1", "optane")


def live_points(*series, **view):
    return [curve.points for curve in live_plot(curve_plot(series, View(**view))).series]


def test_scripts_get_the_points_where_they_are_drawn():
    live = live_plot(curve_plot([CURVE]))
    assert (live.axis, live.stops) == ("x", ["512 B", "4 KiB"])
    (points,) = live_points(CURVE)
    assert points[0] == (0, 0, pytest.approx(34.8, abs=0.1), ["12.3 µs, 39.6 MiB/s"], MARK_RADIUS)


def test_one_of_several_curves_says_its_name_and_only_ranked_sizes_have_a_marker():
    first, _ = live_points(CURVE, CURVE)
    assert [(point.lines, point.radius) for point in first] == [
        (["Optane: 12.3 µs"], 0),
        (["Optane: 16.0 µs"], MARK_RADIUS),
    ]
    _, rates = live_points(CURVE, CURVE, is_throughput=True)
    assert rates[1].lines == ["Optane: 244 MiB/s"]


def test_a_size_that_was_not_measured_is_no_point_and_a_hidden_curve_has_none():
    small = Series("Small", (CurvePoint(512, 3.0),), key="small")
    live = live_plot(curve_plot([CURVE, small], View(hidden=frozenset({"optane"}))))
    assert (live.stops, [curve.css for curve in live.series]) == (["512 B"], ["s2"])


def test_default_view_shows_latencies():
    assert View().spots(CURVE) == [(512, 12.3456, 10.0, 14.0), (4096, 16.0, None, None)]


def test_throughput_is_highest_where_latency_is_lowest():
    first, last = View(is_throughput=True).spots(CURVE)
    assert first == (
        512,
        pytest.approx(39.55, abs=0.01),
        pytest.approx(34.88, abs=0.01),
        pytest.approx(48.83, abs=0.01),
    )
    assert last == (4096, pytest.approx(244.14, abs=0.01), None, None)


def test_a_curve_is_hidden_by_its_key():
    assert View(hidden=frozenset({"optane"})).hides(CURVE)
    assert not View(hidden=frozenset({""})).hides(Series("without a key", CURVE.points))
