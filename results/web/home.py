"""The first page: the best of each class, what is new, and where to go."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from results.models.choices import DeviceClassChoice, Method
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.presentation import format_date, format_number
from results.public import public_page
from results.ranking.leaderboard import Row, best_by_class, count_by_class
from results.ranking.newest import count_everything, newest_results
from results.web.rows import device_row

FEW_RESULTS = 50
NEWEST = 8


@require_GET
@public_page
def home(request: HttpRequest) -> HttpResponse:
    totals = count_everything()
    context = {
        "classes": _classes(),
        "newest": [_newest_row(row) for row in newest_results(NEWEST)],
        "totals": totals,
        "is_sparse": totals["results"] < FEW_RESULTS,
    }
    return render(request, "results/home.html", context)


def _classes() -> list[dict[str, Any]]:
    counts = count_by_class(Method.DISKINFO)
    best = {row["device_class"]: device_row(row) for row in best_by_class()}
    return [
        {
            "label": device_class.label,
            "slug": device_class.value,
            "url": f"{reverse('leaderboard')}?class={device_class.value}",
            "device_count": counts.get(device_class.value, 0),
            "best": best.get(device_class.value),
        }
        for device_class in DeviceClassChoice
        if device_class != DeviceClassChoice.UNKNOWN or device_class.value in counts
    ]


def _newest_row(row: Row) -> dict[str, Any]:
    return {
        "device": row["device__model_name"],
        "url": reverse("result", args=[row["public_id"]]),
        "class_label": DeviceClassChoice(row["device__device_class"]).label,
        "latency_4k": format_number(row["latency_us"][SLOT_OF_BLOCK_SIZE[4096]]),
        "measured": format_date(row["measured_on"]),
    }
