"""The survey page: the classes compared with each other and with a talk of 2018."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString

from parsers.base.device_class import DeviceClass
from results.charts.boxes import box_legend, box_plot
from results.charts.description import EXPECTED, Box, Caption, Expected, LivePlot, View
from results.charts.live import live_plot
from results.charts.options import VIEW_PARAMETERS, ChartOptions, chart_options, choice_links
from results.charts.svg import draw
from results.core.addresses import address, class_url, with_query
from results.core.formats import format_count
from results.core.head import Social
from results.core.public import public_page
from results.kinds.curve.charts import boxes_caption
from results.kinds.interconnects import INTERCONNECTS, Interconnect
from results.ranking.bands import SOURCE, SOURCE_URL, Band, read_bands
from results.ranking.class_choice import FEW, NoChoice
from results.ranking.distributions import Distribution
from results.ranking.leaders import Row, best_by_class
from results.ranking.recommend import protected_products
from results.ranking.rows import DriveRow, device_rows
from results.survey.query import (
    Representative,
    distributions,
    fewest_digits,
    representatives,
    through_file_systems,
)

SURVEY_DESCRIPTION = "Measured sync write latency by device class, compared with what was expected in 2018."
CLASSES = [device_class for device_class in DeviceClass if device_class != DeviceClass.UNKNOWN]
WIDTHS = ("x1", "x2", "x4", "x8", "x16")


@public_page(*VIEW_PARAMETERS, in_sitemap=True)
def survey(request: HttpRequest) -> HttpResponse:
    options = chart_options(request)
    measured, chosen, others = distributions(), representatives(), through_file_systems()
    digits = fewest_digits()
    classes = [
        SurveyedClass(
            device_class,
            measured.get(device_class),
            digits.get(device_class),
            chosen.get(device_class),
            through_files=others.get(device_class, 0),
        )
        for device_class in CLASSES
    ]
    context = {
        "nav": "survey",
        "plot": _plot(_boxes(CLASSES, measured, digits), options),
        "chart_choices": choice_links(options, names=("scale",)),
        "chart_image_url": options.image_url(reverse("survey-chart")),
        "classes": classes,
        "unmeasured": [surveyed for surveyed in classes if not surveyed.measured],
        "choices": _choices(best_by_class()),
        "has_devices": bool(measured),
        "bands": read_bands(),
        "talk": {"name": SOURCE, "url": SOURCE_URL},
        "links": _links(INTERCONNECTS),
        "widths": WIDTHS,
        "social": Social("The classes side by side", SURVEY_DESCRIPTION, reverse("survey")),
    }
    return render(request, "results/survey/page.html", context)


@dataclass(frozen=True, slots=True)
class SurveyedClass:
    """A class with the figures of its ranked devices, if any; `through_files` counts those through a file system."""

    device_class: DeviceClass
    measured: Distribution | None
    digits: int | None
    representative: Representative | None
    through_files: int

    @property
    def url(self) -> str:
        return class_url(self.device_class)

    @property
    def others_url(self) -> str:
        return with_query(address("results"), **{"class": self.device_class.value, "kind": "file_sync"})


@dataclass(frozen=True, slots=True)
class Plot:
    """The box plot, its legend and caption, and its data for scripts."""

    svg: str
    legend: SafeString
    caption: Caption
    data: LivePlot


def _plot(boxes: list[Box], options: ChartOptions) -> Plot:
    view = options.view
    plot = box_plot(boxes, view)
    title = "4 KiB latency by device class"
    description = "A box plot of the measurements per class, above the band that a talk gave in 2018"
    keys = [*(box.key for box in boxes), EXPECTED]
    return Plot(
        draw(plot, title=title, description=description),
        box_legend(boxes, urls={key: options.toggle_url(key) for key in keys}, view=view),
        boxes_caption(view),
        live_plot(plot) if plot else LivePlot("y"),
    )


def survey_boxes(view: View) -> list[Box]:
    """The rows of this view's box plot. Two queries."""
    measured, digits = distributions(), fewest_digits()
    shown = [device_class for device_class in CLASSES if device_class.value not in view.hidden]
    rows = _boxes(shown or CLASSES, measured, digits)
    return [replace(row, expected=()) for row in rows] if EXPECTED in view.hidden and measured else rows


def _boxes(
    classes: Iterable[DeviceClass], measured: Mapping[str, Distribution], digits: Mapping[str, int]
) -> list[Box]:
    return [
        _box(device_class, measured.get(device_class), digits.get(device_class)) for device_class in classes
    ]


def _box(device_class: DeviceClass, measured: Distribution | None, digits: int | None) -> Box:
    bands: dict[tuple[float, float], list[Band]] = {}
    for band in read_bands():
        if band.device_class == device_class and band.low_us is not None and band.high_us is not None:
            bands.setdefault((band.low_us, band.high_us), []).append(band)
    expected = tuple(  # kinds with the same band share a mark
        Expected(f"{_labels(same)}: {same[0].range_text}", *ends) for ends, same in bands.items()
    )
    if measured:
        label = f"{device_class.label}: {format_count(measured.device_count, 'device')}"
    else:  # what is drawn are these kinds of the class
        kinds = "; ".join(_labels(ends) for ends in bands.values())
        label = f"{kinds or device_class.label}: none ranked"
    return Box(
        label,
        measured[1:] if measured else None,
        expected,
        name=device_class.label,
        key=device_class.value,
        digits=digits,
    )


def _labels(bands: Iterable[Band]) -> str:
    return ", ".join(band.label for band in bands)


class SurveyChoice(NamedTuple):
    """A class's best protected device, or what there is without one."""

    device_class: DeviceClass
    best: DriveRow | None
    no_choice: NoChoice


def _choices(best: list[Row]) -> list[SurveyChoice]:
    shown = {row["device_class"]: drive for row, drive in zip(best, device_rows(best, ()), strict=True)}
    products = protected_products()
    return [
        SurveyChoice(device_class, shown.get(device_class), NoChoice(products.get(device_class, []), FEW))
        for device_class in CLASSES
    ]


class LinkKind(NamedTuple):
    """A kind of link: its maximum by the number of lanes, None where that doesn't exist."""

    name: str
    by_width: Sequence[tuple[str, Interconnect | None]]
    source_url: str


def _links(links: Iterable[Interconnect]) -> list[LinkKind]:
    families = groupby(links, key=lambda link: (link.megabits_a_lane, link.source_url))
    rows = [list(family) for _, family in families]
    return [
        LinkKind(row[0].name.removesuffix(" x1"), list(zip_longest(WIDTHS, row)), row[0].source_url)
        for row in rows
    ]
