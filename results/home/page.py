"""The front page: what makes a good SLOG in one picture, what to buy, and where to go."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django import forms
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString

from results.charts.strip import How, StripMark, strip_chart
from results.core.addresses import address
from results.core.head import Social
from results.core.public import public_page
from results.core.security.rate_limits import QUERY_LIMIT
from results.exports.page import dataset
from results.home.query import find_ranked, most_wanted, usual_answers
from results.kinds.limits import FASTEST_FLASH_US, FASTEST_NVME_US
from results.leaderboard.query import count_published
from results.models import Submission
from results.models.choices import State
from results.ranking.strips import Strips, find_strips

TITLE = "slogdb: which drive makes a good SLOG?"


class HomeForm(forms.Form):
    """What the chart shows besides: drives of unknown protection, and a ring around a drive."""

    all = forms.ChoiceField(choices=[("1", "all")], required=False)
    q = forms.CharField(max_length=QUERY_LIMIT, required=False)


@public_page(HomeForm, in_sitemap=True)
def home(request: HttpRequest) -> HttpResponse:
    form = HomeForm(request.GET)
    if not form.is_valid():
        raise BadRequest("There is no such chart.")
    totals = count_published()
    text = " ".join(form.cleaned_data["q"].split())
    ringed = find_ranked(text) if text else []
    strips = find_strips(ringed)
    context = {
        "totals": totals,
        "answers": usual_answers(),
        "wanted": most_wanted(),
        "chart_q": text,
        "chart": draw_strips(strips, is_all=form.cleaned_data["all"] == "1", ringed=ringed),
        "social": _social(totals["results"], strips),
    }
    return render(request, "results/home/page.html", context)


def _social(result_count: int, strips: Strips) -> Social:
    sent = Submission.objects.filter(state=State.PUBLISHED).order_by("-id")
    newest = sent.values_list("created_at", flat=True).first()
    return Social(
        TITLE,
        strips.detail or "Sync-write speed of SSDs and disks, from published tests and from you.",
        address("home"),
        feed_path=address("feed"),
        json_ld=[dataset(result_count=result_count, modified=newest.date() if newest else None)],
    )


@dataclass(frozen=True, slots=True)
class StripChart:
    """What home/strips.html shows; `is_all` means that drives of unknown protection are drawn, too.

    `ways` are the marks that the chart has.
    """

    strips: Strips
    svg: SafeString
    is_all: bool
    ringed: Sequence[StripMark]
    ways: Sequence[How]

    withheld_below: ClassVar = f"{FASTEST_NVME_US:g} µs (NVMe) or {FASTEST_FLASH_US:g} µs (others)"


def draw_strips(strips: Strips, *, is_all: bool = False, ringed: Sequence[str] = ()) -> StripChart:
    """Drives of unknown protection are drawn on request, and if one of them is ringed."""
    is_all = is_all or any(mark.key in ringed for mark in strips.unknown.marks)
    drawn = strips.everything if is_all else strips.compared
    svg = strip_chart(drawn, title=strips.headline, gap=strips.gap, ringed=dict.fromkeys(ringed, ""))
    used = {mark.how for group in drawn for mark in group.marks}
    return StripChart(
        strips,
        svg,
        len(drawn) == len(strips.groups),
        [mark for group in strips.groups for mark in group.marks if mark.key in ringed],
        [how for how in How if how in used],
    )
