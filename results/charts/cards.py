"""Standalone charts and badges: SVG documents with a size and styles, and PNGs."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from resvg_py import svg_to_bytes

from results.charts.boxes import box_plot
from results.charts.curves import curve_plot
from results.charts.description import Box, Series, View, drawn_series
from results.charts.labels import cut
from results.charts.plot import FRAME, Mark, Plot, bar, inset, label, legend_key, mark
from results.charts.svg import document

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
    found = (re.findall(r"^\.(?:chart [^{]|s\d)[^}]*}", _read(sheet), flags=re.MULTILINE) for sheet in sheets)
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
    plot = curve_plot(series, view, others=others)
    if plot is None:
        return ""
    legend = _legend(series, view)
    height = TOP + FRAME.height + BOTTOM + LEGEND_STEP * -(-len(legend) // LEGEND_COLUMNS) + FOOT
    marks = [inset(plot, LEFT, TOP, FRAME.width, FRAME.height), *legend]
    named = "; ".join(curve.label for curve in series)
    return image(marks, labels, name=f"{labels.title}: {named}", height=height, theme=theme)


def boxes_image(boxes: Sequence[Box], labels: Labels, *, is_linear: bool, theme: str = "") -> str:
    """Render the box plot as an SVG document; "" if there is nothing to draw."""
    plot = box_plot(boxes, View(is_linear=is_linear))
    if plot is None:
        return ""
    height = TOP + (plot.height or 0) + FOOT
    return image(
        [inset(plot, SIDE, TOP, WIDTH - 2 * SIDE)], labels, name=labels.title, height=height, theme=theme
    )


def message_image(message: str, labels: Labels, *, theme: str = "") -> str:
    """Render a message in place of a chart, with the size of one."""
    height = TOP + FRAME.height + BOTTOM + FOOT
    text = label(message, WIDTH // 2, "50%", "name", text_anchor="middle")
    return image([text], labels, name=f"{labels.title}: {message}", height=height, theme=theme)


def image(marks: Sequence[Mark], labels: Labels, *, name: str, height: int, theme: str) -> str:
    """An SVG document around a chart: ground, title, note and source."""
    front = [
        bar("ground", (0, WIDTH), (0, height)),
        label(cut(labels.title, LONGEST_TITLE), 16, 32, "title"),
        *marks,
        label(labels.note, 16, height - 14, "small"),
        label(labels.foot, WIDTH - 16, height - 14, "small", text_anchor="end"),
    ]
    return document(Plot(front=front, height=height), WIDTH, style=STYLES_BY_THEME[theme], title=name)


def _legend(series: Sequence[Series], view: View) -> list[Mark]:
    """The names of the visible curves, in two columns below the plot."""
    shown = [(style, line) for style, line in enumerate(drawn_series(series), 1) if not view.hides(line)]
    top = TOP + FRAME.height + BOTTOM + 8
    items = []
    for number, (style, line) in enumerate(shown):
        row, column = divmod(number, LEGEND_COLUMNS)
        name = cut(f"{line.mark} {line.label}".strip(), LONGEST_NAME)
        x, y = 16 + column * (WIDTH // LEGEND_COLUMNS), top + row * LEGEND_STEP
        items.append(
            mark("g", "", legend_key(style), label(name, 42, 10, "name"), transform=f"translate({x} {y})")
        )
    return items
