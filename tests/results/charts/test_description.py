import pytest

from results.charts.description import CurvePoint, Series, View, series_data

CURVE = Series("Optane", (CurvePoint(512, 12.3456, 10.0, 14.0), CurvePoint(4096, 16.0)), "1", "optane")


def test_series_data_is_what_the_script_reads():
    assert series_data([CURVE]) == [
        {
            "key": "optane",
            "label": "Optane",
            "mark": "1",
            "block_size": [512, 4096],
            "latency_us": [12.35, 16.0],
            "low_us": [10.0, None],
            "high_us": [14.0, None],
        }
    ]


def test_bounds_have_the_digits_that_can_be_seen():
    found = series_data([Series("A", (CurvePoint(512, 1234.567, 1200.456, 0.123456),))])
    assert (found[0]["low_us"], found[0]["high_us"]) == ([1200.0], [0.1235])


def test_a_plain_view_shows_latencies_as_they_are():
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


def test_the_ranked_sizes_alone_can_be_shown():
    assert [spot.block_size for spot in View(is_ranked_only=True).spots(CURVE)] == [4096]


def test_a_curve_is_hidden_by_its_key():
    assert View(hidden=frozenset({"optane"})).hides(CURVE)
    assert not View(hidden=frozenset({""})).hides(Series("without a key", CURVE.points))
