"""The device page: what all results of one device say together, and each of them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from results.charts.series import Series
from results.models import Device, DeviceAlias, DeviceRanking, Result
from results.models.choices import Method, State
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.presentation import format_capacity, format_date, format_hours, format_number, format_places
from results.public import public_page
from results.ranking.intervals import Interval
from results.ranking.places import Board, ends_of
from results.ranking.score import throughput_mib_s
from results.ranking.ties import find_place
from results.web.charts import chart_context, curve_points
from results.web.measures import measures
from results.web.points import spread_rows
from results.web.safety import endurance_context, safety_context

SHOWN_RESULTS = 200
BLOCK_128K = 131072


@require_GET
@public_page
def device(request: HttpRequest, slug: str) -> HttpResponse:
    found = Device.objects.select_related("product__vendor").filter(slug=slug).first()
    if found is None:
        alias = get_object_or_404(DeviceAlias.objects.select_related("device"), slug=slug)
        return redirect(alias.device, permanent=True)
    rankings = {ranking.method: ranking for ranking in found.rankings.all()}
    ranking = rankings.get(Method.DISKINFO) or rankings.get(Method.FIO)
    context = {
        "device": _device(found, ranking),
        "safety": safety_context(found.product),
        "endurance": endurance_context(found.product, found.capacity_bytes) if found.product else None,
        "firmwares": _firmwares(found),
        "submit_url": reverse("submit"),
        **(_ranking(found, ranking) if ranking else {}),
    }
    return render(request, "results/device.html", context)


def _device(found: Device, ranking: DeviceRanking | None) -> dict[str, str]:
    label = found.get_device_class_display()
    rank = f"{label}: {_rank_text(ranking)}" if ranking else ""
    return {
        "model_name": found.model_name,
        "vendor": found.vendor,
        "class_label": label,
        "class_url": f"{reverse('leaderboard')}?class={found.device_class}",
        "capacity": format_capacity(found.capacity_bytes),
        "rank_text": rank,
        "product": found.product.full_name if found.product else "",
        "product_url": found.product.get_absolute_url() if found.product else "",
        "overrule_reason": found.class_overrule_reason,
    }


def _rank_text(ranking: DeviceRanking) -> str:
    ends = ends_of(Board(ranking.device_class, ranking.method))
    place = find_place(ends, Interval(ranking.low_us, ranking.high_us))
    return f"rank {format_places(place)} of {max(len(ends.highs), place.last_possible)}"


def _ranking(found: Device, ranking: DeviceRanking) -> dict[str, Any]:
    has_spread = ranking.unit_count > 1
    ends = (ranking.lowest_us, ranking.highest_us) if has_spread else (None, None)
    points = curve_points(ranking.median_us, *ends)
    return {
        "metrics": [
            *measures(
                zil_latency_us=ranking.zil_latency_us,
                latency_4k_us=ranking.latency_4k_us,
                throughput_128k_mib_s=ranking.throughput_128k_mib_s,
                peak_throughput_mib_s=ranking.peak_throughput_mib_s,
            ),
            {"label": "Units measured", "value": ranking.unit_count, "unit": "", "how_url": ""},
        ],
        "curve": spread_rows(ranking.median_us, *ends),
        **chart_context(
            [Series(found.model_name, points)], f"Median latency of {found.model_name} and its spread"
        ),
    }


def _firmwares(found: Device) -> list[dict[str, Any]]:
    """The published results of a device by firmware, newest first."""
    results: Iterable[Any] = (
        Result.objects.filter(device=found, submission__state=State.PUBLISHED)
        .order_by("firmware__version", F("measured_on").desc(nulls_last=True), "-id")
        .values(
            "public_id",
            "firmware__version",
            "measured_on",
            "platform",
            "method",
            "zil_latency_us",
            "latency_us",
            "percentage_used",
            "power_on_hours",
            "is_complete",
            "not_ranked_reason",
        )[:SHOWN_RESULTS]
    )
    firmwares: dict[str, list[dict[str, Any]]] = {}
    for row in results:
        firmwares.setdefault(row["firmware__version"] or "", []).append(_result_row(row))
    return [{"version": version, "results": rows} for version, rows in firmwares.items()]


def _result_row(row: dict[str, Any]) -> dict[str, Any]:
    latency_4k = row["latency_us"][SLOT_OF_BLOCK_SIZE[4096]]
    latency_128k = row["latency_us"][SLOT_OF_BLOCK_SIZE[BLOCK_128K]]
    rate = None if latency_128k is None else throughput_mib_s(BLOCK_128K, latency_128k)
    return {
        "url": reverse("result", args=[row["public_id"]]),
        "date": format_date(row["measured_on"]) if row["measured_on"] else "undated",
        "os": row["platform"] or Method(row["method"]).label,
        "zil_latency": format_number(row["zil_latency_us"]),
        "latency_4k": format_number(latency_4k),
        "throughput_128k": format_number(rate),
        "wear": _wear(row["percentage_used"], row["power_on_hours"]),
        "state": "ranked" if not row["not_ranked_reason"] else "not ranked",
        "flags": [row["not_ranked_reason"]] if row["not_ranked_reason"] else [],
    }


def _wear(percentage_used: int | None, power_on_hours: int | None) -> str:
    parts = [] if percentage_used is None else [f"{percentage_used} % used"]
    parts += [] if power_on_hours is None else [format_hours(power_on_hours)]
    return ", ".join(parts) or format_hours(None)
