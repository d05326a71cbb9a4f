"""The front page: what makes a good SLOG in one picture, what to buy, and where to go."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe

from parsers.base.device_class import DeviceClass
from results.advice.criteria import Criterion
from results.charts.strip import How, strip_chart
from results.core.addresses import address, with_query
from results.core.formats import format_count
from results.core.head import Social, social_context
from results.core.public import public_page
from results.core.security.rate_limits import QUERY_LIMIT
from results.core.today import today
from results.exports.page import dataset
from results.home.query import Answer, Wanted, find_ranked, most_wanted, usual_answers
from results.kinds.latency_curve.checks import FASTEST_FLASH_US, FASTEST_NVME_US
from results.leaderboard.query import count_published
from results.models import Submission
from results.models.choices import State, plp_badge
from results.ranking.strips import Strips, find_strips
from results.shortlist.page import entry_card
from results.shortlist.query import Entry

TITLE = "slogdb: which drive makes a good SLOG?"
_WHY = (Criterion.SPEED, Criterion.LIFE, Criterion.PROTECTION)


class HomeForm(forms.Form):
    """What the chart shows besides: drives of unknown protection, and a ring around a drive."""

    all = forms.ChoiceField(choices=[("1", "all")], required=False)
    q = forms.CharField(max_length=QUERY_LIMIT, required=False)


@public_page(HomeForm)
def home(request: HttpRequest) -> HttpResponse:
    form = HomeForm(request.GET)
    if not form.is_valid():
        raise BadRequest("There is no such chart.")
    totals, day = count_published(), today()
    text = " ".join(form.cleaned_data["q"].split())
    ringed = find_ranked(text) if text else []
    strips = find_strips(ringed)
    context = {
        "totals": {name: format_count(total, name.removesuffix("s")) for name, total in totals.items()},
        "is_empty": not totals["results"],
        "answers": [answer_card(one) for one in usual_answers(day)],
        "wanted": [_wanted(one) for one in most_wanted(day)],
        "chart_q": text,
        **strip_context(strips, is_all=form.cleaned_data["all"] == "1", ringed=ringed),
        **_social(totals["results"], strips),
    }
    return render(request, "results/home/page.html", context)


def _social(result_count: int, strips: Strips) -> dict[str, Any]:
    sent = Submission.objects.filter(state=State.PUBLISHED).order_by("-id")
    newest = sent.values_list("created_at", flat=True).first()
    return social_context(
        Social(
            TITLE,
            strips.detail or "Sync-write speed of SSDs and disks, from published tests and from you.",
            address("home"),
            address("home-preview"),
            feed_path=address("feed"),
            json_ld=[dataset(result_count=result_count, modified=newest.date() if newest else None)],
        )
    )


def strip_context(strips: Strips, *, is_all: bool = False, ringed: Sequence[str] = ()) -> dict[str, Any]:
    """The context of templates/results/home/strips.html. Drives of unknown protection are drawn if asked for."""
    is_all = is_all or any(one.key in ringed for one in strips.unknown.marks)
    drawn = strips.everything if is_all else strips.compared
    svg = strip_chart(drawn, title=strips.headline, gap=strips.gap, ringed=dict.fromkeys(ringed, ""))
    return {
        "strips": strips,
        "strips_svg": mark_safe(svg),  # noqa: S308 - results.charts escapes every text that it writes
        "is_all": len(drawn) == len(strips.groups),
        "ringed": [mark for group in strips.groups for mark in group.marks if mark.key in ringed],
        "ways": list(How),
        "withheld_below": f"{FASTEST_NVME_US:g} µs (NVMe) or {FASTEST_FLASH_US:g} µs (others)",
    }


def answer_card(answer: Answer) -> dict[str, Any]:
    usual, need, entry = answer
    more_url = f"{with_query(address('shortlist'), **usual.parameters)}#answer"
    card = entry_card(entry, need, _why(entry)) if entry else None
    return {"title": usual.title, "words": usual.words, "more_url": more_url, "card": card}


def _why(entry: Entry) -> str:
    found = {one.criterion: one.sentence for one in entry.findings}
    return next((found[one] for one in _WHY if one in found), "")


def _wanted(one: Wanted) -> dict[str, Any]:
    return {
        "name": one.name,
        "url": one.url,
        "class_label": DeviceClass(one.class_value).label,
        "plp": plp_badge(one.plp),
    }
