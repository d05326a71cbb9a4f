"""A chart as an image that stands alone: its own size, title, legend, and colours for both themes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from results.charts.boxes import Box, BoxView, box_height, box_parts
from results.charts.description import Series, View, drawn_series
from results.charts.svg import FRAME_HEIGHT, FRAME_WIDTH, escape, legend_key, plot_parts

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
