"""One page of the leaderboard, filtered and in order, as plain rows with their places; devices without a place."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add
from typing import Any, cast

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BooleanField,
    Count,
    Exists,
    F,
    FloatField,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from results.catalogue.facets import FacetCounts, filter_by_facets
from results.catalogue.product_facts import DEVICES, RANKINGS, Scope, expressions, read_facts
from results.catalogue.throughput import claimed_mib_s, measured_mib_s
from results.core.data_version import Counted, cached_count
from results.core.formats import format_count
from results.core.paging import PAGE_SIZE, find_page, page_count
from results.core.subject import DEVICE_COLUMNS, ListedDevice, device_from_row
from results.kinds.curve.metrics import ranked_metric
from results.kinds.flags import UNRANKED, WAITING, is_waiting, without_rank
from results.kinds.metric import Metric
from results.leaderboard.columns import BoardColumn
from results.leaderboard.forms import LeaderboardFilter
from results.models import Device, DeviceRanking, Result
from results.models.choices import Board, Method, Quality
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.ranking.boards import ALL_CLASSES, ends_by_class
from results.ranking.leaders import FIELDS_WITH_CURVE, Row, row_span
from results.ranking.live import LiveRanking
from results.ranking.standing import main_rows
from results.ranking.ties import Ends, Place, find_places, format_places
from results.search.query import search_devices


def in_order(
    rankings: QuerySet[DeviceRanking], orders: Sequence[tuple[BoardColumn, bool]], scope: Scope = RANKINGS
) -> QuerySet[DeviceRanking]:
    """In the order of the columns, each ascending or not; equal rows by rank."""
    terms = [
        term
        for column, is_ascending in orders
        for term in column.order_by(is_ascending=is_ascending, scope=scope)
    ]
    is_total = any(column.is_unique for column, _ in orders)
    return rankings.order_by(*terms, *(() if is_total else ("high", "device_id")))


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of rows: dicts by FIELDS_WITH_CURVE, with the `place`, the rows by `others` and the facts shown.

    `limits` are the least and the largest end of the board's intervals, which all its pages draw on one axis.
    `unpriced` counts the devices that are missing only because no price is known, `unplaced_count` those without a
    place; the first of these are `unplaced` if the filters include them and there is no later page. If requested,
    rows have the facts _ROW_FACTS, and `counts` has the number of devices that each option of a facet would leave.
    `is_similar` means that no device matches the search exactly, and that these are similar.
    """

    filters: LeaderboardFilter
    rows: list[Row]
    counts: FacetCounts
    limits: tuple[float, ...] = ()
    unpriced: int = 0
    unplaced_count: int = 0
    unplaced: Sequence[Row] = ()
    is_similar: bool = False

    @property
    def count(self) -> int:
        return self.counts.total

    @property
    def page_count(self) -> int:
        return page_count(self.count)


def rank_devices(filters: LeaderboardFilter, *, with_options: bool = False) -> LeaderboardPage:
    """The requested page of the leaderboard; raises NoSuchPageError past the end.

    Four queries, five or six with options, up to five more for a search. The list of devices without a place takes
    two more.
    """
    boards = ends_by_class(filters.board, *{ALL_CLASSES, filters.device_class})
    ends = boards.get(filters.device_class, Ends())
    board = main_rows(filters.board)
    search = search_devices(board, filters.query)
    found = board.filter(search.condition)
    listed = filters.narrow(found)
    unplaced = partial(find_unplaced, filters, filters.values, search.condition)
    keys = dict.fromkeys((*filters.shown_facts, *(_ROW_FACTS if with_options else ())))
    facts = expressions(read_facts(keys), filters.scope)
    if with_options:
        paths = filters.scope.paths
        facts |= {"measured_mib_s": measured_mib_s(paths), "claimed_mib_s": claimed_mib_s(paths)}
    if with_options:
        counts, unplaced_count = _counted(
            "options", filters, lambda: (filters.count(found), unplaced().count())
        )
    else:
        counts, unplaced_count = FacetCounts(listed.count(), {}), 0
    # A subquery selects the page from the index alone; otherwise all rows before it would be joined, too
    orders = [(filters.column, filters.is_ascending)]
    ids = in_order(listed, orders, filters.scope).values("device_id")
    page = find_page(ids, filters.page, count=counts.total)
    shown = in_order(main_rows(filters.board).filter(device_id__in=page.object_list), orders, filters.scope)
    rows = ranked_rows(shown, "device_id", *FIELDS_WITH_CURVE, ends=ends, **facts)
    unpriced = filters.unpriced() if with_options else None
    shows_unplaced = unplaced_count and filters.include and not page.has_next()
    return LeaderboardPage(
        filters=filters,
        rows=with_others(rows, filters.board),
        counts=counts,
        limits=boards.get(ALL_CLASSES, Ends()).limits,
        unpriced=_counted("rows", unpriced, unpriced.narrow(found).count) if unpriced else 0,
        unplaced_count=unplaced_count,
        unplaced=with_reasons(unplaced().values("newest", *DEVICE_COLUMNS)[:PAGE_SIZE], filters.board)
        if shows_unplaced
        else (),
        is_similar=search.is_similar,
    )


def _counted(what: str, filters: LeaderboardFilter, count: Callable[[], Counted]) -> Counted:
    """A count of this list, cached unless it is a search, which others hardly repeat."""
    if filters.query:
        return count()
    chosen = sorted(filters.chosen.items())
    identity = (what, filters.board, chosen, filters.currency, filters.condition, filters.include)
    return cached_count(identity, count)


_ROW_FACTS = ("latest_price", "form_factors")  # those that the page shows of every row, beside its links
METHOD_FIELDS = ("method", "score", "low", "high", "assumed_spread", "unit_count", "result_count")


Ranked = QuerySet[DeviceRanking] | Sequence[LiveRanking]  # devices of any board, or of a mix, in order


def ranked_rows(ranked: Ranked, *columns: str, ends: Ends | None = None, **facts: Combinable) -> list[Row]:
    """The devices as rows with these columns and their `place`. One query, none without devices.

    Of a stored board, columns are those of DeviceRanking, and places are among its `ends`; of one that is ranked when
    it is shown, columns are those of the newest results, beside the fields of LiveRanking.
    """
    if isinstance(ranked, QuerySet):
        return with_places(list(ranked.values(*columns, **facts)), ends or Ends())
    newest = Result.objects.filter(pk__in=[device.result_id for device in ranked])
    results = {row["pk"]: row for row in newest.values("pk", *columns)}
    return [{**results[device.result_id], **device._asdict()} for device in ranked]


def with_places(rows: Sequence[Row], ends: Ends) -> list[Row]:
    """Rows of a stored board with their `place`."""
    places = find_places(ends, map(row_span, rows))
    return [{**row, "place": place} for row, place in zip(rows, places, strict=True)]


def with_others(rows: Sequence[Row], board: str) -> list[Row]:
    """The rows with those by methods that aren't the main one's as `others`. One query."""
    others = DeviceRanking.objects.filter(
        board=board, is_main=False, device__in=[row["device_id"] for row in rows]
    )
    by_device: dict[int, list[Row]] = {}
    for other in others.order_by("method").values("device_id", "digits", *METHOD_FIELDS):
        by_device.setdefault(other.pop("device_id"), []).append(other)
    return [{**row, "others": by_device.get(row["device_id"], ())} for row in rows]


def rank_by_mix(weights: Mapping[int, float]) -> QuerySet[DeviceRanking]:
    """Main rows of the board `zil` with `mix_us`, the weighted mean of the medians by block size, lowest first."""
    total = sum(weights.values())
    terms = [
        Cast(F(f"median_us__{SLOT_OF_BLOCK_SIZE[size]}"), FloatField()) * Value(weight / total)
        for size, weight in weights.items()
    ]
    found = main_rows(Board.ZIL).annotate(mix_us=reduce(add, terms)).filter(mix_us__isnull=False)
    return found.order_by("mix_us", "device_id")


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A row of a list, with the columns DEVICE_COLUMNS of its device."""

    row: Mapping[str, Any]

    @property
    def device(self) -> ListedDevice:
        return device_from_row(self.row)

    @property
    def place(self) -> Place:
        return cast("Place", self.row["place"])

    @property
    def rank(self) -> str:
        return format_places(self.place)


_OF_RESULT = (
    *("method", "metrics", "not_ranked_reason", "flags", "measured_on"),
    "submission__figure_digits",
)


class _IsAnyOf(Func):
    """Whether a column equals any element of an array."""

    template = "%(expressions)s)"
    arg_joiner = " = ANY("
    output_field = BooleanField()


def find_unplaced(
    filters: LeaderboardFilter, chosen: Mapping[str, Collection[str]], search: Q
) -> QuerySet[Device]:
    """The devices without a place that match the filters, by name, with `newest`: the key of their newest result.

    `search` is the condition of the filters' search. Unless `include` names only some, all of them. The few devices
    without a row are found first, as an array: else PostgreSQL may look up the newest result of every device.
    """
    main = main_rows(filters.board).filter(device=OuterRef("pk"))
    without_row = ArraySubquery(Device.objects.shown().filter(~Exists(main)).values("pk"))
    published = Result.objects.published().filter(device=OuterRef("pk"), method__in=Method.values)
    matching = Result.objects.filter(
        search, without_rank(filters.include or (UNRANKED, WAITING)), pk=OuterRef("newest")
    )
    found = Device.objects.none() if "min_units" in chosen else Device.objects.all()  # no unit is ranked
    found = found.filter(_IsAnyOf("pk", without_row))
    found = found.annotate(newest=Subquery(published.order_by("-id").values("pk")[:1]))
    others = {key: values for key, values in chosen.items() if key != "min_units"}
    return filter_by_facets(found.filter(Exists(matching)), others, device_scope(filters)).order_by(
        "model_name", "capacity_bytes", "id"
    )


def device_scope(filters: LeaderboardFilter) -> Scope:
    """Where devices have what facets and facts need, and which prices count."""
    return replace(DEVICES, currency=filters.currency, offers=filters.offers)


def with_reasons(devices: Iterable[Row], board: str) -> list[Row]:
    """Rows of `find_unplaced` with what their newest results say: the board's figure, the state, why. One query."""
    metric = ranked_metric(board)
    devices = list(devices)
    found = Result.objects.filter(pk__in=[row["newest"] for row in devices])
    newest = {row.pop("pk"): row for row in found.values("pk", *_OF_RESULT)}
    return [
        {**row, **_described(newest[row["newest"]], metric)} for row in devices if row["newest"] in newest
    ]


def _described(result: Row, metric: Metric) -> Row:
    score = result["metrics"].get(metric.key)
    missing = "being ranked" if score else f"no {metric.label}"
    reason = result["not_ranked_reason"]
    return {
        "score": score,
        "ranking_state": WAITING if is_waiting(reason, result["flags"]) else UNRANKED,
        "not_ranked_reason": reason or missing,
        "method": result["method"],
        "metrics": result["metrics"],
        "submission__figure_digits": result["submission__figure_digits"],
        "last_measured_on": result["measured_on"],
    }


def count_published() -> dict[str, int]:
    """The number of published `results`, and of their `devices`. One query, which reads no result."""
    is_shown = Q(result_count__gt=0)
    return Device.objects.aggregate(
        devices=Count("pk", filter=is_shown), results=Sum("result_count", default=0)
    )


MIN_TABLE = 3  # devices of a page, from which on it is a table


def origin_text(board: str, device_class: str, count: int) -> str:
    """As in "54 of 57 drives here are known only from 2 public tables of one test". One query.

    "" unless most of the `count` devices of this class (all classes for "") are.
    """
    listed = main_rows(board).filter(**({"device_class": device_class} if device_class else {}))
    published = Result.objects.published().filter(is_ranked=True, submission__survey_id__isnull=False)
    rows = published.filter(device__in=listed.values("device")).values_list(
        "device",
        "device__result_count",
        "device__elsewhere_count",
        "submission__quality",
        "submission__source_url",
        "method",
        "sync_method",
        "pattern",
    )
    pages: defaultdict[int, set[str]] = defaultdict(set)
    ways: defaultdict[str, set[tuple[str | None, ...]]] = defaultdict(set)
    for device, result_count, elsewhere_count, quality, url, *way in rows:
        is_from_elsewhere = result_count == elsewhere_count and quality == Quality.TABLE
        page = url.partition("#")[0]
        pages[device].add(page if is_from_elsewhere else "")
        ways[page].add(tuple(way))
    found = Counter(page for sources in pages.values() for page in sources)
    tables = {page for page, devices in found.items() if page and devices >= MIN_TABLE}
    known = sum(sources <= tables for sources in pages.values())
    if 2 * known <= count:
        return ""
    for_one_test = " of one test" if len(set().union(*(ways[page] for page in tables))) == 1 else ""
    source = "one public table" if len(tables) == 1 else f"{len(tables)} public tables"
    return f"{known:,} of {format_count(count, 'drive')} here are known only from {source}{for_one_test}."
