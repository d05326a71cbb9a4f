import pytest

from results.charts.description import STYLES, CurvePoint, Series, View, curves_json
from results.kinds.latency_curve.charts import chart_caption

CURVE = Series("Optane", (CurvePoint(512, 12.3456, 10.0, 14.0), CurvePoint(4096, 16.0)), "1", "optane")


def test_script_gets_the_drawn_curves():
    assert curves_json([CURVE], chart_caption)["series"] == [
        {
            "key": "optane",
            "label": "Optane",
            "mark": "1",
            "block_size": [512, 4096],
            "latency_us": [12.35, 16.0],
            "low_us": [10.0, None],
            "high_us": [14.0, None],
            "ends": {
                "latency": {"all": (5, 20, 2, 18), "ranked": (10, 20, 2, 18)},
                "throughput": {"all": (20, 500, 50, 250), "ranked": (200, 500, 50, 250)},
            },
        }
    ]


def test_bounds_have_three_digits():
    found = curves_json([Series("A", (CurvePoint(512, 1234.567, 1200.456, 0.123456),))], chart_caption)[
        "series"
    ]
    assert (found[0]["low_us"], found[0]["high_us"]) == ([1200], [0.123])


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


def test_the_ranked_sizes_alone_can_be_shown():
    assert [spot.block_size for spot in View(is_ranked_only=True).spots(CURVE)] == [4096]


def test_a_curve_is_hidden_by_its_key():
    assert View(hidden=frozenset({"optane"})).hides(CURVE)
    assert not View(hidden=frozenset({""})).hides(Series("without a key", CURVE.points))


def test_script_gets_styles_and_captions():
    described = curves_json([CURVE] * 3, chart_caption)
    assert described["styles"][2] == {"dash": (7, 4), "is_hollow": True}
    assert described["captions"]["throughput"]["linear"] == chart_caption(View(True, True))
    assert [len(scales) for scales in described["captions"].values()] == [2, 2]


def test_no_more_curves_are_described_than_are_drawn():
    assert len(curves_json([CURVE] * 12, chart_caption)["series"]) == len(STYLES)
