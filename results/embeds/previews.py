"""Preview images that other sites show with a link to a device, result, comparison or leaderboard."""

from collections.abc import Mapping, Sequence

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from parsers.base.device_class import DeviceClass
from results.charts.cards import image_foot, png
from results.charts.description import LETTERS, Series
from results.charts.preview import (
    MAX_DRAWN,
    Head,
    PreviewBar,
    PreviewFigure,
    StripDrive,
    bars_preview,
    curves_preview,
    strips_preview,
)
from results.charts.strip import Strip
from results.compare.comparison import cleaned
from results.compare.devices.names import compare_slugs
from results.compare.devices.query import ComparedDevice, compare_devices
from results.compare.devices.verdict import compare_title, headline, verdict
from results.compare.results.query import PairForm
from results.core.formats import format_number, format_range, writers_label
from results.core.public import public_page
from results.core.subject import drive_name_from_row, subject_of
from results.devices.query import find_device, redirect_to_device
from results.kinds.curve.charts import curve_points
from results.kinds.curve.metrics import shown_metrics
from results.kinds.registry import kind_of, method_label
from results.leaderboard.forms import LeaderboardForm, RefusedError, read_query
from results.leaderboard.query import rank_devices
from results.models import Result
from results.ranking.leaders import Row
from results.ranking.standing import Figures, find_figures
from results.ranking.strips import find_strips
from results.ranking.ties import format_places


@public_page()
def home_preview(_request: HttpRequest) -> HttpResponse:
    strips = find_strips()
    head = Head(strips.headline, "Time of one 4 KiB sync write, by power-loss protection", foot=_foot())
    return _png(strips_preview(head, strips.compared, gap=strips.gap))


@public_page()
def device_preview(_request: HttpRequest, slug: str) -> HttpResponse:
    found = find_device(slug)
    if found.slug != slug:
        return redirect_to_device("device-preview", found)
    return _png(_drive_card(*compare_devices([slug])))


@public_page()
def result_preview(_request: HttpRequest, public_id: str) -> HttpResponse:
    published = Result.objects.published().select_related("device__product__vendor", "pool", "submission")
    found = get_object_or_404(published.defer("submission__text").named([public_id]))
    subject = subject_of(found)
    state = "" if found.is_ranked or not kind_of(found.method).ranked_by else "not ranked"
    load = f", {writers_label(found.writers)}" if found.writers else ""
    head = Head(
        subject.name,
        f"{subject.class_label} · one run by {method_label(found.method)}{load}",
        tag=state,
        tone="warn" if state else "",
        foot=_foot(),
    )
    curves = [Series("", curve_points(found.latency_us))] if found.latency_us else []
    return _png(curves_preview(head, _shown(found.metrics, found.submission.figure_digits), curves))


@public_page(LeaderboardForm)
def leaderboard_preview(request: HttpRequest) -> HttpResponse:
    try:
        filters = read_query(LeaderboardForm, request.GET.urlencode())
    except RefusedError as error:
        raise BadRequest("There is no such leaderboard.") from error
    page = rank_devices(filters)
    filters = page.filters
    label = DeviceClass(filters.device_class).label if filters.device_class else "All classes"
    caption = (
        f"{page.count:,} measured device{'' if page.count == 1 else 's'}"
        if page.count
        else "No measured device yet"
    )
    head = Head(f"SLOG leaderboard: {label}", f"{caption}, by {filters.ordered_by}", foot=_foot())
    return _png(bars_preview(head, [_bar(row) for row in page.rows[:MAX_DRAWN]]))


@public_page("devices")
def compare_preview(request: HttpRequest) -> HttpResponse:
    found = compare_slugs(request.GET.get("devices", ""))
    if not found:
        raise Http404
    if len(found) == 1:
        return _png(_drive_card(*found))
    head = Head(compare_title([drive.name for drive in found]), verdict(found), foot=_foot())
    drives = [_card_drive(drive, letter) for letter, drive in zip(LETTERS, found, strict=False)]
    return _png(strips_preview(head, _strips_with(found), drives))


def _drive_card(found: ComparedDevice) -> str:
    """The card of a device or product: its figure, and its mark among all ranked drives."""
    figures = Figures(found.device) if found.is_product else find_figures(found.device)
    subtitle = " · ".join(filter(None, [figures.class_label, figures.rank_text, figures.recommendation]))
    head = Head(found.name, subtitle, tag=figures.protection.label, tone=figures.tone, foot=_foot())
    if (row := found.ranking) is not None:  # the interval behind the recommendation, if there is one
        shown = headline(found)
        low, high = row.recommended_low or row.low, row.recommended_high or row.high
        meaning = f"per sync write {shown.meaning}, {format_range(low, high, row.digits)} µs"
        drive = StripDrive(found.device.slug, "", found.name, shown.text, meaning)
    else:
        drive = StripDrive(
            found.device.slug, "", found.name, "", "Not ranked" if found.unranked else "Not measured yet"
        )
    return strips_preview(head, _strips_with([found]), [drive])


def _card_drive(found: ComparedDevice, letter: str) -> StripDrive:
    shown = headline(found)
    return StripDrive(found.device.slug, letter, found.name, shown.text, shown.meaning)


def _strips_with(found: Sequence[ComparedDevice]) -> list[Strip]:
    """The strips of all ranked drives, with the marks of those of these that are ranked."""
    return find_strips([drive.device.slug for drive in found if drive.ranking]).drawn


@public_page(PairForm)
def compare_results_preview(request: HttpRequest) -> HttpResponse:
    pair = cleaned(PairForm(request.GET))["pair"]
    head = Head(pair.title, pair.summary, foot=_foot())
    figures = [
        PreviewFigure(f"× {ratio.ratio:.3g}", "", f"{ratio.metric.label}, B ÷ A")
        for ratio in pair.ratios
        if not ratio.metric.is_minor
    ]
    curves = [
        Series(letter, curve_points(result.latency_us))
        for letter, result in (("A", pair.a), ("B", pair.b))
        if result.latency_us
    ]
    return _png(curves_preview(head, figures, curves))


def _shown(metrics: Mapping[str, float], digits: int | None) -> list[PreviewFigure]:
    return [
        PreviewFigure(metric.text(metrics[metric.key], digits), metric.unit, metric.label)
        for metric in shown_metrics()
        if metric.key in metrics
    ]


def _bar(row: Row) -> PreviewBar:
    return PreviewBar(
        format_places(row["place"]),
        drive_name_from_row(row).full,
        row["low"],
        row["score"],
        row["high"],
        f"{format_number(row['score'], row['digits'])} µs",
    )


def _foot() -> str:
    return image_foot("Measured sync writes")


def _png(drawn: str) -> HttpResponse:
    return HttpResponse(png(drawn), content_type="image/png")
