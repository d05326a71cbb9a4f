"""Results: the newest first, and one with its conditions and its masked text."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from results.api.filters import ResultFilter
from results.api.lists import NewestFirst, RowList
from results.api.rows import RESULT_FIELDS, Row, result_record
from results.api.serializers import ProblemSerializer, ResultDetailSerializer, ResultSerializer
from results.models import Result
from results.models.choices import State
from results.models.result import CONDITION_FIELDS

SUBMISSION_FIELDS = ("state", "state_reason", "source_url", "forum_handle", "notices", "text")


class ResultList(RowList):
    """Published results, newest first."""

    queryset = Result.objects.filter(submission__state=State.PUBLISHED).values(*RESULT_FIELDS)
    serializer_class = ResultSerializer
    pagination_class = NewestFirst
    filterset_class = ResultFilter

    @staticmethod
    def record(row: Row) -> Row:
        return result_record(row)


class ResultDetail(APIView):
    """One run, whatever its state."""

    @extend_schema(responses={200: ResultDetailSerializer, 404: ProblemSerializer})
    def get(self, request: Request, public_id: str) -> Response:  # noqa: ARG002 - a view gets its request
        of_submission = [f"submission__{name}" for name in SUBMISSION_FIELDS]
        found = Result.objects.filter(public_id=public_id)
        row = found.values(*RESULT_FIELDS, *CONDITION_FIELDS, "parser_version", *of_submission).first()
        if row is None:
            raise Http404
        return Response({**result_record(row), **_detail(row)})


def _detail(row: Row) -> Row:
    written = row["host_bytes_written"]
    conditions = {name: row[name] for name in CONDITION_FIELDS}
    return {
        **{name: row[f"submission__{name}"] for name in SUBMISSION_FIELDS},
        "parser_version": row["parser_version"],
        "conditions": {**conditions, "host_bytes_written": None if written is None else int(written)},
    }
