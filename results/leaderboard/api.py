"""The leaderboard: the same order, filters and page size as the page of that name."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework.request import Request

from results.api.errors import form_problem
from results.api.lists import RowList
from results.api.rows import DEVICE_FIELDS, RANKING_FIELDS, Row, device_record, ranking_record
from results.api.serializers import LeaderboardRowSerializer, ProblemSerializer, values_of
from results.catalogue.api import PRICE_PARAMETERS
from results.catalogue.facts import FACTS, expressions, fact_record
from results.catalogue.limits import LIMITS, Limit
from results.catalogue.serializers import WithFactsSerializer
from results.leaderboard.columns import Column, columns
from results.leaderboard.facets import FACETS, narrowed_to_any
from results.leaderboard.forms import (
    MAX_UNITS,
    LeaderboardFilter,
    LeaderboardForm,
    RefusedError,
    read_query,
)
from results.leaderboard.query import find_rankings, in_order
from results.models import DeviceRanking
from results.models.choices import ONLY_PROTECTED, Method
from results.ranking.boards import Board, ends_of
from results.ranking.intervals import Interval
from results.ranking.recommend import is_recommended
from results.ranking.ties import Ends, Place, find_places

_FIELDS = (*RANKING_FIELDS, "recommended_high_us", *(f"device__{name}" for name in DEVICE_FIELDS))
_DESCRIPTIONS = {
    "class": "a device class",
    "plp": "power-loss protection; protected: yes or by_design",
    "segment": "the product's market segment",
    "capacity": "a range of capacities",
    "interface": "the product's interface",
    "form": "a form factor that the product comes in",
    "vendor": "a vendor's name, in any case; 404 for an unknown one",
}
_LEFT_OUT = {
    "price": "; devices without a known price are left out: `priced=no` lists them",
    "priced": ": whether a price in `currency`, of that `condition`, is known",
    "evidence": "",
}
_SINGLE = ("method", "q", "sort", "protected", "min_units", "currency", "condition", *LIMITS)
_ANY_OF = tuple(facet.key for facet in FACETS if facet.key not in _SINGLE)


@extend_schema_serializer(component_name="LeaderboardRow")
class LeaderboardRowWithFactsSerializer(LeaderboardRowSerializer, WithFactsSerializer):
    """A row of the leaderboard, with the facts of the device's product at its capacity."""


def _limit_parameter(limit: Limit) -> OpenApiParameter:
    """As in the form: an option, or a number with at most two decimals."""
    unit = f", {limit.unit}" if limit.unit else ""
    left_out = _LEFT_OUT.get(limit.key, "; devices for which it isn’t known are left out")
    description = f"{limit.label.lower()}{unit}{left_out}"
    if limit.options:
        return OpenApiParameter(limit.key, str, enum=list(limit.options), description=description)
    number = {"type": "number", "minimum": 0.01, "maximum": 1_000_000, "multipleOf": 0.01}
    return OpenApiParameter(limit.key, number, description=description)


class Leaderboard(RowList):
    """Devices in order, as on the page of that name."""

    queryset = DeviceRanking.objects.none()
    record = LeaderboardRowWithFactsSerializer
    parameters = (*_SINGLE, *_ANY_OF)

    def ordering_names(self) -> Sequence[str]:
        return tuple(_orders())

    @extend_schema(
        operation_id="leaderboard",
        parameters=[
            OpenApiParameter("method", str, enum=Method.values, description="diskinfo by default"),
            OpenApiParameter(
                "sort",
                str,
                enum=[sign + key for key in columns() for sign in ("", "-")],
                description="deprecated, ignored beside `ordering`: a metric, best first; with a minus, worst first",
                deprecated=True,
            ),
            *(
                OpenApiParameter(
                    facet.key,
                    {
                        "type": "array",
                        "items": {"type": "string"} | ({"enum": list(facet.labels)} if facet.labels else {}),
                    },
                    style="form",
                    explode=False,
                    description=f"{_DESCRIPTIONS[facet.key]}; any of several",
                )
                for facet in FACETS
                if facet.key in _ANY_OF
            ),
            OpenApiParameter(
                "min_units",
                {"type": "integer", "minimum": 1, "maximum": MAX_UNITS},
                description="at least this many measured units",
            ),
            OpenApiParameter(
                "q", str, description="words of vendor, model or product; similar spellings match, too"
            ),
            OpenApiParameter(
                "protected", str, enum=["1"], description="1: only protected devices, whatever `plp` is"
            ),
            *(_limit_parameter(limit) for limit in LIMITS.values()),
            *PRICE_PARAMETERS,
        ],
        responses={200: LeaderboardRowWithFactsSerializer(many=True), 404: ProblemSerializer},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        return super().get(request, *args, **kwargs)

    def plural_parameters(self) -> set[str]:
        return {*super().plural_parameters(), *_ANY_OF}

    def get_queryset(self) -> QuerySet:
        query = self.request.query_params
        several = {key: values_of(query, key) for key in _ANY_OF}
        single = {name: query[name] for name in _SINGLE if name in query}
        for key, values in several.items():
            for value in values[1:]:
                _read({key: value})
        filters = _read(single | {key: values[0] for key, values in several.items() if values})
        chosen = {key: [value] for key, value in filters.chosen.items()}
        chosen |= {
            key: [value.lower() if key == "vendor" else value for value in values]
            for key, values in several.items()
            if values
        }
        classes = chosen.get("class", [])
        self._ends = ends_of(Board(classes[0] if len(classes) == 1 else "", filters.method))
        self._method = filters.method
        self._scope = filters.scope
        self._orders = [(filters.column, filters.is_ascending)]
        found = find_rankings(filters, chosen)
        if query.get("protected"):
            found = narrowed_to_any(found, {"plp": [ONLY_PROTECTED]})
        return in_order(found, self._orders, self._scope).values("device_id")

    def ordered(self, found: QuerySet, terms: Sequence[str]) -> QuerySet:
        self._orders = [(_orders()[term.removeprefix("-")], not term.startswith("-")) for term in terms]
        return in_order(found, self._orders, self._scope)

    def details(self, found: QuerySet) -> Any:
        """The page is cut out of the index alone: else all rows before it would be joined, too."""
        rankings = DeviceRanking.objects.using(found.db).filter(method=self._method, device_id__in=found)
        facts = expressions(FACTS.values(), self._scope)
        return in_order(rankings, self._orders, self._scope).values(*_FIELDS, **facts)

    def rows(self, page: Sequence[Row]) -> list[Row]:
        return _records(page, self._ends, first=self.start)


def _orders() -> dict[str, Column]:
    """The columns by their names in `ordering`."""
    shown = columns()
    return {"rank": shown["rank"], **{column.field: column for column in shown.values()}}


def _read(parameters: dict[str, str]) -> LeaderboardFilter:
    try:
        return read_query(LeaderboardForm, urlencode(parameters))
    except RefusedError as error:
        raise form_problem(error.form) from error


def _records(rows: Sequence[Row], ends: Ends, *, first: int) -> list[Row]:
    """LeaderboardRowSerializer's shape, of rows of _FIELDS."""
    places = find_places(ends, [Interval(row["low_us"], row["high_us"]) for row in rows])
    return [
        _record(row, place, position=position)
        for position, (row, place) in enumerate(zip(rows, places, strict=True), start=first)
    ]


def _record(row: Row, place: Place, *, position: int) -> Row:
    return {
        "position": position,
        **ranking_record(row),
        "is_recommended": is_recommended(row["recommended_high_us"], row["device__product__plp"]),
        **place._asdict(),
        "facts": fact_record(row, FACTS.values()),
        "device": device_record(row, "device__"),
    }
