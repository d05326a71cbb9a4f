from results.charts.series import CurvePoint, Series, series_data


def test_series_data_is_what_the_script_reads():
    curve = Series("Optane", (CurvePoint(512, 12.3456, 10.0, 14.0), CurvePoint(1024, 13.0)), "1")
    assert series_data([curve]) == [
        {
            "label": "Optane",
            "mark": "1",
            "block_size": [512, 1024],
            "latency_us": [12.35, 13.0],
            "low_us": [10.0, None],
            "high_us": [14.0, None],
        }
    ]
