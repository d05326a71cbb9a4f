"""The leaderboard to take along: all rows as CSV, a page as Markdown or BBCode for forums."""

from collections.abc import Callable, Iterable
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_GET

from results.api.middleware import ALLOW_ORIGIN
from results.catalogue.lists import NoSuchPageError
from results.catalogue.product_facts import FactCell, ProductFact, fact_cells, read_facts
from results.core.addresses import full_url
from results.core.formats import format_device, format_origin, format_range
from results.core.head import bbcode_table, bbcode_text, markdown_table, markdown_text
from results.core.parameters import takes
from results.core.public import public_page
from results.core.today import today
from results.kinds.latency_curve.metrics import CONFIDENCE_PERCENT, shown_metrics
from results.kinds.tables import metric_cells
from results.leaderboard.api import Leaderboard
from results.leaderboard.forms import (
    LeaderboardFilter,
    LeaderboardForm,
    LeaderboardPageForm,
    RefusedError,
    read_query,
)
from results.leaderboard.page import leaderboard_past_the_end, leaderboard_refused
from results.leaderboard.query import LeaderboardPage, rank_devices
from results.models.choices import plp_label
from results.ranking.leaders import Row
from results.ranking.ties import format_places

Write = Callable[[LeaderboardPage, str], str]

_SOURCE = "slogdb"


@public_page(LeaderboardForm)
def leaderboard_export(request: HttpRequest, kind: str) -> HttpResponse:
    if kind not in _WRITERS:
        raise Http404(f"The leaderboard isn't available as {kind}.")
    try:
        filters = read_query(LeaderboardForm, request.GET.urlencode())
    except RefusedError as error:
        return leaderboard_refused(request, error.form)
    try:
        found = rank_devices(filters)
    except NoSuchPageError as error:
        return leaderboard_past_the_end(request, filters, error.page_count)
    text = _WRITERS[kind](found, full_url(found.filters.url()))
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


_ONLY_OF_THE_PAGE = frozenset({"columns", "more", "view", "scale", "page"})


@require_GET
@takes(LeaderboardPageForm)
def leaderboard_csv(request: HttpRequest) -> HttpResponse:
    """All rows of the list as the API's CSV, which states the API's address."""
    try:
        filters = read_query(LeaderboardPageForm, request.GET.urlencode())
    except RefusedError as error:
        return leaderboard_refused(request, error.form)
    parameters = {
        name: value for name, value in filters.parameters().items() if name not in _ONLY_OF_THE_PAGE
    }
    if parameters.pop("sort", ""):
        parameters["ordering"] = f"{'' if filters.is_ascending else '-'}{filters.column.field}"
    query = urlencode({**parameters, "format": "csv"})
    request.GET = QueryDict(query)
    canonical = f"{full_url(reverse('api-leaderboard'))}?{query}"
    response = Leaderboard.as_view()(request)
    response["Content-Disposition"] = 'attachment; filename="slogdb-leaderboard.csv"'
    response["Link"] = f'<{canonical}>; rel="canonical"'
    response[ALLOW_ORIGIN] = "*"
    return response


def _forum_heads(facts: Iterable[ProductFact]) -> list[str]:
    metrics = [f"{metric.short_label} {metric.unit}" for metric in shown_metrics()]
    named = [f"{fact.short_label} {fact.unit}".rstrip() for fact in facts]
    return [
        "Rank",
        "Device",
        "Power-loss protection",
        *metrics,
        f"{CONFIDENCE_PERCENT} interval µs",
        "Units",
        "Origin",
        *named,
    ]


def _forum_cells(row: Row, filters: LeaderboardFilter) -> list[str]:
    """The cells after the device's name and address, in the order of _forum_heads."""
    return [
        plp_label(row["device__product__plp"], row["device__product__plp_statements"]),
        *(cell.value for cell in metric_cells(row["metrics"], shown_metrics(), row["digits"])),
        format_range(row["low"], row["high"], row["digits"]),
        str(row["unit_count"]),
        _origin(row),
        *(_fact(cell) for cell in fact_cells(row, read_facts(filters.shown_facts), filters.scope, today())),
    ]


def _fact(cell: FactCell) -> str:
    """The value, with its age; a source's text is escaped."""
    return bbcode_text(markdown_text(f"{cell.value}, {cell.age}" if cell.age else cell.value))


def _origin(row: Row) -> str:
    return format_origin(row["device__elsewhere_count"], row["device__result_count"]) or "submitted here"


def _markdown(found: LeaderboardPage, url: str) -> str:
    def link(name: str, address: str) -> str:
        return f"[{markdown_text(name)}]({address})"

    return f"{markdown_table(_forum_rows(found, link), on_left={1, 2})}\n\n{_SOURCE}: <{url}>\n"


def _bbcode(found: LeaderboardPage, url: str) -> str:
    def link(name: str, address: str) -> str:
        return f"[url={address}]{bbcode_text(name)}[/url]"

    return f"{bbcode_table(_forum_rows(found, link))}\n{_SOURCE}: [url]{url}[/url]\n"


def _forum_rows(found: LeaderboardPage, link: Callable[[str, str], str]) -> list[list[str]]:
    """The table as cells, header first."""
    rows = [_forum_heads(read_facts(found.filters.shown_facts))]
    for row in found.rows:
        name = format_device(row["device__model_name"], row["device__capacity_bytes"])
        address = full_url(reverse("device", args=[row["device__slug"]]))
        rows.append([format_places(row["place"]), link(name, address), *_forum_cells(row, found.filters)])
    return rows


_WRITERS: dict[str, Write] = {"md": _markdown, "bbcode": _bbcode}
