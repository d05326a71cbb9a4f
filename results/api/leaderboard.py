"""The leaderboard: the same order, filters and page size as the page of that name."""

from functools import lru_cache

from django.http import HttpResponse, QueryDict
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from results.api.endpoint import Endpoint, written
from results.api.problems import form_problem
from results.api.rows import DEVICE_FIELDS, RANKING_FIELDS, Row, device_record, ranking_record
from results.api.serializers import LeaderboardRowSerializer, ProblemSerializer
from results.models.choices import Method
from results.ranking.asked import METRICS, LeaderboardFilter, LeaderboardForm
from results.ranking.facets import FACETS
from results.ranking.leaderboard import NoSuchPageError, rank_devices
from results.ranking.ties import Place

_FIELDS = (*RANKING_FIELDS, *(f"device__{name}" for name in DEVICE_FIELDS))
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
                enum=[sign + key for key in METRICS for sign in ("", "-")],
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
            found = rank_devices(_asked(request.META["QUERY_STRING"]), fields=_FIELDS)
        except NoSuchPageError as error:
            raise NotFound("The leaderboard has no such page.") from error
        return written(
            {
                "count": found.count,
                "page": found.number,
                "page_count": found.page_count,
                "results": self.picked([_record(row) for row in found.rows]),
            }
        )


@lru_cache(maxsize=500)
def _asked(query: str) -> LeaderboardFilter:
    """What a query string asks for; raises ValidationError. Checking a form takes as long as reading the page."""
    form = LeaderboardForm(QueryDict(query))
    if not form.is_valid():
        raise form_problem(form)
    return form.filters()


def _record(row: Row) -> Row:
    place: Place = row["place"]
    return {
        "position": row["position"],
        **ranking_record(row),
        "rank": place.rank,
        "first_possible": place.first_possible,
        "last_possible": place.last_possible,
        "tie_group": place.tie_group,
        "device": device_record(row, "device__"),
    }
