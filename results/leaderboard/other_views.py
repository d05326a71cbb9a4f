"""URLs of other views of the leaderboard, in their shortest form: methods, views, column headings, exports."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from results.catalogue.facets import FacetCounts
from results.catalogue.lists import Link, choice, tools
from results.core.addresses import address, with_query
from results.kinds.latency_curve.metrics import ranked_metric
from results.leaderboard.columns import Column, columns
from results.leaderboard.forms import VIEWS, LeaderboardFilter
from results.models.choices import METHOD_LABELS, Board

EXPORTS = {"csv": "CSV", "md": "Markdown", "bbcode": "BBCode"}


def board_tools(
    filters: LeaderboardFilter, counts: FacetCounts, shown: Iterable[Column], rare: Sequence[Column]
) -> dict[str, Any]:
    """The tools of a list, with the leaderboard's own choices, its columns and exports.

    `rare` are the table's columns that are only shown on request.
    """
    shared = tools(filters, counts, LeaderboardFilter(board=filters.board))
    shared["choices"] = [*shared["choices"], ("View", view_choice(filters))]
    shared["more_choices"] = [
        ("Ranked by", board_choice(filters)),
        ("Measured with", method_choice(filters)),
        *([("Sorted by", sort_choice(filters))] if filters.view == "list" else []),
    ]
    heads = [column_head(one, filters) for one in shown]
    if shared["fact_choice"]:
        shared["fact_choice"] = [*shared["fact_choice"], *_measured_choice(filters, rare)]
    added = ",".join([*filters.facts, *(column.key for column in rare)])
    return {
        **shared,
        "exports": export_links(filters),
        "columns": heads,
        "rare": [column.head for column in rare],
        "rare_url": filters.url(columns=added),
    }


def _measured_choice(filters: LeaderboardFilter, rare: Iterable[Column]) -> list[Link]:
    """The columns of measurements that are only shown on request, as checkboxes."""
    known = columns()
    added = [known[key] for key in filters.facts if not known[key].fact]
    return [{"key": one.key, "label": one.label, "is_chosen": one in added} for one in [*added, *rare]]


def export_links(filters: LeaderboardFilter) -> list[Link]:
    """Links to the list as text to copy."""
    parameters = {
        name: value for name, value in filters.parameters().items() if name not in {"view", "scale"}
    }
    return [
        {"label": label, "url": with_query(address("leaderboard-export", kind), **parameters)}
        for kind, label in EXPORTS.items()
    ]


def board_choice(filters: LeaderboardFilter) -> list[Link]:
    return [
        {"label": label, "url": filters.url(board=board, sort=""), "is_current": board == filters.board}
        for board, label in Board.choices
    ]


def method_choice(filters: LeaderboardFilter) -> list[Link]:
    """The filter by tool, which changes no figure and no place."""
    return [
        choice(filters, "method", method, label=label)
        for method, label in {"": "any tool", **METHOD_LABELS}.items()
    ]


def view_choice(filters: LeaderboardFilter) -> list[Link]:
    """The choice between a list of drives, and a table beside their curves."""
    return [
        {"label": view, "url": filters.url(view=view, scale=""), "is_current": filters.view == view}
        for view in VIEWS
    ]


def sort_choice(filters: LeaderboardFilter) -> list[Link]:
    """The orders of the list, which has no heads to sort by; another one, chosen in the table, is last."""
    known = {"rank": "fastest first", "last_measured": "newest", "n_units": "most measured", "device": "name"}
    current = "" if filters.is_reversed else filters.sort
    links = [
        {"label": label, "url": filters.url(sort=key), "is_current": key == current}
        for key, label in known.items()
    ]
    if current not in known:
        links.append({"label": filters.column.label, "url": filters.url(), "is_current": True})
    return links


def column_head(shown: Column, filters: LeaderboardFilter) -> dict[str, Any]:
    """A column heading: its URL sorts by the column, the better end first, or reverses the current order."""
    is_current = shown.key == filters.sort
    reverses = is_current and not filters.is_reversed
    return {
        "key": shown.key,
        "label": shown.head,
        "unit": shown.unit,
        "is_fact": shown.fact is not None,
        "is_ranked": shown.metric == ranked_metric(filters.board),
        "is_minor": shown.metric is not None and shown.metric.is_minor,
        "url": filters.url(sort=f"-{shown.key}" if reverses else shown.key),
        "aria_sort": direction(filters) if is_current else "",
    }


def direction(filters: LeaderboardFilter) -> str:
    return "ascending" if filters.is_ascending else "descending"


def url_without_errors(parameters: Mapping[str, str], faults: Mapping[str, Any]) -> str:
    """The URL of the requested list without its invalid parameters."""
    valid = {name: value for name, value in parameters.items() if value and name not in faults}
    return with_query(address("leaderboard"), **valid)
