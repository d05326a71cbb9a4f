"""The page of a drive: of a product line, of one of its capacities, or of a device that isn't in the catalogue."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote_plus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from results.advice.felt import SIZES, Felt, felt_iops, felt_table
from results.advice.form_factor import drawn_form
from results.advice.link import Chip
from results.catalogue.drive_card import link_chips
from results.catalogue.protection import RatedEndurance, as_sentences, find_safety, rated_endurance
from results.catalogue.statements import StatedFacts, stated_on_page
from results.catalogue.throughput import device_throughput
from results.charts.axes import ValueAxis, log_axis
from results.charts.description import Series
from results.charts.glyphs import interval_bar
from results.charts.options import VIEW_PARAMETERS, ChartOptions, chart_options
from results.core.addresses import (
    address,
    class_url,
    commands_url,
    compare_url,
    drive_address,
    full_url,
    with_query,
)
from results.core.drive_names import DriveName
from results.core.formats import format_capacity, format_origin, format_range, format_rounded
from results.core.head import MICROSECONDS, PLP_NAME, Shared, Social, brand, json_ld, property_value
from results.core.public import public_page
from results.core.subject import drive_name, product_name
from results.devices.firmware import find_firmware_results
from results.devices.query import ProductLine, find_device, find_line, load_line, redirect_to_page
from results.devices.unranked import UnrankedRun, chart_of_run, find_unranked_run
from results.devices.verdict import Verdict, VerdictInputs, find_verdict
from results.devices.wear import describe_wear, find_worn_units
from results.kinds.curve.charts import Chart, curve_points, draw_chart, interval_points
from results.kinds.curve.metrics import CONFIDENCE_PERCENT, METRICS, fit_curve, ranked_metric
from results.kinds.curve.tables import SpreadPoint, fit_measures, spread_points
from results.kinds.metric import Metric
from results.kinds.registry import KINDS
from results.kinds.tables import Measure, measures
from results.models import Device, DeviceRanking, Product
from results.models.choices import PLP_FLAGS, Plp, ProductFlag
from results.ranking.indexed import is_indexed
from results.ranking.intervals import prediction
from results.ranking.standing import Figures, RankedDevice, figures_of, find_figures, find_neighbors

_SHOWN_BESIDE_THE_VALUE = {*PLP_FLAGS, ProductFlag.ENDURANCE_PARTLY_STATED, ProductFlag.ENDURANCE_QUOTED}
# Where to look for today's offers: a site, and its address before the words to look for
_SEARCHES = {
    "eBay": "https://www.ebay.com/sch/i.html?_nkw=",
    "Google Shopping": "https://www.google.com/search?udm=28&q=",
}
_WITHOUT_PATTERN = "we know no model name that identifies its results"
_NO_FACTS = StatedFacts((), (), (), ())


@dataclass(frozen=True, slots=True)
class SwitchEntry:
    """An entry of a switch between capacities or part numbers."""

    label: str
    url: str
    is_current: bool
    ranking: DeviceRanking | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivePage:
    """What the head of the page says of a drive; `line` is None for a device that isn't in the catalogue."""

    figures: Figures
    line: ProductLine | None
    is_of_line: bool  # at the line's own address, with the facts of all capacities
    verdict: Verdict
    links: Sequence[Chip]
    run: UnrankedRun | None  # without a ranking

    @property
    def device(self) -> Device:
        return self.figures.device

    @property
    def product(self) -> Product | None:
        return self.line.product if self.line else None

    @property
    def is_measured(self) -> bool:
        return self.device.pk is not None

    @property
    def name(self) -> DriveName:
        """A line's has no capacity."""
        return product_name(self.line.product) if self.line and self.is_of_line else self.figures.name

    @property
    def in_full(self) -> str:
        """The product's whole name, unless that is the one shown."""
        full_name = self.product.full_name if self.product and self.is_of_line else ""
        return "" if full_name.replace("SSD ", "") == self.name.short else full_name

    @property
    def reported_as(self) -> str:
        """What the measured device calls itself, unless that is the name shown."""
        is_named = not self.is_measured or self.device.model_name in {
            self.figures.name.short,
            self.name.short,
        }
        return "" if is_named else self.device.model_name

    @property
    def origin(self) -> str:
        return format_origin(self.device.elsewhere_count, self.device.result_count)

    @property
    def felt(self) -> list[Felt]:
        """What a client gets from it; empty if its latency at 8 KiB isn't known."""
        ranking = self.figures.ranking
        points = curve_points(ranking.median_us) if ranking else ()
        table = felt_table({point.block_size: point.latency_us for point in points})
        return table if table[0].waits_us[0] else []

    @property
    def felt_sizes(self) -> Sequence[int]:
        return SIZES

    @property
    def url(self) -> str:
        if self.product and self.is_of_line:
            return self.product.get_absolute_url()
        return self.device.get_absolute_url()

    @property
    def class_url(self) -> str:
        """Of the products of the class, or of its leaderboard."""
        device_class = self.device.device_class
        return (
            with_query(address("products"), **{"class": device_class})
            if self.line
            else class_url(device_class)
        )

    @property
    def compare_url(self) -> str:
        """A product's slug stands for a capacity that nobody has measured."""
        return compare_url([self.device.slug or (self.product.slug if self.product else "")])

    @property
    def used_url(self) -> str:
        model = self.name.short if self.is_of_line or not self.is_measured else self.device.model_name
        words = f"{model} {self.name.capacity}".strip()
        return with_query(
            address("used-drive"), model=words, product=self.product.slug if self.product else ""
        )

    @property
    def form(self) -> str:
        """The key of its drawing, as of results.advice.form_factor.drawn_form; "" without one."""
        product = self.product
        return drawn_form(product.form_factors, self.device.device_class) if product else ""

    @property
    def has_capacitors(self) -> bool:
        return self.product is not None and self.product.plp == Plp.YES

    @property
    def capacities(self) -> Sequence[SwitchEntry]:
        """The switch between capacities; empty if there is only one."""
        line = self.line
        if line is None or len(line.capacities) < 2:
            return []
        current, entries = line.path(self.device.capacity_bytes), []
        for size in line.capacities:
            path = line.path(size)
            found = (line.rankings.get(device.pk) for device in line.for_capacity(path))
            fastest = min(filter(None, found), key=lambda rated: rated.score, default=None)
            label = format_capacity(size) or "capacity not stated"
            entries.append(SwitchEntry(label, drive_address(path, ""), path == current, fastest))
        return entries

    @property
    def parts(self) -> Sequence[SwitchEntry]:
        """The switch between devices of the page's capacity; empty if there is only one."""
        line, current = self.line, self.device
        same = line.for_capacity(line.path(current.capacity_bytes)) if line else []
        if line is None or len(same) < 2:
            return []
        return [
            SwitchEntry(
                device.model_name, device.get_absolute_url(), device == current, line.rankings.get(device.pk)
            )
            for device in same
        ]


@public_page(*VIEW_PARAMETERS)
def product(request: HttpRequest, slug: str) -> HttpResponse:
    """A product line, by its best device."""
    line = find_line(slug)
    return _render(request, line.best, line, is_of_line=True)


@public_page(*VIEW_PARAMETERS)
def drive(request: HttpRequest, slug: str, capacity: str, part: str = "") -> HttpResponse:
    """A capacity of a product, or one of several devices of that capacity."""
    line = find_line(slug)
    found = line.find(capacity, part)
    if found is None and part:  # it has another product now, or was merged into another device
        found = find_device(part)
    if found is None:
        raise Http404
    if part and found.page != f"{slug}/{capacity}/{part}":
        return redirect_to_page(request, found)
    return _render(request, found, line)


@public_page(*VIEW_PARAMETERS)
def device(request: HttpRequest, slug: str) -> HttpResponse:
    """A device that isn't in the catalogue, or not yet; others have moved to their product."""
    found = find_device(slug)
    if found.page or found.slug != slug:
        return redirect_to_page(request, found)
    return _render(request, found, load_line(found.product) if found.product else None)


def _render(
    request: HttpRequest, shown: Device, line: ProductLine | None, *, is_of_line: bool = False
) -> HttpResponse:
    is_measured = shown.pk is not None
    if line:
        figures = figures_of(shown, line.rankings.get(shown.pk))
        facts = line.facts if is_of_line else line.facts.about(shown.capacity_bytes)
    else:
        figures, facts = find_figures(shown), _NO_FACTS
    ranking = figures.ranking
    options = chart_options(request)
    worn_units = find_worn_units(ranking) if ranking else []
    run = find_unranked_run(shown) if is_measured and not ranking else None
    throughput = device_throughput(shown, facts.claims)
    capacity = None if is_of_line else shown.capacity_bytes
    endurance = rated_endurance(shown.product, facts.claims, capacity) if shown.product else None
    sections = _kind_sections([shown.pk] if is_measured else line.logs if line else [])
    shown_rankings = list(line.rankings.values() if line and is_of_line else filter(None, [ranking]))
    page = DrivePage(
        figures=figures,
        line=line,
        is_of_line=is_of_line,
        verdict=find_verdict(VerdictInputs(figures, throughput, endurance, worn_units)),
        links=link_chips(throughput),
        run=run,
    )
    badge = address("device-badge", shown.slug) if is_measured else ""
    if line and is_of_line:
        badge = address("product-badge", line.product.slug)
    context: dict[str, Any] = {
        "drive": page,
        "safety": find_safety(shown.product),
        "endurance": endurance,
        "stated": stated_on_page(
            facts,
            [ranking.metrics for ranking in shown_rankings],
            digits=min((ranking.digits for ranking in shown_rankings if ranking.digits), default=None),
            has_chart=True,
        ),
        "facts": _facts(
            shown.product, is_launch_stated=any(life_cycle.launched_on for life_cycle in facts.life_cycle)
        ),
        "remarks": _remarks(shown.product),
        "offers": {site: f"{url}{quote_plus(page.name.full)}" for site, url in _SEARCHES.items()},
        "price_url": address("product-price", shown.product.slug) if shown.product else "",
        "firmware": find_firmware_results(shown, ranking) if is_measured else None,
        "file_sync": sections.pop("file_sync", ("", None))[1],
        "kind_sections": list(sections.values()),
        "submit_url": address("submit"),
        "commands_url": commands_url(shown.product.slug if shown.product else ""),
        "share": Shared(page.name.full, figures.summary, page.url, _picture_path(page), badge).ways,
        "social": _social(page, endurance),
    }
    if ranking:
        context |= {
            "metrics": _measures(ranking),
            "curve": _points(ranking),
            "neighbors": Neighbors(shown.slug, ranking, find_neighbors(ranking, figures.factor)),
            "wear": describe_wear(worn_units, ranking),
            "chart": _chart(figures, ranking, options),
        }
    elif run:
        context |= {
            "metrics": run.measures,
            "curve": run.points,
            "chart": chart_of_run(figures.name.full, run, options),
        }
    return render(request, "results/devices/page.html", context)


def _kind_sections(device_ids: Iterable[int]) -> dict[str, tuple[str, object]]:
    """What each kind shows of these devices, by the kind's key: the template and what it needs."""
    return {
        key: (kind.template("device"), section)
        for device_id in device_ids
        for key, kind in KINDS.items()
        if kind.on_device and (section := kind.on_device(device_id))
    }


def _facts(product: Product | None, *, is_launch_stated: bool) -> dict[str, str]:
    """The known facts by their labels, without the launch if a source states it."""
    if product is None:
        return {}
    stated = {
        "Form factor": product.form_factors,
        "Interface": product.interface,
        "Media": product.media,
        "Launched": "" if is_launch_stated else str(product.launch_year or ""),
        "Reported as": product.example_model,
    }
    return {label: value for label, value in stated.items() if value}


def _remarks(product: Product | None) -> str:
    if product is None:
        return ""
    flags = [ProductFlag(flag) for flag in product.flags]
    remarks = [flag.label for flag in flags if flag not in _SHOWN_BESIDE_THE_VALUE]
    return as_sentences(remarks if product.patterns else [*remarks, _WITHOUT_PATTERN])


def _measures(ranking: DeviceRanking) -> list[Measure]:
    digits = ranking.digits
    another = prediction(ranking.low, ranking.score, ranking.high, ranking.unit_count)
    range_text = format_range(*another, digits)
    return [
        *measures(ranking.metrics, _shown_metrics(ranking), digits=digits),
        *fit_measures(fit_curve(ranking.median_us)),
        Measure("What yours will do", range_text, f"µs, {CONFIDENCE_PERCENT}", "formula"),
        *_felt(ranking.metrics, digits),
        Measure("Units measured", str(ranking.unit_count), ""),
    ]


def _felt(metrics: Mapping[str, float], digits: int | None) -> list[Measure]:
    """What one client gets, as a row of figures; none without a latency at 4 KiB."""
    iops = felt_iops(metrics)
    if iops is None:
        return []
    felt = format_rounded(iops, None if "latency_8k_us" in metrics else digits)
    return [Measure("One NFS client", f"about {felt}", "writes/s", "felt")]


def _points(ranking: DeviceRanking) -> list[SpreadPoint]:
    """With the spread of its units if there are several; empty for a single one's single point."""
    if ranking.unit_count > 1:
        ends = ranking.lowest_us, ranking.highest_us
        return spread_points(ranking.median_us, *ends, digits=ranking.digits)
    return spread_points(ranking.median_us, digits=ranking.digits) if _has_curve(ranking) else []


def _shown_metrics(ranking: DeviceRanking) -> list[Metric]:
    """All but the one at the head of the page; one point has no peak."""
    has_curve, first = _has_curve(ranking), ranked_metric(ranking.board)
    return [
        metric
        for metric in METRICS.values()
        if metric is not first and (has_curve or not metric.is_of_all_sizes)
    ]


def _has_curve(ranking: DeviceRanking) -> bool:
    """Whether it has several points."""
    return sum(latency_us is not None for latency_us in ranking.median_us) > 1


def _chart(figures: Figures, ranking: DeviceRanking, options: ChartOptions) -> Chart | None:
    points = interval_points(ranking.median_us, ranking.score, ends=(ranking.low, ranking.high))
    return draw_chart(
        [Series(figures.name.full, points, is_assumed=ranking.assumed_spread)],
        f"{figures.name.full}: median of its units, and its {CONFIDENCE_PERCENT} interval",
        options=options,
        image_url=options.image_url(address("device-chart", figures.device.slug)),
    )


@dataclass(frozen=True, slots=True)
class Neighbors:
    """The devices that can't be told apart from one, all on one axis."""

    slug: str
    ranking: DeviceRanking
    devices: Sequence[RankedDevice]

    @property
    def axis(self) -> ValueAxis:
        ends = [end for device in self.devices for end in (device.low, device.high)]
        return log_axis([self.ranking.low, self.ranking.high, *ends])

    @property
    def compare_url(self) -> str:
        """With all of them, the nearest first."""
        nearest = sorted(self.devices, key=lambda device: abs(device.high - self.ranking.high))
        return compare_url([self.slug, *(device.slug for device in nearest)])

    @property
    def rows(self) -> list[tuple[RankedDevice, SafeString, str]]:
        """Each device with the bar of its interval, and where it is compared with the page's."""
        axis = self.axis
        return [
            (device, _bar(device, axis), compare_url([self.slug, device.slug])) for device in self.devices
        ]


def _bar(device: RankedDevice, axis: ValueAxis) -> SafeString:
    text = f"{format_range(device.low, device.high, device.digits)} µs"
    ends = (device.low, device.score, device.high)
    return interval_bar(*ends, axis=axis, text=text, is_assumed=device.assumed_spread)


def _social(page: DrivePage, endurance: RatedEndurance | None) -> Social:
    figures, slug = page.figures, page.device.slug
    is_only = page.line is not None and len(page.line.capacities) == 1 and len(page.line.devices) == 1
    path = page.line.product.get_absolute_url() if page.line and is_only else page.url
    if page.is_of_line and page.line:
        description = f"{figures.class_label}: protection with its sources, and what was measured."
        is_listed = True
    else:
        description = f"{capfirst(figures.summary)}."
        is_listed = page.is_measured and (figures.ranking is not None or is_indexed(page.device))
    return Social(
        f"{page.name.full} as a SLOG",
        description,
        path,
        _picture_path(page) or address("home-preview"),
        has_oembed=True,
        feed_path=with_query(address("feed"), device=slug) if slug else "",
        json_ld=[drive_data(page, endurance)],
        is_indexed=is_listed,
    )


def drive_data(page: DrivePage, endurance: RatedEndurance | None) -> SafeString:
    """Structured data of a drive as a product, from measurements and the catalogue."""
    device, product = page.device, page.product
    stated = {
        "Media": product.media if product else "",
        "Interface": product.interface if product else "",
        "Form factors": product.form_factors if product else "",
        "Rated drive writes": endurance.drive_writes if endurance else "",
    }
    picture = {"image": full_url(address("device-preview", device.slug))} if page.is_measured else {}
    return json_ld(
        {
            "@type": "Product",
            "name": product.full_name if product and page.is_of_line else page.name.full,
            **({"model": device.model_name} if page.is_measured else {}),
            **_other_names(page),
            "category": page.figures.class_label,
            "url": full_url(page.url),
            **picture,
            **brand(device.vendor_name),
            "additionalProperty": [
                *_measured(page.figures),
                property_value(PLP_NAME, page.figures.protection.label),
                *(property_value(name, value) for name, value in stated.items() if value),
            ],
        }
    )


def _other_names(page: DrivePage) -> dict[str, list[str]]:
    """The part numbers of a line or capacity, and the names under which others sell it; without empty ones."""
    line = page.line
    if line is None:
        return {}
    if page.is_of_line:
        names = [replace(product_name(line.product), model_name=line.product.example_model)]
        names += map(drive_name, line.devices)
    else:
        names = [drive_name(one) for one in line.for_capacity(line.path(page.device.capacity_bytes))]
    found = {
        "mpn": list(dict.fromkeys(filter(None, (name.part_number for name in names)))),
        "alternateName": [entry["name"] for entry in line.product.oem_names],
    }
    return {name: values for name, values in found.items() if values}


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
            [property_value(throughput.label, round(rate, 1), unitText=throughput.unit)]
            if rate is not None
            else []
        ),
        property_value("Rank in its class", figures.rank_text),
        property_value("Units measured", ranking.unit_count),
    ]


def _picture_path(page: DrivePage) -> str:
    """The card of the device or product; "" of a capacity without a device."""
    if page.is_of_line and page.line:
        return with_query(address("compare-preview"), devices=page.line.product.slug)
    return address("device-preview", page.device.slug) if page.device.slug else ""
