"""<series-chart>: pointer and keys move a line over the chart, and the text below says what is there."""

import json

import pytest

from results.kinds.series.charts import SeriesLine, draw_series

POINTS = [[60.0, 50_000.0], [120.0, 20_000.0], [3600.0, 5000.0]]


def figure(*labels):
    lines = [SeriesLine(label, POINTS, [{"start_s": 0, "end_s": 3600}], 3300) for label in labels]
    chart = draw_series(lines, "A drive")
    return (
        f"<figure><series-chart data-from='d'><div class='chart-box'>{chart.svg}</div></series-chart>"
        f"<script id='d' type='application/json'>{json.dumps(chart.data)}</script></figure>"
        "<script type='module' src='/static/js/series-chart.js'></script>"
    )


@pytest.fixture
def page(open_page):
    return open_page(figure("A"))


def readout(page):
    return page.locator(".series-readout").text_content()


def test_keys_move_through_the_series(page):
    box = page.locator(".chart-box[role=slider]")
    box.focus()
    page.keyboard.press("Home")
    assert readout(page) == "0 s: 50,000 IOPS"
    page.keyboard.press("PageUp")
    assert readout(page) == "6 min: 20,000 IOPS"
    page.keyboard.press("End")
    assert readout(page) == "1 h: 5,000 IOPS"
    assert box.get_attribute("aria-valuetext") == "1 h: 5,000 IOPS"
    assert box.get_attribute("aria-valuenow") == "3600"
    page.keyboard.press("ArrowRight")
    assert readout(page) == "1 h: 5,000 IOPS"


def test_a_pointer_shows_what_is_below_it(page):
    svg = page.locator("svg.series").bounding_box()
    page.mouse.move(svg["x"] + svg["width"] - 1, svg["y"] + 20)
    assert readout(page) == "1 h: 5,000 IOPS"
    assert page.locator("line.cursor").get_attribute("visibility") == "visible"


def test_several_series_are_named(open_page):
    page = open_page(figure("A", "B"))
    page.locator(".chart-box[role=slider]").focus()
    page.keyboard.press("End")
    assert readout(page) == "1 h: A: 5,000 IOPS; B: 5,000 IOPS"
