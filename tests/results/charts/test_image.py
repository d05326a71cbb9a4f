import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from results.charts.boxes import Box
from results.charts.description import CurvePoint, Series, View
from results.charts.image import DARK, LIGHT, STYLES_BY_THEME, Words, boxes_image, chart_image

TOKENS = Path(__file__).parents[3] / "static" / "css" / "tokens.css"
CURVES = [
    Series(key.upper(), tuple(CurvePoint(512 << step, 20.0 + step) for step in range(15)), mark, key)
    for mark, key in [("A", "one"), ("B", "two")]
]


def draw(series=CURVES, *, theme="", **view):
    return chart_image(series, Words("Latency", "Note", "slogdb.test"), view=View(**view), theme=theme)


def texts(svg):
    root = ElementTree.fromstring(svg)  # noqa: S314 - drawn by the code under test
    return [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_image_names_its_curves_its_scale_and_where_it_comes_from():
    shown = texts(draw())
    assert {"Latency", "A ONE", "B TWO", "Note", "slogdb.test", "512 B", "ranked"} <= set(shown)


def test_colours_are_those_of_the_site():
    tokens = TOKENS.read_text()
    accent = {"accent": (LIGHT["series-1"], DARK["series-1"])}
    names = {name: (LIGHT[name], DARK[name]) for name in LIGHT if name != "series-1"} | accent
    for name, (light, dark) in names.items():
        assert f"--{name}: light-dark({light}, {dark});" in tokens


def test_a_theme_can_be_asked_for_and_the_readers_own_holds_otherwise():
    assert "prefers-color-scheme" in STYLES_BY_THEME[""]
    assert "prefers-color-scheme" not in draw(theme="dark")
    assert DARK["surface"] in draw(theme="dark")
    assert DARK["surface"] not in draw(theme="light")


def test_the_image_needs_nothing_from_elsewhere():
    assert not re.search(r"url\(|href|@import|style=|var\(", draw())


def test_a_hidden_curve_is_neither_drawn_nor_named():
    assert "A ONE" not in texts(draw(hidden=frozenset({"one"})))
    assert "B TWO" in texts(draw(hidden=frozenset({"one"})))


@pytest.mark.parametrize("text", ["</style><script>alert(1)</script>", "M" * 300])
def test_a_name_of_any_kind_stays_text_of_limited_length(text):
    svg = draw([Series(text, CURVES[0].points, "A", "one"), CURVES[1]])
    assert "<script>" not in svg
    assert max(len(one or "") for one in texts(svg)) < 80


def test_nothing_measured_is_no_image():
    assert draw([Series("none", ())]) == ""


@pytest.mark.parametrize(("is_linear", "tick"), [(False, "10 µs"), (True, "0 µs")])
def test_box_plots_stand_alone_too(is_linear, tick):
    words = Words("Classes", "Note", "slogdb.test")
    shown = texts(boxes_image([Box("disks", (12.0, 20.0, 40.0, 60.0, 90.0))], words, is_linear=is_linear))
    assert {"Classes", "disks", tick} <= set(shown)
    assert boxes_image([], words, is_linear=is_linear) == ""
