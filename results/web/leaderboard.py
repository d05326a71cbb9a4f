"""The leaderboard: devices in order, by class and method, with the curves of the first ones."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from results.models.choices import DeviceClassChoice, Method
from results.public import public_page
from results.ranking.asked import DEFAULT_METRIC, METRICS, LeaderboardFilter, LeaderboardForm, Metric
from results.ranking.leaderboard import (
    ROW_FIELDS,
    LeaderboardPage,
    NoSuchPageError,
    count_by_class,
    rank_devices,
)
from results.web.charts import chart_context, ranking_series
from results.web.rows import device_rows, interval_ends, tie_groups

CHARTED_DEVICES = 5


@require_GET
@public_page
def leaderboard(request: HttpRequest) -> HttpResponse:
    form = LeaderboardForm(request.GET)
    if not form.is_valid():
        return render(request, "results/leaderboard.html", {"form": form}, status=400)
    asked = form.filters()
    try:
        found = rank_devices(asked, fields=(*ROW_FIELDS, "median_us", "lowest_us", "highest_us"))
    except NoSuchPageError:
        raise Http404(f"The leaderboard has no page {asked.page}.") from None
    return render(request, "results/leaderboard.html", _context(asked, found))


def _context(asked: LeaderboardFilter, found: LeaderboardPage) -> dict[str, Any]:
    series = ranking_series(found.rows[:CHARTED_DEVICES])
    groups = tie_groups(device_rows(found.rows), by_rank=asked.is_by_rank)
    return {
        "nav": "leaderboard",
        "q": asked.query,
        "method": "" if asked.method == Method.DISKINFO else asked.method,
        "class_label": DeviceClassChoice(asked.device_class).label if asked.device_class else "",
        "tabs": _class_tabs(asked),
        "protected": "1" if asked.is_protected_only else "",
        "method_tabs": _method_tabs(asked),
        "safety_tabs": _safety_tabs(asked),
        "columns": [_column(metric, asked) for metric in METRICS.values()],
        "groups": groups,
        "has_ties": any(group["is_tie"] for group in groups),
        "interval_ends": interval_ends(found.rows),
        "page": _pager(asked, found),
        "sort_text": _sort_text(asked),
        **chart_context(series, "Latency by block size of the first devices of this page"),
    }


def leaderboard_url(asked: LeaderboardFilter, **changes: Any) -> str:
    """The shortest URL of this view of the leaderboard, with these parameters changed."""
    sort = asked.sort if asked.sort != DEFAULT_METRIC[Method(asked.method)] or asked.is_reversed else ""
    parameters = {
        "class": asked.device_class,
        "method": "" if asked.method == Method.DISKINFO else asked.method,
        "q": asked.query,
        "sort": f"-{asked.metric.key}" if asked.is_reversed else sort,
        "protected": "1" if asked.is_protected_only else "",
        **changes,
    }
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{reverse('leaderboard')}?{query}" if query else reverse("leaderboard")


def _class_tabs(asked: LeaderboardFilter) -> list[dict[str, Any]]:
    counts = count_by_class(asked.method, is_protected_only=asked.is_protected_only)
    tabs = [
        {
            "label": DeviceClassChoice(device_class).label,
            "url": leaderboard_url(asked, **{"class": device_class}),
            "is_current": device_class == asked.device_class,
            "count": count,
        }
        for device_class, count in counts.items()
    ]
    everything = {
        "label": "All",
        "url": leaderboard_url(asked, **{"class": ""}),
        "is_current": not asked.device_class,
        "count": sum(counts.values()),
    }
    return [everything, *tabs]


def _method_tabs(asked: LeaderboardFilter) -> list[dict[str, Any]]:
    return [
        {
            "label": "fio" if method == Method.FIO else "diskinfo",
            "url": leaderboard_url(asked, method="" if method == Method.DISKINFO else method, sort=""),
            "is_current": method == asked.method,
        }
        for method in Method
    ]


def _safety_tabs(asked: LeaderboardFilter) -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "url": leaderboard_url(asked, protected=value),
            "is_current": bool(value) == asked.is_protected_only,
        }
        for label, value in (("any", ""), ("protected only", "1"))
    ]


def _column(metric: Metric, asked: LeaderboardFilter) -> dict[str, str]:
    is_current = metric == asked.metric
    is_default = metric.key == DEFAULT_METRIC[Method(asked.method)]
    reverses = is_current and not asked.is_reversed
    target = f"-{metric.key}" if reverses else ("" if is_default else metric.key)
    return {
        "key": metric.key,
        "label": metric.label,
        "unit": metric.unit,
        "url": leaderboard_url(asked, sort=target),
        "aria_sort": _direction(asked) if is_current else "",
    }


def _direction(asked: LeaderboardFilter) -> str:
    return "ascending" if asked.metric.is_lower_better != asked.is_reversed else "descending"


def _sort_text(asked: LeaderboardFilter) -> str:
    end = "lowest" if _direction(asked) == "ascending" else "highest"
    what = f"the upper end of the 90 % interval of {asked.metric.label} (at worst)"
    return f"{what if asked.is_by_rank else asked.metric.label}, {end} first"


def _pager(asked: LeaderboardFilter, found: LeaderboardPage) -> dict[str, Any]:
    before, after = found.number - 1, found.number + 1
    return {
        "number": found.number,
        "count": found.page_count,
        "previous_url": leaderboard_url(asked, page=before if before > 1 else "") if before else "",
        "next_url": leaderboard_url(asked, page=after) if after <= found.page_count else "",
    }
