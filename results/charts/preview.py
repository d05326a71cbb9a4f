"""Images for link previews, 1200 x 630: a header, figures or names, and a chart."""

import re
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from results.charts.axes import ValueAxis, log_axis
from results.charts.bars import BarPlot, bar_plot, style_of
from results.charts.bars import Group as BarGroup
from results.charts.cards import resolved, shapes_of
from results.charts.curves import curve_plot
from results.charts.description import PLAIN, Series, drawn_series
from results.charts.labels import INTER
from results.charts.plot import (
    Frame,
    Mark,
    Plot,
    bar,
    inset,
    label,
    legend_key,
    line,
    mark,
    path,
    point,
    span,
)
from results.charts.strip import CARD, SMALL_CARD, Gap, Strip, strip_plot
from results.charts.svg import document

SIZE = (1200, 630)
MARGIN = 64
INNER_WIDTH = SIZE[0] - 2 * MARGIN
MAX_DRAWN = 6  # curves or bars
MAX_WITH_ROOM = 3  # bars, that are further apart
_ZOOM = 5 / 3  # of the site's charts: their text is 20 px
_BARS_ZOOM = 1.35
_TITLE_SIZES = (56, 48, 40, 34)
_SUBTITLE_SIZES = (28, 24)
_SUBTITLE_WIDTH = 780  # before a tag
_BELOW_HEAD = 196
_DRIVE_STEP = 40
_NAME_STEP = 28
_PLOT_TITLE = 24
_FOOT = 552
_LONGEST = 200  # characters that are considered; fewer fit in a line
_UNSHOWABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
_STYLE = resolved(
    shapes_of("charts.css", "survey.css", "strips.css")
    + """
text{font-family:Inter;fill:var(--text)}
.strong{font-weight:600}
.accent{fill:var(--accent)}
.muted{fill:var(--muted)}
.good{fill:var(--good)}
.warn{fill:var(--warn)}
.accent .page,.page{fill:var(--page)}
.accent .stroke{fill:none;stroke:var(--page);stroke-width:3}
.chart.bars text{font-size:15px}
.chart.strips text{font-size:22px}
.chart.strips .strip-name{font-size:26px}
.chart.strips .strip-sum{font-size:24px}
.chart.strips .ring-name{font-size:20px}
.chart.strips .gap-name{font-size:24px}
.hollow{fill:var(--page);stroke:var(--accent);stroke-width:4}
.rule{stroke:var(--line);stroke-width:2}
""",
    "light",
)


class PreviewFigure(NamedTuple):
    """A number with its unit, and its name."""

    value: str
    unit: str
    label: str


class PreviewBar(NamedTuple):
    """A row of a list: rank, name, interval and middle in µs, formatted latency, and a note below the name.

    Without an interval it has a mark only, without a middle neither.
    """

    rank: str
    name: str
    low_us: float | None
    middle_us: float | None
    high_us: float | None
    latency: str
    note: str = ""


class StripDrive(NamedTuple):
    """A drive of a strip chart: the key of its mark, its letter among several, its figure or "", and what that is."""

    key: str
    letter: str
    name: str
    figure: str
    meaning: str


class Head(NamedTuple):
    """The header, the tag with its tone ("good", "warn" or ""), and the footer."""

    title: str
    subtitle: str
    tag: str = ""
    tone: str = ""
    foot: str = ""


def curves_preview(head: Head, figures: Sequence[PreviewFigure], series: Sequence[Series]) -> str:
    """Render devices: figures or names on the left, curves on the right."""
    drawn = [curve for curve in drawn_series(series) if len(curve.points) > 1][:MAX_DRAWN]
    left: list[Mark] = []
    for number, figure in enumerate(figures):
        left += _figure(figure, top=218 + 112 * number)
    for style, curve in enumerate(drawn if not figures else (), 1):
        middle = 246 + 52 * (style - 1)
        place = f"translate({MARGIN} {middle - 9}) scale(1.5)"
        left.append(mark("g", "chart", legend_key(style), transform=place))
        left.append(_text(MARGIN + 64, middle + 8, curve.label, size=22, width=380))
    x = 500 if figures else 620
    width, height = SIZE[0] - MARGIN - x, 284
    plot = curve_plot(drawn, PLAIN, Frame(round(width / _ZOOM), round(height / _ZOOM)))
    return _document(head, [*left, *([inset(plot, x, 216, width, height, zoom=_ZOOM)] if plot else [])])


def bars_preview(head: Head, bars: Sequence[PreviewBar]) -> str:
    """Render the first rows of a list, as many as fit."""
    shown = bars[:MAX_DRAWN]
    ends = [end for row in shown for end in (row.low_us, row.middle_us, row.high_us) if end is not None]
    axis = log_axis(ends) if ends else None
    step = 54 if len(shown) > MAX_WITH_ROOM else 84
    rows = (_row(row, axis, 248 + step * number) for number, row in enumerate(shown))
    return _document(head, list(chain.from_iterable(rows)))


def strips_preview(
    head: Head, strips: Sequence[Strip], drives: Sequence[StripDrive] = (), *, gap: Gap | None = None
) -> str:
    """Render the strip chart, and above it the drives whose marks have rings.

    Beside the ring is the letter of one among several.
    """
    ringed = {drive.key: drive.letter for drive in drives}
    plot = strip_plot(strips, SMALL_CARD if drives else CARD, gap=gap, ringed=ringed, has_links=False)
    columns = 2 if len(drives) > MAX_WITH_ROOM else 1
    rows = -(-len(drives) // columns)
    marks: list[Mark] = []
    for number, drive in enumerate(drives):
        marks += _drive(drive, number, columns=columns, rows=rows)
    if plot:
        top = _BELOW_HEAD + _DRIVE_STEP * rows
        top += max(0, _FOOT - (plot.height or 0) - top) // 2
        marks.append(inset(plot, MARGIN, top, INNER_WIDTH))
    return _document(head, marks)


def plots_preview(head: Head, plots: Sequence[BarPlot], names: Sequence[tuple[int, str]]) -> str:
    """Render plots of grouped bars beside each other, as many of their groups as fit, and the names of the series."""
    listed = names[:MAX_DRAWN]
    top = _BELOW_HEAD + 8
    height = _FOOT - _NAME_STEP * -(-len(listed) // 2) - top
    width = (INNER_WIDTH - 48 * (len(plots) - 1)) // max(len(plots), 1)
    marks: list[Mark] = []
    for at, bars in enumerate(plots):
        room = int(height / _BARS_ZOOM) - _PLOT_TITLE
        fitting = bar_plot(BarPlot(bars.title, _fitting_groups(bars.groups, room)))
        title = label(bars.title, None, 14, "row-name")
        drawn = [mark("svg", "", fitting, y=f"{_PLOT_TITLE}", overflow="visible")] if fitting else []
        titled = Plot(css="chart bars", front=[title, *drawn])
        marks.append(inset(titled, MARGIN + at * (width + 48), top, width, height, zoom=_BARS_ZOOM))
    for at, (number, name) in enumerate(listed):
        x, y = MARGIN + at % 2 * (INNER_WIDTH // 2), top + height + 12 + _NAME_STEP * (at // 2)
        key = bar("value", (x, x + 16), (y, y + 16))
        marks.append(mark("g", "chart", mark("g", f"s{style_of(number)}", key)))
        marks.append(_text(x + 26, y + 14, f"{number}: {name}", size=20, width=INNER_WIDTH // 2 - 40))
    return _document(head, marks)


def _fitting_groups(groups: Sequence[BarGroup], room: int) -> list[BarGroup]:
    """The groups from the first on that fit into a height; of a first one that doesn't, the bars that do."""
    heights = accumulate(group.height for group in groups)
    found = [group for group, height in zip(groups, heights, strict=True) if height <= room]
    if not found and groups:
        first = groups[0]
        found = [first._replace(bars=first.bars[: max(1, (room - 34) // 24)])]
    return found


def _drive(drive: StripDrive, number: int, *, columns: int, rows: int) -> list[Mark]:
    """A line: letter and name of one among several, then the figure and, in a single column, what it is."""
    column, row = divmod(number, rows)
    width = INNER_WIDTH // columns - 24 * (columns - 1)
    left, base = MARGIN + column * (width + 24), _BELOW_HEAD + _DRIVE_STEP * row + 32
    figure = drive.figure or "–"
    letter = _text(left, base, drive.letter, size=26, width=40, css="muted")
    if columns > 1:
        name = _text(left + 40, base, drive.name, size=26, width=width - 190, css="strong")
        return [letter, name, label(figure, left + width, base, "strong", font_size=26, text_anchor="end")]
    meaning = [span(drive.meaning, "muted", dx=14, font_size=22)]
    if not drive.letter:
        figure, meaning = (figure, meaning) if drive.figure else (drive.meaning, [])
        return [_text(left, base, figure, size=34, width=400, css="strong", after=meaning)]
    name = _text(left + 40, base, drive.name, size=28, width=430, css="strong")
    return [letter, name, _text(left + 490, base, figure, size=28, width=240, css="strong", after=meaning)]


def _row(row: PreviewBar, axis: ValueAxis | None, base: int) -> list[Mark]:
    return [
        _text(MARGIN, base, row.rank, size=26, width=90, css="muted"),
        _text(MARGIN + 100, base - 6 * bool(row.note), row.name, size=28, width=470, css="strong"),
        _text(MARGIN + 100, base + 18, row.note, size=19, width=540, css="muted"),
        *(_interval(row, axis, left=730, width=270, middle=base - 9) if axis else ()),
        label(row.latency, SIZE[0] - MARGIN, base, "strong", font_size=28, text_anchor="end"),
    ]


def _interval(row: PreviewBar, axis: ValueAxis, *, left: int, width: int, middle: int) -> list[Mark]:
    rule = line("rule", left, left + width, middle, middle)
    if row.middle_us is None:
        return [rule]
    value = left + round(width * axis.up(row.middle_us))
    if row.low_us is None or row.high_us is None:
        return [rule, point("hollow", value, middle, 9)]
    low, high = (left + round(width * axis.up(end)) for end in (row.low_us, row.high_us))
    interval = bar("", (low, max(high, low + 4)), (middle - 5, middle + 5), rx=5, opacity=0.5)
    tick = bar("", (value - 2, value + 2), (middle - 12, middle + 12))
    return [rule, mark("g", "accent", interval, tick)]


def _document(head: Head, marks: Sequence[Mark]) -> str:
    width, height = SIZE
    title, subtitle = _plain(head.title), _plain(head.subtitle)
    subtitle_width = _SUBTITLE_WIDTH if head.tag else INNER_WIDTH
    sizes = _fitting(_TITLE_SIZES, title, INNER_WIDTH), _fitting(_SUBTITLE_SIZES, subtitle, subtitle_width)
    tag = span(head.tag, f"strong {head.tone}", dx=24, font_size=28)
    front = [
        bar("page", (0, width), (0, height)),
        mark("g", "accent", bar("", (0, width), (0, 10))),
        _text(MARGIN, 104, title, size=sizes[0], width=INNER_WIDTH, css="strong"),
        _text(MARGIN, 158, subtitle, size=sizes[1], width=subtitle_width, css="muted", after=[tag]),
        line("rule", MARGIN, MARGIN + INNER_WIDTH, 184, 184),
        *marks,
        *_brand(),
        _text(MARGIN + 150, 590, head.foot, size=22, width=900, css="muted"),
    ]
    return document(Plot(css="", front=front, height=height), width, style=_STYLE)


def _brand() -> list[Mark]:
    """The site's logo, as in static/img/favicon.svg, and its name."""
    logo = [
        bar("", (0, 36), (0, 36), rx=8),
        path("stroke", [[(7, 23), (17, 23), (29, 10)]]),
        point("page", 17, 23, 4),
    ]
    name = _text(MARGIN + 46, 590, "slogdb", size=26, width=100, css="strong")
    return [mark("g", "accent", *logo, transform=f"translate({MARGIN} 562)"), name]


def _figure(figure: PreviewFigure, *, top: int) -> list[Mark]:
    unit = [span(figure.unit, "muted", dx=10, font_size=26, font_weight=400)]
    return [
        _text(MARGIN, top + 48, figure.value, size=50, width=320, css="strong", after=unit),
        _text(MARGIN, top + 82, figure.label, size=24, width=400, css="muted"),
    ]


def _text(
    x: int, y: int, text: str, *, size: int, width: int, css: str = "", after: Sequence[Mark] = ()
) -> Mark:
    """A line of text at `x` and `y` (its baseline), cut to `width`."""
    shown, fit = _plain(text), {}
    if size * INTER.width(shown) > width:
        while shown and size * INTER.width(f"{shown}…") > width:
            shown = shown[:-1].rstrip()
        shown, fit = f"{shown}…", {"textLength": f"{width}", "lengthAdjust": "spacingAndGlyphs"}
    return label("", x, y, "", span(shown, css, **fit), *after, font_size=size)


def _fitting(sizes: Sequence[int], text: str, width: int) -> int:
    """The largest of these sizes at which the text fits, else the smallest."""
    return next((size for size in sizes if size * INTER.width(text) <= width), sizes[-1])


def _plain(text: str) -> str:
    """The text on one line, without invisible and bidirectional control characters."""
    return _UNSHOWABLE.sub(" ", text[:_LONGEST]).strip()
