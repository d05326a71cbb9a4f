"""Charts and badges as images: for forums and READMEs, for saving, and for browsers without JavaScript."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.text import capfirst

from results.api.middleware import ALLOW_ORIGIN
from results.charts.badge import TONES, badge_svg
from results.charts.cards import (
    STYLES_BY_THEME,
    Labels,
    boxes_image,
    chart_image,
    image_foot,
    message_image,
    png,
)
from results.charts.description import PLAIN, STYLES, Series
from results.charts.options import VIEW_PARAMETERS, BadParameterError, ChartOptions, chart_options
from results.compare.comparison import cleaned
from results.compare.devices.names import split_devices
from results.compare.devices.page import compared_series
from results.compare.devices.query import (
    ComparedDevice,
    UnknownDevicesError,
    compare_devices,
    resolve_devices,
)
from results.compare.results.query import PairForm
from results.core.drive_names import DriveName
from results.core.formats import writers_label
from results.core.forms import quoted
from results.core.public import public_page
from results.core.subject import drive_name, product_name, subject_of
from results.devices.query import find_device, find_line, redirect_to_device
from results.kinds.curve.charts import chart_caption, curve_points
from results.kinds.curve.metrics import ranked_metric
from results.models import Result
from results.models.choices import Board
from results.ranking.standing import NOT_RANKED, Figures, figures_of, find_figures, in_a_sentence
from results.submissions.form.published import find_background
from results.survey.page import survey_boxes

THEMES = ("", "light", "dark")
_UNKNOWN = "There is no device with this name."
_NOTHING_DRAWN = "No results at these block sizes"


@public_page("devices", "theme", *VIEW_PARAMETERS)
def compare_chart(request: HttpRequest) -> HttpResponse:
    """The curves of up to eight devices, without unranked ones."""
    options = chart_options(request)
    known = _resolve(split_devices(options.parameters.get("devices", ""))[: len(STYLES)])
    if ",".join(known) != options.parameters["devices"]:
        return redirect(options.url(devices=",".join(known)), permanent=True)
    return _image(compared_series(_compared(known)), request, options)


@public_page("theme", *VIEW_PARAMETERS)
def device_chart(request: HttpRequest, slug: str) -> HttpResponse:
    """The curve of one device, or an image that says that none of its results is ranked."""
    options = chart_options(request)
    known = _resolve([slug])
    if known != (slug,):
        canonical = ChartOptions(reverse("device-chart", args=known), options.parameters)
        return redirect(canonical.url(), permanent=True)
    (compared,) = _compared([slug])
    name = compared.name
    series = [replace(curve, label=name, mark="", key="") for curve in compared_series([compared])]
    return _image(series, request, options, name=name)


def _resolve(slugs: Sequence[str]) -> tuple[str, ...]:
    """The current slugs of devices; raises Http404 unless all are known."""
    resolved = resolve_devices(slugs)
    if resolved.unknown or not resolved.slugs:
        raise Http404(_UNKNOWN)
    return resolved.slugs


def _compared(slugs: Sequence[str]) -> list[ComparedDevice]:
    try:
        return compare_devices(slugs)
    except UnknownDevicesError as error:
        raise Http404(_UNKNOWN) from error


@public_page("theme", *VIEW_PARAMETERS)
def result_chart(request: HttpRequest, public_id: str) -> HttpResponse:
    """The curve of one run."""
    published = (
        Result.objects.published()
        .filter(latency_us__isnull=False)
        .select_related("device__product__vendor", "pool")
    )
    found = get_object_or_404(published.named([public_id]))
    label = ", ".join(filter(None, [subject_of(found).name, writers_label(found.writers)]))
    series = Series(label, curve_points(found.latency_us), writers=found.writers or 1)
    return _image([series], request, chart_options(request))


@public_page()
def result_picture(_request: HttpRequest, public_id: str) -> HttpResponse:
    """The curve of one run over those of its class, as PNG for forums."""
    published = Result.objects.published().filter(latency_us__isnull=False)
    found = get_object_or_404(published.select_related("device__product__vendor").named([public_id]))
    if found.device is None:
        raise Http404
    name, writers = drive_name(found.device).full, found.writers or 1
    behind = find_background(found.device)
    words = Labels(", ".join(filter(None, [name, writers_label(found.writers)])), behind.text, image_foot())
    series = [Series(name, curve_points(found.latency_us), writers=writers)]
    drawn = chart_image(series, words, view=PLAIN, theme="light", others=behind.series)
    return HttpResponse(png(drawn), content_type="image/png")


@public_page("theme", *VIEW_PARAMETERS)
def survey_chart(request: HttpRequest) -> HttpResponse:
    """The box plots of the classes."""
    options = chart_options(request)
    boxes = survey_boxes(options.view)
    dashed = "; dashed: expected in a 2018 talk" if any(box.expected for box in boxes) else ""
    note = f"{ranked_metric(Board.SYNC_WRITE).label}, one figure per device{dashed}"
    words = Labels("Ranked latency by device class", note, image_foot())
    theme = _theme(request)
    drawn = boxes_image(boxes, words, is_linear=options.view.is_linear, theme=theme)
    drawn = drawn or message_image("No results in these classes", words, theme=theme)
    return svg_response(drawn, STYLES_BY_THEME[theme])


def _image(
    series: Sequence[Series], request: HttpRequest, options: ChartOptions, *, name: str = ""
) -> HttpResponse:
    """The chart of these curves, or an image with the reason why there is none."""
    theme = _theme(request)
    heading, note = chart_caption(options.view)
    note = capfirst(note.partition(";")[2].strip())
    if any(curve.is_assumed for curve in series):
        note += " Dashed band: assumed spread."
    name = name or (series[0].label if len(series) == 1 else "")
    title = f"{heading}: {name}" if name else heading
    drawn = chart_image(series, Labels(title, note, image_foot()), view=options.view, theme=theme)
    if not drawn:
        message = _NOTHING_DRAWN if series else capfirst(NOT_RANKED)
        drawn = message_image(message, Labels(title, "", image_foot()), theme=theme)
    return svg_response(drawn, STYLES_BY_THEME[theme])


def _theme(request: HttpRequest) -> str:
    theme = request.GET.get("theme", "")
    if theme not in THEMES:
        raise BadParameterError("theme", f"{quoted(theme)} is not a theme; allowed: light, dark.")
    return theme


def svg_response(drawn: str, style: str) -> HttpResponse:
    """The image with its own content security policy: only its inline style sheet, wherever it is shown."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    headers: dict[str, Any] = {
        "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{digest}'",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return HttpResponse(drawn, content_type="image/svg+xml", headers=headers)


@public_page()
def device_badge(_request: HttpRequest, slug: str, *, is_json: bool = False) -> HttpResponse:
    found = find_device(slug)
    if found.slug != slug:
        return redirect_to_device("device-badge-json" if is_json else "device-badge", found)
    return _drive_badge(find_figures(found), is_json=is_json)


@public_page()
def product_badge(_request: HttpRequest, slug: str, *, is_json: bool = False) -> HttpResponse:
    """The badge of the product's best device, under the product's name if none was measured."""
    line = find_line(slug)
    figures = figures_of(line.best, line.rankings.get(line.best.pk))
    name = figures.name if line.best.pk else product_name(line.product)
    return _drive_badge(figures, name, is_json=is_json)


@public_page(PairForm)
def pair_badge(request: HttpRequest, *, is_json: bool = False) -> HttpResponse:
    """The first ratio of two results, as of their comparison."""
    pair = cleaned(PairForm(request.GET))["pair"]
    return _badge(pair.title, pair.first_ratio, is_json=is_json)


def _drive_badge(figures: Figures, name: DriveName | None = None, *, is_json: bool) -> HttpResponse:
    tone = figures.tone if figures.ranking else ""
    return _badge((name or figures.name).full, badge_text(figures), tone, is_json=is_json)


def _badge(label: str, value: str, tone: str = "", *, is_json: bool) -> HttpResponse:
    """As SVG, or as the JSON that a badge of shields.io is made from (its "endpoint" badge)."""
    if not is_json:
        return HttpResponse(badge_svg(label, value, tone=tone), content_type="image/svg+xml")
    badge = {"schemaVersion": 1, "label": label, "message": value, "color": TONES[tone].removeprefix("#")}
    return JsonResponse(badge, headers={ALLOW_ORIGIN: "*"})


def badge_text(figures: Figures) -> str:
    """The badge's text after the name."""
    if figures.ranking is None:
        return f"{NOT_RANKED} · {in_a_sentence(figures.protection.label)}"
    parts = [
        f"{figures.class_label} {figures.rank_text}",
        figures.latency_text,
        in_a_sentence(figures.protection.label),
        figures.recommendation,
    ]
    return " · ".join(filter(None, parts))
