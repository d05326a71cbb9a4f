"""The product page: the catalogue's facts with sources, and measured devices."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import quote_plus

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString

from parsers.base.device_class import DeviceClass
from results.advice.link import Throughput, fastest_links, keeps_up_with
from results.advice.protection import Safety
from results.catalogue.prices_on_pages import WHOLE_LINE, price_context
from results.catalogue.protection import (
    as_sentences,
    endurance_context,
    instead_url,
    product_protection,
    safety_context,
    source_link,
)
from results.catalogue.statements import StatedFacts, stated_context, stated_facts
from results.catalogue.throughput import bus_of, claims_about, load_reached, write_claims
from results.core.addresses import address, commands_url, compare_url, full_url, with_query
from results.core.drive_names import drive_name
from results.core.formats import DASH, format_capacity, format_number, format_origin
from results.core.head import PLP_NAME, Social, brand, json_ld, property_value, social_context
from results.core.public import public_page
from results.core.today import today
from results.kinds.file_sync.kind import where_written
from results.kinds.latency_curve.metrics import ranked_metric
from results.kinds.pool_io.found_sets import sets_with_logs
from results.kinds.registry import LATENCY_METHODS
from results.kinds.sustained.on_device import product_section
from results.models import Device, DeviceRanking, Product, Result
from results.models.choices import PLP_FLAGS, Board, ProductFlag
from results.models.fact import is_same_capacity
from results.ranking.overall import GOOD_ENOUGH, OVERALL_TEXTS, judge_overall
from results.ranking.standing import with_main_row

_SHOWN_BESIDE_THE_VALUE = {
    *PLP_FLAGS,
    ProductFlag.ENDURANCE_PARTLY_STATED,
    ProductFlag.ENDURANCE_QUOTED,
}
# Where to look for today's offers: a site, and its address before the words to look for
_SEARCHES = {
    "eBay": "https://www.ebay.com/sch/i.html?_nkw=",
    "Google Shopping": "https://www.google.com/search?udm=28&q=",
}
_WITHOUT_PATTERN = "we know no model name that identifies its results"


class Glance(NamedTuple):
    """A figure at the head of the page: what it is, and of which capacity or when."""

    label: str
    value: str
    details: str


@public_page()
def product(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Product.objects.select_related("vendor"), slug=slug)
    rows = _device_rows(found)
    stated = stated_facts(found.pk)
    name = drive_name(found.vendor.name, found.name)
    devices, endurance = _with_unranked(found, rows), endurance_context(found, stated.claims)
    context = {
        "product": {
            "name": name,
            "full_name": found.full_name,
            "in_full": "" if found.full_name.replace("SSD ", "") == name else found.full_name,
            "class_label": found.get_device_class_display(),
            "class_url": with_query(address("products"), **{"class": found.device_class}),
            "segment": found.get_segment_display(),
            "compare_url": compare_url([_compared_slug(found, rows)]),
            "used_url": with_query(address("used-drive"), model=name, product=found.slug),
        },
        "glance": [_speed(devices), *_price(stated), *_rest(found, endurance)],
        "facts": _facts(found, is_launch_stated=any(one.launched_on for one in stated.life_cycle)),
        "verdict": _verdict(found, rows, stated),
        "safety": safety_context(found),
        "endurance": endurance,
        "stated": stated_context(stated, _measured(rows), digits=_fewest_digits(rows), has_chart=True),
        "devices": devices,
        "sustained": product_section(found.pk),
        "sets": sets_with_logs(
            Device.objects.filter(product=found, pool_logs__isnull=False).values_list("pk", flat=True)
        ),
        "offers": [{"site": site, "url": f"{url}{quote_plus(name)}"} for site, url in _SEARCHES.items()],
        "price_url": address("product-price", found.slug),
        "sold_as": [{"name": one["name"], **source_link(one["url"])} for one in found.oem_names],
        "remarks": _remarks(found),
        "sources": [source_link(url) for url in found.sources],
        "submit_url": address("submit"),
        "commands_url": commands_url(found.slug),
        **social_context(
            Social(
                f"{name} as a SLOG",
                f"{found.get_device_class_display()}: protection with its sources, and what was measured.",
                found.get_absolute_url(),
                with_query(address("compare-preview"), devices=found.slug),
                json_ld=[catalogue_product(found, endurance)],
            )
        ),
    }
    return render(request, "results/catalogue/page.html", context)


def _verdict(found: Product, rows: Sequence[Mapping[str, Any]], stated: StatedFacts) -> dict[str, str]:
    """Whether it is a good SLOG, by its best device, and which links the fastest capacity keeps up with.

    Two queries if it has devices.
    """
    ranked = [row for row in rows if row["main__score"] is not None]
    best = min(
        ranked, key=lambda row: (row["main__recommended_high"] is None, row["main__score"]), default=None
    )
    ranking = None
    if best is not None:
        ranking = DeviceRanking(
            device_class=best["device_class"],
            metrics=best["main__metrics"],
            recommended_high=best["main__recommended_high"],
        )
    safety = product_protection(found).safety
    overall = judge_overall(safety, ranking, None)
    return {
        "headline": OVERALL_TEXTS[overall][0],
        "links": _links(found, rows, stated) if safety is Safety.SAFE else "",
        "instead_url": "" if overall in GOOD_ENOUGH else instead_url(found),
    }


def _links(found: Product, rows: Sequence[Mapping[str, Any]], stated: StatedFacts) -> str:
    """The links of the fastest capacity: "Keeps up with 10 GbE on paper (400 GB)"; "" if no rate is known."""
    claims, reached = write_claims(stated.claims), load_reached([row["pk"] for row in rows]) if rows else {}
    known = []
    for capacity in {*(row["capacity_bytes"] for row in rows), *(one.capacity_bytes for one in claims), None}:
        of_capacity, of_line = claims_about(claims, capacity, found.vendor.name)
        measured = [
            reached[row["pk"]]
            for row in rows
            if row["pk"] in reached
            and (row["capacity_bytes"] == capacity or is_same_capacity(row["capacity_bytes"], capacity))
        ]
        most = max(measured, key=lambda one: one.mib_s, default=None)
        bus = bus_of(found.interface, found.device_class)
        throughput = Throughput(measured=most, claims=of_capacity, line_claims=of_line, bus=bus)
        known.append((capacity, throughput))  # shown of protected products only
    capacity, fastest = max(known, key=_carries_most)
    if fastest.mib_s is None:
        return ""
    return f"{keeps_up_with(fastest)}{f' ({format_capacity(capacity)})' if capacity else ''}"


def _carries_most(known: tuple[int | None, Throughput]) -> tuple[Decimal, bool, int]:
    """A sort key of capacities: the fastest link, then whether a rate is known, then the smaller one."""
    capacity, throughput = known
    return fastest_links(throughput).gbit_s, throughput.mib_s is not None, -(capacity or 0)


def _speed(devices: Sequence[Mapping[str, Any]]) -> Glance:
    """The fastest ranked device; figures that aren't ranked are further down, with the reason."""
    fastest = min((one for one in devices if one["is_ranked"]), key=lambda one: one["score"], default=None)
    if fastest is None:
        why = next(
            (one["why"] or one["metric"] for one in devices if one["latency"] != DASH), "not measured yet"
        )
        return Glance("speed", "Unknown", why)
    return Glance("per sync write, measured", f"{fastest['latency']} µs", fastest["capacity"])


def _price(stated: StatedFacts) -> Iterator[Glance]:
    """The cheapest price of the last twelve months, else of the latest year."""
    for row in price_context(stated.prices, today(), has_chart=False).get("summaries", ())[:1]:
        newest = f"newest {row['newest']}" if row["newest"] else ""
        details = ", ".join(filter(None, [row["of_several"], row["seen"], newest]))
        capacity = "any capacity" if row["capacity"] == WHOLE_LINE else row["capacity"]
        yield Glance(f"{capacity}, {row['condition']}", row["price"], details)


def _rest(found: Product, endurance: Mapping[str, Any] | None) -> Iterator[Glance]:
    if endurance and endurance["drive_writes"]:
        yield Glance("rated drive writes", endurance["a_day"], endurance["for_years"])
    elif endurance and endurance["written"]:
        least = endurance["written"][0]
        yield Glance("rated writes", least["amount"], least["capacity"])
    if found.form_factors:
        yield Glance("form factor", found.form_factors, "")


def _facts(found: Product, *, is_launch_stated: bool) -> list[dict[str, str]]:
    """The known facts, without the launch if a source states it."""
    stated = {
        "Media": found.media,
        "Interface": found.interface,
        "Launched": "" if is_launch_stated else str(found.launch_year or ""),
        "Reported as": found.example_model,
    }
    return [{"label": label, "value": value} for label, value in stated.items() if value]


def _remarks(found: Product) -> str:
    flags = [ProductFlag(flag) for flag in found.flags]
    remarks = [flag.label for flag in flags if flag not in _SHOWN_BESIDE_THE_VALUE]
    return as_sentences(remarks if found.patterns else [*remarks, _WITHOUT_PATTERN])


_OF_MAIN_ROW = ("method", "score", "unit_count", "metrics", "recommended_high", "digits")


def _device_rows(found: Product) -> list[dict[str, Any]]:
    """Its devices by name and capacity, with their main rows."""
    return list(
        with_main_row(Device.objects.shown().filter(product=found))
        .order_by("model_name", "capacity_bytes")
        .values(
            *(
                "pk",
                "slug",
                "model_name",
                "capacity_bytes",
                "device_class",
                "elsewhere_count",
                "result_count",
            ),
            *(f"main__{name}" for name in _OF_MAIN_ROW),
        )
    )


def _compared_slug(found: Product, rows: Sequence[Mapping[str, Any]]) -> str:
    """The product's own, which comparisons take for a device of that slug: then the ranked one with most units."""
    ranked = {row["slug"]: row["main__unit_count"] for row in rows if row["main__score"] is not None}
    is_taken = any(row["slug"] == found.slug for row in rows) and found.slug not in ranked
    return max(ranked, key=lambda slug: ranked[slug]) if is_taken and ranked else found.slug


def measured_devices(found: Product) -> list[dict[str, Any]]:
    """Its devices with ranked latency and units, formatted. One query."""
    return [_device(found, row) for row in _device_rows(found)]


def _device(found: Product, row: Mapping[str, Any]) -> dict[str, Any]:
    name = drive_name(found.vendor.name, found.name, row["model_name"])
    return {
        **_ranked(row),
        "url": address("device", row["slug"]),
        "name": name,
        "model_name": row["model_name"],
        "reported_as": "" if row["model_name"] == name else row["model_name"],
        "capacity": format_capacity(row["capacity_bytes"]),
        "class_label": DeviceClass(row["device_class"]).label,
        "origin": format_origin(row["elsewhere_count"], row["result_count"]),
        "why": "",
    }


def _with_unranked(found: Product, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The same, those without a rank with a figure of a run that isn't ranked, and why it isn't. One more query."""
    unranked = [row["pk"] for row in rows if row["main__score"] is None]
    runs = {run["device_id"]: run for run in _typical_runs(unranked)} if unranked else {}
    return [_device(found, row) | _unranked(runs.get(row["pk"])) for row in rows]


def _typical_runs(device_ids: Sequence[int]) -> Iterable[Mapping[str, Any]]:
    """Of each device the newest run that is most like a ranked one: on the drive itself, by a single writer."""
    runs = Result.objects.published().filter(device__in=device_ids, method__in=LATENCY_METHODS, copy_of=None)
    ordered = runs.order_by(
        "device_id",
        F("file_sync__layer").asc(nulls_first=True),
        F("writers").asc(nulls_first=True),
        "-id",
    )
    rows: Iterable[Mapping[str, Any]] = ordered.distinct("device_id").values(
        "device_id", "metrics", "not_ranked_reason", "file_sync__layer", "submission__figure_digits"
    )
    return rows


def _unranked(run: Mapping[str, Any] | None) -> dict[str, Any]:
    if run is None:
        return {}
    metrics, layer = run["metrics"], run["file_sync__layer"]
    figure = metrics.get("file_sync_us", metrics.get(ranked_metric(Board.SYNC_WRITE).key))
    return {
        "latency": format_number(figure, run["submission__figure_digits"]),
        "metric": "not ranked" if layer is None else f"{where_written(layer)}, not ranked",
        "why": run["not_ranked_reason"] if layer is None else "",
    }


def _measured(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """The metrics of the ranked devices."""
    return [row["main__metrics"] for row in rows if row["main__metrics"]]


def _fewest_digits(rows: Sequence[Mapping[str, Any]]) -> int | None:
    """The fewest digits of a ranked device's figures; None if all have three or more."""
    return min((row["main__digits"] for row in rows if row["main__digits"]), default=None)


def _ranked(row: Mapping[str, Any]) -> dict[str, Any]:
    """The device's ranked latency and units."""
    if row["main__score"] is None:
        return {"latency": DASH, "score": None, "metric": "not ranked", "n_units": 0, "is_ranked": False}
    return {
        "latency": format_number(row["main__score"], row["main__digits"]),
        "score": row["main__score"],
        "metric": f"{ranked_metric(Board.SYNC_WRITE).label}, {row['main__method']}",
        "n_units": row["main__unit_count"],
        "is_ranked": True,
    }


def catalogue_product(product: Product, endurance: Mapping[str, Any] | None) -> SafeString:
    """A product of the catalogue as JSON-LD."""
    stated = {
        PLP_NAME: product.plp_badge["label"],
        "Media": product.media,
        "Interface": product.interface,
        "Form factors": product.form_factors,
        "Rated drive writes": endurance["drive_writes"] if endurance else "",
    }
    return json_ld(
        {
            "@type": "Product",
            "name": product.full_name,
            "category": product.get_device_class_display(),
            "url": full_url(product.get_absolute_url()),
            **brand(product.vendor.name),
            "additionalProperty": [property_value(name, value) for name, value in stated.items() if value],
        }
    )
