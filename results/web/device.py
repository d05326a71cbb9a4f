"""The device page: what all results of one device say together, and each of them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from results.charts.series import Series
from results.models import Device, DeviceAlias, DeviceRanking
from results.models.choices import Method
from results.presentation import format_capacity, format_places, format_range
from results.public import public_page
from results.ranking.asked import DEFAULT_METRIC
from results.ranking.fit import fit_curve
from results.ranking.intervals import Interval
from results.ranking.places import Board, ends_of
from results.ranking.ties import find_place
from results.web.charts import chart_context, curve_points
from results.web.firmware import firmware_context
from results.web.measures import fit_measures, measures
from results.web.points import spread_rows
from results.web.safety import endurance_context, safety_context


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
        **firmware_context(found, ranking),
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
    interval = format_range(ranking.low_us, ranking.high_us)
    ends = (ranking.lowest_us, ranking.highest_us) if has_spread else (None, None)
    points = curve_points(ranking.median_us, *ends)
    return {
        "metrics": [
            *measures(
                zil_latency_us=ranking.zil_latency_us,
                latency_4k_us=ranking.latency_4k_us,
                throughput_128k_mib_s=ranking.throughput_128k_mib_s,
                peak_throughput_mib_s=ranking.peak_throughput_mib_s,
                intervals={DEFAULT_METRIC[Method(ranking.method)]: interval},
            ),
            *fit_measures(fit_curve(ranking.median_us)),
            {"label": "Units measured", "value": ranking.unit_count, "unit": "", "how_url": ""},
        ],
        "curve": spread_rows(ranking.median_us, *ends),
        **chart_context(
            [Series(found.model_name, points)], f"Median latency of {found.model_name} and its spread"
        ),
    }
