"""Link previews have the right size, show the figures, and survive any name."""

from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from results.charts.cards import png, resolved
from results.charts.description import CurvePoint, Series
from results.charts.preview import SIZE, Head, PreviewBar, PreviewFigure, bars_preview, curves_preview

HEAD = Head("Sample", "NVMe SSD · rank 1 of 3", tag="Protected", tone="good", foot="slog.example")
FIGURES = [PreviewFigure("21.4", "µs", "ZIL latency")]
RISING = Series("rising", tuple(CurvePoint(512 << slot, 20.0 * 2**slot) for slot in range(15)))
FLAT = Series("flat", tuple(CurvePoint(512 << slot, 900.0) for slot in range(15)))
BAR = PreviewBar("1–3", "Sample", 10.0, 12.0, 15.0, "12.0 µs")


def opened(svg):
    picture = Image.open(BytesIO(png(svg)))
    picture.load()
    assert (picture.format, picture.size) == ("PNG", SIZE)
    return picture


def colors(picture):
    found = picture.convert("RGB").getcolors(1 << 20)
    return {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in found}


def test_every_curve_has_its_color():
    first, second = (resolved(f"var(--series-{place})", "light") for place in (1, 2))
    assert {first, second} <= colors(opened(curves_preview(HEAD, [], [RISING, FLAT])))
    assert second not in colors(opened(curves_preview(HEAD, FIGURES, [RISING])))


def test_different_figures_make_different_images():
    assert curves_preview(HEAD, FIGURES, [RISING]) != curves_preview(HEAD, FIGURES, [FLAT])
    assert bars_preview(HEAD, [BAR]) != bars_preview(HEAD, [BAR._replace(high_us=99.0)])
    assert bars_preview(HEAD, [BAR]) == bars_preview(HEAD, [BAR])


def test_preview_without_data_is_an_image():
    opened(curves_preview(HEAD, [], []))
    opened(curves_preview(HEAD, FIGURES, [Series("one point", RISING.points[:1])]))
    opened(bars_preview(HEAD, []))


def test_a_long_subtitle_is_drawn_to_its_end():
    subtitle = "NVMe SSD · rank 103–217 of 1244 · too few results to judge speed"
    assert f">{subtitle}</tspan>" in curves_preview(HEAD._replace(subtitle=subtitle), [], [])


def test_text_that_is_too_long_is_cut_to_fit():
    svg = curves_preview(HEAD._replace(title="W" * 500), [], [])
    elements = ElementTree.fromstring(svg).iter()  # noqa: S314
    (title,) = [element for element in elements if (element.text or "").startswith("WW")]
    assert title.text.endswith("W…")
    assert title.get("textLength") == "1072"


@pytest.mark.parametrize(
    "name",
    ["W" * 500, "a\nb\x00\x07c", "\u202eevil\u2066", "\ud800", "<script>", "中文 العربية 🚀", " ", "…" * 90],
)
def test_any_name_can_be_drawn(name):
    head = HEAD._replace(title=name, subtitle=name, foot=name)
    opened(curves_preview(head, FIGURES, [Series(name, RISING.points), Series(name, FLAT.points)]))
    opened(bars_preview(head, [BAR._replace(name=name)] * 9))
