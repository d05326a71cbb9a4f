"""Rows of the ranking with every number written out once, for pages that list devices."""

import sys
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from results.addresses import address
from results.charts.axes import ValueAxis, latency_label, log_axis
from results.charts.glyphs import interval_bar
from results.models.choices import DeviceClassChoice
from results.presentation import format_capacity, format_date, format_number, format_places, format_range
from results.ranking.leaderboard import ROW_FIELDS, Row
from results.web.safety import plp_badge
from results.web.stencil import cut_stencil, join_rows
from slogdb.kept import keeps

_KEY_BYTES = 1200  # its values, in one tuple
_SHOWN = (*ROW_FIELDS, "place")
_values = itemgetter(*_SHOWN)
_IN_ROW = (
    *("rank", "url", "slug", "model_name", "capacity", "class_label", "badge", "interval_svg"),
    *("zil_latency", "latency_4k", "throughput_128k", "peak_throughput"),
    *("n_units", "n_results", "last_measured"),
)


class BoardRow(NamedTuple):
    """A row of the leaderboard, and the tie that it belongs to."""

    html: SafeString
    tie_group: int


def device_rows(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows of `best_by_class` or `rank_devices` as templates show them, their intervals on one axis."""
    axis = _axis(rows)
    return [_device_row(row, axis) for row in rows] if axis else []


def board_rows(rows: Sequence[Row]) -> list[BoardRow]:
    """The same as HTML."""
    axis = _axis(rows)
    return [_board_row(_values(row), axis.low, axis.high) for row in rows] if axis else []


def interval_ends(rows: Sequence[Row]) -> dict[str, str]:
    """What stands at the ends of the axis on which `device_rows` draws intervals."""
    axis = _axis(rows)
    return {"low": latency_label(axis.low), "high": latency_label(axis.high)} if axis else {}


def tie_groups(rows: Sequence[BoardRow], *, by_rank: bool) -> list[dict[str, Any]]:
    """The rows in groups of ties as they follow each other; all in one where the order is not the ranking's."""
    grouped = groupby(rows, key=lambda row: row.tie_group if by_rank else None)
    groups = [[row.html for row in group] for _, group in grouped]
    return [{"rows_html": join_rows(group), "is_tie": by_rank and len(group) > 1} for group in groups]


@cache
def _badge(plp: str | None) -> SafeString:
    """What is known of the protection, with a blank before it; nothing where nothing is."""
    badge = plp_badge(plp)
    return format_html(' <span class="tag {tag}">{label}</span>', **badge) if badge["tag"] else SafeString()


def _row_bytes(_: object, row: BoardRow) -> int:
    """What `slogdb.kept.bytes_of` tells of it and its key, near enough: that takes half as long as making a row."""
    return _KEY_BYTES + sys.getsizeof(row.html)


def _axis(rows: Sequence[Row]) -> ValueAxis | None:
    return log_axis(row[end] for row in rows for end in ("low_us", "high_us")) if rows else None


@keeps("rows of leaderboards", size=_row_bytes)  # a device has one for each axis that its pages have
def _board_row(values: tuple[Any, ...], axis_low: float, axis_high: float) -> BoardRow:
    """The row of these values of _SHOWN on a logarithmic axis: the same on many pages, until the device changes."""
    shown = _device_row(dict(zip(_SHOWN, values, strict=True)), ValueAxis(axis_low, axis_high, ()))
    stencil = cut_stencil("results/partials/board_row.html", _IN_ROW, compare_path=address("compare"))
    return BoardRow(stencil.fill([shown]), shown["tie_group"])


def _device_row(row: Row, axis: ValueAxis) -> dict[str, Any]:
    place, low_us, high_us = row["place"], row["low_us"], row["high_us"]
    interval = f"{format_range(low_us, high_us)} µs"
    bar = interval_bar(low_us, row["score_us"], high_us, axis=axis, text=interval)
    return {
        "url": address("device", row["device__slug"]),
        "slug": row["device__slug"],
        "model_name": row["device__model_name"],
        "vendor": row["device__vendor"],
        "capacity": format_capacity(row["device__capacity_bytes"]),
        "class_label": DeviceClassChoice(row["device_class"]).label,
        "plp": plp_badge(row["device__product__plp"]),
        "badge": _badge(row["device__product__plp"]),
        "rank": format_places(place),
        "tie_group": place.tie_group,
        "interval_svg": mark_safe(bar),  # noqa: S308 - results.charts escapes every text that it writes
        "zil_latency": format_number(row["zil_latency_us"]),
        "latency_4k": format_number(row["latency_4k_us"]),
        "throughput_128k": format_number(row["throughput_128k_mib_s"]),
        "peak_throughput": format_number(row["peak_throughput_mib_s"]),
        "n_units": row["unit_count"],
        "n_results": row["result_count"],
        "last_measured": format_date(row["last_measured_on"]) if row["last_measured_on"] else "",
    }
