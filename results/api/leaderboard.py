"""The leaderboard: the same order, filters and page size as the page of that name."""

from dataclasses import asdict

from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from results.api.rows import DEVICE_FIELDS, RANKING_FIELDS, Row, device_record, ranking_record
from results.api.serializers import LeaderboardRowSerializer, ProblemSerializer
from results.models.choices import DeviceClassChoice, Method
from results.ranking.asked import METRICS, LeaderboardForm
from results.ranking.leaderboard import NoSuchPageError, rank_devices

_FIELDS = (*RANKING_FIELDS, *(f"device__{name}" for name in DEVICE_FIELDS))
_PAGE = inline_serializer(
    "LeaderboardPage",
    {
        "count": serializers.IntegerField(),
        "page": serializers.IntegerField(),
        "page_count": serializers.IntegerField(),
        "results": LeaderboardRowSerializer(many=True),
    },
)


class Leaderboard(APIView):
    """Devices in order, one page of 50 at a time."""

    @extend_schema(
        operation_id="leaderboard",
        parameters=[
            OpenApiParameter("class", str, enum=DeviceClassChoice.values, description="a device class"),
            OpenApiParameter("method", str, enum=Method.values, description="diskinfo unless told otherwise"),
            OpenApiParameter(
                "sort",
                str,
                enum=[sign + key for key in METRICS for sign in ("", "-")],
                description="a metric, best first; with a minus, worst first",
            ),
            OpenApiParameter("q", str, description="words of the model name or vendor"),
            OpenApiParameter(
                "protected", str, enum=["1"], description="1: only devices with power-loss protection"
            ),
            OpenApiParameter("page", int),
        ],
        responses={200: _PAGE, 400: ProblemSerializer, 404: ProblemSerializer},
    )
    def get(self, request: Request) -> Response:
        form = LeaderboardForm(request.query_params)
        if not form.is_valid():
            errors = form.errors.items()
            raise ValidationError({name: [str(message) for message in messages] for name, messages in errors})
        try:
            found = rank_devices(form.filters(), fields=_FIELDS)
        except NoSuchPageError as error:
            raise NotFound("The leaderboard has no such page.") from error
        return Response(
            {
                "count": found.count,
                "page": found.number,
                "page_count": found.page_count,
                "results": [_record(row) for row in found.rows],
            }
        )


def _record(row: Row) -> Row:
    device = {name: row[f"device__{name}"] for name in DEVICE_FIELDS}
    return {
        "position": row["position"],
        **ranking_record(row),
        **asdict(row["place"]),
        "device": device_record(device),
    }
