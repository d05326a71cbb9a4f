"""URLs of other views of the leaderboard, in their shortest form: methods, views, column headings, exports."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from results.catalogue.facets import FacetCounts
from results.catalogue.lists import Link, tools
from results.core.links import address, with_query
from results.kinds.latency_curve.metrics import ranked_metric
from results.leaderboard.columns import Column, columns_of
from results.leaderboard.forms import LeaderboardFilter
from results.models.choices import DEVICE_CLASSES, Method

METHOD_LABELS = {Method.DISKINFO: "diskinfo", Method.FIO: "fio"}
EXPORTS = {"csv": "CSV", "md": "Markdown", "bbcode": "BBCode"}


def board_tools(filters: LeaderboardFilter, counts: FacetCounts, by_fio: Mapping[str, int]) -> dict[str, Any]:
    """The tools of a list, with the leaderboard's own choices, its columns and exports.

    `by_fio` counts the devices of classes that show fio's ranking.
    """
    nothing = LeaderboardFilter(method=filters.method if filters.states_method else Method.DISKINFO)
    shared = tools(filters, counts, nothing)
    for tab, value in zip(shared["tabs"][1:], DEVICE_CLASSES, strict=False):
        if value in by_fio:
            tab["count"] = f"{by_fio[value]:,} by fio"
    shared["choices"] = [
        ("Measured with", method_choice(filters)),
        *shared["choices"],
        ("Drawn as", view_choice(filters)),
    ]
    return {**shared, "exports": export_links(filters), "columns": columns(filters)}


def export_links(filters: LeaderboardFilter) -> list[Link]:
    """Links to the list as text to copy."""
    parameters = {
        name: value for name, value in filters.parameters().items() if name not in {"view", "scale"}
    }
    return [
        {"label": label, "url": with_query(address("leaderboard-export", kind), **parameters)}
        for kind, label in EXPORTS.items()
    ]


def method_choice(filters: LeaderboardFilter) -> list[Link]:
    return [
        {
            "label": label,
            "url": replace(filters, method=method).url(sort=""),
            "is_current": method == filters.method,
        }
        for method, label in METHOD_LABELS.items()
    ]


def view_choice(filters: LeaderboardFilter) -> list[Link]:
    """The choice between the devices' curves and their figures as bars."""
    return [
        {"label": label, "url": filters.url(view=view, scale=""), "is_current": filters.view == view}
        for view, label in (("table", "curves"), ("bars", "bars"))
    ]


def column(shown: Column, filters: LeaderboardFilter) -> dict[str, Any]:
    """A column heading: its URL sorts by the column, the better end first, or reverses the current order."""
    is_current = shown.key == filters.sort
    reverses = is_current and not filters.is_reversed
    return {
        "key": shown.key,
        "label": shown.head,
        "unit": shown.unit,
        "is_fact": shown.fact is not None,
        "is_ranked": shown.metric == ranked_metric(filters.method),
        "is_minor": shown.metric is not None and shown.metric.is_minor,
        "url": filters.url(sort=f"-{shown.key}" if reverses else shown.key),
        "aria_sort": direction(filters) if is_current else "",
    }


def columns(filters: LeaderboardFilter) -> list[dict[str, Any]]:
    return [column(shown, filters) for shown in columns_of(filters.method, filters.shown_facts)]


def direction(filters: LeaderboardFilter) -> str:
    return "ascending" if filters.is_ascending else "descending"


def url_without_errors(parameters: Mapping[str, str], faults: Mapping[str, Any]) -> str:
    """The URL of the requested list without its invalid parameters."""
    valid = {name: value for name, value in parameters.items() if value and name not in faults}
    return with_query(address("leaderboard"), **valid)
