from dataclasses import replace

from django.test import RequestFactory

from results.charts.description import CurvePoint, Series, View
from results.charts.options import chart_options, choice_links, toggle_urls
from results.kinds.curve.charts import draw_chart
from results.kinds.curve.metrics import CONFIDENCE_PERCENT

CURVES = [
    Series(key.upper(), (CurvePoint(512, 10.0), CurvePoint(1024, 11.0)), key=key) for key in ("one", "two")
]


def options_of(query):
    return chart_options(RequestFactory().get(f"/page/?{query}"))


def test_without_parameters_a_chart_shows_latency_on_logarithmic_axes():
    assert options_of("").view == View()


def test_url_parameters_select_the_view():
    view = options_of("chart=throughput&scale=linear&sizes=ranked&hide=one,two").view
    hidden = frozenset({"one", "two"})
    assert view == View(is_throughput=True, is_linear=True, is_ranked_only=True, hidden=hidden)


def test_links_change_one_parameter_and_omit_defaults():
    options = options_of("class=nvme&chart=throughput")
    links = {link.label: link for group in choice_links(options) for link in group.links}
    assert links["Latency"].url == "/page/?class=nvme"
    assert links["Linear"].url == "/page/?class=nvme&chart=throughput&scale=linear"
    assert [label for label, link in links.items() if link.is_current] == [
        "Throughput",
        "Log",
        "All sizes",
    ]


def test_a_curve_can_be_hidden_and_shown_again():
    assert toggle_urls(options_of(""), CURVES) == {"one": "/page/?hide=one", "two": "/page/?hide=two"}
    assert toggle_urls(options_of("hide=one"), CURVES) == {"one": "/page/", "two": "/page/?hide=one,two"}


def test_an_image_has_the_view_of_the_page_and_no_other_parameter():
    options = options_of("class=nvme&scale=linear&hide=one")
    assert (
        options.image_url("/chart.svg", devices="one,two")
        == "/chart.svg?devices=one,two&scale=linear&hide=one"
    )


def test_curve_of_one_point_is_not_charted():
    assert draw_chart([Series("one", CURVES[0].points[:1])], "One") is None


def test_band_is_explained():
    band = Series("one", (CurvePoint(512, 10.0, 9.0, 11.0), CurvePoint(1024, 11.0, 10.0, 12.0)))
    assert f"{CONFIDENCE_PERCENT} interval" in draw_chart([band], "One").band
    assert "assumed" not in draw_chart([band], "One").band
    assert "assumed spread" in draw_chart([replace(band, is_assumed=True)], "One").band
    assert not draw_chart(CURVES, "Two").band
