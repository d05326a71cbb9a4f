"""The leaderboard: the same order, filters and page size as the page of that name."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from results.api.errors import form_problem
from results.api.rows import DEVICE_FIELDS, RANKING_FIELDS, Row, device_record, ranking_record
from results.api.serializers import LeaderboardRowSerializer, ProblemSerializer
from results.api.views import Endpoint, written
from results.core.links import page_count
from results.leaderboard.columns import columns
from results.leaderboard.facets import FACETS
from results.leaderboard.forms import LeaderboardForm, RefusedError, read_query
from results.leaderboard.query import FoundPage, NoSuchPageError, find_page, first_position
from results.models.choices import Method
from results.ranking.intervals import Interval
from results.ranking.recommend import is_recommended
from results.ranking.ties import Place, find_places

_FIELDS = (*RANKING_FIELDS, "recommended_high_us", *(f"device__{name}" for name in DEVICE_FIELDS))
PARAMETERS = tuple(LeaderboardForm({}).fields)
_DESCRIPTIONS = {
    "class": "a device class",
    "plp": "power-loss protection; protected: yes or by_design",
    "segment": "for whom the product is made",
    "capacity": "a range of capacities",
    "interface": "what it is attached by",
    "form": "a form factor that the product comes in",
    "vendor": "a vendor's name, in any case",
}
_PAGE = inline_serializer(
    "PaginatedLeaderboard",
    {
        "count": serializers.IntegerField(),
        "page": serializers.IntegerField(),
        "page_count": serializers.IntegerField(),
        "results": LeaderboardRowSerializer(many=True),
    },
)


class Leaderboard(Endpoint):
    """Devices in order, one page of 50 at a time."""

    parameters = PARAMETERS
    record = LeaderboardRowSerializer

    @extend_schema(
        operation_id="leaderboard",
        parameters=[
            OpenApiParameter("method", str, enum=Method.values, description="diskinfo unless told otherwise"),
            OpenApiParameter(
                "sort",
                str,
                enum=[sign + key for key in columns() for sign in ("", "-")],
                description="a metric, best first; with a minus, worst first",
            ),
            *(
                OpenApiParameter(
                    facet.key, str, enum=list(facet.labels) or None, description=_DESCRIPTIONS[facet.key]
                )
                for facet in FACETS
                if facet.key != "min_units"
            ),
            OpenApiParameter("min_units", int, description="at least so many units measured"),
            OpenApiParameter(
                "q", str, description="words of vendor, model or product; typing errors are forgiven"
            ),
            OpenApiParameter("protected", str, enum=["1"], description="1: the same as plp=protected"),
            OpenApiParameter("page", int),
        ],
        responses={200: _PAGE, 404: ProblemSerializer},
    )
    def get(self, request: Request) -> HttpResponse:
        try:
            filters = read_query(LeaderboardForm, request.META["QUERY_STRING"])
        except RefusedError as error:
            raise form_problem(error.form) from error
        try:
            found = find_page(filters, fields=_FIELDS)
        except NoSuchPageError as error:
            raise NotFound(f"The leaderboard ends with page {error.page_count} here.") from error
        record = {
            "count": found.count,
            "page": filters.page,
            "page_count": page_count(found.count),
            "results": self.picked(_records(found, first=first_position(filters))),
        }
        return written(record)


def _records(found: FoundPage, *, first: int) -> list[Row]:
    """LeaderboardRowSerializer's shape, of rows of _FIELDS."""
    places = find_places(found.ends, [Interval(row["low_us"], row["high_us"]) for row in found.rows])
    return [
        _record(row, place, position=position)
        for position, (row, place) in enumerate(zip(found.rows, places, strict=True), start=first)
    ]


def _record(row: Row, place: Place, *, position: int) -> Row:
    return {
        "position": position,
        **ranking_record(row),
        "is_recommended": is_recommended(row["recommended_high_us"], row["device__product__plp"]),
        **place._asdict(),
        "device": device_record(row, "device__"),
    }
