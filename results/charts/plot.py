"""The description of a plot: its axes, and marks at values of both. `results.charts.svg` draws it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Union

from results.charts.axes import ValueAxis
from results.charts.description import STYLES, LivePlot
from results.charts.labels import apart, spaced

LABEL_GAP = 0.16  # of the width: a label closer to the previous one is left out
END_GAP = 0.1  # of the height: the minimum distance between labels at the ends of curves
LOWEST_END = 0.94  # of the height, above the labels below the plot

Scale = Callable[[float], float]
Place = tuple[float, float]


class Outline(NamedTuple):
    """Lines through places, one for each run, or dots at them."""

    runs: Iterable[Sequence[Place]]
    is_dots: bool = False
    is_closed: bool = False


Value = float | str | tuple[float, float] | Outline | None


@dataclass(frozen=True, slots=True)
class Mark:
    """Something in a plot, with the names that SVG has for it; `text` and `title` are among the attributes.

    Places are values of the axes, and of a bar the two values that it is between; as texts, they are as SVG has them.
    """

    tag: str
    css: str
    parts: Sequence[Union["Mark", "Plot"]]
    attributes: Mapping[str, Value]


def mark(tag: str, css: str = "", *parts: Union[Mark, "Plot"], **attributes: Value) -> Mark:
    return Mark(tag, css, parts, attributes)


def line(css: str, x1: Value = None, x2: Value = "100%", y1: Value = None, y2: Value = "100%") -> Mark:
    """A line, from edge to edge where no value is given."""
    return mark("line", css, x1=x1, x2=x2, y1=y1, y2=y2)


def bar(css: str, x: Value = None, y: Value = None, **more: Value) -> Mark:
    """A bar, box or band; what isn't given is left to the style sheet."""
    return mark("rect", css, x=x, width=x, y=y, height=y, **more)


def band(css: str, first: float, last: float) -> Mark:
    """A range of the x axis, as high as the plot."""
    return mark("rect", css, x=(first, last), width=(first, last), height="100%")


def point(css: str, x: float, y: float, radius: float, title: str = "") -> Mark:
    return mark("circle", css, title=title, cx=x, cy=y, r=radius)


def dot(x: float, y: float, title: str, css: str = "unit", radius: int = 5) -> Mark:
    """A point whose title also shows beside it."""
    return mark("g", "", target(x, y), point(css, x, y, radius), title=title)


def target(x: float, y: float, rx: str = "12", ry: float = 12) -> Mark:
    """Where a point can be pressed."""
    return mark("ellipse", cx=x, cy=y, rx=rx, ry=ry)


def label(text: str, x: Value = None, y: Value = None, css: str = "", *spans: Mark, **more: Value) -> Mark:
    return mark("text", css, *spans, x=x, y=y, **more, text=text)


def span(text: str, css: str = "", **more: Value) -> Mark:
    """A part of a label."""
    return mark("tspan", css, text=text, **more)


def path(css: str, runs: Iterable[Sequence[Place]], *, is_dots: bool = False, **more: Value) -> Mark:
    return mark("path", css, d=Outline(runs, is_dots), **more)


def curve(
    style: int,
    runs: Iterable[Sequence[Place]],
    name: str = "",
    *,
    markers: Sequence[Place] = (),
    lows: Sequence[Place] = (),
    highs: Sequence[Place] = (),
    is_assumed: bool = False,
) -> Mark:
    """A line of a style, from 1, with markers, and a band whose outline is dashed if the spread is assumed."""
    dash, is_square, is_hollow = STYLES[style - 1]
    shape = " square" if is_square else ""
    parts = [path("curve", runs, stroke_dasharray=" ".join(map(str, dash)))]
    if lows != highs:
        outline = Outline([[*highs, *reversed(lows)]], is_closed=True)
        parts.insert(0, mark("path", "band assumed" if is_assumed else "band", d=outline))
    if markers:
        parts.append(path(f"marks{shape}", [markers], is_dots=True))
    if markers and is_hollow:
        parts.append(path(f"holes{shape}", [markers], is_dots=True))
    return mark("g", f"s{style}", *parts, title=name)


def legend_key(style: int) -> Mark:
    """A short piece of a curve for a legend, 32 by 12 pixels."""
    return curve(style, [[(0, 6), (32, 6)]], markers=[(16, 6)])


def end_labels(axis: ValueAxis, ends: Iterable[tuple[float, str, str]]) -> Iterator[Mark]:
    """Labels at the right edge that don't overlap, of values with their texts and CSS classes."""
    placed = sorted(((1 - axis.up(value), text, css) for value, text, css in ends), key=lambda end: end[0])
    for share, (_, text, css) in zip(
        apart([end[0] for end in placed], END_GAP, LOWEST_END), placed, strict=True
    ):
        yield label(text, "100%", percent(share), css, dx="9", dy="4")


def percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"


class Tick(NamedTuple):
    """A value of an axis with its label, and the CSS class and the anchor of that."""

    at: float
    text: str
    css: str = ""
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Axis:
    """The x axis, from the left, or the y axis, from below.

    `scale` maps a value to its share of the length; without it, values are pixels, from the left or from the top.
    Labels closer than `gap` (a share) to the previous one are left out. `label_dy` is from the x axis down to its
    labels, at the lines that it `has_lines` for; the y axis always has lines.
    """

    scale: Scale | None = None
    ticks: Sequence[Tick] = ()
    name: str = ""
    gap: float = 0
    label_dy: str = "18"
    has_lines: bool = False

    def up(self) -> Iterator[Mark]:
        """Gridlines with their values on the left, the lowest of which is above the labels below the plot."""
        for tick in self.ticks:
            dy = "4" if self.scale and self.scale(tick.at) > 0 else "-2"
            yield line("grid", y1=tick.at, y2=tick.at)
            yield label(tick.text, "-8", tick.at, tick.css, dy=dy, text_anchor="end")

    def across(self, foot: str) -> Iterator[Mark]:
        """The labels at the foot of the plot, as many as fit, and lines up to them."""
        shares = [self.scale(tick.at) if self.scale else tick.at for tick in self.ticks]
        fitting = spaced(shares, self.gap)
        for share, tick in zip(shares, self.ticks, strict=True):
            if self.has_lines:
                yield line("grid", tick.at, tick.at, y2=foot)
            if share in fitting:
                place = {"dy": self.label_dy, "text_anchor": tick.anchor}
                yield label(tick.text, tick.at, foot, tick.css, **place)

    def named(self, x: str) -> list[Mark]:
        """Its name below the plot, which ends at `x`."""
        return [label(self.name, x, "100%", "axis-name", dy="36", text_anchor="end")] if self.name else []


PIXELS = Axis()
SHARES = Axis(lambda share: share)


def labeled(axis: ValueAxis, text: Callable[[float], str], name: str = "") -> Axis:
    """The axis of these values, with labels at its ticks."""
    return Axis(axis.up, [Tick(tick, text(tick)) for tick in axis.ticks], name)


class Frame(NamedTuple):
    """The coordinate system of curves, which is stretched over the plot."""

    width: int = 700
    height: int = 400


FRAME = Frame()
NO_POINTS = LivePlot("x")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot: its `ground`, axes, other `names`, curves, and what is in `front` of them.

    With a `height` in pixels the x axis is `foot` above its end. Coordinates of curves are rounded to `decimals`
    places. Hide a plot from assistive technology (`is_hidden`) only if its figures are also in the text beside it.
    The points of `live` are at values of the axes.
    """

    css: str = "chart"
    x: Axis = PIXELS
    y: Axis = PIXELS
    ground: Sequence[Mark] = ()
    names: Sequence[Mark] = ()
    curves: Sequence[Mark] = ()
    front: Sequence[Mark] = ()
    height: int | None = None
    foot: int = 0
    frame: Frame = FRAME
    decimals: int = 0
    is_hidden: bool = False
    live: LivePlot = NO_POINTS

    @property
    def marks(self) -> list[Mark]:
        foot = "100%" if self.height is None else f"{self.height - self.foot}"
        box = {"viewBox": f"0 0 {self.frame.width} {self.frame.height}", "preserveAspectRatio": "none"}
        framed = [mark("svg", "", *self.curves, **box)] if self.curves else []
        axes = [*self.y.up(), *self.x.across(foot), *self.names, *self.x.named("100%"), *self.y.named("-8")]
        return [*self.ground, *axes, *framed, *self.front]


def inset(plot: Plot, x: int, y: int, width: int, height: int | None = None, *, zoom: float = 1) -> Mark:
    """The plot within one in pixels."""
    high = height or plot.height or 0
    box = "" if zoom == 1 else f"0 0 {round(width / zoom)} {round(high / zoom)}"
    size = {"x": f"{x}", "y": f"{y}", "width": f"{width}", "height": f"{high}", "viewBox": box}
    return mark("svg", plot.css, plot, **size, overflow="visible")
