"""Two to six devices side by side."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from results.addresses import address
from results.charts.series import LETTERS, Series
from results.core.public import public_page
from results.models.choices import Method
from results.presentation import format_capacity
from results.ranking.candidates import find_candidates, suggest_devices
from results.ranking.compare import (
    MOST_DEVICES,
    Compared,
    Resolved,
    UnknownDevicesError,
    compare_devices,
    find_differences,
    has_one_method,
    resolve_devices,
)
from results.web.charts import chart_context, interval_points
from results.web.compare_address import ONLY_DIFFERENCES, AskedComparison, asked_comparison
from results.web.compare_share import compare_share
from results.web.compare_start import compare_start
from results.web.compare_table import compare_sections
from results.web.figures import device_name
from results.web.safety import plp_badge
from results.web.social import compare_social

TEMPLATE = "results/compare.html"


@require_GET
@public_page
def compare(request: HttpRequest) -> HttpResponse:
    asked = asked_comparison(request)
    if len(asked.slugs) > MOST_DEVICES:
        return render(request, TEMPLATE, {"problem": _too_many(asked)}, status=400)
    resolved = resolve_devices(asked.slugs)
    if resolved.unknown:
        return render(request, TEMPLATE, {"problem": _unknown(asked, resolved)}, status=400)
    if ",".join(resolved.slugs) != asked.given:
        return redirect(asked.url_of(resolved.slugs), permanent=True)
    if asked.baseline and asked.baseline not in asked.slugs:
        return render(request, TEMPLATE, {"problem": _no_baseline(asked)}, status=400)
    candidates = find_candidates(asked.added, except_slugs=asked.slugs) if asked.added else []
    if len(candidates) == 1:
        return redirect(asked.url_of([*asked.slugs, candidates[0].slug]))
    if not asked.slugs and not asked.added:
        return render(request, TEMPLATE, {**_adding(asked, ()), "is_start": True, **compare_start()})
    try:
        compared = compare_devices(asked.slugs, method=asked.method)
    except UnknownDevicesError as error:
        return render(request, TEMPLATE, {"problem": _unknown(asked, error.resolved)}, status=400)
    context = {**_adding(asked, compared), "candidates": _candidates(asked, candidates), "added": asked.added}
    return render(request, TEMPLATE, {**context, **_comparison(asked, compared)})


def _comparison(asked: AskedComparison, compared: Sequence[Compared]) -> dict[str, Any]:
    """What there is to see of the devices; of one alone no more than who it is."""
    names = [device_name(one.device) for one in compared]
    others = f"{names[0]} and {len(names) - 1} others" if len(names) > 2 else ""
    context: dict[str, Any] = {
        "title": others or " against ".join(names),
        "names": ", ".join(names),
        "devices": [_device(asked, one, letter) for letter, one in zip(LETTERS, compared, strict=False)],
        **(compare_social(sorted(asked.slugs), names) if compared else {}),
    }
    if len(compared) < 2:
        return context
    view = asked.chart.view
    sections = compare_sections(
        compared,
        baseline=asked.baseline,
        is_throughput=view.is_throughput,
        is_differences_only=asked.is_differences_only,
    )
    return {
        **context,
        "sections": sections,
        "column_count": len(compared) + 1,
        "warnings": _warnings(compared),
        "is_one_method": has_one_method(compared),
        "baseline": next(
            (name for name, one in zip(names, compared, strict=True) if one.device.slug == asked.baseline), ""
        ),
        "row_links": _row_links(asked),
        "method_links": _method_links(asked),
        "share": compare_share(asked, compared, sections),
        **_chart(asked, compared),
    }


def _chart(asked: AskedComparison, compared: Sequence[Compared]) -> dict[str, Any]:
    slugs = ",".join(asked.slugs)
    return chart_context(
        compared_series(compared),
        "The compared devices",
        asked=asked.chart,
        image_url=asked.chart.image_url(address("compare-chart"), devices=slugs),
    )


def compared_series(compared: Sequence[Compared]) -> list[Series]:
    """A curve a ranked device, marked with its letter."""
    return [
        Series(
            label=device_name(one.device),
            points=interval_points(
                one.ranking.median_us,
                one.ranking.score_us,
                ends=(one.ranking.low_us, one.ranking.high_us),
            ),
            mark=letter,
            key=one.device.slug,
        )
        for letter, one in zip(LETTERS, compared, strict=False)
        if one.ranking
    ]


def _device(asked: AskedComparison, one: Compared, letter: str) -> dict[str, Any]:
    device, slug = one.device, one.device.slug
    is_baseline = slug == asked.baseline
    return {
        "letter": letter,
        "slug": slug,
        "model_name": device.model_name,
        "url": device.get_absolute_url(),
        "capacity": format_capacity(device.capacity_bytes),
        "class_label": device.get_device_class_display(),
        "plp": plp_badge(device.product.plp if device.product else None),
        "is_ranked": one.ranking is not None,
        "is_baseline": is_baseline,
        "baseline_url": asked.url(baseline="" if is_baseline else slug),
        "remove_url": asked.url_of(other for other in asked.slugs if other != slug),
    }


def _warnings(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    letters = {one.device.slug: letter for letter, one in zip(LETTERS, compared, strict=False)}
    return [
        {
            "condition": difference.condition,
            "stated": ", ".join(
                f"{letters[slug]}: {text or 'not stated'}" for slug, text in difference.stated.items()
            ),
        }
        for difference in find_differences(compared)
    ]


def _row_links(asked: AskedComparison) -> list[dict[str, Any]]:
    choices = (("All rows", ""), ("Differences only", ONLY_DIFFERENCES))
    return [
        {
            "label": label,
            "url": asked.url(only=value),
            "is_current": bool(value) == asked.is_differences_only,
        }
        for label, value in choices
    ]


def _method_links(asked: AskedComparison) -> list[dict[str, Any]]:
    choices = (("As measured", ""), ("diskinfo only", Method.DISKINFO), ("fio only", Method.FIO))
    return [
        {"label": label, "url": asked.url(method=value), "is_current": value == asked.method}
        for label, value in choices
    ]


def _adding(asked: AskedComparison, compared: Sequence[Compared]) -> dict[str, Any]:
    """What the form needs that adds a device: the parameters to keep, and devices to suggest."""
    if len(compared) >= MOST_DEVICES:
        return {"is_full": True}
    kept = {name: value for name, value in asked.chart.parameters.items() if name != "add"}
    device_class = compared[0].device.device_class if compared else ""
    suggested = suggest_devices(device_class, except_slugs=asked.slugs)
    return {
        "kept": [{"name": name, "value": value} for name, value in kept.items()],
        "suggested": [
            {"slug": one.slug, "name": f"{one.model_name} {format_capacity(one.capacity_bytes)}".strip()}
            for one in suggested
        ],
    }


def _candidates(asked: AskedComparison, found: Sequence[Any]) -> list[dict[str, str]]:
    return [
        {
            "name": f"{one.model_name} {format_capacity(one.capacity_bytes)}".strip(),
            "url": asked.url_of([*asked.slugs, one.slug]),
        }
        for one in found
    ]


def _too_many(asked: AskedComparison) -> dict[str, Any]:
    return {
        "title": f"{len(asked.slugs)} devices are too many",
        "text": f"At most {MOST_DEVICES} can be told apart in one table.",
        "url": asked.url_of(asked.slugs[:MOST_DEVICES]),
        "link": f"Compare the first {MOST_DEVICES}",
    }


def _unknown(asked: AskedComparison, resolved: Resolved) -> dict[str, Any]:
    *first, last = (f"“{slug}”" for slug in resolved.unknown)
    what = f"are no devices of the names {', '.join(first)} and" if first else "is no device of the name"
    back = f"Compare the other{'s' if len(resolved.slugs) > 1 else ''}" if resolved.slugs else "Start anew"
    return {
        "title": "Not every device of this address is known",
        "text": f"There {what} {last}.",
        "url": replace(asked, baseline="").url_of(resolved.slugs),
        "link": back,
    }


def _no_baseline(asked: AskedComparison) -> dict[str, Any]:
    return {
        "title": "The baseline is not among the devices",
        "text": f"“{asked.baseline}” is not compared here, so nothing can be told in times of it.",
        "url": asked.url(baseline=""),
        "link": "The comparison without a baseline",
    }
