"""Charts as images that stand alone, pictures for link previews, and badges.

Images have their own size, title, legend, and colours for both themes. Pictures are 1200 x 630 PNG, drawn by
Pillow at twice the size and brought down, as Pillow has no smooth lines. A badge's text gets the width that it is
laid out for (textLength), so that it fits whatever font the reader has.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
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
from results.charts.boxes import Box, BoxView, box_height, box_parts
from results.charts.description import CurvePoint, Series, View, drawn_series
from results.charts.svg import FRAME_HEIGHT, FRAME_WIDTH, escape, legend_key, plot_parts
from results.core.formats import format_block_size

LEFT, TOP, RIGHT, BOTTOM = 64, 56, 36, 52  # around the plot area
WIDTH = LEFT + FRAME_WIDTH + RIGHT
SIDE = 32  # of a plot without an axis on its left
LEGEND_STEP = 22
LEGEND_COLUMNS = 2
FOOT = 34
LONGEST_NAME = 44
LONGEST_TITLE = 70

# As in static/css/tokens.css; a test holds them together.
LIGHT = {
    "surface": "#fff",
    "text": "#191b1e",
    "muted": "#595f67",
    "line": "#e2e2de",
    "accent-wash": "#e6f2f5",
    "warn": "#805300",
    "warn-wash": "#fdf4e0",
    "series-1": "#00647c",
    "series-2": "#c2410c",
    "series-3": "#6d4fc4",
    "series-4": "#3a7a1e",
    "series-5": "#b3257a",
    "series-6": "#866100",
    "series-7": "#4c5665",
    "series-8": "#1d4ed8",
}
DARK = {
    "surface": "#191c1f",
    "text": "#e7e9ea",
    "muted": "#9da4ab",
    "line": "#2a2e32",
    "accent-wash": "#14282e",
    "warn": "#e3b552",
    "warn-wash": "#292110",
    "series-1": "#5fc6df",
    "series-2": "#fb923c",
    "series-3": "#b8a4fb",
    "series-4": "#8fce5b",
    "series-5": "#f487bf",
    "series-6": "#e0b84a",
    "series-7": "#b0bac7",
    "series-8": "#86aaff",
}
_SHAPES = """\
svg{overflow:visible}
text{font:12px -apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
.title{font-size:17px;font-weight:600}
.axis-name,.small{font-size:11px}
.curve,.marks,.holes{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}
.curve{stroke-linejoin:round}
.marks,.holes{stroke-linecap:round}
.marks{stroke-width:7}
.holes{stroke-width:3.5}
.s2 .marks,.s2 .holes,.s4 .marks,.s4 .holes,.s6 .marks,.s6 .holes,.s8 .marks,.s8 .holes
{stroke-linecap:square;stroke-width:6}
.s4 .holes,.s8 .holes{stroke-width:3}
.s3 .curve,.s4 .curve{stroke-dasharray:7 4}
.s5 .curve,.s6 .curve{stroke-dasharray:2 4}
.s7 .curve,.s8 .curve{stroke-dasharray:9 4 2 4}
.band{opacity:.16}
.end,.row-name{font-weight:600}
.row-name{paint-order:stroke;stroke-width:4px}
.expected{stroke-dasharray:3 2}
.box{stroke-width:1.5}
.whisker{stroke-width:2}
.median{stroke-width:3}
"""


def _colours(colours: Mapping[str, str]) -> str:
    rules = [
        f".ground{{fill:{colours['surface']}}}",
        f"text{{fill:{colours['muted']}}}",
        f".title,.name,.row-name{{fill:{colours['text']}}}",
        f".grid,line.foot{{stroke:{colours['line']}}}",
        f".ranked,.box{{fill:{colours['accent-wash']}}}",
        f".row-name{{stroke:{colours['surface']}}}",
        f".expected{{fill:{colours['warn-wash']};stroke:{colours['warn']}}}",
        f".box,.whisker,.median{{stroke:{colours['series-1']}}}",
        f".holes{{stroke:{colours['surface']}}}",
    ]
    for style in range(1, 9):
        colour, name = colours[f"series-{style}"], f".s{style}"
        rules.append(f"{name} .curve,{name} .marks{{stroke:{colour}}}")
        rules.append(f"{name} .band,{name}.end{{fill:{colour}}}")
    return "\n".join(rules)


STYLES_BY_THEME = {
    "light": _SHAPES + _colours(LIGHT),
    "dark": _SHAPES + _colours(DARK),
    "": f"{_SHAPES}{_colours(LIGHT)}\n@media (prefers-color-scheme:dark){{\n{_colours(DARK)}\n}}",
}


class Words(NamedTuple):
    """What stands around a chart: its title above it, a note and where it comes from below."""

    title: str
    note: str
    foot: str


def chart_image(series: Sequence[Series], words: Words, *, view: View, theme: str = "") -> str:
    """The chart as an SVG document, or "" where no series has a point; `theme` is light, dark or the reader's."""
    parts = plot_parts(series, view)
    if not parts:
        return ""
    legend = _legend(series, view)
    height = TOP + FRAME_HEIGHT + BOTTOM + LEGEND_STEP * -(-len(legend) // LEGEND_COLUMNS) + FOOT
    plot = f'<svg x="{LEFT}" y="{TOP}" width="{FRAME_WIDTH}" height="{FRAME_HEIGHT}">{"".join(parts)}</svg>'
    named = "; ".join(one.label for one in series)
    body = f"{plot}{''.join(legend)}"
    return _document(body, words, name=f"{words.title}: {named}", height=height, theme=theme)


def boxes_image(boxes: Sequence[Box], words: Words, *, is_linear: bool, theme: str = "") -> str:
    """The box plot as an SVG document, or "" where there is nothing to draw."""
    parts = box_parts(boxes, BoxView(is_linear=is_linear))
    if not parts:
        return ""
    width, height = WIDTH - 2 * SIDE, box_height(boxes)
    body = f'<svg x="{SIDE}" y="{TOP}" width="{width}" height="{height}">{"".join(parts)}</svg>'
    return _document(body, words, name=words.title, height=TOP + height + FOOT, theme=theme)


def message_image(message: str, words: Words, *, theme: str = "") -> str:
    """An SVG document that says why there is nothing to draw, as large as a chart without a legend."""
    text = f'<text class="name" x="{WIDTH // 2}" y="50%" text-anchor="middle">{escape(message)}</text>'
    height = TOP + FRAME_HEIGHT + BOTTOM + FOOT
    return _document(text, words, name=f"{words.title}: {message}", height=height, theme=theme)


def _document(body: str, words: Words, *, name: str, height: int, theme: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img"><title>{escape(name)}</title>'
        f"<style>{STYLES_BY_THEME[theme]}</style>"
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>'
        f'<text class="title" x="16" y="32">{escape(_cut(words.title, LONGEST_TITLE))}</text>{body}'
        f'<text class="small" x="16" y="{height - 14}">{escape(words.note)}</text>'
        f'<text class="small" x="{WIDTH - 16}" y="{height - 14}" text-anchor="end">{escape(words.foot)}</text></svg>'
    )


def _legend(series: Sequence[Series], view: View) -> list[str]:
    """The names of the curves that are shown, in two columns below the plot."""
    shown = [(style, one) for style, one in enumerate(drawn_series(series), 1) if not view.hides(one)]
    top = TOP + FRAME_HEIGHT + BOTTOM + 8
    items = []
    for number, (style, one) in enumerate(shown):
        row, column = divmod(number, LEGEND_COLUMNS)
        name = _cut(f"{one.mark} {one.label}".strip(), LONGEST_NAME)
        x, y = 16 + column * (WIDTH // LEGEND_COLUMNS), top + row * LEGEND_STEP
        items.append(
            f'<g class="s{style}" transform="translate({x} {y})">{legend_key(style)}'
            f'<text class="name" x="42" y="10">{escape(name)}</text></g>'
        )
    return items


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


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

Rectangle = tuple[int, int, int, int]  # left, top, right, foot


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


def _chart(picture: Image.Image, curves: Sequence[Curve], box: Rectangle) -> None:
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


def _axis_labels(pen: ImageDraw.ImageDraw, box: Rectangle, ticks: Iterable[tuple[float, float]]) -> None:
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


HEIGHT = 20
PADDING = 6
LONGEST = 120  # characters of either side
_LABEL_GROUND = "#3d444b"
GROUNDS = {"good": "#246b30", "warn": "#805300", "bad": "#b3261e", "": "#595f67"}
_NARROW = re.compile(r"[ijlrtfI1.,:;|()\[\]'! ]")
_WIDE = re.compile(r"[A-HJ-Zmw%@µ–]")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def badge_svg(label: str, value: str, *, tone: str = "") -> str:
    """`tone` is "good", "warn", "bad" or "" and says nothing that `value` does not say in words."""
    left, right = _shortened(label), _shortened(value)
    left_width, right_width = _width(left), _width(right)
    width = left_width + right_width
    title = escape(f"{left}: {right}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" '
        f'role="img" aria-label="{title}"><title>{title}</title>'
        f'<clipPath id="r"><rect width="{width}" height="{HEIGHT}" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left_width}" height="{HEIGHT}" fill="{_LABEL_GROUND}"/>'
        f'<rect x="{left_width}" width="{right_width}" height="{HEIGHT}" fill="{GROUNDS[tone]}"/></g>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">'
        f"{_text(left, 0, left_width)}{_text(right, left_width, right_width)}</g></svg>"
    )


def _shortened(text: str) -> str:
    """Without what XML cannot hold, and no longer than a badge can be."""
    plain = " ".join(_NOT_XML.sub("", text).split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


def _text(text: str, left: int, width: int) -> str:
    return (
        f'<text x="{left + PADDING}" y="14" textLength="{width - 2 * PADDING}" '
        f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


def _width(text: str) -> int:
    """About as wide as Verdana at 11 px is."""
    narrow, wide = len(_NARROW.findall(text)), len(_WIDE.findall(text))
    return round(4.3 * narrow + 8.6 * wide + 6.9 * (len(text) - narrow - wide)) + 2 * PADDING
