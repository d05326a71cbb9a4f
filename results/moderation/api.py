"""Reports of results through the API."""

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import MaySubmitOrAnonymous, member_of
from results.api.errors import ConflictProblem
from results.api.views import Endpoint
from results.core.record import Record, field
from results.core.security.digests import digest_network
from results.core.security.rate_limits import sender_address
from results.models import Result, lengths
from results.models.choices import ReportReason
from results.models.result import no_such_result
from results.moderation.reports import OwnResultError, report_result, reportable
from results.submissions.api.serializers import StrictSerializer, optional_text


class ReportRecord(Record):
    """A stored report."""

    result: str = field("the id of the result")
    reason: ReportReason = field("why someone should look at it")
    is_new: bool = field("false if you already have an open report on it")


class ReportRequestSerializer(StrictSerializer):
    """A report: the reason and an explanation."""

    reason = serializers.ChoiceField(
        choices=ReportReason.choices,
        error_messages={"invalid_choice": f"Unknown reason. Allowed: {', '.join(ReportReason.values)}."},
        help_text="why someone should look at it",
    )
    text = optional_text(lengths.REPORT, "an explanation of the report; may be empty", default="")


class Reports(Endpoint):
    """Report a result to the moderators, with or without a key."""

    permission_classes = [MaySubmitOrAnonymous]

    @extend_schema(
        operation_id="report_result",
        request=ReportRequestSerializer,
        responses={
            201: ReportRecord,
            200: OpenApiResponse(ReportRecord, "You already have an open report on it."),
        },
    )
    def post(self, request: Request, public_id: str) -> Response:
        sent = ReportRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        result = reportable(public_id)
        if result is None:
            raise no_such_result(public_id)
        reporter = member_of(request)
        network = digest_network(sender_address(request))
        try:
            report, is_new = report_result(result, **sent.validated_data, reporter=reporter, network=network)
        except Result.DoesNotExist as error:
            raise no_such_result(public_id) from error
        except OwnResultError as error:
            raise ConflictProblem(str(error)) from error
        record = {"result": public_id, "reason": report.reason, "is_new": is_new}
        return Response(record, status=201 if is_new else 200)
