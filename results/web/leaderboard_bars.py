"""The leaderboard as bars: the ranked latency of each device with its interval, on one axis for all."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import mark_safe

from results.addresses import address
from results.charts.axes import ValueAxis, latency_label, value_axis
from results.charts.value_bars import bar_lines, value_bar
from results.presentation import format_capacity, format_number, format_range
from results.ranking.leaderboard import Row

APART = 0.2  # of the width of a phone: room for “100 µs” and the half of one to either side


def bars_context(rows: Sequence[Row], *, is_linear: bool) -> dict[str, Any]:
    """The bars in the order of the rows, and the ticks of their axis; nothing for no rows."""
    if not rows:
        return {}
    axis = value_axis((row[end] for row in rows for end in ("low_us", "high_us")), is_linear=is_linear)
    return {
        "lines_svg": mark_safe(bar_lines(axis)),  # noqa: S308 - numbers alone
        "ticks": _ticks(axis),
        "rows": [_bar(row, axis) for row in rows],
    }


def _ticks(axis: ValueAxis) -> list[dict[str, str]]:
    """The labels of the axis; `css` marks those for which a phone has no room beside the others."""
    kept = [axis.ticks[0], axis.ticks[-1]]
    for tick in axis.ticks:
        if all(abs(axis.up(tick) - axis.up(one)) >= APART for one in kept):
            kept.append(tick)
    return [_tick(tick, axis.up(tick), is_minor=tick not in kept) for tick in axis.ticks]


def _tick(tick: float, share: float, *, is_minor: bool) -> dict[str, str]:
    anchor = "start" if share < 0.05 else "end" if share > 0.95 else "middle"
    return {
        "x": f"{100 * share:.4g}%",
        "anchor": anchor,
        "label": latency_label(tick),
        "css": "minor" if is_minor else "",
    }


def _bar(row: Row, axis: ValueAxis) -> dict[str, Any]:
    low_us, high_us = row["low_us"], row["high_us"]
    return {
        "url": address("device", row["device__slug"]),
        "model_name": row["device__model_name"],
        "capacity": format_capacity(row["device__capacity_bytes"]),
        "latency": format_number(row["score_us"]),
        "interval": format_range(low_us, high_us),
        "svg": mark_safe(value_bar(low_us, row["score_us"], high_us, axis=axis)),  # noqa: S308 - as above
    }
