"""The front page: the best protected choice of each class, what is new, and where to go."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from parsers.base.device_class import DeviceClass
from results.advice.link import LINKS
from results.charts.description import Series
from results.charts.options import ChartOptions, chart_options
from results.core.formats import format_count, format_number
from results.core.head import Social, social_context
from results.core.links import address, class_url
from results.core.public import public_page
from results.exports.page import dataset
from results.kinds.base import DATE_FIELDS, date_of_run, origin_of_run
from results.kinds.latency_curve.charts import chart_context, curve_points, curve_sparkline
from results.kinds.latency_curve.metrics import shown_metrics
from results.kinds.registry import RANKED_METHODS
from results.leaderboard.query import count_published
from results.models import Result
from results.models.choices import DEVICE_CLASSES
from results.ranking.choices import FEW, no_choice
from results.ranking.leaders import Row, best_by_class, count_by_class
from results.ranking.recommend import protected_products
from results.ranking.rows import device_rows, interval_ends


def newest_results(limit: int) -> list[Row]:
    """The latest published results of ranked kinds by single writers, newest first."""
    results = Result.objects.published().filter(method__in=RANKED_METHODS, writers=None).newest_first()
    rows: list[Any] = list(
        results.values(
            "public_id",
            "device__model_name",
            "device__device_class",
            "latency_us",
            "metrics",
            *DATE_FIELDS,
        )[:limit]
    )
    return rows


FEW_RESULTS = 50
USUAL_LINK_GBIT = 10  # among people who add a SLOG
NEWEST = 8


@require_GET
@public_page
def home(request: HttpRequest) -> HttpResponse:
    totals, newest = count_published(), newest_results(NEWEST)
    rows = best_by_class()
    best = {row["device_class"]: row for row in rows}
    context = {
        "links": LINKS,
        "usual_link": USUAL_LINK_GBIT,
        "classes": _classes(rows),
        "has_best": bool(rows),
        "metrics_shown": shown_metrics(),
        "interval_ends": interval_ends(rows),
        "newest": [_newest_row(row) for row in newest],
        "totals": {name: format_count(total, name.removesuffix("s")) for name, total in totals.items()},
        **_social(totals["results"], newest),
        "is_sparse": totals["results"] < FEW_RESULTS,
        **_chart(_class_series(best), chart_options(request)),
    }
    return render(request, "results/home/page.html", context)


def _social(result_count: int, newest: list[Row]) -> dict[str, Any]:
    days = [row["submission__created_at"].date() for row in newest]
    return social_context(
        Social(
            "slogdb: measured SLOG devices",
            "Sync write latency of SLOG devices, measured by their owners: ranked, with every raw result.",
            address("home"),
            address("leaderboard-preview"),
            feed_path=address("feed"),
            json_ld=[dataset(result_count=result_count, modified=max(days, default=None))],
        )
    )


def _chart(series: list[Series], options: ChartOptions) -> dict[str, Any]:
    slugs = ",".join(one.key for one in series)
    image_url = options.image_url(address("compare-chart"), devices=slugs)
    return chart_context(
        series, "The best protected choice in each class", options=options, image_url=image_url
    )


def _class_series(best: dict[str, Row]) -> list[Series]:
    """The curve of each class's choice, in the table's order; fio results often have only one point."""
    return [
        Series(
            f"{DeviceClass(value).label}: {row['device__model_name']}",
            curve_points(row["median_us"]),
            key=row["device__slug"],
        )
        for value in DEVICE_CLASSES
        if (row := best.get(value)) and len([one for one in row["median_us"] if one is not None]) > 1
    ]


def _classes(rows: list[Row]) -> list[dict[str, Any]]:
    counts = count_by_class()
    best = {
        row["device_class"]: shown
        for row, shown in zip(rows, device_rows(rows, shown_metrics()), strict=True)
    }
    products = protected_products()
    return [
        {
            "label": device_class.label,
            "slug": device_class.value,
            "url": class_url(device_class),
            "device_count": f"{counts.get(device_class.value, 0):,}",
            "best": best.get(device_class.value),
            "no_choice": no_choice(products.get(device_class.value, []), most=FEW),
        }
        for device_class in DeviceClass
        if device_class != DeviceClass.UNKNOWN or device_class.value in counts
    ]


def _newest_row(row: Row) -> dict[str, Any]:
    return {
        "device": row["device__model_name"],
        "url": address("result", row["public_id"]),
        "class_label": DeviceClass(row["device__device_class"]).label,
        "sparkline_svg": curve_sparkline(row["latency_us"]),
        "latency_4k": format_number(row["metrics"].get("latency_4k_us")),
        "origin": origin_of_run(row),
        "date": date_of_run(row),
    }
