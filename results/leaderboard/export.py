"""List downloads: all rows of each as CSV, a page of the leaderboard as Markdown or BBCode for forums."""

from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_GET

from results.api.lists import TableEndpoint
from results.api.middleware import ALLOW_ORIGIN
from results.catalogue.product_facts import ProductFact, fact_cells, read_facts
from results.core.addresses import full_url
from results.core.formats import format_origin, format_range
from results.core.head import bbcode_table, bbcode_text, markdown_table, markdown_text
from results.core.parameters import takes
from results.core.public import public_page
from results.core.subject import drive_name_from_row
from results.core.today import today
from results.kinds.curve.metrics import CONFIDENCE_PERCENT, shown_metrics
from results.kinds.tables import metric_cells
from results.leaderboard.api import Leaderboard
from results.leaderboard.forms import LeaderboardFilter, LeaderboardForm, LeaderboardPageForm
from results.leaderboard.page import with_filters
from results.leaderboard.query import LeaderboardPage, rank_devices
from results.leaderboard.sustained_api import SustainedBoards
from results.leaderboard.workload import WorkloadForm
from results.leaderboard.workload_api import Workload
from results.models.choices import plp_label
from results.ranking.leaders import Row
from results.ranking.ties import format_places

Write = Callable[[LeaderboardPage, str], str]

_SOURCE = "slogdb"


@public_page(LeaderboardForm)
@with_filters(LeaderboardForm)
def leaderboard_export(request: HttpRequest, filters: LeaderboardFilter, kind: str) -> HttpResponse:  # noqa: ARG001 - a view gets its request
    if kind not in _WRITERS:
        raise Http404(f"The leaderboard isn't available as {kind}.")
    text = _WRITERS[kind](rank_devices(filters), full_url(filters.url()))
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


_ONLY_OF_THE_PAGE = frozenset({"columns", "more", "view", "scale", "page"})


@require_GET
@takes(LeaderboardPageForm)
@with_filters(LeaderboardPageForm)
def leaderboard_csv(request: HttpRequest, filters: LeaderboardFilter) -> HttpResponse:
    """All rows of the list as the API's CSV, which states the API's address."""
    parameters = {
        name: value for name, value in filters.parameters().items() if name not in _ONLY_OF_THE_PAGE
    }
    if parameters.pop("sort", ""):
        parameters["ordering"] = f"{'' if filters.is_ascending else '-'}{filters.column.field}"
    return _csv(request, Leaderboard, parameters)


@require_GET
@takes("board")
def sustained_csv(request: HttpRequest) -> HttpResponse:
    return _csv(request, SustainedBoards, request.GET.dict())


@require_GET
@takes(WorkloadForm)
def workload_csv(request: HttpRequest) -> HttpResponse:
    return _csv(request, Workload, request.GET.dict())


def _csv(request: HttpRequest, resource: type[TableEndpoint], parameters: Mapping[str, str]) -> HttpResponse:
    """All rows of a list as the CSV of its resource, with a link to that; an error is the resource's, too."""
    name = resource.operation_id
    query = urlencode({**parameters, "format": "csv"})
    request.GET = QueryDict(query)
    response = resource.as_view()(request)
    if response.status_code == 200:
        response["Content-Disposition"] = f'attachment; filename="slogdb-{name}.csv"'
        response["Link"] = f'<{full_url(reverse(f"api-{name}"))}?{query}>; rel="canonical"'
    response[ALLOW_ORIGIN] = "*"
    return response


def _forum_heads(facts: Iterable[ProductFact]) -> list[str]:
    metrics = [f"{metric.short_label} {metric.unit}" for metric in shown_metrics()]
    named = [f"{fact.short_label} {fact.unit}".rstrip() for fact in facts]
    interval = f"{CONFIDENCE_PERCENT} interval µs"
    return ["Rank", "Device", "Power-loss protection", *metrics, interval, "Units", "Origin", *named]


def _forum_cells(row: Row, filters: LeaderboardFilter) -> list[str]:
    """The cells after the device's name and address, in the order of _forum_heads."""
    facts = fact_cells(row, read_facts(filters.shown_facts), filters.scope, today())
    return [
        plp_label(row["device__product__plp"], row["device__product__plp_statements"]),
        *(cell.value for cell in metric_cells(row["metrics"], shown_metrics(), row["digits"])),
        format_range(row["low"], row["high"], row["digits"]),
        str(row["unit_count"]),
        format_origin(row["device__elsewhere_count"], row["device__result_count"]) or "submitted here",
        # A source's text is escaped
        *(
            bbcode_text(markdown_text(f"{cell.value}, {cell.age}" if cell.age else cell.value))
            for cell in facts
        ),
    ]


def _markdown(found: LeaderboardPage, url: str) -> str:
    rows = _forum_rows(found, lambda name, address: f"[{markdown_text(name)}]({address})")
    return f"{markdown_table(rows, on_left={1, 2})}\n\n{_SOURCE}: <{url}>\n"


def _bbcode(found: LeaderboardPage, url: str) -> str:
    rows = _forum_rows(found, lambda name, address: f"[url={address}]{bbcode_text(name)}[/url]")
    return f"{bbcode_table(rows)}\n{_SOURCE}: [url]{url}[/url]\n"


def _forum_rows(found: LeaderboardPage, link: Callable[[str, str], str]) -> list[list[str]]:
    """The table as cells, header first."""
    rows = [_forum_heads(read_facts(found.filters.shown_facts))]
    for row in found.rows:
        name = drive_name_from_row(row).model
        address = full_url(reverse("device", args=[row["device__slug"]]))
        rows.append([format_places(row["place"]), link(name, address), *_forum_cells(row, found.filters)])
    return rows


_WRITERS: dict[str, Write] = {"md": _markdown, "bbcode": _bbcode}
