"""The components that pages are made of, in both themes: built from their templates, on what the site holds.

Only in the URL conf with DEBUG.
"""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from results.charts.options import chart_options
from results.home.page import draw_strips
from results.home.query import usual_answers
from results.kinds.curve.charts import Chart, draw_chart, ranking_series
from results.kinds.curve.metrics import shown_metrics
from results.kinds.flags import EFFECT_LABELS
from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from results.models.choices import Plp, PlpEvidence, plp_badge
from results.ranking.leaders import Row
from results.ranking.rows import board_axis, device_rows, tie_groups
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
        "answers": usual_answers(),
        "chart": draw_strips(find_strips()),
        "forms": sorted({row.form for row in rows} - {""}),
        "groups": tie_groups(rows, by_rank=True),
        "axis": board_axis(found.rows, found.limits, found.filters.board),
        "curves": _curves(request, found.rows),
    }
    return render(request, "results/design/page.html", context)


def _curves(request: HttpRequest, rows: Sequence[Row]) -> Chart | None:
    """The chart of the first devices; None if none has a curve."""
    return draw_chart(ranking_series(rows[:CURVES]), "Curves", options=chart_options(request))
