"""The device page: what all results of one device say together, and each of them."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from results.addresses import address, with_query
from results.charts.series import Series
from results.core.public import public_page
from results.models import Device, DeviceRanking
from results.models.choices import Method
from results.presentation import format_capacity, format_range
from results.ranking.asked import RANKED_METRIC
from results.ranking.fit import fit_curve
from results.ranking.standing import find_neighbours
from results.ranking.wear import WornUnit, find_worn_units
from results.web.chart_view import AskedChart, asked_chart
from results.web.charts import chart_context, interval_points
from results.web.compare_address import compare_url
from results.web.figures import Figures, find_figures
from results.web.firmware import firmware_context
from results.web.leaderboard_links import class_url
from results.web.lookup import find_device, redirect_to_device
from results.web.measures import fit_measures, measures
from results.web.neighbours import neighbours_context
from results.web.points import spread_rows
from results.web.safety import endurance_context, safety_context
from results.web.share import device_share
from results.web.social import Social, social_context
from results.web.structured_data import device_product
from results.web.verdict import Known, class_ratings, verdict_context
from results.web.wear import wear_context


@require_GET
@public_page
def device(request: HttpRequest, slug: str) -> HttpResponse:
    found = find_device(slug)
    if found.slug != slug:
        return redirect_to_device("device", found)
    figures = find_figures(found)
    ranking = figures.ranking
    worn_units = find_worn_units(ranking) if ranking else []
    known = _known(figures, worn_units, class_ratings(found.product))
    context = {
        "device": _device(figures),
        "verdict": verdict_context(known),
        "safety": safety_context(found.product),
        "endurance": known.endurance,
        **firmware_context(found, ranking),
        "submit_url": address("submit"),
        **device_share(figures),
        **_social(figures),
        **(_ranking(found, ranking, asked_chart(request)) if ranking else {}),
        **(neighbours_context(found.slug, ranking, find_neighbours(ranking)) if ranking else {}),
        "wear": wear_context(worn_units, ranking) if ranking else None,
    }
    return render(request, "results/device.html", context)


def _social(figures: Figures) -> dict[str, Any]:
    slug = figures.device.slug
    return social_context(
        Social(
            f"{figures.name} as a SLOG",
            f"{figures.summary[0].upper()}{figures.summary[1:]}.",
            figures.device.get_absolute_url(),
            address("device-preview", slug),
            has_oembed=True,
            feed_path=with_query(address("feed"), device=slug),
            json_ld=[device_product(figures)],
        )
    )


def _known(figures: Figures, worn_units: Sequence[WornUnit], ratings: Sequence[float]) -> Known:
    product = figures.device.product
    return Known(
        figures=figures,
        standing=figures.standing,
        endurance=endurance_context(product, figures.device.capacity_bytes) if product else None,
        class_ratings=ratings,
        worn_units=worn_units,
    )


def _device(figures: Figures) -> dict[str, str]:
    found, label = figures.device, figures.class_label
    return {
        "slug": found.slug,
        "model_name": found.model_name,
        "vendor": found.vendor,
        "class_label": label,
        "class_url": class_url(found.device_class),
        "compare_url": compare_url([found.slug]),
        "capacity": format_capacity(found.capacity_bytes),
        "rank_text": f"{label}: {figures.rank_text}" if figures.place else "",
        "product": found.product.full_name if found.product else "",
        "product_url": found.product.get_absolute_url() if found.product else "",
        "overrule_reason": found.class_overrule_reason,
    }


def _ranking(found: Device, ranking: DeviceRanking, asked: AskedChart) -> dict[str, Any]:
    has_spread = ranking.unit_count > 1
    interval = format_range(ranking.low_us, ranking.high_us)
    ends = (ranking.lowest_us, ranking.highest_us) if has_spread else (None, None)
    return {
        "metrics": [
            *measures(
                zil_latency_us=ranking.zil_latency_us,
                latency_4k_us=ranking.latency_4k_us,
                throughput_128k_mib_s=ranking.throughput_128k_mib_s,
                peak_throughput_mib_s=ranking.peak_throughput_mib_s,
                intervals={RANKED_METRIC[Method(ranking.method)]: interval},
            ),
            *fit_measures(fit_curve(ranking.median_us)),
            {"label": "Units measured", "value": ranking.unit_count, "unit": "", "how_url": ""},
        ],
        "curve": spread_rows(ranking.median_us, *ends),
        **_chart(found, ranking, asked),
    }


def _chart(found: Device, ranking: DeviceRanking, asked: AskedChart) -> dict[str, Any]:
    points = interval_points(ranking.median_us, ranking.score_us, ends=(ranking.low_us, ranking.high_us))
    return chart_context(
        [Series(found.model_name, points)],
        f"{found.model_name}: median of its units, and its 90 % interval",
        asked=asked,
        image_url=asked.image_url(address("device-chart", found.slug)),
    )
