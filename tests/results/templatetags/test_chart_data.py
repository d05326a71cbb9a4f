from results.templatetags.chart_data import chart_data


def test_data_is_written_without_blanks_and_can_not_end_its_element():
    shown = chart_data({"label": "</script><b>", "points": [1, 2]}, "chart-data")
    assert shown == (
        '<script id="chart-data" type="application/json">'
        '{"label":"\\u003C/script\\u003E\\u003Cb\\u003E","points":[1,2]}</script>'
    )
