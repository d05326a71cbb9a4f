"""The components that pages are made of, in both themes: built from their templates, on what the site holds.

Only in the URL conf with DEBUG.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from results.charts.options import chart_options
from results.core.today import today
from results.home.page import draw_strips
from results.home.query import usual_answers
from results.kinds.flags import EFFECT_LABELS
from results.kinds.latency_curve.charts import chart_context, ranking_series
from results.kinds.latency_curve.metrics import shown_metrics
from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.page import board_axis, drawn_forms
from results.leaderboard.query import rank_devices
from results.models.choices import Plp, PlpEvidence, plp_badge
from results.ranking.rows import device_rows, tie_groups
from results.ranking.standing import main_rows
from results.ranking.strips import find_strips

DRIVES = 6
CURVES = 3
THEMES = ("light", "dark")
_INDIRECT = [{"value": Plp.YES.value, "evidence": PlpEvidence.INDIRECT.value}]


@require_GET
def design(request: HttpRequest) -> HttpResponse:
    """What is empty on the page is empty on the site, as before the first result."""
    found = rank_devices(LeaderboardFilter(), with_options=True)
    rows = device_rows(found.rows[:DRIVES], shown_metrics(), found.limits)
    context = {
        "themes": THEMES,
        "badges": [*(plp_badge(plp.value) for plp in Plp), plp_badge(Plp.UNKNOWN, _INDIRECT)],
        "effects": EFFECT_LABELS.values(),
        "answers": usual_answers(today()),
        "chart": draw_strips(find_strips()),
        "groups": tie_groups(rows, by_rank=True),
        "forms": drawn_forms(rows),
        "axis": board_axis(found),
        **_curves(request),
    }
    return render(request, "results/design/page.html", context)


def _curves(request: HttpRequest) -> dict[str, Any]:
    """The chart of the first devices that have a curve."""
    with_curve = main_rows().filter(metrics__has_key="zil_latency_us").order_by("high")
    fields = ("device__slug", "device__model_name", "device__capacity_bytes")
    rows = list(
        with_curve.values(*fields, "median_us", "score", "low", "high", "assumed_spread", "digits")[:CURVES]
    )
    return chart_context(ranking_series(rows), "Curves", options=chart_options(request))
