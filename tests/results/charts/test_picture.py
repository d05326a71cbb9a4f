"""Pictures for link previews: the right size, different for different figures, and no name that breaks one."""

from io import BytesIO

import pytest
from PIL import Image

from results.charts.description import CurvePoint
from results.charts.picture import CURVE_COLOURS, SIZE, Bar, Curve, Figure, Head, draw_bars, draw_curves

HEAD = Head("Sample", "NVMe SSD · rank 1 of 3", tag="Protected", tone="good", foot="slog.example")
FIGURES = [Figure("21.4", "µs", "ZIL latency")]
RISING = Curve("rising", tuple(CurvePoint(512 << slot, 20.0 * 2**slot) for slot in range(15)))
FLAT = Curve("flat", tuple(CurvePoint(512 << slot, 900.0) for slot in range(15)))
BAR = Bar("1–3", "Sample", 10.0, 12.0, 15.0, "12.0 µs")


def opened(drawn):
    picture = Image.open(BytesIO(drawn))
    picture.load()
    assert (picture.format, picture.size) == ("PNG", SIZE)
    return picture


def colours(picture):
    return {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in picture.getcolors(1 << 20)}


def test_every_curve_has_its_colour():
    assert set(CURVE_COLOURS[:2]) <= colours(opened(draw_curves(HEAD, [], [RISING, FLAT])))
    assert CURVE_COLOURS[1] not in colours(opened(draw_curves(HEAD, FIGURES, [RISING])))


def test_other_figures_make_another_picture():
    assert draw_curves(HEAD, FIGURES, [RISING]) != draw_curves(HEAD, FIGURES, [FLAT])
    assert draw_bars(HEAD, [BAR]) != draw_bars(HEAD, [BAR._replace(high_us=99.0)])
    assert draw_bars(HEAD, [BAR]) == draw_bars(HEAD, [BAR])


def test_nothing_measured_is_a_picture_too():
    opened(draw_curves(HEAD, [], []))
    opened(draw_curves(HEAD, FIGURES, [Curve("one point", RISING.points[:1])]))
    opened(draw_bars(HEAD, []))


def test_a_long_subtitle_is_drawn_to_its_end():
    said = "NVMe SSD · rank 103–217 of 1244 · too few results to judge speed"
    drawn, other = (draw_curves(HEAD._replace(subtitle=one), [], []) for one in (said, f"{said[:-1]}t"))
    assert drawn != other


@pytest.mark.parametrize(
    "name",
    ["W" * 500, "a\nb\x00\x07c", "\u202eevil\u2066", "\ud800", "<script>", "中文 العربية 🚀", " ", "…" * 90],
)
def test_any_name_can_be_drawn(name):
    head = HEAD._replace(title=name, subtitle=name, foot=name)
    opened(draw_curves(head, FIGURES, [RISING._replace(name=name), FLAT._replace(name=name)]))
    opened(draw_bars(head, [BAR._replace(name=name)] * 9))
