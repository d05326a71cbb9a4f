"""The leaderboard: devices in order, narrowed by what was asked for, with the curves of the first ones."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.text import Truncator
from django.views.decorators.http import require_GET

from results.addresses import address, with_query
from results.core.public import PARAMETERS, public_page
from results.models.choices import DeviceClassChoice, Method
from results.presentation import format_count
from results.ranking.asked import (
    LeaderboardFilter,
    LeaderboardForm,
    LeaderboardPageForm,
    RefusedError,
    read_query,
)
from results.ranking.leaderboard import LeaderboardPage, rank_devices
from results.ranking.pages import NoSuchPageError
from results.web import leaderboard_links as links
from results.web.chart_view import asked_chart
from results.web.charts import chart_context, ranking_series
from results.web.choices import class_choice
from results.web.leaderboard_bars import bars_context
from results.web.points import points_table
from results.web.rows import device_rows, interval_ends, tie_groups
from results.web.social import leaderboard_social

CHARTED_DEVICES = 5
LONGEST_SHOWN = 60  # characters of a value that makes no sense
_ASKED_HERE = frozenset(LeaderboardPageForm({}).fields)


@require_GET
@public_page
def leaderboard(request: HttpRequest) -> HttpResponse:
    try:
        asked = read_query(LeaderboardPageForm, request.META["QUERY_STRING"])
    except RefusedError as error:
        return leaderboard_refused(request, error.form)
    shorter = _shorter_address(request, asked)
    if shorter:
        return HttpResponseRedirect(shorter)
    try:
        found = rank_devices(asked, with_options=True)
    except NoSuchPageError as error:
        return leaderboard_past_the_end(request, asked, error.page_count)
    chart = _bars(asked, found) if asked.view == "bars" else _curves(request, found)
    return render(request, "results/leaderboard.html", {**_context(asked, found), **chart})


def leaderboard_refused(request: HttpRequest, form: LeaderboardForm) -> HttpResponse:
    """Names each value that makes no sense, and leads to the same list without it."""
    given = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    faults = [
        {"name": name, "value": _shown(given.get(name, "")), "says": errors[0]}
        for name, errors in form.errors.items()
    ]
    back = links.way_back(given, form.errors)
    context = {"faults": faults, "back_url": back, "keeps_some": back != links.way_back({}, {})}
    return render(request, "results/leaderboard_refused.html", context, status=400)


def _shown(value: str) -> str:
    return Truncator(value.replace("\0", "␀")).chars(LONGEST_SHOWN)


def leaderboard_past_the_end(request: HttpRequest, asked: LeaderboardFilter, page_count: int) -> HttpResponse:
    """Says how many pages there are, and leads to the last one."""
    last = links.leaderboard_url(asked, page=str(page_count) if page_count > 1 else "")
    context = {"page": asked.page, "page_count": page_count, "back_url": last}
    return render(request, "results/leaderboard_refused.html", context, status=404)


def _shorter_address(request: HttpRequest, asked: LeaderboardFilter) -> str:
    """The one address of this view where another was asked for, such as a form's with its empty fields."""
    given = {name: str(value) for name, value in request.GET.items() if name in PARAMETERS}
    others = {name: value for name, value in given.items() if name not in _ASKED_HERE and value}
    wanted = {**asked.parameters(), **others}
    if given == wanted:
        return ""
    return with_query(request.path, **wanted)


def _context(asked: LeaderboardFilter, found: LeaderboardPage) -> dict[str, Any]:
    groups = tie_groups(device_rows(found.rows), by_rank=asked.is_by_rank)
    label = DeviceClassChoice(asked.device_class).label if asked.device_class else ""
    return {
        "q": asked.query,
        "is_alike": found.is_alike,
        "count": format_count(found.count, "device"),
        "is_fio": asked.method == Method.FIO,
        "class_label": label,
        **links.tools(asked, found.options),
        "groups": groups,
        "has_ties": any(group["is_tie"] for group in groups),
        "interval_ends": interval_ends(found.rows),
        "page": links.pager(asked, found),
        "sort_text": _sort_text(asked),
        "best_choice": class_choice(asked.device_class) if _names_choice(asked) else None,
        **leaderboard_social(asked.device_class, label),
    }


def _names_choice(asked: LeaderboardFilter) -> bool:
    """Recommendations are by diskinfo, and a search asks for something else."""
    is_first = asked.page == 1 and asked.method == Method.DISKINFO
    return bool(asked.device_class) and is_first and not asked.query


def _curves(request: HttpRequest, found: LeaderboardPage) -> dict[str, Any]:
    """The chart of the first devices, empty where none has a curve."""
    series, chart = ranking_series(found.rows[:CHARTED_DEVICES]), asked_chart(request)
    image_url = chart.image_url(address("compare-chart"), devices=",".join(one.key for one in series))
    context = chart_context(series, "The first devices of this page", asked=chart, image_url=image_url)
    return {**context, "chart_points": points_table(series)} if context else {}


def _bars(asked: LeaderboardFilter, found: LeaderboardPage) -> dict[str, Any]:
    scales = [
        {
            "label": scale,
            "url": links.leaderboard_url(asked, scale=scale),
            "is_current": asked.scale == scale,
        }
        for scale in ("log", "linear")
    ]
    return {"bars": bars_context(found.rows, is_linear=asked.scale == "linear"), "scales": scales}


def _sort_text(asked: LeaderboardFilter) -> str:
    ends = _OWN_ENDS.get(asked.sort, ("lowest", "highest"))
    end = ends[0] if links.direction(asked) == "ascending" else ends[1]
    if asked.is_by_rank:
        return f"the upper end of the 90\N{NO-BREAK SPACE}% interval of {asked.ordered_by} (at worst), {end} first"
    return f"{asked.ordered_by}, {end} first"


_OWN_ENDS = {
    "device": ("A", "Z"),
    "interval": ("narrowest", "widest"),
    "n_units": ("fewest", "most"),
    "n_results": ("fewest", "most"),
    "last_measured": ("oldest", "newest"),
}
