"""Plots as SVG: the only code that writes its elements.

The styles are in static/css/charts.css, as the site forbids inline styles. Text and gridlines are at percentages of
the plot, and curves in a frame that is stretched over it, so that text and strokes have the same size at every width.
Text from users is escaped, and characters that XML forbids are replaced, so what is for pages is a SafeString.
"""

import html
import re
from functools import cache

from django.utils.safestring import SafeString

from results.charts.plot import Axis, Mark, Outline, Place, Plot, Value, legend_key, percent

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPECIAL = re.compile(f"[&<>\"']|{_NOT_IN_XML.pattern}")
_ACROSS = {"x", "x1", "x2", "cx", "width"}
_UP = {"y", "y1", "y2", "cy", "height"}
_PLACES = _ACROSS | _UP


def escape(text: str) -> str:
    """Escape text for XML; forbidden characters become replacement characters."""
    # Lists of drives have thousands of attributes, few of which need it
    return html.escape(_NOT_IN_XML.sub("\ufffd", text)) if _SPECIAL.search(text) else text


def element(tag: str, content: str = "", /, **attributes: str | float | None) -> str:
    """An element; attributes are left out without a value, and "_" in their names is "-"."""
    written = "".join(
        f' {_hyphenated(name)}="{escape(value) if isinstance(value, str) else f"{value:g}"}"'
        for name, value in attributes.items()
        if value not in ("", None)
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


@cache
def _hyphenated(name: str) -> str:
    return name.strip("_").replace("_", "-")


def draw(plot: Plot | None, *, title: str = "", description: str = "") -> SafeString:
    """The plot as an element of a page, of any width; "" without one."""
    if plot is None:
        return SafeString()
    content = f"{_named('title', title)}{_named('desc', description)}{_content(plot)}"
    hidden, role = ("true", "") if plot.is_hidden else ("", "img")
    return SafeString(
        element("svg", content, class_=plot.css, role=role, aria_hidden=hidden, height=plot.height)
    )


def document(plot: Plot, width: int, *, style: str = "", title: str = "", name: str = "") -> str:
    """The plot as an image of its own, with its style sheet."""
    content = f"{_named('title', title)}{style and f'<style>{style}</style>'}{_content(plot)}"
    return element(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=plot.height,
        viewBox=f"0 0 {width} {plot.height}",
        class_=plot.css,
        role="img" if title else "",
        aria_label=name,
    )


def legend_name(style: int, name: str) -> str:
    """The name of a curve in a legend, with a piece of it."""
    key = "".join(_mark(Plot(), part) for part in legend_key(style).parts if isinstance(part, Mark))
    box = element("svg", key, class_="chart key", viewBox="0 0 32 12", aria_hidden="true")
    return f'{box}<span class="name">{escape(name)}</span>'


def legend_item(markup: str, *, css: str = "", key: str = "", url: str = "", is_hidden: bool = False) -> str:
    """An entry of a legend; with `url` it links to the page that hides what it names, or shows it again."""
    if url:
        hint = '<span class="visually-hidden"> (hidden)</span>' if is_hidden else ""
        markup = f'<a href="{escape(url)}#chart" rel="nofollow" data-key="{escape(key)}">{markup}{hint}</a>'
    classes = f"{css} is-hidden".lstrip() if is_hidden else css
    return f'<li class="{classes}">{markup}</li>' if classes else f"<li>{markup}</li>"


def _named(tag: str, text: str) -> str:
    return element(tag, escape(text)) if text else ""


def _content(plot: Plot) -> str:
    return "".join(_mark(plot, mark) for mark in plot.marks)


def _mark(plot: Plot, mark: Mark) -> str:
    attributes = {name: _attribute(plot, name, value) for name, value in mark.attributes.items()}
    text, title = (f"{attributes.pop(name, '')}" for name in ("text", "title"))
    parts = (_content(part) if isinstance(part, Plot) else _mark(plot, part) for part in mark.parts)
    return element(
        mark.tag, f"{escape(text)}{_named('title', title)}{''.join(parts)}", class_=mark.css, **attributes
    )


def _attribute(plot: Plot, name: str, value: Value) -> str | float | None:
    if isinstance(value, Outline):
        return _path(plot, value)
    axis, is_up = (plot.y, True) if name in _UP else (plot.x, False)
    if isinstance(value, tuple):
        return _length(axis, value) if name in {"width", "height"} else _start(axis, value, is_up=is_up)
    if value is None or isinstance(value, str) or name not in _PLACES:
        return value
    return _place(axis, value, is_up=is_up)


def _place(axis: Axis, value: float, *, is_up: bool) -> str | float:
    if axis.scale is None:
        return value
    return percent(1 - axis.scale(value) if is_up else axis.scale(value))


def _start(axis: Axis, ends: tuple[float, float], *, is_up: bool) -> str | float | None:
    """Where a bar begins, from the left or the top; None at the edge."""
    place = _place(axis, ends[1] if is_up and axis.scale else ends[0], is_up=is_up)
    return None if place in (0, "0%") else place


def _length(axis: Axis, ends: tuple[float, float]) -> str | float:
    low, high = ends
    return percent(axis.scale(high) - axis.scale(low)) if axis.scale else high - low


def _path(plot: Plot, outline: Outline) -> str:
    """Dots have a nonzero length: browsers drop the square caps of zero-length lines when printing to PDF."""
    runs = [[_position(plot, place) for place in run] for run in outline.runs]
    if outline.is_dots:
        return "".join(f"M{place}h.01" for run in runs for place in run)
    return "".join(f"M{' '.join(run)}{'z' if outline.is_closed else ''}" for run in runs)


def _position(plot: Plot, place: Place) -> str:
    """Coordinates in the frame or in pixels."""
    x, y = place
    across = plot.x.scale(x) * plot.frame.width if plot.x.scale else x
    down = (1 - plot.y.scale(y)) * plot.frame.height if plot.y.scale else y
    return f"{round(across, plot.decimals):g} {round(down, plot.decimals):g}"
