"""The leaderboard: the same order, filters and page size as the page of that name."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework.request import Request

from results.api.rows import (
    DEVICE_FIELDS,
    RANKING_FIELDS,
    Row,
    device_record,
    ranking_record,
    recommendation_record,
)
from results.api.serializers import LeaderboardRowSerializer, ProblemSerializer
from results.catalogue.api import FacetedList, list_parameters
from results.catalogue.facets import narrowed
from results.catalogue.facts import FACTS, expressions, fact_record
from results.catalogue.serializers import WithFactsSerializer
from results.leaderboard.columns import Column, columns
from results.leaderboard.forms import LeaderboardForm
from results.leaderboard.query import METHOD_FIELDS, find_others, find_rankings, in_order
from results.models import DeviceRanking
from results.models.choices import ONLY_PROTECTED, Board
from results.ranking.boards import ClassBoard, ends_of
from results.ranking.leaders import find_recommended, row_span
from results.ranking.standing import main_rows
from results.ranking.ties import find_places

_FIELDS = ("device_id", *RANKING_FIELDS, *(f"device__{name}" for name in DEVICE_FIELDS))


@extend_schema_serializer(component_name="LeaderboardRow")
class LeaderboardRowWithFactsSerializer(LeaderboardRowSerializer, WithFactsSerializer):
    """A row of the leaderboard, with the facts of the device's product at its capacity."""


class Leaderboard(FacetedList):
    """Devices in order, as on the page of that name."""

    queryset = DeviceRanking.objects.none()
    record = LeaderboardRowWithFactsSerializer
    form_class = LeaderboardForm
    parameters = ("board", "sort", "protected")

    def ordering_names(self) -> Sequence[str]:
        return tuple(_orders())

    @extend_schema(
        operation_id="leaderboard",
        parameters=[
            OpenApiParameter(
                "board",
                str,
                enum=Board.values,
                description="what devices are ranked by; sync_write by default",
            ),
            OpenApiParameter(
                "sort",
                str,
                enum=[sign + key for key in columns() for sign in ("", "-")],
                description="deprecated, ignored beside `ordering`: a metric, best first; with a minus, worst first",
                deprecated=True,
            ),
            OpenApiParameter(
                "protected", str, enum=["1"], description="1: only protected devices, whatever `plp` is"
            ),
            *list_parameters(LeaderboardForm),
        ],
        responses={200: LeaderboardRowWithFactsSerializer(many=True), 404: ProblemSerializer},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet:
        filters, chosen = self.read()
        classes = chosen.get("class", [])
        self._ends = ends_of(ClassBoard(filters.board, classes[0] if len(classes) == 1 else ""))
        self._board = filters.board
        self._scope = filters.scope
        self._orders = [(filters.column, filters.is_ascending)]
        found = find_rankings(filters, chosen)
        if self.request.query_params.get("protected"):
            found = narrowed(found, {"plp": [ONLY_PROTECTED]}, self._scope)
        return in_order(found, self._orders, self._scope).values("device_id")

    def ordered(self, found: QuerySet, terms: Sequence[str]) -> QuerySet:
        self._orders = [(_orders()[term.removeprefix("-")], not term.startswith("-")) for term in terms]
        return in_order(found, self._orders, self._scope)

    def details(self, found: QuerySet) -> Any:
        """The page is cut out of the index alone: else all rows before it would be joined, too."""
        rankings = main_rows(self._board).using(found.db).filter(device_id__in=found)
        facts = expressions(FACTS.values(), self._scope)
        return in_order(rankings, self._orders, self._scope).values(*_FIELDS, **facts)

    def rows(self, page: Sequence[Row]) -> list[Row]:
        devices = [row["device_id"] for row in page]
        others, recommended = find_others(self._board, devices), find_recommended(devices)
        places = find_places(self._ends, map(row_span, page))
        return [
            {
                "position": position,
                **ranking_record(row),
                **recommendation_record(recommended.get(row["device_id"])),
                "methods": [{name: row[name] for name in METHOD_FIELDS}, *others.get(row["device_id"], [])],
                **place._asdict(),
                "facts": fact_record(row, FACTS.values()),
                "device": device_record(row, "device__"),
            }
            for position, (row, place) in enumerate(zip(page, places, strict=True), start=self.start)
        ]


def _orders() -> dict[str, Column]:
    """The columns by their names in `ordering`."""
    shown = columns()
    return {"rank": shown["rank"], **{column.field: column for column in shown.values()}}
