"""Latency over wear, a dot a unit: wear across from none, linear; latency up, logarithmic."""

from collections.abc import Sequence
from typing import NamedTuple

from results.charts.axes import latency_label, log_axis
from results.charts.xml_text import escape

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Dot(NamedTuple):
    """A unit: how worn it was, what it took, and what its tooltip says."""

    wear: float
    latency_us: float
    text: str


class WearAxis(NamedTuple):
    """The axis from 0 to `end`, with a label at each quarter of it, and its name."""

    end: float
    labels: tuple[str, str, str, str, str]
    name: str


def wear_chart(dots: Sequence[Dot], axis: WearAxis, *, title: str, description: str) -> str:
    """The chart as an SVG element, or "" where there is no dot."""
    if not dots:
        return ""
    up = log_axis(dot.latency_us for dot in dots)
    rows = "".join(_row(_percent(1 - up.up(tick)), latency_label(tick)) for tick in up.ticks)
    columns = "".join(
        f'<text x="{_percent(share)}" y="100%" dy="18" text-anchor="middle">{escape(label)}</text>'
        for share, label in zip(_QUARTERS, axis.labels, strict=True)
    )
    spots = "".join(
        f'<circle class="unit" cx="{_percent(dot.wear / axis.end)}" cy="{_percent(1 - up.up(dot.latency_us))}" r="5">'
        f"<title>{escape(dot.text)}</title></circle>"
        for dot in dots
    )
    return (
        f'<svg class="chart wear" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f'{rows}{columns}<text class="axis-name" x="100%" y="100%" dy="36" text-anchor="end">{escape(axis.name)}'
        f"</text>{spots}</svg>"
    )


def _row(y: str, label: str) -> str:
    return (
        f'<line class="grid" x2="100%" y1="{y}" y2="{y}"/>'
        f'<text x="-8" y="{y}" dy="4" text-anchor="end">{label}</text>'
    )


def _percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"
