"""The leaderboard: the same order, filters and page size as the page of that name."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from results.api.parameters import values_of
from results.api.records import (
    DEVICE_FIELDS,
    RANKING_FIELDS,
    DeviceRecord,
    IntervalRecord,
    ProblemRecord,
    RankedMetricsRecord,
    RankingRecord,
    RecommendedRecord,
    device_of,
    recommendation_of,
)
from results.catalogue.api import FacetedList, list_parameters
from results.catalogue.facets import filter_by_facets
from results.catalogue.product_facts import FACTS, expressions
from results.catalogue.records import FACTS_OF_ROW, FactsRecord
from results.core.record import Record, Row, field
from results.kinds.curve.metrics import CONFIDENCE_PERCENT
from results.kinds.flags import INCLUDED, RANKED
from results.leaderboard.columns import BoardColumn, columns
from results.leaderboard.forms import LeaderboardForm
from results.leaderboard.query import (
    METHOD_FIELDS,
    device_scope,
    find_unplaced,
    in_order,
    with_others,
    with_places,
    with_reasons,
)
from results.models import DeviceRanking
from results.models.choices import Board
from results.models.device import for_device
from results.ranking.boards import ClassBoard, ends_of
from results.ranking.conditions import SHOWN, conditions_of
from results.ranking.leaders import find_recommended
from results.ranking.standing import main_rows
from results.search.query import search_devices

INCLUDE = "include"
_OF_UNPLACED = ("method", "score", "last_measured_on", "ranking_state", "not_ranked_reason")
_FIELDS = ("device_id", "device__conditions", *RANKING_FIELDS, *for_device(*DEVICE_FIELDS))


class ConditionsStatedRecord(Record):
    """How a device's ranked results by the row's method were measured, as far as they state it."""

    sync_method: list[str] = field("what made each write durable: sync, dsync, fsync, fdatasync")
    pattern: list[str] = field("order of the writes: random, sequential, mixed")
    write_cache: list[str] = field("the device’s write cache: on, off")
    volatile_cache: list[str] = field("whether it has a volatile cache: yes, none")
    kernel_write_cache: list[str] = field("what the kernel believes: write back, write through")
    fua: list[str] = field("used, not used")


class LeaderboardRowRecord(RankingRecord):
    """A row of the leaderboard, with the facts of the device's product at its capacity."""

    position: int | None = field("the position in the requested order, from 1")
    formula_version: int | None = field("of the ranking's formula")  # type: ignore[assignment]
    score: float | None = field(  # type: ignore[assignment]
        "the median over the units: µs on both boards; without a place, the figure of the newest result"
    )
    low: float | None = field(f"lower end of its {CONFIDENCE_PERCENT} interval")  # type: ignore[assignment]
    high: float | None = field("its upper end, by which devices are ordered")  # type: ignore[assignment]
    assumed_spread: bool | None = field(  # type: ignore[assignment]
        "whether the interval rests on an assumed spread, as too few devices have two units"
    )
    conditions: ConditionsStatedRecord = field("the conditions under which it was measured")
    ranking_state: str = field(
        "always ranked unless you include others, which have no position, interval, rank or tie group",
        choices=list(INCLUDED.items()),
    )
    not_ranked_reason: str = field("why its newest result has no place")
    is_recommended: bool = field("protected, with enough results from accountable sources")
    recommended: RecommendedRecord | None = field("null if it isn't recommended")
    is_first_choice: bool = field("whether it is the recommendation of its class")
    methods: list[IntervalRecord] = field(
        "its figures by each method that measured it, the one that ranks it first"
    )
    rank: int | None = field("by the upper end of the interval")
    first_possible: int | None = field("the best rank possible within the intervals")
    last_possible: int | None = field("the worst rank possible within the intervals")
    tie_group: int | None = field("devices of one group are statistically tied")
    device: DeviceRecord = field("the device that was measured")
    facts: FactsRecord = FACTS_OF_ROW


@dataclass
class Joined:
    """The rows of one query after those of another, for a paginator."""

    first: QuerySet
    second: QuerySet

    @cached_property
    def _first_count(self) -> int:
        return self.first.count()

    def count(self) -> int:
        return self._first_count + self.second.count()

    def __getitem__(self, part: slice) -> "Joined":
        start, end = (max(0, place - self._first_count) for place in (part.start, part.stop))
        return Joined(self.first[part], self.second[start:end])


class Leaderboard(FacetedList):
    """Devices in order, as on the page of that name."""

    queryset = DeviceRanking.objects.none()
    record = LeaderboardRowRecord
    form_class = LeaderboardForm
    operation_id = "leaderboard"
    query = (
        OpenApiParameter(
            "board", str, enum=Board.values, description="what devices are ranked by; sync_write by default"
        ),
        OpenApiParameter(
            INCLUDE,
            {"type": "array", "items": {"type": "string", "enum": list(INCLUDED)}},
            style="form",
            explode=False,
            description="what is listed after ranked devices: those with nothing but results that aren’t ranked,"
            " or wait for a moderator, without a place and with the reason",
        ),
        *list_parameters(LeaderboardForm),
    )
    _unplaced: QuerySet | None = None

    def _read(self, parameters: dict[str, str]) -> Any:
        included = ",".join(values_of(self.request.query_params, INCLUDE))
        return super()._read({**parameters, INCLUDE: included})

    def ordering_names(self) -> Sequence[str]:
        return tuple(_orders())

    @extend_schema(responses={200: LeaderboardRowRecord(many=True), 404: ProblemRecord})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet:
        filters, chosen = self.read()
        classes = chosen.get("class", [])
        self._ends = ends_of(ClassBoard(filters.board, classes[0] if len(classes) == 1 else ""))
        self._board = filters.board
        self._scope = filters.scope
        self._orders = [(filters.column, filters.is_ascending)]
        board = main_rows(filters.board)
        search = search_devices(board, filters.query).condition
        if filters.include:
            scope = device_scope(filters)
            facts = expressions(FACTS.values(), scope)
            unplaced = find_unplaced(filters, chosen, search)
            self._unplaced = unplaced.values("newest", *DEVICE_FIELDS, **facts)
        found = filter_by_facets(board.filter(search), chosen, self._scope)
        return in_order(found, self._orders, self._scope).values("device_id")

    def filter_queryset(self, queryset: QuerySet) -> Any:
        ranked = super().filter_queryset(queryset)
        return ranked if self._unplaced is None else Joined(ranked, self._unplaced)

    def ordered(self, found: QuerySet, terms: Sequence[str]) -> QuerySet:
        self._orders = [(_orders()[term.removeprefix("-")], not term.startswith("-")) for term in terms]
        return in_order(found, self._orders, self._scope)

    def details(self, found: QuerySet | Joined) -> Any:
        """The page is cut out of the index alone: else all rows before it would be joined, too."""
        if isinstance(found, Joined):
            placed = self.details(found.first).iterator(chunk_size=settings.STREAMED_ROWS)
            return chain(placed, found.second.using(found.second.db))
        rankings = main_rows(self._board).using(found.db).filter(device_id__in=found)
        facts = expressions(FACTS.values(), self._scope)
        return in_order(rankings, self._orders, self._scope).values(*_FIELDS, **facts)

    def rows(self, page: Sequence[Row]) -> list[Row]:
        unplaced = [row for row in page if "newest" in row]
        return [*self._placed(page[: len(page) - len(unplaced)]), *self._without_place(unplaced)]

    def _without_place(self, page: Sequence[Row]) -> list[Row]:
        if not page:
            return []
        return [
            {
                **dict.fromkeys(LeaderboardRowRecord().fields),
                **RankedMetricsRecord.of(row),
                **recommendation_of(None),
                **{name: row[name] for name in _OF_UNPLACED},
                "board": self._board,
                "conditions": _conditions([], row["method"]),
                "tier": [],
                "unit_count": 0,
                "result_count": 0,
                "methods": [],
                "facts": FactsRecord.of(row),
                "device": DeviceRecord.of(row),
            }
            for row in with_reasons(page, self._board)
        ]

    def _placed(self, page: Sequence[Row]) -> list[Row]:
        recommended = find_recommended([row["device_id"] for row in page])
        placed = with_others(with_places(page, self._ends), self._board)
        return [
            {
                "position": position,
                **RankingRecord.of(row),
                **recommendation_of(recommended.get(row["device_id"])),
                "methods": [{name: entry[name] for name in METHOD_FIELDS} for entry in (row, *row["others"])],
                **row["place"]._asdict(),
                "conditions": _conditions(row["device__conditions"], row["method"]),
                "ranking_state": RANKED,
                "not_ranked_reason": "",
                "facts": FactsRecord.of(row),
                "device": device_of(row),
            }
            for position, row in enumerate(placed, start=self.start)
        ]


def _conditions(stated: list[dict[str, str]], method: str) -> dict[str, list[str]]:
    return {**{name: [] for name in SHOWN}, **conditions_of(stated, method)}


def _orders() -> dict[str, BoardColumn]:
    """The columns by their names in `ordering`."""
    shown = columns()
    return {"rank": shown["rank"], **{column.field: column for column in shown.values()}}
