"""Pictures for link previews, 1200 x 630 PNG.

Pillow draws them at twice the size and brings them down, as it has no smooth lines; letters are smooth by themselves.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from results.charts.axes import (
    LARGEST_BLOCK,
    RANKED_BLOCKS,
    SMALLEST_BLOCK,
    BlockAxis,
    latency_label,
    log_axis,
)
from results.charts.description import CurvePoint
from results.core.formats import format_block_size

SIZE = (1200, 630)
MARGIN = 64
INNER_WIDTH = SIZE[0] - 2 * MARGIN
CURVE_COLOURS = ("#00647c", "#c2410c", "#6d4fc4", "#3a7a1e", "#b3257a", "#866100")
_PAGE, _LINE, _TEXT, _MUTED, _WASH = "#fbfbfa", "#d6d6d1", "#191b1e", "#595f67", "#e6f2f5"
_TONES = {"good": "#246b30", "warn": "#805300", "": _MUTED}
_FONTS = Path(__file__).resolve().parents[2] / "static" / "vendor" / "inter"
_SMOOTH = 2
_EDGE = 8  # around the plot, so that markers on its frame are whole
_BLOCKS = BlockAxis()
_TITLE_SIZES = (56, 48, 40)
_SUBTITLE_SIZES = (28, 24)
_SUBTITLE_WIDTH = 780
_UNSHOWABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")

Box = tuple[int, int, int, int]  # left, top, right, foot


class Figure(NamedTuple):
    """A number with its unit, and its name."""

    value: str
    unit: str
    label: str


class Curve(NamedTuple):
    """A device's latencies; without a name where the picture has only one."""

    name: str
    points: Sequence[CurvePoint]


class Bar(NamedTuple):
    """A row of a ranking: place, name, interval with its middle in µs, and the latency as text."""

    rank: str
    name: str
    low_us: float
    middle_us: float
    high_us: float
    latency: str


class Head(NamedTuple):
    """What stands above everything, the tag with its tone ("good", "warn" or ""), and the foot's words."""

    title: str
    subtitle: str
    tag: str = ""
    tone: str = ""
    foot: str = ""


def draw_curves(head: Head, figures: Sequence[Figure], curves: Sequence[Curve]) -> bytes:
    """A picture of one device or several: figures or names to the left, curves to the right."""
    picture, pen = _start(head)
    drawn = [curve for curve in curves if len(curve.points) > 1][: len(CURVE_COLOURS)]
    for number, figure in enumerate(figures):
        _figure(pen, figure, top=218 + 112 * number)
    if len(curves) > 1:
        _names(pen, drawn)
    if drawn:
        _chart(picture, drawn, (620 if len(curves) > 1 else 500, 216, SIZE[0] - MARGIN, 500))
    return _finished(picture)


def draw_bars(head: Head, bars: Sequence[Bar]) -> bytes:
    """A picture of the first rows of a ranking; those that do not fit are left out."""
    picture, pen = _start(head)
    shown = bars[:6]
    if shown:
        axis = log_axis(end for bar in shown for end in (bar.low_us, bar.high_us))
        for number, bar in enumerate(shown):
            ends = tuple(axis.up(latency_us) for latency_us in (bar.low_us, bar.middle_us, bar.high_us))
            _bar(pen, bar, top=214 + 54 * number, ends=ends)
    return _finished(picture)


@cache
def _font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_FONTS / f"Inter-{weight}.woff2"), size)


def _fitting_font(weight: str, sizes: Sequence[int], text: str, width: int) -> ImageFont.FreeTypeFont:
    """The largest of these sizes at which the text fits, else the smallest."""
    fonts = [_font(weight, size) for size in sizes]
    return next((font for font in fonts if font.getlength(text) <= width), fonts[-1])


def _start(head: Head) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGB", SIZE, _PAGE)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, SIZE[0], 10), fill=CURVE_COLOURS[0])
    title, subtitle = _plain(head.title), _plain(head.subtitle)
    font = _fitting_font("SemiBold", _TITLE_SIZES, title, INNER_WIDTH)
    _write(pen, (MARGIN, 104), title, font=font, width=INNER_WIDTH)
    font = _fitting_font("Regular", _SUBTITLE_SIZES, subtitle, _SUBTITLE_WIDTH)
    end = _write(pen, (MARGIN, 158), subtitle, font=font, width=_SUBTITLE_WIDTH, fill=_MUTED)
    if head.tag:
        _write(pen, (end + 24, 158), head.tag, font=_font("SemiBold", 28), width=300, fill=_TONES[head.tone])
    pen.line((MARGIN, 184, SIZE[0] - MARGIN, 184), fill=_LINE, width=2)
    _brand(pen)
    _write(pen, (MARGIN + 150, 590), _plain(head.foot), font=_font("Regular", 22), width=900, fill=_MUTED)
    return picture, pen


def _brand(pen: ImageDraw.ImageDraw) -> None:
    pen.rounded_rectangle((MARGIN, 562, MARGIN + 36, 598), radius=8, fill=CURVE_COLOURS[0])
    pen.line((MARGIN + 7, 585, MARGIN + 17, 585, MARGIN + 29, 572), fill=_PAGE, width=3, joint="curve")
    pen.ellipse((MARGIN + 13, 581, MARGIN + 21, 589), fill=_PAGE)
    _write(pen, (MARGIN + 46, 590), "slogdb", font=_font("SemiBold", 26), width=100)


def _figure(pen: ImageDraw.ImageDraw, figure: Figure, *, top: int) -> None:
    end = _write(pen, (MARGIN, top + 48), figure.value, font=_font("SemiBold", 50), width=320)
    _write(pen, (end + 10, top + 48), figure.unit, font=_font("Regular", 26), width=90, fill=_MUTED)
    _write(pen, (MARGIN, top + 82), figure.label, font=_font("Regular", 24), width=400, fill=_MUTED)


def _names(pen: ImageDraw.ImageDraw, curves: Sequence[Curve]) -> None:
    for number, curve in enumerate(curves):
        middle = 246 + 52 * number
        pen.line((MARGIN, middle, MARGIN + 36, middle), fill=CURVE_COLOURS[number], width=6)
        pen.ellipse((MARGIN + 10, middle - 8, MARGIN + 26, middle + 8), fill=CURVE_COLOURS[number])
        _write(pen, (MARGIN + 52, middle + 8), _plain(curve.name), font=_font("Regular", 22), width=410)


def _bar(pen: ImageDraw.ImageDraw, bar: Bar, *, top: int, ends: tuple[float, ...]) -> None:
    base, left, width = top + 34, 660, 330
    _write(pen, (MARGIN, base), bar.rank, font=_font("Regular", 26), width=90, fill=_MUTED)
    _write(pen, (MARGIN + 100, base), _plain(bar.name), font=_font("SemiBold", 28), width=470)
    low, middle, high = (left + round(width * end) for end in ends)
    pen.line((left, base - 9, left + width, base - 9), fill=_LINE, width=2)
    pen.rounded_rectangle((low, base - 14, max(high, low + 4), base - 4), radius=5, fill="#7fb1bd")
    pen.rectangle((middle - 2, base - 21, middle + 2, base + 3), fill=CURVE_COLOURS[0])
    text = _font("SemiBold", 28)
    pen.text((SIZE[0] - MARGIN, base), bar.latency, font=text, fill=_TEXT, anchor="rs")


def _chart(picture: Image.Image, curves: Sequence[Curve], box: Box) -> None:
    left, top, right, foot = box
    width, height = right - left, foot - top
    axis = log_axis(point.latency_us for curve in curves for point in curve.points)
    plot = Image.new("RGB", ((width + 2 * _EDGE) * _SMOOTH, (height + 2 * _EDGE) * _SMOOTH), _PAGE)
    pen = ImageDraw.Draw(plot)

    def spot(block_size: int, up: float) -> tuple[float, float]:
        x, y = _EDGE + _BLOCKS.across(block_size) * width, _EDGE + (1 - up) * height
        return x * _SMOOTH, y * _SMOOTH

    first, last = RANKED_BLOCKS
    pen.rectangle((*spot(first, 1), *spot(last, 0)), fill=_WASH)
    for tick in axis.ticks:
        pen.line(
            (*spot(SMALLEST_BLOCK, axis.up(tick)), *spot(LARGEST_BLOCK, axis.up(tick))),
            fill=_LINE,
            width=_SMOOTH,
        )
    for colour, curve in zip(CURVE_COLOURS, curves, strict=False):
        spots = [spot(point.block_size, axis.up(point.latency_us)) for point in curve.points]
        pen.line(spots, fill=colour, width=5 * _SMOOTH, joint="curve")
        for x, y in spots:
            pen.circle((x, y), 5 * _SMOOTH, fill=colour)
    picture.paste(plot.reduce(_SMOOTH), (left - _EDGE, top - _EDGE))
    _axis_labels(ImageDraw.Draw(picture), box, [(tick, axis.up(tick)) for tick in axis.ticks])


def _axis_labels(pen: ImageDraw.ImageDraw, box: Box, ticks: Iterable[tuple[float, float]]) -> None:
    left, top, right, foot = box
    font = _font("Regular", 20)
    for tick, up in ticks:
        y = foot - up * (foot - top)
        pen.text((left - 12, y), latency_label(tick), font=font, fill=_MUTED, anchor="rm")
    for size in _BLOCKS.ticks:
        x = left + _BLOCKS.across(size) * (right - left)
        pen.text((x, foot + 18), format_block_size(size), font=font, fill=_MUTED, anchor="mt")


def _write(
    pen: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    *,
    font: ImageFont.FreeTypeFont,
    width: int,
    fill: str = _TEXT,
) -> int:
    """A line that begins at `at` (its base line), cut where it would be wider than `width`; gives where it ends."""
    shown = text
    while shown and font.getlength(shown) > width:
        shown = f"{shown[:-2].rstrip()}…" if len(shown) > 2 else ""
    pen.text(at, shown, font=font, fill=fill, anchor="ls")
    return at[0] + round(font.getlength(shown))


def _plain(text: str) -> str:
    """On one line, without what has no shape or turns the direction of the rest."""
    return _UNSHOWABLE.sub(" ", text).strip()


def _finished(picture: Image.Image) -> bytes:
    held = BytesIO()
    picture.save(held, "PNG", compress_level=6)
    return held.getvalue()
