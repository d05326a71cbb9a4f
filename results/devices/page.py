"""The device page: the summary of a device's results, each result, and similar devices."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET

from results.catalogue.protection import endurance_context, safety_context
from results.catalogue.stated import StatedFacts, stated_context, stated_facts
from results.catalogue.throughput import device_throughput
from results.charts.axes import ValueAxis, latency_label, log_axis
from results.charts.description import Series
from results.charts.options import ChartOptions, chart_options
from results.charts.svg import interval_bar
from results.core.formats import format_capacity, format_number, format_origin, format_range
from results.core.head import (
    MICROSECONDS,
    PLP_NAME,
    Shared,
    Social,
    brand,
    json_ld,
    property_value,
    share_context,
    social_context,
)
from results.core.links import address, class_url, compare_url, full_url, with_query
from results.core.public import public_page
from results.devices.firmware import firmware_context
from results.devices.query import find_device, redirect_to_device
from results.devices.verdict import VerdictInputs, class_ratings, verdict_context
from results.devices.wear import WornUnit, find_worn_units, wear_context
from results.kinds.base import Metric
from results.kinds.latency_curve.charts import chart_context, interval_points
from results.kinds.latency_curve.metrics import CONFIDENCE_PERCENT, METRICS, fit_curve, ranked_metric
from results.kinds.latency_curve.tables import fit_measures, spread_rows
from results.kinds.registry import KINDS
from results.kinds.tables import measures
from results.models import Device, DeviceRanking
from results.models.choices import plp_badge
from results.ranking.standing import Figures, Neighbour, find_figures, find_neighbours


@require_GET
@public_page
def device(request: HttpRequest, slug: str) -> HttpResponse:
    found = find_device(slug)
    if found.slug != slug:
        return redirect_to_device("device", found)
    figures = find_figures(found)
    ranking = figures.ranking
    worn_units = find_worn_units(ranking) if ranking else []
    facts = stated_facts(found.product_id, found.capacity_bytes) if found.product_id else None
    inputs = _verdict_inputs(figures, worn_units, class_ratings(found.product), facts)
    context = {
        "device": _device(figures),
        "verdict": verdict_context(inputs),
        "safety": safety_context(found.product),
        "endurance": inputs.endurance,
        "stated": stated_context(facts, [ranking.metrics] if ranking else []) if facts else None,
        **firmware_context(found, ranking),
        "kind_sections": [
            {"template": kind.template("device"), **kind.on_device(found.pk)}
            for kind in KINDS.values()
            if kind.on_device
        ],
        "submit_url": address("submit"),
        **device_share(figures),
        **_social(figures),
        **(_ranking(found, ranking, chart_options(request)) if ranking else {}),
        **(
            neighbours_context(found.slug, ranking, find_neighbours(ranking, figures.factor))
            if ranking
            else {}
        ),
        "wear": wear_context(worn_units, ranking) if ranking else None,
    }
    return render(request, "results/devices/page.html", context)


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


def _verdict_inputs(
    figures: Figures, worn_units: Sequence[WornUnit], ratings: Sequence[float], facts: StatedFacts | None
) -> VerdictInputs:
    product = figures.device.product
    return VerdictInputs(
        figures=figures,
        standing=figures.standing,
        throughput=device_throughput(figures.device, facts.claims if facts else ()),
        endurance=endurance_context(product, figures.device.capacity_bytes) if product else None,
        class_ratings=ratings,
        worn_units=worn_units,
    )


def _device(figures: Figures) -> dict[str, str]:
    found, label = figures.device, figures.class_label
    return {
        "slug": found.slug,
        "model_name": found.model_name,
        "vendor": found.vendor_name,
        "class_label": label,
        "origin": format_origin(found.elsewhere_count, found.result_count),
        "class_url": class_url(found.device_class),
        "compare_url": compare_url([found.slug]),
        "capacity": format_capacity(found.capacity_bytes),
        "rank_text": f"{label}: {figures.rank_text}" if figures.place else "",
        "product": found.product.full_name if found.product else "",
        "product_url": found.product.get_absolute_url() if found.product else "",
        "overrule_reason": found.class_overrule_reason,
    }


def _ranking(found: Device, ranking: DeviceRanking, options: ChartOptions) -> dict[str, Any]:
    has_spread = ranking.unit_count > 1
    interval = format_range(ranking.low, ranking.high)
    ends = (ranking.lowest_us, ranking.highest_us) if has_spread else (None, None)
    return {
        "metrics": [
            *measures(ranking.metrics, _shown_metrics(ranking), {ranked_metric(ranking.board).key: interval}),
            *fit_measures(fit_curve(ranking.median_us)),
            {"label": "Units measured", "value": ranking.unit_count, "unit": "", "how_url": ""},
        ],
        "curve": spread_rows(ranking.median_us, *ends),
        **_chart(found, ranking, options),
    }


def _shown_metrics(ranking: DeviceRanking) -> list[Metric]:
    """One point has no peak."""
    has_several = sum(latency_us is not None for latency_us in ranking.median_us) > 1
    return [metric for metric in METRICS.values() if has_several or not metric.is_of_all_sizes]


def _chart(found: Device, ranking: DeviceRanking, options: ChartOptions) -> dict[str, Any]:
    points = interval_points(ranking.median_us, ranking.score, ends=(ranking.low, ranking.high))
    return chart_context(
        [Series(found.model_name, points)],
        f"{found.model_name}: median of its units, and its {CONFIDENCE_PERCENT} interval",
        options=options,
        image_url=options.image_url(address("device-chart", found.slug)),
    )


def neighbours_context(slug: str, ranking: DeviceRanking, found: Sequence[Neighbour]) -> dict[str, Any]:
    """The context of devices/neighbours.html; empty without neighbors."""
    if not found:
        return {}
    ends = [ranking.low, ranking.high, *(end for one in found for end in (one.low, one.high))]
    axis = log_axis(ends)
    nearest = sorted(found, key=lambda one: abs(one.high - ranking.high))
    return {
        "neighbours": [_row(slug, one, axis) for one in found],
        "interval_ends": {"low": latency_label(axis.low), "high": latency_label(axis.high)},
        "compare_url": compare_url([slug, *(one.slug for one in nearest)]),
    }


def _row(slug: str, one: Neighbour, axis: ValueAxis) -> dict[str, Any]:
    interval = f"{format_range(one.low, one.high)} µs"
    bar = interval_bar(one.low, one.score, one.high, axis=axis, text=interval, is_assumed=one.assumed_spread)
    return {
        "url": address("device", one.slug),
        "model_name": one.model_name,
        "capacity": format_capacity(one.capacity_bytes),
        "plp": plp_badge(one.plp, one.plp_statements),
        "origin": format_origin(one.elsewhere_count, one.result_count),
        "interval_svg": mark_safe(bar),  # noqa: S308 - results.charts escapes every text that it writes
        "latency": format_number(one.score),
        "compare_url": compare_url([slug, one.slug]),
    }


def device_product(figures: Figures) -> SafeString:
    """Structured data of a device as a product, from measurements and the catalogue."""
    device = figures.device
    return json_ld(
        {
            "@type": "Product",
            "name": figures.name,
            "model": device.model_name,
            "category": figures.class_label,
            "url": full_url(device.get_absolute_url()),
            "image": full_url(address("device-preview", device.slug)),
            **brand(device.vendor_name),
            "additionalProperty": [
                *_measured(figures),
                property_value(PLP_NAME, figures.protection["label"]),
            ],
        }
    )


def _measured(figures: Figures) -> Sequence[dict[str, Any]]:
    """Empty for a device without ranked results."""
    ranking = figures.ranking
    if ranking is None:
        return []
    ends = {"minValue": round(ranking.low, 2), "maxValue": round(ranking.high, 2)}
    throughput = METRICS["throughput_128k_mib_s"]
    rate = ranking.metrics.get(throughput.key)
    return [
        property_value(figures.metric, round(ranking.score, 2), **ends, **MICROSECONDS),
        *(
            []
            if rate is None
            else [property_value(throughput.label, round(rate, 1), unitText=throughput.unit)]
        ),
        property_value("Rank in its class", figures.rank_text),
        property_value("Units measured", ranking.unit_count),
    ]


def device_share(figures: Figures) -> dict[str, Any]:
    """The context of parts/share.html on a device's page."""
    slug = figures.device.slug
    badge = address("device-badge", slug)
    shared = Shared(figures.name, figures.summary, address("device", slug), badge)
    return {"share": share_context(shared), "share_badge_url": badge}
