"""The leaderboard: filtered devices in order, as a list on one axis or as a table beside curves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from parsers.base.device_class import DeviceClass
from results.catalogue.lists import NoSuchPageError, canonical_url, find_unpriced, pager
from results.catalogue.product_facts import fact_cells
from results.charts.axes import ValueAxis
from results.charts.options import VIEW_PARAMETERS, chart_options
from results.charts.svg import bar_lines, percent
from results.core.addresses import address, with_query
from results.core.drive_names import drive_name
from results.core.formats import DASH
from results.core.head import Shared, Social, Way
from results.core.public import public_page
from results.core.subject import DEVICE_COLUMNS, ListedDevice
from results.core.today import today
from results.kinds.flags import INCLUDED, UNRANKED, WAITING
from results.kinds.latency_curve.charts import chart_context, ranking_series
from results.kinds.latency_curve.metrics import ranked_metric
from results.kinds.latency_curve.tables import points_table
from results.leaderboard.columns import DEFAULT_COLUMN, columns_of, rare_columns
from results.leaderboard.forms import (
    LeaderboardFilter,
    LeaderboardForm,
    LeaderboardPageForm,
    RefusedError,
    read_query,
)
from results.leaderboard.origins import origin_text
from results.leaderboard.other_views import BoardTools, url_without_errors
from results.leaderboard.query import LeaderboardPage, rank_devices
from results.models import Product
from results.models.choices import METHOD_LABELS, Board
from results.ranking.bands import read_bands
from results.ranking.class_choice import class_choice
from results.ranking.leaders import Row
from results.ranking.rows import DriveRow, device_rows, row_axis, tie_groups
from results.ranking.tiers import TIERS
from results.search.comparisons import comparison_url
from results.search.products import find_products

CHARTED_DEVICES = 5
MOST_NOT_LISTED = 3
MAX_SHOWN_LENGTH = 60  # characters of an invalid value
_FORM = LeaderboardPageForm({})


@public_page(LeaderboardPageForm, *VIEW_PARAMETERS)
def leaderboard(request: HttpRequest) -> HttpResponse:
    try:
        filters = read_query(LeaderboardPageForm, request.GET.urlencode())
    except RefusedError as error:
        return leaderboard_refused(request, error.form)
    if canonical := canonical_url(request, _FORM, filters) or comparison_url(filters.query):
        return HttpResponseRedirect(canonical)
    try:
        found = rank_devices(filters, with_options=True)
    except NoSuchPageError as error:
        return leaderboard_past_the_end(request, filters, error.page_count)
    return _render(request, found)


def leaderboard_refused(request: HttpRequest, form: LeaderboardForm) -> HttpResponse:
    """The page for invalid parameters: names each, and links to the same list without them."""
    parameters = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    described = [(name, _shown(parameters.get(name, "")), errors[0]) for name, errors in form.errors.items()]
    back = url_without_errors(parameters, form.errors)
    context = {
        "errors": described,
        "back_url": back,
        "keeps_some": back != url_without_errors({}, {}),
    }
    return render(request, "results/leaderboard/refused.html", context, status=400)


def _shown(value: str) -> str:
    return Truncator(value.replace("\0", "␀")).chars(MAX_SHOWN_LENGTH)


def leaderboard_past_the_end(
    request: HttpRequest, filters: LeaderboardFilter, page_count: int
) -> HttpResponse:
    """The page for a page number past the end: states how many there are, and links to the last one."""
    last = filters.url(page=str(page_count) if page_count > 1 else "")
    context = {"page": filters.page, "page_count": page_count, "back_url": last}
    return render(request, "results/leaderboard/refused.html", context, status=404)


def _render(request: HttpRequest, found: LeaderboardPage) -> HttpResponse:
    filters = found.filters
    columns = columns_of({*filters.facts, *filters.shown_facts}, found.rows, sort=filters.sort)
    shown = [column.metric for column in columns if column.metric]
    facts, day = [column.fact for column in columns if column.fact], today()
    rows = [
        replace(row, facts=fact_cells(stored, facts, filters.scope, day), sorted_by=_sorted(row, filters))
        for row, stored in zip(device_rows(found.rows, shown, found.limits), found.rows, strict=True)
    ]
    groups = tie_groups(rows, by_rank=filters.is_by_rank)
    label = DeviceClass(filters.device_class).label if filters.device_class else ""
    clear_url = LeaderboardFilter(board=filters.board).url()
    rare = rare_columns(columns, found.rows)
    order = (filters.board, filters.sort, filters.is_reversed)
    social, ways = leaderboard_social(filters.device_class, label)
    bands = () if found.rows else read_bands()
    names_choice = filters.device_class and filters.page == 1 and not filters.query
    context = {
        "is_similar": found.is_similar,
        "not_listed": _not_listed(filters.query) if found.is_similar else [],
        "count": found.count,
        "ranked_metric": ranked_metric(filters.board),
        "class_label": label,
        "forms": drawn_forms(rows) if filters.view == "list" else [],
        "origin": _origin(filters, found),
        "tools": BoardTools(filters, found.counts.options, clear_url, columns, rare),
        "unpriced": find_unpriced(filters, found.unpriced, "device"),
        "groups": groups,
        "axis": board_axis(found),
        "has_dates": any(column.field == "last_measured_on" for column in columns),
        "has_ties": any(group.is_tie for group in groups),
        "bands": [band for band in bands if band.device_class == filters.device_class and band.range_text],
        "page": pager(filters, found.page_count),
        "sort_text": _sort_text(filters),
        "is_usual_order": order == (Board.SYNC_WRITE, DEFAULT_COLUMN, False),
        "unplaced": _unplaced(found),
        "best_choice": class_choice(filters.device_class) if names_choice else None,
        "social": social,
        "share": ways,
        **(_curves(request, found) if filters.view == "table" else {}),
    }
    return render(request, "results/leaderboard/page.html", context)


def _not_listed(text: str) -> list[tuple[Product, str]]:
    """The products named in a text that have no device on the board, with their names."""
    named = find_products(text)
    ids = [] if named.is_similar else named.ids[:MOST_NOT_LISTED]
    found = Product.objects.select_related("vendor").in_bulk(ids)
    return [(found[pk], drive_name(found[pk].vendor.name, found[pk].name)) for pk in ids]


def _origin(filters: LeaderboardFilter, found: LeaderboardPage) -> str:
    """Where the figures of a whole board come from; nothing about a selection of its devices."""
    if filters.query or filters.chosen.keys() - {"class"}:
        return ""
    return origin_text(filters.board, filters.device_class, found.count)


def _sorted(row: DriveRow, filters: LeaderboardFilter) -> str:
    """The metric that rows are sorted by, where the list shows it of no row; else ""."""
    metric = filters.column.metric
    if metric is None or metric == ranked_metric(filters.board):
        return ""
    value = next(cell.value for cell in row.cells if cell.metric == metric)
    return "" if value == DASH else f"{metric.label} {value} {metric.unit}"


@dataclass(frozen=True, slots=True)
class Unplaced:
    """The devices without a place: their number, the first of them on request, and where all of them are."""

    count: int
    rows: Sequence["UnplacedRow"]
    show_url: str
    hide_url: str
    csv_url: str

    @property
    def is_cut(self) -> bool:
        return self.count > len(self.rows)


def _unplaced(found: LeaderboardPage) -> Unplaced | None:
    """None if every device has a place."""
    if not found.unplaced_count:
        return None
    filters, last = found.filters, found.page_count
    shown = ",".join(filters.include or (UNRANKED, WAITING))
    page = str(last) if last > 1 else ""
    return Unplaced(
        found.unplaced_count,
        [_unplaced_row(row) for row in found.unplaced],
        filters.url(include=shown, page=page),
        filters.url(include="", page=page),
        with_query(address("leaderboard-export", "csv"), **filters.parameters(include=shown)),
    )


class UnplacedRow(NamedTuple):
    """A device without a place: the board's figure in its newest result, if any, by which method, and why."""

    device: ListedDevice
    score: float | None
    digits: int | None
    method: str
    reason: str


def _unplaced_row(row: Row) -> UnplacedRow:
    return UnplacedRow(
        ListedDevice(*(row[name] for name in DEVICE_COLUMNS)),
        row["score"],
        row["submission__figure_digits"],
        METHOD_LABELS[row["method"]],
        f"{INCLUDED[row['ranking_state']]}: {row['not_ranked_reason']}",
    )


def _curves(request: HttpRequest, found: LeaderboardPage) -> dict[str, Any]:
    """The chart of the first devices; empty if none has a curve."""
    series, chart = ranking_series(found.rows[:CHARTED_DEVICES]), chart_options(request)
    image_url = chart.image_url(address("compare-chart"), devices=",".join(curve.key for curve in series))
    context = chart_context(series, "The first devices of this page", options=chart, image_url=image_url)
    return {**context, "chart_points": points_table(series)} if context else {}


def _sort_text(filters: LeaderboardFilter) -> str:
    end = filters.column.ends[0 if filters.is_ascending else 1]
    figure = f"cautious estimate of {filters.ordered_by}" if filters.is_by_rank else filters.ordered_by
    return f"{figure}, {end} first"


APART = 0.2  # of a phone's width: the least distance of labels such as “100 µs”
TIER_LINES = 2
LETTER = 0.025  # of a phone's width: about that of a letter


class Tick(NamedTuple):
    """A label of the axis, in µs, and its place from 0 to 1; a minor one doesn't fit on a phone."""

    value: float
    share: float
    is_minor: bool

    @property
    def x(self) -> str:
        return f"{100 * self.share:.4g}%"

    @property
    def anchor(self) -> str:
        return "start" if self.share < 0.05 else "end" if self.share > 0.95 else "middle"


@dataclass(frozen=True, slots=True)
class BoardAxis:
    """The axis of all intervals, and the tiers on it."""

    scale: ValueAxis
    tiers: Sequence["TierLabel"]

    @property
    def lines_svg(self) -> SafeString:
        lines = bar_lines(self.scale, [tier.end for tier in self.tiers[:-1]])
        return mark_safe(lines)  # noqa: S308 - numbers alone

    @property
    def ticks(self) -> list[Tick]:
        up, ticks = self.scale.up, self.scale.ticks
        shown = [ticks[0], ticks[-1]]
        for tick in ticks:
            if all(abs(up(tick) - up(other)) >= APART for other in shown):
                shown.append(tick)
        return [Tick(tick, up(tick), tick not in shown) for tick in ticks]


def board_axis(found: LeaderboardPage) -> BoardAxis | None:
    """None without rows."""
    axis = row_axis(found.rows, found.limits)
    if axis is None:
        return None
    return BoardAxis(axis, _tiers(axis) if found.filters.board == Board.SYNC_WRITE else [])


def drawn_forms(rows: Iterable[DriveRow]) -> list[str]:
    """The drawings that these rows need."""
    return sorted({row.form for row in rows} - {""})


class TierLabel(NamedTuple):
    """A tier on the axis: its lines of text, the middle of its range in percent, its end as a value.

    `css` marks one that doesn't fit on a phone.
    """

    lines: Sequence[str]
    x: str
    end: float
    css: str


def _tiers(axis: ValueAxis) -> list[TierLabel]:
    """The tiers within the axis; without text where the range is too narrow for its lines."""
    start, labels = axis.low, []
    for tier in TIERS:
        end = min(tier.below_us or axis.high, axis.high)
        if end > start:
            left, right = axis.up(start), axis.up(end)
            room = max(1, int((right - left) / LETTER))
            lines = wrap(tier.label, room, break_long_words=False)
            fits = len(lines) <= TIER_LINES and max(map(len, lines)) <= room
            css = "minor" if len(lines) > 1 or right - left < APART else ""
            labels.append(TierLabel(lines if fits else [], percent((left + right) / 2), end, css))
            start = end
    return labels


def leaderboard_social(device_class: str, class_label: str) -> tuple[Social, list[Way]]:
    """The link preview of a class's leaderboard, and the ways to share it; all its views share that URL."""
    scope, of_class = class_label or "all classes", {"class": device_class}
    shared = Shared(
        f"SLOG leaderboard: {scope}",
        f"Measured sync write latency of SLOG devices: {scope}.",
        with_query(address("leaderboard"), **of_class),
        with_query(address("leaderboard-preview"), **of_class),
    )
    social = Social(
        *(shared.name, shared.summary, shared.path, shared.picture_path),
        has_oembed=True,
        feed_path=with_query(address("feed"), **of_class),
    )
    return social, shared.ways
