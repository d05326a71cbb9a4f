"""Rows of the ranking with every number formatted, for pages that list devices."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.utils.safestring import mark_safe

from parsers.base.device_class import DeviceClass
from results.charts.axes import ValueAxis, log_axis
from results.charts.svg import dot_bar, interval_bar
from results.core.addresses import drive_address
from results.core.drive_names import drive_name, part_number
from results.core.formats import format_capacity, format_date, format_number, format_origin, format_range
from results.kinds.metric import Metric
from results.kinds.tables import metric_cells
from results.models.choices import METHOD_LABELS, Board, plp_badge
from results.ranking.conditions import conditions_text
from results.ranking.leaders import Row
from results.ranking.strips import strip_of
from results.ranking.tiers import tier_text
from results.ranking.ties import format_places

# What `device_cells` reads of a device
DEVICE_COLUMNS = (
    *("slug", "page", "model_name", "capacity_bytes", "device_class", "elsewhere_count", "result_count"),
    *("product__plp", "product__plp_statements", "product__vendor__name", "product__name"),
)


def device_cells(row: Row) -> dict[str, Any]:
    """What a list says of a device whose DEVICE_COLUMNS `row` has, ranked or not."""
    name = drive_name(row["product__vendor__name"], row["product__name"], row["model_name"])
    return {
        "url": drive_address(row["page"], row["slug"]),
        "name": name,
        "part_number": part_number(name, row["model_name"]),
        "capacity": format_capacity(row["capacity_bytes"]),
        "class_label": DeviceClass(row["device_class"]).label,
        "origin": format_origin(row["elsewhere_count"], row["result_count"]),
        "plp": plp_badge(row["product__plp"], row["product__plp_statements"]),
    }


def device_rows(
    rows: Sequence[Row], shown: Sequence[Metric], limits: Sequence[float] = ()
) -> list[dict[str, Any]]:
    """Rows of `best_by_class` or `rank_devices` for templates, with intervals on a shared axis.

    It reaches from the least to the largest of `limits` and of the rows' ends.
    """
    axis = row_axis(rows, limits)
    return [_device_row(row, axis, shown) for row in rows] if axis else []


def row_axis(rows: Sequence[Row], limits: Sequence[float] = ()) -> ValueAxis | None:
    """The axis on which `device_rows` draws intervals; None without rows."""
    return log_axis([*limits, *(row[end] for row in rows for end in ("low", "high"))]) if rows else None


def tie_groups(rows: Sequence[dict[str, Any]], *, by_rank: bool) -> list[dict[str, Any]]:
    """Rows of `device_rows` grouped by ties; a single group if not in the ranking's order."""
    if not by_rank:
        return [{"rows": rows, "is_tie": False}] if rows else []
    groups = [list(group) for _, group in groupby(rows, key=itemgetter("tie_group"))]
    return [{"rows": group, "is_tie": len(group) > 1} for group in groups]


def _device_row(row: Row, axis: ValueAxis, shown: Sequence[Metric]) -> dict[str, Any]:
    place, low, high, digits = row["place"], row["low"], row["high"], row["digits"]
    shown_interval = format_range(low, high, digits)
    interval = f"{shown_interval} µs"
    is_assumed, plp = row["assumed_spread"], row["device__product__plp"]
    bar = interval_bar(low, row["score"], high, axis=axis, text=interval, is_assumed=is_assumed)
    css = f"{row['method']} {strip_of(plp)}"
    dot = dot_bar(low, row["score"], high, axis=axis, css=css, is_assumed=is_assumed)
    vendor, model_name = row["device__product__vendor__name"], row["device__model_name"]
    name = drive_name(vendor, row["device__product__name"], model_name)
    return {
        "url": drive_address(row["device__page"], row["device__slug"]),
        "slug": row["device__slug"],
        "name": name,
        "part_number": part_number(name, model_name),
        "model_name": model_name,
        "vendor": vendor or row["device__vendor"],
        "capacity": format_capacity(row["device__capacity_bytes"]),
        "class_label": DeviceClass(row["device_class"]).label,
        "plp": plp_badge(plp, row["device__product__plp_statements"]),
        "origin": format_origin(row["device__elsewhere_count"], row["device__result_count"]),
        "method": METHOD_LABELS[row["method"]],
        "others": [
            {
                "method": METHOD_LABELS[other["method"]],
                "score": format_number(other["score"], other["digits"]),
            }
            for other in row.get("others", ())
        ],
        "rank": format_places(place),
        "tier": tier_text(low, high) if row["board"] == Board.SYNC_WRITE else "",
        "measured": conditions_text(row["device__conditions"], row["method"]),
        "tie_group": place.tie_group,
        "interval": shown_interval,
        "interval_svg": mark_safe(bar),  # noqa: S308 - results.charts escapes every text that it writes
        "dot_svg": mark_safe(dot),  # noqa: S308 - as above
        "cells": metric_cells(row["metrics"], shown, digits),
        "ranked": format_number(row["score"], digits),
        "n_units": row["unit_count"],
        "n_results": row["result_count"],
        "last_measured": format_date(row["last_measured_on"]) if row["last_measured_on"] else "",
    }
