"""The device page: the summary of a device's results, each result, and similar devices."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe

from results.advice.felt import client_iops
from results.catalogue.prices_on_pages import price_context
from results.catalogue.protection import endurance_context
from results.catalogue.statements import StatedFacts, stated_facts
from results.catalogue.throughput import device_throughput
from results.charts.axes import ValueAxis, latency_label, log_axis
from results.charts.description import Series
from results.charts.options import VIEW_PARAMETERS, ChartOptions, chart_options
from results.charts.svg import interval_bar
from results.core.addresses import address, class_url, commands_url, compare_url, full_url, with_query
from results.core.drive_names import drive_name
from results.core.formats import format_capacity, format_number, format_origin, format_range, format_rounded
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
from results.core.public import public_page
from results.core.today import today
from results.devices.firmware import firmware_context
from results.devices.query import find_device, redirect_to_device
from results.devices.unranked import find_unranked_run, unranked_context
from results.devices.verdict import VerdictInputs, class_ratings, verdict_context
from results.devices.wear import WornUnit, find_worn_units, wear_context
from results.kinds.file_sync.kind import FILE_SYNC
from results.kinds.latency_curve.charts import chart_context, interval_points
from results.kinds.latency_curve.metrics import CONFIDENCE_PERCENT, METRICS, fit_curve, ranked_metric
from results.kinds.latency_curve.tables import fit_measures, spread_rows
from results.kinds.metric import Metric
from results.kinds.registry import KINDS
from results.kinds.tables import measures
from results.models import Device, DeviceRanking, Product
from results.models.choices import plp_badge
from results.ranking.indexed import is_indexed
from results.ranking.intervals import prediction
from results.ranking.standing import Figures, Neighbour, find_figures, find_neighbours


@public_page(*VIEW_PARAMETERS)
def device(request: HttpRequest, slug: str) -> HttpResponse:
    found = find_device(slug)
    if found.slug != slug:
        return redirect_to_device("device", found)
    figures = find_figures(found)
    ranking = figures.ranking
    options = chart_options(request)
    worn_units = find_worn_units(ranking) if ranking else []
    facts = stated_facts(found.product_id, found.capacity_bytes) if found.product_id else None
    sections = _kind_sections(found)
    run = None if ranking else find_unranked_run(found)
    file_sync = sections.pop(FILE_SYNC.key)
    inputs = _verdict_inputs(figures, worn_units, facts)
    context = {
        "device": _device(figures),
        "verdict": verdict_context(inputs),
        "product": _product(found.product, facts),
        **firmware_context(found, ranking),
        "file_sync": file_sync,
        "kind_sections": list(sections.values()),
        "submit_url": address("submit"),
        "commands_url": commands_url(found.product.slug if found.product else ""),
        **device_share(figures),
        **_social(figures),
        **(_ranking(figures, ranking, options) if ranking else unranked_context(figures, run, options)),
        **(
            neighbours_context(found.slug, ranking, find_neighbours(ranking, figures.factor))
            if ranking
            else {}
        ),
        "wear": wear_context(worn_units, ranking) if ranking else None,
    }
    return render(request, "results/devices/page.html", context)


def _kind_sections(found: Device) -> dict[str, dict[str, Any]]:
    """What each kind shows of the device, by the kind's key."""
    return {
        key: {"template": kind.template("device"), **kind.on_device(found.pk)}
        for key, kind in KINDS.items()
        if kind.on_device
    }


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
            is_indexed=figures.ranking is not None or is_indexed(figures.device),
        )
    )


def _verdict_inputs(
    figures: Figures, worn_units: Sequence[WornUnit], facts: StatedFacts | None
) -> VerdictInputs:
    product = figures.device.product
    return VerdictInputs(
        figures=figures,
        standing=figures.standing,
        throughput=device_throughput(figures.device, facts.claims if facts else ()),
        endurance=endurance_context(product, facts.claims, figures.device.capacity_bytes)
        if product and facts
        else None,
        class_ratings=class_ratings(product),
        worn_units=worn_units,
    )


def _device(figures: Figures) -> dict[str, Any]:
    found, label = figures.device, figures.class_label
    capacity = format_capacity(found.capacity_bytes)
    return {
        "slug": found.slug,
        "name": figures.short_name,
        "capacity": capacity if figures.name.endswith(f" {capacity}") else "",
        "full_name": figures.name,
        "model_name": found.model_name,
        "reported_as": "" if found.model_name == figures.short_name else found.model_name,
        "class_label": label,
        "origin": format_origin(found.elsewhere_count, found.result_count),
        "class_url": class_url(found.device_class),
        "compare_url": compare_url([found.slug]),
        "plp": found.plp_badge,
        "overrule_reason": found.class_overrule_reason,
    }


def _product(product: Product | None, facts: StatedFacts | None) -> dict[str, Any] | None:
    """Three lines of the product: what it is, what it costs, what to know before buying one."""
    if product is None or facts is None:
        return None
    prices = price_context(facts.prices, today(), has_chart=False)
    launched = f"launched in {product.launch_year}" if product.launch_year else ""
    return {
        "name": drive_name(product.vendor.name, product.name),
        "url": product.get_absolute_url(),
        "what": ", ".join(filter(None, [product.media, product.interface, product.form_factors, launched])),
        "price": prices["summaries"][0] if prices.get("summaries") else None,
        "caveats": [one.get_kind_display() for one in facts.caveats],
    }


def _ranking(figures: Figures, ranking: DeviceRanking, options: ChartOptions) -> dict[str, Any]:
    has_spread = ranking.unit_count > 1
    digits = ranking.digits
    interval = format_range(ranking.low, ranking.high, digits)
    another = prediction(ranking.low, ranking.score, ranking.high, ranking.unit_count)
    ends = (ranking.lowest_us, ranking.highest_us) if has_spread else (None, None)
    return {
        "metrics": [
            *measures(
                ranking.metrics,
                _shown_metrics(ranking),
                {ranked_metric(ranking.board).key: interval},
                digits=digits,
            ),
            *fit_measures(fit_curve(ranking.median_us)),
            {
                "label": "What yours will do",
                "value": format_range(*another, digits),
                "unit": f"µs, {CONFIDENCE_PERCENT}",
                "how_url": f"{address('about')}#formula",
            },
            *_felt(ranking.metrics, digits),
            {"label": "Units measured", "value": ranking.unit_count, "unit": "", "how_url": ""},
        ],
        "is_spread_assumed": ranking.assumed_spread,
        "has_spread": has_spread,
        "curve": spread_rows(ranking.median_us, *ends, digits=digits)
        if has_spread or _has_curve(ranking)
        else [],
        **_chart(figures, ranking, options),
    }


def _felt(metrics: Mapping[str, float], digits: int | None) -> list[dict[str, Any]]:
    """What one client gets, as a row of figures; none without a latency at 4 KiB."""
    log_us = metrics.get("latency_8k_us") or metrics.get("latency_4k_us")
    if not log_us:
        return []
    shown = None if "latency_8k_us" in metrics else digits
    return [
        {
            "label": "One NFS client",
            "value": f"about {format_rounded(client_iops(log_us), shown)}",
            "unit": "writes/s",
            "how_url": f"{address('about')}#felt",
        }
    ]


def _shown_metrics(ranking: DeviceRanking) -> list[Metric]:
    """One point has no peak."""
    has_curve = _has_curve(ranking)
    return [metric for metric in METRICS.values() if has_curve or not metric.is_of_all_sizes]


def _has_curve(ranking: DeviceRanking) -> bool:
    """Whether it has several points."""
    return sum(latency_us is not None for latency_us in ranking.median_us) > 1


def _chart(figures: Figures, ranking: DeviceRanking, options: ChartOptions) -> dict[str, Any]:
    points = interval_points(ranking.median_us, ranking.score, ends=(ranking.low, ranking.high))
    return chart_context(
        [Series(figures.name, points, is_assumed=ranking.assumed_spread)],
        f"{figures.name}: median of its units, and its {CONFIDENCE_PERCENT} interval",
        options=options,
        image_url=options.image_url(address("device-chart", figures.device.slug)),
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
    interval = f"{format_range(one.low, one.high, one.digits)} µs"
    bar = interval_bar(one.low, one.score, one.high, axis=axis, text=interval, is_assumed=one.assumed_spread)
    return {
        "url": address("device", one.slug),
        "name": drive_name(one.vendor, one.line, one.model_name),
        "capacity": format_capacity(one.capacity_bytes),
        "plp": plp_badge(one.plp, one.plp_statements),
        "origin": format_origin(one.elsewhere_count, one.result_count),
        "interval_svg": mark_safe(bar),  # noqa: S308 - results.charts escapes every text that it writes
        "latency": format_number(one.score, one.digits),
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
