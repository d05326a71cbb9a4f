"""The survey page: the classes compared with each other and with a talk of 2018."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby, zip_longest
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe

from parsers.base.device_class import DeviceClass
from results.charts.boxes import box_legend, box_plot
from results.charts.description import EXPECTED, Box, Expected, View, boxes_json
from results.charts.options import VIEW_PARAMETERS, ChartOptions, chart_options, choice_links
from results.core.addresses import address, class_url, with_query
from results.core.drive_names import drive_name
from results.core.formats import format_count, format_number, format_origin
from results.core.head import page_social
from results.core.public import public_page
from results.kinds.file_sync.kind import FILE_SYNC
from results.kinds.latency_curve.charts import boxes_caption
from results.kinds.latency_curve.checks import INTERCONNECTS, Interconnect
from results.ranking.bands import SOURCE, SOURCE_URL, Band, read_bands
from results.ranking.class_choice import FEW, no_choice
from results.ranking.distributions import Distribution
from results.ranking.leaders import Row, best_by_class
from results.ranking.recommend import protected_products
from results.ranking.rows import device_rows
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


@public_page(*VIEW_PARAMETERS)
def survey(request: HttpRequest) -> HttpResponse:
    options = chart_options(request)
    measured, chosen, others = distributions(), representatives(), through_file_systems()
    digits = fewest_digits()
    context = {
        "nav": "survey",
        **_plot([_box(one, measured.get(one), digits.get(one)) for one in CLASSES], options),
        "chart_choices": choice_links(options, names=("scale",)),
        "chart_image_url": options.image_url(reverse("survey-chart")),
        "classes": [
            _class(one, measured.get(one), chosen.get(one), digits=digits.get(one)) for one in CLASSES
        ],
        "choices": _choices(best_by_class()),
        "has_devices": bool(measured),
        "unmeasured": [_unranked(one, others.get(one, 0)) for one in CLASSES if one not in measured],
        "bands": [_band(band) for band in read_bands()],
        "talk": {"name": SOURCE, "url": SOURCE_URL},
        "links": _links(INTERCONNECTS),
        "widths": WIDTHS,
        **page_social("The classes side by side", SURVEY_DESCRIPTION, reverse("survey")),
    }
    return render(request, "results/survey/page.html", context)


class Unranked(NamedTuple):
    """A class without a ranked device; `others` is how many were measured through a file system, "" for none."""

    label: str
    others: str
    others_url: str


def _unranked(device_class: DeviceClass, other_count: int) -> Unranked:
    chosen = {"class": device_class.value, "kind": FILE_SYNC.key}
    others = format_count(other_count, "drive") if other_count else ""
    return Unranked(str(device_class.label), others, with_query(address("results"), **chosen))


def _plot(boxes: list[Box], options: ChartOptions) -> dict[str, Any]:
    view = options.view
    heading, note = boxes_caption(view)
    plot = box_plot(
        boxes,
        title="4 KiB latency by device class",
        description="A box plot of the measurements per class, above the band that a talk gave in 2018",
        view=view,
    )
    keys = [*(box.key for box in boxes), EXPECTED]
    legend = box_legend(boxes, urls={key: options.toggle_url(key) for key in keys}, view=view)
    return {
        "plot_svg": mark_safe(plot),  # noqa: S308 - results.charts escapes every text that it writes
        "plot_legend": mark_safe(legend),  # noqa: S308 - as above
        "plot_heading": heading,
        "plot_note": note,
        "plot_data": boxes_json(boxes, boxes_caption),
    }


def survey_boxes(view: View) -> list[Box]:
    """The rows of this view's box plot. Two queries."""
    measured, digits = distributions(), fewest_digits()
    shown = [device_class for device_class in CLASSES if device_class.value not in view.hidden]
    rows = [_box(one, measured.get(one), digits.get(one)) for one in shown or CLASSES]
    return [replace(row, expected=()) for row in rows] if EXPECTED in view.hidden and measured else rows


def _box(device_class: DeviceClass, measured: Distribution | None, digits: int | None) -> Box:
    bands: dict[tuple[float, float], list[Band]] = {}
    for band in read_bands():
        if band.device_class == device_class and band.low_us is not None and band.high_us is not None:
            bands.setdefault((band.low_us, band.high_us), []).append(band)
    expected = tuple(  # kinds with the same band share a mark
        Expected(f"{_labels(of_ends)}: {of_ends[0].range_text}", *ends) for ends, of_ends in bands.items()
    )
    if measured:
        label = f"{device_class.label}: {format_count(measured.device_count, 'device')}"
    else:  # what is drawn are these kinds of the class
        kinds = "; ".join(_labels(of_ends) for of_ends in bands.values())
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


def _class(
    device_class: DeviceClass,
    measured: Distribution | None,
    chosen: Representative | None,
    *,
    digits: int | None,
) -> dict[str, Any]:
    five = measured[1:] if measured else ()
    return {
        "label": device_class.label,
        "url": class_url(device_class),
        "device_count": f"{measured.device_count:,}" if measured else "",
        "five": [format_number(latency_us, digits) for latency_us in five],
        "representative": _representative(chosen) if chosen else None,
    }


def _choices(best: list[Row]) -> list[dict[str, Any]]:
    """The best protected choice of each class, or protected products."""
    shown = {row["device_class"]: one for row, one in zip(best, device_rows(best, ()), strict=True)}
    products = protected_products()
    return [
        {
            "label": device_class.label,
            "best": shown.get(device_class.value),
            "no_choice": no_choice(products.get(device_class.value, []), most=FEW),
        }
        for device_class in CLASSES
    ]


def _representative(chosen: Representative) -> dict[str, Any]:
    return {
        "name": drive_name(chosen.vendor, chosen.line, chosen.model_name),
        "origin": format_origin(chosen.elsewhere_count, chosen.result_count),
        "url": reverse("device", args=[chosen.slug]),
        "latency": format_number(chosen.score, chosen.digits),
        "n_units": chosen.unit_count,
        "reason": chosen.pin_reason or "most units near the median",
    }


def _band(band: Band) -> dict[str, str]:
    return {
        "label": band.label,
        "range": band.range_text,
        "representative": band.representative,
        "note": band.note,
    }


def _links(links: Iterable[Interconnect]) -> list[dict[str, Any]]:
    """A row per kind of link, with a maximum per width."""
    families = groupby(links, key=lambda one: (one.megabits_a_lane, one.source_url))
    rows = [list(family) for _, family in families]
    return [
        {
            "name": row[0].name.removesuffix(" x1"),
            "ceilings": [
                {"width": width, "text": format_number(one.ceiling_mib_s) if one else ""}
                for width, one in zip_longest(WIDTHS, row)
            ],
            "source": {"url": row[0].source_url, "label": urlsplit(row[0].source_url).hostname},
        }
        for row in rows
    ]
