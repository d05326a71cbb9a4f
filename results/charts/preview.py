"""Images for link previews, 1200 x 630: a header, figures or names, and a chart."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from results.charts.axes import ValueAxis, log_axis
from results.charts.bars import Group, Plot, bar_parts, plot_height, style_of
from results.charts.cards import resolved, shapes_of
from results.charts.description import PLAIN, Series, drawn_series
from results.charts.strip import CARD, SMALL_CARD, Gap, Strip, strip_parts
from results.charts.svg import Frame, escape, legend_key, plot_parts

SIZE = (1200, 630)
MARGIN = 64
INNER_WIDTH = SIZE[0] - 2 * MARGIN
MOST_DRAWN = 6  # curves or bars
MOST_WITH_ROOM = 3  # bars, that are further apart
_ZOOM = 5 / 3  # of the site's charts: their text is 20 px
_TITLE_SIZES = (56, 48, 40, 34)
_SUBTITLE_SIZES = (28, 24)
_SUBTITLE_WIDTH = 780  # before a tag
_BELOW_HEAD = 196
_DRIVE_STEP = 40
_FOOT = 552
_LONGEST = 200  # characters that are considered; fewer fit in a line
_UNSHOWABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
# Widths of Inter's letters, relative to the font size.
_NARROW, _NARROW_SHARE = re.compile(r"[ijlrtfI1.,:;|()\[\]'! ]"), 0.3
_WIDE, _WIDE_SHARE = re.compile(r"[A-HJ-Zmw%@µ–…]"), 0.73
_OTHER_SHARE = 0.6
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


class Figure(NamedTuple):
    """A number with its unit, and its name."""

    value: str
    unit: str
    label: str


class Bar(NamedTuple):
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


class Drive(NamedTuple):
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


def curves_preview(head: Head, figures: Sequence[Figure], series: Sequence[Series]) -> str:
    """Render devices: figures or names on the left, curves on the right."""
    drawn = [one for one in drawn_series(series) if len(one.points) > 1][:MOST_DRAWN]
    left = "".join(_figure(figure, top=218 + 112 * number) for number, figure in enumerate(figures))
    if not figures:
        left = "".join(_name(one, style) for style, one in enumerate(drawn, 1))
    return _document(head, f"{left}{_plot(drawn, x=500 if figures else 620)}")


def bars_preview(head: Head, bars: Sequence[Bar]) -> str:
    """Render the first rows of a list, as many as fit."""
    shown = bars[:MOST_DRAWN]
    ends = [end for bar in shown for end in (bar.low_us, bar.middle_us, bar.high_us) if end is not None]
    axis = log_axis(ends) if ends else None
    step = 54 if len(shown) > MOST_WITH_ROOM else 84
    return _document(head, "".join(_bar(bar, axis, 248 + step * number) for number, bar in enumerate(shown)))


def strips_preview(
    head: Head, strips: Sequence[Strip], drives: Sequence[Drive] = (), *, gap: Gap | None = None
) -> str:
    """Render the strip chart, and above it the drives whose marks have rings.

    Beside the ring is the letter of one among several.
    """
    measures = SMALL_CARD if drives else CARD
    ringed = {one.key: one.letter for one in drives}
    parts, height = strip_parts(strips, measures, gap=gap, ringed=ringed, has_links=False)
    columns = 2 if len(drives) > MOST_WITH_ROOM else 1
    rows = -(-len(drives) // columns)
    top = _BELOW_HEAD + _DRIVE_STEP * rows
    top += max(0, _FOOT - height - top) // 2
    place = f'x="{MARGIN}" y="{top}" width="{INNER_WIDTH}" height="{height}" overflow="visible"'
    plot = f'<svg class="chart strips" {place}>{"".join(parts)}</svg>'
    listed = "".join(_drive(one, number, columns=columns, rows=rows) for number, one in enumerate(drives))
    return _document(head, f"{listed}{plot if parts else ''}")


def plots_preview(head: Head, plots: Sequence[Plot], names: Sequence[tuple[int, str]]) -> str:
    """Render plots of grouped bars beside each other, as many of their groups as fit, and the names of the series."""
    listed = names[:MOST_DRAWN]
    top = _BELOW_HEAD + 8
    below = _FOOT - _NAME_STEP * -(-len(listed) // 2)
    room = int((below - top) / _BARS_ZOOM) - _PLOT_TITLE
    shown = [Plot(plot.title, _fitting_groups(plot.groups, room)) for plot in plots]
    width = (INNER_WIDTH - 48 * (len(shown) - 1)) // max(len(shown), 1)
    body = "".join(
        f'<svg class="chart bars" x="{MARGIN + at * (width + 48)}" y="{top}" width="{width}" height="{below - top}" '
        f'viewBox="0 0 {round(width / _BARS_ZOOM)} {round((below - top) / _BARS_ZOOM)}">'
        f'<text class="row-name" y="14">{escape(plot.title)}</text>'
        f'<svg y="{_PLOT_TITLE}" height="{plot_height(plot)}" overflow="visible">'
        f"{''.join(bar_parts(plot))}</svg></svg>"
        for at, plot in enumerate(shown)
    )
    keys = "".join(
        f'<g class="chart"><g class="s{style_of(number)}"><rect class="value" x="{_column(at)}" '
        f'y="{below + 12 + _NAME_STEP * (at // 2)}" width="16" height="16"/></g></g>'
        + _text(
            _column(at) + 26,
            below + 26 + _NAME_STEP * (at // 2),
            f"{number}: {name}",
            size=20,
            width=INNER_WIDTH // 2 - 40,
        )
        for at, (number, name) in enumerate(listed)
    )
    return _document(head, f"{body}{keys}")


_BARS_ZOOM = 1.35
_NAME_STEP = 28
_PLOT_TITLE = 24


def _column(at: int) -> int:
    return MARGIN + at % 2 * (INNER_WIDTH // 2)


def _fitting_groups(groups: Sequence[Group], room: int) -> list[Group]:
    """The groups from the first on that fit into a height; of a first one that doesn't, the bars that do."""
    found: list[Group] = []
    for group in groups:
        if plot_height(Plot("", [*found, group])) > room:
            break
        found.append(group)
    if not found and groups:
        first = groups[0]
        found = [Group(first.label, first.bars[: max(1, (room - 34) // 24)])]
    return found


def _drive(drive: Drive, number: int, *, columns: int, rows: int) -> str:
    """A line: letter and name of one among several, then the figure and, in a single column, what it is."""
    column, row = divmod(number, rows)
    width = INNER_WIDTH // columns - 24 * (columns - 1)
    left, base = MARGIN + column * (width + 24), _BELOW_HEAD + _DRIVE_STEP * row + 32
    figure = drive.figure or "–"
    if columns > 1:
        end = f'x="{left + width}" y="{base}" font-size="26" text-anchor="end"'
        name = _text(left + 40, base, drive.name, size=26, width=width - 190, css="strong")
        return f'{_letter(drive, left, base)}{name}<text class="strong" {end}>{escape(figure)}</text>'
    meaning = f'<tspan class="muted" dx="14" font-size="22">{escape(drive.meaning)}</tspan>'
    if not drive.letter:
        figure, meaning = (figure, meaning) if drive.figure else (drive.meaning, "")
        return _text(left, base, figure, size=34, width=400, css="strong", after=meaning)
    name = _text(left + 40, base, drive.name, size=28, width=430, css="strong")
    shown = _text(left + 490, base, figure, size=28, width=240, css="strong", after=meaning)
    return f"{_letter(drive, left, base)}{name}{shown}"


def _letter(drive: Drive, left: int, base: int) -> str:
    return _text(left, base, drive.letter, size=26, width=40, css="muted")


def _bar(bar: Bar, axis: ValueAxis | None, base: int) -> str:
    name = _text(MARGIN + 100, base - 6 * bool(bar.note), bar.name, size=28, width=470, css="strong")
    return (
        f"{_text(MARGIN, base, bar.rank, size=26, width=90, css='muted')}{name}"
        f"{_text(MARGIN + 100, base + 18, bar.note, size=19, width=540, css='muted')}"
        f"{_interval(bar, axis, left=730, width=270, middle=base - 9) if axis else ''}"
        f'<text class="strong" x="{SIZE[0] - MARGIN}" y="{base}" font-size="28" text-anchor="end">'
        f"{escape(bar.latency)}</text>"
    )


def _interval(bar: Bar, axis: ValueAxis, *, left: int, width: int, middle: int) -> str:
    rule = f'<path class="rule" d="M{left} {middle}h{width}"/>'
    if bar.middle_us is None:
        return rule
    value = left + round(width * axis.up(bar.middle_us))
    if bar.low_us is None or bar.high_us is None:
        return f'{rule}<circle class="hollow" cx="{value}" cy="{middle}" r="9"/>'
    low, high = (left + round(width * axis.up(end)) for end in (bar.low_us, bar.high_us))
    return (
        f'{rule}<g class="accent"><rect x="{low}" y="{middle - 5}" width="{max(high - low, 4)}" height="10" rx="5" '
        f'opacity=".5"/><rect x="{value - 2}" y="{middle - 12}" width="4" height="24"/></g>'
    )


def _document(head: Head, body: str) -> str:
    width, height = SIZE
    title, subtitle = _plain(head.title), _plain(head.subtitle)
    title_size = _fitting(_TITLE_SIZES, title, INNER_WIDTH)
    subtitle_width = _SUBTITLE_WIDTH if head.tag else INNER_WIDTH
    subtitle_size = _fitting(_SUBTITLE_SIZES, subtitle, subtitle_width)
    tag = f'<tspan class="strong {head.tone}" dx="24" font-size="28">{escape(head.tag)}</tspan>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><style>{_STYLE}</style>'
        f'<rect class="page" width="{width}" height="{height}"/>'
        f'<g class="accent"><path d="M0 0h{width}v10H0z"/></g>'
        f"{_text(MARGIN, 104, title, size=title_size, width=INNER_WIDTH, css='strong')}"
        f"{_text(MARGIN, 158, subtitle, size=subtitle_size, width=subtitle_width, css='muted', after=tag)}"
        f'<path class="rule" d="M{MARGIN} 184h{INNER_WIDTH}"/>{body}{_brand()}'
        f"{_text(MARGIN + 150, 590, head.foot, size=22, width=900, css='muted')}</svg>"
    )


def _brand() -> str:
    """The site's logo, as in static/img/favicon.svg, and its name."""
    return (
        f'<g class="accent" transform="translate({MARGIN} 562)"><rect width="36" height="36" rx="8"/>'
        '<path class="stroke" d="M7 23h10l12-13"/><circle class="page" cx="17" cy="23" r="4"/></g>'
        f"{_text(MARGIN + 46, 590, 'slogdb', size=26, width=100, css='strong')}"
    )


def _figure(figure: Figure, *, top: int) -> str:
    unit = f'<tspan class="muted" dx="10" font-size="26" font-weight="400">{escape(figure.unit)}</tspan>'
    return _text(MARGIN, top + 48, figure.value, size=50, width=320, css="strong", after=unit) + _text(
        MARGIN, top + 82, figure.label, size=24, width=400, css="muted"
    )


def _name(series: Series, style: int) -> str:
    middle = 246 + 52 * (style - 1)
    at = f"translate({MARGIN} {middle - 9}) scale(1.5)"
    key = f'<g class="chart" transform="{at}"><g class="s{style}">{legend_key(style)}</g></g>'
    return key + _text(MARGIN + 64, middle + 8, series.label, size=22, width=380)


def _plot(series: Sequence[Series], *, x: int) -> str:
    width, height = SIZE[0] - MARGIN - x, 284
    frame = Frame(round(width / _ZOOM), round(height / _ZOOM))
    return (
        f'<svg class="chart" x="{x}" y="216" width="{width}" height="{height}" overflow="visible" '
        f'viewBox="0 0 {frame.width} {frame.height}">{"".join(plot_parts(series, PLAIN, frame))}</svg>'
    )


def _text(x: int, y: int, text: str, *, size: int, width: int, css: str = "", after: str = "") -> str:
    """A line of text at `x` and `y` (its baseline), cut to `width`."""
    shown, fit = _plain(text), ""
    if _width(shown, size) > width:
        while shown and _width(f"{shown}…", size) > width:
            shown = shown[:-1].rstrip()
        shown, fit = f"{shown}…", f' textLength="{width}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x}" y="{y}" font-size="{size}"><tspan class="{css}"{fit}>{escape(shown)}</tspan>{after}</text>'


def _fitting(sizes: Sequence[int], text: str, width: int) -> int:
    """The largest of these sizes at which the text fits, else the smallest."""
    return next((size for size in sizes if _width(text, size) <= width), sizes[-1])


def _width(text: str, size: int) -> float:
    narrow, wide = len(_NARROW.findall(text)), len(_WIDE.findall(text))
    other = len(text) - narrow - wide
    return size * (narrow * _NARROW_SHARE + wide * _WIDE_SHARE + other * _OTHER_SHARE)


def _plain(text: str) -> str:
    """The text on one line, without invisible and bidirectional control characters."""
    return _UNSHOWABLE.sub(" ", text[:_LONGEST]).strip()
