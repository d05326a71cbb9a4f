import re
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from results.charts.cards import STYLES_BY_THEME, Labels, boxes_image, chart_image, png, resolved
from results.charts.description import Box, CurvePoint, Series, View

ROOT = Path(__file__).parents[3]
TOKENS = ROOT / "static" / "css" / "tokens.css"
CURVES = [
    Series(key.upper(), tuple(CurvePoint(512 << step, 20.0 + step) for step in range(15)), mark, key)
    for mark, key in [("A", "one"), ("B", "two")]
]


def draw(series=CURVES, *, theme="", **view):
    return chart_image(series, Labels("Latency", "Note", "slogdb.test"), view=View(**view), theme=theme)


def texts(svg):
    root = ElementTree.fromstring(svg)  # noqa: S314 - drawn by the code under test
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_image_names_curves_scale_and_source():
    shown = texts(draw())
    assert {"Latency", "A ONE", "B TWO", "Note", "slogdb.test", "512 B", "ZIL writes"} <= set(shown)


SURFACES = {theme: resolved("var(--surface)", theme) for theme in ("light", "dark")}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_image_has_the_colors_of_the_pages(theme):
    series_2 = re.search(r"--series-2: light-dark\((.*), (.*)\);", TOKENS.read_text())
    light, dark = series_2.groups()
    assert (light in draw(theme=theme), dark in draw(theme=theme)) == (theme == "light", theme == "dark")


def test_colors_are_defined_in_one_file():
    sources = [*(ROOT / "static" / "css").glob("*.css"), *(ROOT / "static" / "js").glob("*.js")]
    sources += [*(ROOT / "results").rglob("*.py"), *(ROOT / "templates").rglob("*.html")]
    color = re.compile(r"(?<!&)#(?:[\da-f]{6}|[\da-f]{3})\b", re.IGNORECASE)
    colored = {path.name for path in sources if color.search(path.read_text())}
    assert colored == {"tokens.css"}


def test_theme_can_be_chosen_or_is_the_readers():
    assert "prefers-color-scheme" in STYLES_BY_THEME[""]
    assert "prefers-color-scheme" not in draw(theme="dark")
    assert f"fill:{SURFACES['dark']}" in draw(theme="dark").replace(" ", "")
    assert SURFACES["dark"] not in draw(theme="light")


def test_image_has_a_fixed_size_and_no_external_references():
    assert not re.search(r"url\(|href|@import|style=|var\(|\.chart *\{", draw())


def test_a_hidden_curve_is_neither_drawn_nor_named():
    assert "A ONE" not in texts(draw(hidden=frozenset({"one"})))
    assert "B TWO" in texts(draw(hidden=frozenset({"one"})))


@pytest.mark.parametrize("text", ["</style><script>alert(1)</script>", "M" * 300])
def test_any_name_is_escaped_and_cut(text):
    svg = draw([Series(text, CURVES[0].points, "A", "one"), CURVES[1]])
    assert "<script>" not in svg
    assert max(len(other or "") for other in texts(svg)) < 80


def test_image_without_data_is_empty():
    assert draw([Series("none", ())]) == ""


@pytest.mark.parametrize(("is_linear", "tick"), [(False, "10 µs"), (True, "0 µs")])
def test_box_plots_can_be_standalone(is_linear, tick):
    words = Labels("Classes", "Note", "slogdb.test")
    shown = texts(boxes_image([Box("disks", (12.0, 20.0, 40.0, 60.0, 90.0))], words, is_linear=is_linear))
    assert {"Classes", "disks", tick} <= set(shown)
    assert boxes_image([], words, is_linear=is_linear) == ""


def test_png_has_the_images_size_and_colors():
    drawn = png(draw(theme="dark"))
    picture = Image.open(BytesIO(drawn)).convert("RGB")
    assert picture.size == (800, int(re.search(r' height="(\d+)"', draw())[1]))
    assert "#{:02x}{:02x}{:02x}".format(*picture.getpixel((2, 2))) == SURFACES["dark"]
