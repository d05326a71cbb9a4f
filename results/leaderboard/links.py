"""URLs of other views of the leaderboard, in their shortest form: tabs, column headings, chips, pages."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from parsers.base.device_class import DeviceClass
from results.catalogue.limits import LIMITS, fact_choice, limit_fields, plain_options
from results.catalogue.prices import CURRENCIES
from results.core.links import address, with_query
from results.kinds.latency_curve.metrics import ranked_metric
from results.leaderboard.columns import Column, columns_of
from results.leaderboard.facets import FACETS, Facet
from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import LeaderboardPage
from results.models.choices import DEVICE_CLASSES, ONLY_PROTECTED, Method, Offer

METHOD_LABELS = {Method.DISKINFO: "diskinfo", Method.FIO: "fio"}
EXPORTS = {"csv": "CSV", "md": "Markdown", "bbcode": "BBCode"}
_HIDDEN = (
    "class",
    "method",
    "sort",
    "view",
    "scale",
)  # parameters that the filter form passes on as hidden fields

Link = dict[str, Any]


def leaderboard_url(filters: LeaderboardFilter, **changes: str) -> str:
    """The shortest URL of this view of the leaderboard, with these parameters changed."""
    return with_query(address("leaderboard"), **filters.parameters(**changes))


def other_urls(filters: LeaderboardFilter) -> dict[str, Any]:
    """The links of a page that depend on the filters alone, some two dozen URLs."""
    return {
        "method_choice": method_choice(filters),
        "safety_choice": safety_choice(filters),
        "view_choice": view_choice(filters),
        "hidden_fields": hidden_fields(filters),
        "chips": chips(filters),
        **(more_fields(filters) if filters.has_more else {"more_url": leaderboard_url(filters, more="1")}),
        "clear_url": leaderboard_url(
            LeaderboardFilter(method=filters.method if filters.states_method else Method.DISKINFO)
        ),
        "exports": export_links(filters),
        "columns": columns(filters),
    }


def tools(
    filters: LeaderboardFilter, options: Mapping[str, Mapping[str, int]], by_fio: Mapping[str, int]
) -> dict[str, Any]:
    """The context of leaderboard/board_tools.html: the devices that each option would leave, and `other_urls`.

    `by_fio` counts the devices of classes that show fio's ranking.
    """
    return {
        **other_urls(filters),
        "tabs": class_tabs(filters, options["class"], by_fio),
        "fields": fields(filters, options),
    }


def export_links(filters: LeaderboardFilter) -> list[Link]:
    """Links to the list as text to copy."""
    parameters = {
        name: value for name, value in filters.parameters().items() if name not in {"view", "scale"}
    }
    return [
        {"label": label, "url": with_query(address("leaderboard-export", kind), **parameters)}
        for kind, label in EXPORTS.items()
    ]


def class_tabs(
    filters: LeaderboardFilter, options: Mapping[str, int], by_fio: Mapping[str, int]
) -> list[Link]:
    """Every class with the number of devices that it would show; templates link those with at least one."""
    everything = _choice(filters, "class", "", label="All")
    tabs = [
        {**_choice(filters, "class", value, label=label), "count": _tab_count(value, options, by_fio)}
        for value, label in DEVICE_CLASSES.items()
        if value != DeviceClass.UNKNOWN or options.get(value) or filters.device_class == value
    ]
    return [{**everything, "count": _counted(sum(options.values()))}, *tabs]


def _tab_count(value: str, options: Mapping[str, int], by_fio: Mapping[str, int]) -> str:
    return f"{by_fio[value]:,} by fio" if value in by_fio else _counted(options.get(value, 0))


def _counted(devices: int) -> str:
    return f"{devices:,}" if devices else ""


def method_choice(filters: LeaderboardFilter) -> list[Link]:
    return [
        {
            "label": label,
            "url": leaderboard_url(replace(filters, method=method), sort=""),
            "is_current": method == filters.method,
        }
        for method, label in METHOD_LABELS.items()
    ]


def safety_choice(filters: LeaderboardFilter) -> list[Link]:
    """The one filter that no buyer should miss; its other values are among the filters."""
    return [
        _choice(filters, "plp", value, label=label)
        for value, label in (("", "any"), (ONLY_PROTECTED, "protected only"))
    ]


def view_choice(filters: LeaderboardFilter) -> list[Link]:
    """The choice between the devices' curves and their figures as bars."""
    return [
        {
            "label": label,
            "url": leaderboard_url(filters, view=view, scale=""),
            "is_current": filters.view == view,
        }
        for view, label in (("table", "curves"), ("bars", "bars"))
    ]


def _choice(filters: LeaderboardFilter, key: str, value: str, *, label: str) -> Link:
    is_current = filters.chosen.get(key, "") == value
    return {"label": label, "url": leaderboard_url(filters, **{key: value}), "is_current": is_current}


def chips(filters: LeaderboardFilter) -> list[Link]:
    """The chosen filters, each with the URL of the list without it."""
    found = [
        {
            "label": _chip(facet, filters.chosen[facet.key]),
            "url": leaderboard_url(filters, **{facet.key: ""}),
        }
        for facet in FACETS
        if facet.key in filters.chosen and facet.key != "class"  # that is a tab
    ]
    found += [
        {"label": LIMITS[key].chip(value, filters.scope), "url": leaderboard_url(filters, **{key: ""})}
        for key, value in filters.limits.items()
    ]
    if filters.query:
        found.append({"label": f"“{filters.query}”", "url": leaderboard_url(filters, q="")})
    return found


def _chip(facet: Facet, value: str) -> str:
    """The label of a chosen option; a self-explanatory one without the facet's."""
    label = _label(facet, value)
    return label if facet.key == "plp" else f"{facet.label}: {label}"


def _label(facet: Facet, value: str) -> str:
    if facet.key == "min_units":
        return f"{value} or more"
    return facet.labels.get(value, value.title())


def fields(filters: LeaderboardFilter, options: Mapping[str, Mapping[str, int]]) -> list[Link]:
    """The filters as form fields, each option with the number of devices that it would leave."""
    return [
        {
            "key": facet.key,
            "label": facet.label,
            "options": _options(facet, filters.chosen.get(facet.key, ""), options[facet.key]),
        }
        for facet in FACETS
        if facet.key != "class"
    ]


def _options(facet: Facet, chosen: str, counts: Mapping[str, int]) -> list[Link]:
    values = list(facet.labels) or sorted(counts)
    if chosen and chosen not in values:
        values.append(chosen)
    return [
        {
            "value": value,
            "label": f"{_label(facet, value)} ({counts.get(value, 0):,})",
            "is_chosen": value == chosen,
            "is_empty": not counts.get(value) and value != chosen,
        }
        for value in values
    ]


def more_fields(filters: LeaderboardFilter) -> dict[str, Any]:
    """The fields that the usual page omits to stay small."""
    return {
        "limits": limit_fields(LIMITS, filters.limits),
        "price_fields": price_fields(filters),
        "fact_choice": fact_choice(filters.shown_facts),
    }


def price_fields(filters: LeaderboardFilter) -> list[Link]:
    """The fields for which prices count, in the filter and in columns."""
    currencies = {value: value for value in sorted(CURRENCIES)}
    offers = {"": "new or used", **dict(Offer.choices)}
    return [
        {
            "key": "currency",
            "label": "Price currency",
            "options": plain_options(currencies, filters.currency),
        },
        {"key": "condition", "label": "Price condition", "options": plain_options(offers, filters.condition)},
    ]


def hidden_fields(filters: LeaderboardFilter) -> list[Link]:
    parameters = filters.parameters()
    return [{"name": name, "value": parameters[name]} for name in _HIDDEN if name in parameters]


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
        "url": leaderboard_url(filters, sort=f"-{shown.key}" if reverses else shown.key),
        "aria_sort": direction(filters) if is_current else "",
    }


def columns(filters: LeaderboardFilter) -> list[dict[str, Any]]:
    return [column(shown, filters) for shown in columns_of(filters.method, filters.shown_facts)]


def direction(filters: LeaderboardFilter) -> str:
    return "ascending" if filters.is_ascending else "descending"


def pager(filters: LeaderboardFilter, found: LeaderboardPage) -> Link:
    before, after = found.number - 1, found.number + 1
    return {
        "number": found.number,
        "count": found.page_count,
        "previous_url": leaderboard_url(filters, page=str(before) if before > 1 else "") if before else "",
        "next_url": leaderboard_url(filters, page=str(after)) if after <= found.page_count else "",
    }


def url_without_errors(parameters: Mapping[str, str], faults: Mapping[str, Any]) -> str:
    """The URL of the requested list without its invalid parameters."""
    valid = {name: value for name, value in parameters.items() if value and name not in faults}
    return with_query(address("leaderboard"), **valid)
