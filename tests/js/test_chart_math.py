from itertools import chain, combinations, product

import pytest

from results.charts.axes import axis_ends, latency_label, log_labels, throughput_label, value_axis
from results.charts.description import STYLES, CurvePoint, Series, View, curves_json
from results.charts.svg import LOWEST_MARK, MARK_GAP, _apart
from results.core.formats import format_block_size
from results.kinds.latency_curve.charts import chart_caption

MODULE = "/static/js/chart-math.js"
CURVES = [
    Series(
        key, tuple(CurvePoint(size, *(factor * one for one in values)) for size, *values in points), key=key
    )
    for factor, key in [(0.7, "fast"), (30, "slow"), (4000, "disk")]
    for points in [
        [(512, 11, 9, 14), (4096, 12.5, 12, 13), (65536, 40, 31, 77), (8 * 1024**2, 4000, 3900, 4100)]
    ]
] + [Series("small sizes", (CurvePoint(512, 3.0),), key="small")]
BLOCKS = curves_json([], chart_caption)["blocks"]
PLAIN = {"isThroughput": False, "isLinear": False, "isRankedOnly": False}


def test_both_axes_are_those_of_the_chart_it_takes_over(call):
    """Whichever curve is hidden, also none or all of them."""
    plot = curves_json(CURVES, chart_caption)
    keys = [one.key for one in CURVES]
    some = [[], *([key] for key in keys), keys]
    for chart, scale, sizes, hidden in product(
        ("latency", "throughput"), ("log", "linear"), ("all", "ranked"), some
    ):
        view = View(chart == "throughput", scale == "linear", sizes == "ranked", frozenset(hidden))
        state = {"chart": chart, "scale": scale, "sizes": sizes, "hidden": hidden}
        ends = call("curveEnds", plot["series"], state)
        assert call("valueAxis", ends, plot["log_labels"], state) == plain(shown_axis(view)), state
        assert call("blockAxis", plot["blocks"], state) == {
            "min": view.block_axis.ends[0],
            "max": view.block_axis.ends[1],
            "ticks": list(view.block_axis.ticks),
        }, state


def shown_axis(view):
    """The axis of values that the SVG of this view has."""
    shown = [spot for one in CURVES if not view.hides(one) for spot in view.spots(one)]
    spots = shown or [spot for one in CURVES for spot in view.spots(one)]
    return value_axis([value for spot in spots for value in spot[1:] if value], is_linear=view.is_linear)


def test_sets_of_values_share_the_axis_of_all_their_values(call):
    """Also where a step or the distance of the labels changes between them."""
    sets = [
        [23.0, 6400.0],
        [9000.0, 70_000.0],
        [50.0],
        [0.4, 3.0],
        [11.0, 2_500_000.0],
        [7.9],
        [19.7],
        [20.1],
    ]
    some = [pair for count in (1, 2, 3) for pair in combinations(sets, count)]
    for scale, values in product(("log", "linear"), some):
        ends = [axis_ends(one) for one in values]
        axis = value_axis(chain.from_iterable(values), is_linear=scale == "linear")
        assert call("valueAxis", ends, log_labels(ends), {"scale": scale}) == plain(axis), (scale, values)


def plain(axis):
    return {
        "min": pytest.approx(axis.low),
        "max": pytest.approx(axis.high),
        "ticks": pytest.approx(list(axis.ticks)),
    }


def test_labels_and_marks_are_those_of_the_chart_it_takes_over(call):
    for name, function, values in (
        ("throughputLabel", throughput_label, (0.5, 200.0, 2000.0)),
        ("latencyLabel", latency_label, (0.5, 20.0, 1000.0, 50_000.0, 2_000_000.0)),
        ("blockSizeLabel", format_block_size, (512, 4096, 131072, 8 * 1024**2)),
    ):
        for value in values:
            assert call(name, value) == function(value), (name, value)
    for heights in ([0.1, 0.11, 0.12], [0.9, 0.98, 0.99, 1.0], [0.2, 0.5, 0.8], []):
        assert call("apart", heights, MARK_GAP, LOWEST_MARK) == pytest.approx(_apart(heights)), heights


def test_a_size_that_was_not_measured_leaves_a_gap(call):
    slots = call("slots", BLOCKS, [512, 2048], [9.5, 11.0], PLAIN)
    assert slots[:3] == [{"x": 512, "y": 9.5}, {"x": 1024, "y": None}, {"x": 2048, "y": 11.0}]
    assert [slot["y"] for slot in slots[3:]] == [None] * 12


def chart(count=1, *, low_us=None, high_us=None, is_assumed=False):
    """The description of a chart of so many equal curves."""
    points = (CurvePoint(2048, 11.0, low_us, high_us), CurvePoint(4096, 12.0, low_us, high_us))
    return curves_json([Series("Optane", points, "1", is_assumed=is_assumed)] * count, chart_caption)


LOOK = {"color": "rgb(1, 2, 3)", "ground": "rgb(9, 9, 9)", "view": PLAIN}


def test_only_ranked_sizes_have_a_marker_where_there_are_several_curves(call):
    (curve,) = call("curveDatasets", chart(2), 0, LOOK)
    assert curve["pointRadius"] == [0, 0, 0, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0]
    (alone,) = call("curveDatasets", chart(), 0, LOOK)
    assert alone["pointRadius"] == [3] * 15


def test_curves_differ_in_dash_and_marker(call):
    looks = [call("curveDatasets", chart(8), place, LOOK)[0] for place in range(len(STYLES))]
    distinct = {(str(one["borderDash"]), one["pointStyle"], one["pointBackgroundColor"]) for one in looks}
    assert len(distinct) == 8


def test_a_known_spread_is_filled_between_its_edges(call):
    _, high, low = call("curveDatasets", chart(low_us=10.0, high_us=13.0), 0, LOOK)
    assert [high["data"][2]["y"], low["data"][2]["y"]] == [13.0, 10.0]
    assert (low["fill"], low["backgroundColor"]) == ("-1", "rgba(1, 2, 3, 0.16)")


def test_only_an_assumed_spread_has_dashed_edges(call):
    spread = {"low_us": 10.0, "high_us": 13.0}
    _, *edges = call("curveDatasets", chart(**spread, is_assumed=True), 0, LOOK)
    assert [(one["borderDash"], one["borderWidth"]) for one in edges] == [([4, 3], 1)] * 2
    _, *edges = call("curveDatasets", chart(**spread), 0, LOOK)
    assert [one["borderWidth"] for one in edges] == [0, 0]


def test_a_view_of_throughput_and_of_the_ranked_sizes(call):
    rates = call(
        "slots", BLOCKS, [2048, 4096], [10.0, 12.5], {**PLAIN, "isThroughput": True, "isRankedOnly": True}
    )
    assert len(rates) == 6
    assert rates[0] == {"x": 4096, "y": pytest.approx(312.5)}


def test_the_tooltip_states_both_values_where_there_is_one_curve(call):
    plain, rate = {"isAlone": False, "isThroughput": False}, {"isAlone": False, "isThroughput": True}
    assert call("tooltipLine", "Optane", 131072, 83.25, plain) == "Optane: 83.3 µs"
    assert call("tooltipLine", "Optane", 131072, 1000, rate) == "Optane: 1,000 MiB/s"
    for value, view in ((125.0, plain), (1000.0, rate)):
        line = call("tooltipLine", "Optane", 131072, value, {**view, "isAlone": True})
        assert line == "125 µs, 1,000 MiB/s"
