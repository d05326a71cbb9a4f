"""Standalone charts and badges: SVG documents with a size and styles, and PNGs."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from resvg_py import svg_to_bytes

from results.charts.boxes import box_height, box_parts
from results.charts.description import Box, Series, View, drawn_series
from results.charts.svg import FRAME, escape, legend_key, plot_parts

LEFT, TOP, RIGHT, BOTTOM = 72, 56, 28, 52  # around the plot area
WIDTH = LEFT + FRAME.width + RIGHT
SIDE = 32  # of a plot without an axis on its left
LEGEND_STEP = 22
LEGEND_COLUMNS = 2
FOOT = 34
LONGEST_NAME = 44
LONGEST_TITLE = 70

_STATIC = Path(__file__).resolve().parents[2] / "static"
_FONTS = [str(_STATIC / "vendor" / "inter" / f"Inter-{weight}.ttf") for weight in ("Regular", "SemiBold")]
_PIXELS_A_REM = 16


def _read(sheet: str) -> str:
    text = (_STATIC / "css" / sheet).read_text(encoding="utf-8")
    return re.sub(r"\s*/\*.*?\*/", "", text, flags=re.DOTALL)


_TOKENS: dict[str, str] = dict(re.findall(r"--([\w-]+): ([^;]+);", _read("tokens.css")))


def shapes_of(*sheets: str) -> str:
    """The rules of these style sheets that are about the contents of charts."""
    found = (re.findall(r"^\.(?:chart [^{]|s\d)[^}]*}", _read(one), flags=re.MULTILINE) for one in sheets)
    return "\n".join(rule for rules in found for rule in rules)


SHAPES = shapes_of("charts.css", "survey.css")
_CARD = """
.ground{fill:var(--surface)}
.chart .title{fill:var(--text);font-size:17px;font-weight:600}
.chart .name{fill:var(--text)}
.chart .small{font-size:11px}
.chart .row-name{font-weight:600}
"""


def resolved(css: str, theme: str) -> str:
    """Resolve custom properties and rem units for `theme`, light or dark."""
    while "var(" in css:
        css = re.sub(r"var\(--([\w-]+)\)", lambda name: _TOKENS[name[1]], css)
    css = re.sub(r"light-dark\((.*?), (.*?)\)", r"\1" if theme == "light" else r"\2", css)
    return re.sub(r"([\d.]+)rem", lambda size: f"{float(size[1]) * _PIXELS_A_REM:g}px", css)


def _style(theme: str) -> str:
    return re.sub(r"\s*\n\s*", "", resolved(SHAPES + _CARD, theme))


STYLES_BY_THEME = {
    "light": _style("light"),
    "dark": _style("dark"),
    "": f"{_style('light')}@media (prefers-color-scheme:dark){{{_style('dark')}}}",
}


def png(svg: str) -> bytes:
    """Render the document as PNG with the shipped fonts; missing glyphs are omitted."""
    return svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=_FONTS,
        font_family="Inter",
        sans_serif_family="Inter",
    )


def image_foot(about: str = "") -> str:
    """The source below an image: what it is `about`, or that a demonstration is made up, and the site's host."""
    host = urlsplit(settings.SITE_URL).netloc
    stated = "Demonstration: every figure is made up" if settings.IS_DEMO else about
    return f"{stated} · {host}" if stated else host


class Labels(NamedTuple):
    """The text around a chart: the title above it, a note and the source below."""

    title: str
    note: str
    foot: str


def chart_image(
    series: Sequence[Series], labels: Labels, *, view: View, theme: str = "", others: Sequence[Series] = ()
) -> str:
    """Render the chart as an SVG document, with `others` behind the curves; "" if no series has a point.

    `theme` is light, dark, or empty for the reader's.
    """
    parts = plot_parts(series, view, others=others)
    if not parts:
        return ""
    legend = _legend(series, view)
    height = TOP + FRAME.height + BOTTOM + LEGEND_STEP * -(-len(legend) // LEGEND_COLUMNS) + FOOT
    plot = f'<svg x="{LEFT}" y="{TOP}" width="{FRAME.width}" height="{FRAME.height}">{"".join(parts)}</svg>'
    named = "; ".join(one.label for one in series)
    body = f"{plot}{''.join(legend)}"
    return document(body, labels, name=f"{labels.title}: {named}", height=height, theme=theme)


def boxes_image(boxes: Sequence[Box], labels: Labels, *, is_linear: bool, theme: str = "") -> str:
    """Render the box plot as an SVG document; "" if there is nothing to draw."""
    parts = box_parts(boxes, View(is_linear=is_linear))
    if not parts:
        return ""
    width, height = WIDTH - 2 * SIDE, box_height(boxes)
    body = f'<svg x="{SIDE}" y="{TOP}" width="{width}" height="{height}">{"".join(parts)}</svg>'
    return document(body, labels, name=labels.title, height=TOP + height + FOOT, theme=theme)


def message_image(message: str, labels: Labels, *, theme: str = "") -> str:
    """Render a message in place of a chart, with the size of one."""
    text = f'<text class="name" x="{WIDTH // 2}" y="50%" text-anchor="middle">{escape(message)}</text>'
    height = TOP + FRAME.height + BOTTOM + FOOT
    return document(text, labels, name=f"{labels.title}: {message}", height=height, theme=theme)


def document(body: str, labels: Labels, *, name: str, height: int, theme: str, width: int = WIDTH) -> str:
    """An SVG document around the elements of a chart: ground, title, note and source."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" class="chart" role="img"><title>{escape(name)}</title>'
        f"<style>{STYLES_BY_THEME[theme]}</style>"
        f'<rect class="ground" width="{width}" height="{height}"/>'
        f'<text class="title" x="16" y="32">{escape(cut(labels.title, LONGEST_TITLE))}</text>{body}'
        f'<text class="small" x="16" y="{height - 14}">{escape(labels.note)}</text>'
        f'<text class="small" x="{width - 16}" y="{height - 14}" text-anchor="end">{escape(labels.foot)}</text></svg>'
    )


def _legend(series: Sequence[Series], view: View) -> list[str]:
    """The names of the visible curves, in two columns below the plot."""
    shown = [(style, one) for style, one in enumerate(drawn_series(series), 1) if not view.hides(one)]
    top = TOP + FRAME.height + BOTTOM + 8
    items = []
    for number, (style, one) in enumerate(shown):
        row, column = divmod(number, LEGEND_COLUMNS)
        name = cut(f"{one.mark} {one.label}".strip(), LONGEST_NAME)
        x, y = 16 + column * (WIDTH // LEGEND_COLUMNS), top + row * LEGEND_STEP
        items.append(
            f'<g class="s{style}" transform="translate({x} {y})">{legend_key(style)}'
            f'<text class="name" x="42" y="10">{escape(name)}</text></g>'
        )
    return items


def cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


BADGE_HEIGHT = 20
_PADDING = 6
LONGEST_SIDE = 120  # characters of either side of a badge
_NAME_GROUND, _INK = resolved("var(--badge)", "light"), resolved("var(--on-accent)", "light")
TONES = {tone: resolved(f"var(--{tone or 'muted'})", "light") for tone in ("good", "warn", "bad", "")}
_NARROW = re.compile(r"[ijlrtfI1.,:;|()\[\]'! ]")
_WIDE = re.compile(r"[A-HJ-Zmw%@µ–]")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def badge_svg(label: str, value: str, *, tone: str = "") -> str:
    """Render a label and a value side by side.

    `tone` ("good", "warn", "bad" or "") expresses the value as a color. Text has a fixed `textLength`, so it fits in
    any font.
    """
    left, right = _badge_side(label), _badge_side(value)
    left_width, right_width = _badge_width(left), _badge_width(right)
    width = left_width + right_width
    title = escape(f"{left}: {right}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{BADGE_HEIGHT}" '
        f'viewBox="0 0 {width} {BADGE_HEIGHT}" role="img" aria-label="{title}"><title>{title}</title>'
        f'<clipPath id="r"><rect width="{width}" height="{BADGE_HEIGHT}" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left_width}" height="{BADGE_HEIGHT}" fill="{_NAME_GROUND}"/>'
        f'<rect x="{left_width}" width="{right_width}" height="{BADGE_HEIGHT}" fill="{TONES[tone]}"/></g>'
        f'<g fill="{_INK}" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">'
        f"{_badge_text(left, 0, left_width)}{_badge_text(right, left_width, right_width)}</g></svg>"
    )


def _badge_side(text: str) -> str:
    """The text without characters that XML forbids, cut to a badge's length."""
    plain = " ".join(_NOT_XML.sub("", text).split())
    return plain if len(plain) <= LONGEST_SIDE else f"{plain[: LONGEST_SIDE - 1]}…"


def _badge_text(text: str, left: int, width: int) -> str:
    return (
        f'<text x="{left + _PADDING}" y="14" textLength="{width - 2 * _PADDING}" '
        f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


def _badge_width(text: str) -> int:
    """The approximate width in Verdana at 11 px."""
    narrow, wide = len(_NARROW.findall(text)), len(_WIDE.findall(text))
    return round(4.3 * narrow + 8.6 * wide + 6.9 * (len(text) - narrow - wide)) + 2 * _PADDING
