"""The front page: what makes a good SLOG in one picture, what to buy, and where to go."""

from typing import Any

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
from results.core.today import today
from results.exports.page import dataset
from results.home.query import Answer, Wanted, most_wanted, usual_answers
from results.kinds.latency_curve.checks import FASTEST_FLASH_US, FASTEST_NVME_US
from results.leaderboard.query import count_published
from results.models import Submission
from results.models.choices import State, plp_badge
from results.ranking.strips import Strips, find_strips
from results.shortlist.page import entry_card
from results.shortlist.query import Entry

TITLE = "slogdb: which drive makes a good SLOG?"
_WHY = (Criterion.SPEED, Criterion.LIFE, Criterion.PROTECTION)


@public_page()
def home(request: HttpRequest) -> HttpResponse:
    totals, day = count_published(), today()
    strips = find_strips()
    context = {
        "totals": {name: format_count(total, name.removesuffix("s")) for name, total in totals.items()},
        "is_empty": not totals["results"],
        "answers": [answer_card(one) for one in usual_answers(day)],
        "wanted": [_wanted(one) for one in most_wanted(day)],
        **strip_context(strips),
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


def strip_context(strips: Strips) -> dict[str, Any]:
    svg = strip_chart(strips.drawn, title=strips.headline)
    return {
        "strips": strips,
        "strips_svg": mark_safe(svg),  # noqa: S308 - results.charts escapes every text that it writes
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
