"""The check of a live log in the API, by the functions of the page. Stores nothing."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from results.advice.lights import LIGHTS_VERSION, Color, rules
from results.api.authentication import ReadByBodyThrottle
from results.api.errors import TooLongProblem
from results.api.records import rounded
from results.api.renderers import OrjsonParser, PlainTextParser
from results.api.views import Endpoint
from results.core.record import Record, Url, field
from results.submissions.api.serializers import StrictSerializer
from results.submissions.intake.receive import PasteTooLongError
from results.used_drive.live_log.check import check_text


def _as_float(value: float | None) -> float | None:
    """Counts may have more than 64 bits."""
    return None if value is None else rounded(float(value))


class LogCheckRequestSerializer(StrictSerializer):
    """The output of the commands, as JSON."""

    text = serializers.CharField(
        trim_whitespace=False, min_length=1, help_text="the output of the page’s commands, at most 512 KiB"
    )


class LightSourceRecord(Record):
    """Where a rule can be checked."""

    label: str = field("its name")
    url: Url = field("its address")


class LightRecord(Record):
    """What a light shows, and how that is decided."""

    key: str = field(
        "a stable name for programs", choices=[(key, rule.question) for key, rule in rules().items()]
    )
    color: Color = field("not_stated: the text doesn’t say enough")
    question: str = field("the question that it answers", "rule.question")
    text: str = field("the answer, for people to read")
    value: float | None = field("the figure that its rule is about; null if there is none", to=_as_float)
    rule: str = field("how it is decided", "rule.rule")
    states: str = field("where the figures are read from", "rule.states")
    sources: list[LightSourceRecord] = field("where the rule’s counters are explained", "rule.sources")
    step: str = field("what to do next, or empty")
    command: str = field("a command for that step, or empty")


class LogCheckRecord(Record):
    """The check of a live log."""

    version: int = field("the version of the rules", lambda _: LIGHTS_VERSION)
    summary: str = field("the result in one sentence")
    commits_s: float | None = field("the pool’s commits per second", to=rounded)
    log_bytes_s: float | None = field("bytes per second written to the SLOG", to=rounded)
    write_us: float | None = field("mean time of a write to the slowest disk of the log, in µs", to=rounded)
    flush_us: float | None = field("the same for a flush, in µs", to=rounded)
    client_iops: float | None = field(
        "sync writes per second that one NFS client gets with it, at a round trip of 0.1 ms", to=rounded
    )
    share: float | None = field("the share of the log’s bytes that went to the SLOG, 0 to 1", to=rounded)
    years: float | None = field("years that its drives will last at this rate", to=rounded)
    lights: list[LightRecord] = field("all of them, always in the same order")


class LogCheck(Endpoint):
    """Checks a log in use from the output of the commands on `/check/`. Nothing is stored."""

    parser_classes = [PlainTextParser, OrjsonParser]

    def get_throttles(self) -> list[BaseThrottle]:
        return [ReadByBodyThrottle()]

    @extend_schema(
        operation_id="check_log",
        request={"text/plain": {"type": "string"}, "application/json": LogCheckRequestSerializer},
        responses={200: LogCheckRecord},
    )
    def post(self, request: Request) -> Response:
        raw: str | bytes = request.data if isinstance(request.data, bytes) else b""
        if request.content_type and not request.content_type.startswith(PlainTextParser.media_type):
            shape = LogCheckRequestSerializer(data=request.data)
            shape.is_valid(raise_exception=True)
            raw = shape.validated_data["text"]
        try:
            found = check_text(raw)
        except PasteTooLongError as error:
            raise TooLongProblem from error
        return Response(LogCheckRecord.of(found))
