"""The leaderboard: filtered devices in order, as a list on one axis or as a table beside curves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.text import Truncator

from results.catalogue.lists import ListLink, ListTools, Option, canonical_url, find_unpriced, pager
from results.catalogue.product_facts import fact_cells
from results.charts.options import VIEW_PARAMETERS, chart_options
from results.core.addresses import address, with_query
from results.core.formats import DASH
from results.core.head import Shared, Social, Way
from results.core.paging import NoSuchPageError
from results.core.public import public_page
from results.core.subject import DEVICE_COLUMNS, ListedDevice
from results.core.today import today
from results.kinds.curve.charts import Chart, draw_chart, ranking_series
from results.kinds.curve.metrics import ranked_metric
from results.kinds.curve.tables import points_table
from results.kinds.flags import INCLUDED, UNRANKED, WAITING
from results.leaderboard.columns import DEFAULT_COLUMN, BoardColumn, columns, columns_of, rare_columns
from results.leaderboard.forms import (
    VIEWS,
    LeaderboardFilter,
    LeaderboardForm,
    LeaderboardPageForm,
    RefusedError,
    read_query,
)
from results.leaderboard.query import LeaderboardPage, origin_text, rank_devices
from results.models import Product
from results.models.choices import DEVICE_CLASSES, METHOD_LABELS, Board
from results.ranking.bands import read_bands
from results.ranking.class_choice import class_choice
from results.ranking.rows import DriveRow, board_axis, device_rows, tie_groups
from results.search.comparisons import comparison_url
from results.search.products import find_products

CHARTED_DEVICES = 5
MAX_NOT_LISTED = 3
MAX_SHOWN_LENGTH = 60  # characters of an invalid value
_FORM = LeaderboardPageForm({})
AnyView = Callable[..., HttpResponse]


def with_filters(form_class: type[LeaderboardForm]) -> Callable[[AnyView], AnyView]:
    """A view of what the filters of its URL find; if they are invalid, or past the last page, a page says so."""

    def decorate(view: AnyView) -> AnyView:
        @wraps(view)
        def answer(request: HttpRequest, **names: str) -> HttpResponse:
            try:
                filters = read_query(form_class, request.GET.urlencode())
            except RefusedError as error:
                return _refused(request, error.form)
            try:
                return view(request, filters, **names)
            except NoSuchPageError as error:
                last = filters.url(page=str(error.page_count) if error.page_count > 1 else "")
                context = {"page": filters.page, "page_count": error.page_count, "back_url": last}
                return render(request, "results/leaderboard/refused.html", context, status=404)

        return answer

    return decorate


@public_page(LeaderboardPageForm, *VIEW_PARAMETERS, in_sitemap=True)
@with_filters(LeaderboardPageForm)
def leaderboard(request: HttpRequest, filters: LeaderboardFilter) -> HttpResponse:
    if canonical := canonical_url(request, _FORM, filters) or comparison_url(filters.query):
        return HttpResponseRedirect(canonical)
    return _render(request, rank_devices(filters, with_options=True))


def _refused(request: HttpRequest, form: LeaderboardForm) -> HttpResponse:
    """The page for invalid parameters: names each, and links to the same list without them."""
    parameters = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    described = [
        (name, Truncator(parameters.get(name, "")).chars(MAX_SHOWN_LENGTH), errors[0])
        for name, errors in form.errors.items()
    ]
    valid = {name: value for name, value in parameters.items() if name not in form.errors}
    context = {
        "errors": described,
        "back_url": with_query(address("leaderboard"), **valid),
        "keeps_some": bool(valid),
    }
    return render(request, "results/leaderboard/refused.html", context, status=400)


def _render(request: HttpRequest, found: LeaderboardPage) -> HttpResponse:
    filters = found.filters
    shown = columns_of({*filters.facts, *filters.shown_facts}, found.rows, sort=filters.sort)
    metrics = [column.metric for column in shown if column.metric]
    facts, day = [column.fact for column in shown if column.fact], today()
    rows = [
        replace(row, facts=fact_cells(stored, facts, filters.scope, day), sorted_by=_sorted(row, filters))
        for row, stored in zip(device_rows(found.rows, metrics, found.limits), found.rows, strict=True)
    ]
    groups = tie_groups(rows, by_rank=filters.is_by_rank)
    label = DEVICE_CLASSES.get(filters.device_class, "")
    clear_url = LeaderboardFilter(board=filters.board).url()
    rare = rare_columns(shown, found.rows)
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
        "forms": sorted({row.form for row in rows} - {""}) if filters.view == "list" else [],
        "origin": _origin(filters, found),
        "tools": BoardTools(filters, found.counts.options, clear_url, shown, rare),
        "unpriced": find_unpriced(filters, found.unpriced, "device"),
        "groups": groups,
        "axis": board_axis(found.rows, found.limits, filters.board),
        "has_dates": any(column.field == "last_measured_on" for column in shown),
        "has_ties": any(group.is_tie for group in groups),
        "bands": [band for band in bands if band.device_class == filters.device_class and band.range_text],
        "page": pager(filters, found.page_count),
        "sort_text": _sort_text(filters),
        "is_usual_order": order == (Board.SYNC_WRITE, DEFAULT_COLUMN, False),
        "unplaced": _unplaced(found),
        "best_choice": class_choice(filters.device_class) if names_choice else None,
        "social": social,
        "share": ways,
        "chart": _curves(request, found) if filters.view == "table" else None,
    }
    return render(request, "results/leaderboard/page.html", context)


def _not_listed(text: str) -> list[Product]:
    """The products named in a text that have no device on the board."""
    named = find_products(text)
    ids = [] if named.is_similar else named.ids[:MAX_NOT_LISTED]
    found = Product.objects.select_related("vendor").in_bulk(ids)
    return [found[pk] for pk in ids]


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
        [
            UnplacedRow(
                ListedDevice(*(row[name] for name in DEVICE_COLUMNS)),
                row["score"],
                row["submission__figure_digits"],
                METHOD_LABELS[row["method"]],
                f"{INCLUDED[row['ranking_state']]}: {row['not_ranked_reason']}",
            )
            for row in found.unplaced
        ],
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


EXPORTS = {"csv": "CSV", "md": "Markdown", "bbcode": "BBCode"}
_ORDERS = {"rank": "fastest first", "last_measured": "newest", "n_units": "most measured", "device": "name"}


@dataclass(frozen=True, slots=True)
class BoardTools(ListTools):
    """The list's tools, with the leaderboard's own choices, columns and exports.

    `rare` are the table's columns that are only shown on request.
    """

    filters: LeaderboardFilter
    columns: Sequence[BoardColumn]
    rare: Sequence[BoardColumn]

    @property
    def choices(self) -> list[tuple[str, list[ListLink]]]:
        """The choices, plus one between a list of drives and a table beside their curves."""
        filters = self.filters
        views = [ListLink(view, filters.url(view=view, scale=""), filters.view == view) for view in VIEWS]
        return [*super(BoardTools, self).choices, ("View", views)]

    @property
    def more_choices(self) -> list[tuple[str, list[ListLink]]]:
        """The boards, the filter by tool, which changes no figure and no place, and the orders of the list."""
        filters = self.filters
        boards = [
            ListLink(label, filters.url(board=board, sort=""), board == filters.board)
            for board, label in Board.choices
        ]
        methods = {"": "any tool", **METHOD_LABELS}
        return [
            ("Ranked by", boards),
            ("Measured with", [self.choice("method", method, label) for method, label in methods.items()]),
            *([("Sorted by", self._orders)] if filters.view == "list" else []),
        ]

    @property
    def _orders(self) -> list[ListLink]:
        """The list's sort orders, as it has no headers to sort by; one chosen in the table comes last."""
        filters = self.filters
        current = "" if filters.is_reversed else filters.sort
        links = [ListLink(label, filters.url(sort=key), key == current) for key, label in _ORDERS.items()]
        if current not in _ORDERS:
            links.append(ListLink(filters.column.label, filters.url(), is_current=True))
        return links

    @property
    def fact_choice(self) -> list[Option]:
        """With the columns of measurements that are only shown on request."""
        facts, known = super(BoardTools, self).fact_choice, columns()
        added = [known[key] for key in self.filters.facts if not known[key].fact]
        measured = [Option(column.key, column.label, column in added) for column in [*added, *self.rare]]
        return [*facts, *measured] if facts else []

    @property
    def heads(self) -> list[tuple[BoardColumn, str]]:
        """Each column with the URL that sorts by it, the better end first, or reverses the current order."""
        filters = self.filters
        current = "" if filters.is_reversed else filters.sort
        return [
            (column, filters.url(sort=f"-{column.key}" if column.key == current else column.key))
            for column in self.columns
        ]

    @property
    def exports(self) -> list[ListLink]:
        """The list as text to copy."""
        shown = self.filters.parameters()
        parameters = {name: shown[name] for name in shown if name not in {"view", "scale"}}
        return [
            ListLink(label, with_query(address("leaderboard-export", kind), **parameters))
            for kind, label in EXPORTS.items()
        ]

    @property
    def rare_url(self) -> str:
        """The table with the rare columns."""
        return self.filters.url(
            columns=",".join([*self.filters.facts, *(column.key for column in self.rare)])
        )


def _curves(request: HttpRequest, found: LeaderboardPage) -> Chart | None:
    """The chart of the first devices; None if none has a curve."""
    series, options = ranking_series(found.rows[:CHARTED_DEVICES]), chart_options(request)
    return draw_chart(
        series,
        "The first devices of this page",
        options=options,
        image_url=options.image_url(
            address("compare-chart"), devices=",".join(curve.key for curve in series)
        ),
        points=points_table(series),
    )


def _sort_text(filters: LeaderboardFilter) -> str:
    end = filters.column.ends[0 if filters.is_ascending else 1]
    figure = f"cautious estimate of {filters.ordered_by}" if filters.is_by_rank else filters.ordered_by
    return f"{figure}, {end} first"


def leaderboard_social(device_class: str, class_label: str) -> tuple[Social, list[Way]]:
    """The link preview of a class's leaderboard, and the ways to share it; all its views share that URL."""
    scope, for_class = class_label or "all classes", {"class": device_class}
    shared = Shared(
        f"SLOG leaderboard: {scope}",
        f"Measured sync write latency of SLOG devices: {scope}.",
        with_query(address("leaderboard"), **for_class),
        with_query(address("leaderboard-preview"), **for_class),
    )
    social = Social(
        *(shared.name, shared.summary, shared.path, shared.picture_path),
        has_oembed=True,
        feed_path=with_query(address("feed"), **for_class),
    )
    return social, shared.ways
