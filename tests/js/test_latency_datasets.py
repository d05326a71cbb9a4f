import pytest

from results.charts.axes import latency_axis, latency_label
from results.charts.latency import _apart
from results.presentation import format_block_size

MODULE = "/static/js/latency-datasets.js"


@pytest.fixture
def call(open_page):
    """Calls a function of the module with JSON arguments."""
    page = open_page("")

    def call_function(name, *arguments):
        script = "async ([module, name, args]) => (await import(module))[name](...args)"
        return page.evaluate(script, [MODULE, name, list(arguments)])

    return call_function


@pytest.mark.parametrize(
    "latencies",
    [[23.0, 6400.0], [9000.0, 70_000.0], [50.0], [0.4, 3.0], [11.0, 2_500_000.0], [100.0, 1000.0]],
)
def test_the_axis_is_that_of_the_chart_it_takes_over(call, latencies):
    axis = latency_axis(latencies)
    assert call("latencyAxis", latencies) == {
        "min": pytest.approx(axis.low_us),
        "max": pytest.approx(axis.high_us),
        "ticks": pytest.approx(list(axis.ticks_us)),
    }


@pytest.mark.parametrize("latency_us", [0.5, 20.0, 1000.0, 50_000.0, 2_000_000.0])
def test_ticks_read_as_in_the_chart_it_takes_over(call, latency_us):
    assert call("latencyLabel", latency_us) == latency_label(latency_us)


@pytest.mark.parametrize("heights", [[0.1, 0.11, 0.12], [0.9, 0.98, 0.99, 1.0], [0.2, 0.5, 0.8], []])
def test_marks_are_moved_apart_as_in_the_chart_it_takes_over(call, heights):
    assert call("apart", heights, 0.05, 1) == pytest.approx(_apart(heights))


@pytest.mark.parametrize("block_size", [512, 4096, 131072, 8 * 1024**2])
def test_block_sizes_read_as_in_the_chart_it_takes_over(call, block_size):
    assert call("blockSizeLabel", block_size) == format_block_size(block_size)


def test_a_size_that_was_not_measured_leaves_a_gap(call):
    slots = call("slots", [512, 2048], [9.5, 11.0])
    assert slots[:3] == [{"x": 512, "y": 9.5}, {"x": 1024, "y": None}, {"x": 2048, "y": 11.0}]
    assert [slot["y"] for slot in slots[3:]] == [None] * 12


SERIES = {
    "label": "Optane",
    "mark": "1",
    "block_size": [2048, 4096],
    "latency_us": [11.0, 12.0],
    "low_us": [None, None],
    "high_us": [None, None],
}
LOOK = {"colour": "rgb(1, 2, 3)", "ground": "rgb(9, 9, 9)", "isAlone": False}


def test_only_ranked_sizes_have_a_marker_where_there_are_several_curves(call):
    (curve,) = call("curveDatasets", SERIES, 0, LOOK)
    assert curve["pointRadius"] == [0, 0, 0, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0]
    (alone,) = call("curveDatasets", SERIES, 0, {**LOOK, "isAlone": True})
    assert alone["pointRadius"] == [3] * 15


def test_curves_differ_in_dash_and_marker(call):
    looks = [call("curveDatasets", SERIES, place, LOOK)[0] for place in range(8)]
    distinct = {(str(one["borderDash"]), one["pointStyle"], one["pointBackgroundColor"]) for one in looks}
    assert len(distinct) == 8


def test_a_known_spread_is_filled_between_its_edges(call):
    spread = {**SERIES, "low_us": [10.0, 11.0], "high_us": [13.0, 14.0]}
    _, high, low = call("curveDatasets", spread, 0, LOOK)
    assert [high["data"][2]["y"], low["data"][2]["y"]] == [13.0, 10.0]
    assert (low["fill"], low["backgroundColor"]) == ("-1", "rgba(1, 2, 3, 0.16)")


def test_the_tooltip_states_throughput_where_there_is_one_curve(call):
    assert call("tooltipLine", "Optane", 131072, 125.0, True) == "125 µs, 1,000 MiB/s"
    assert call("tooltipLine", "Optane", 131072, 83.25, False) == "Optane: 83.3 µs"
