"""The check of a live log in the API, by the functions of the page. Stores nothing."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from parsers.base.units import KIBIBYTE
from results.advice.felt import SIZES, Client
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
from results.used_drive.live_log.noticed import MAX_ROUND_TRIP_US, MAX_WRITERS, notice

LARGEST_WRITE = 128 * KIBIBYTE  # of the ZIL


def _as_float(value: float | None) -> float | None:
    """Counts may have more than 64 bits."""
    return None if value is None else rounded(float(value))


class LogCheckRequestSerializer(StrictSerializer):
    """The output of the commands, as JSON."""

    text = serializers.CharField(
        trim_whitespace=False, min_length=1, help_text="the output of the page’s commands, at most 512 KiB"
    )
    round_trip_us = serializers.FloatField(
        min_value=1,
        max_value=MAX_ROUND_TRIP_US,
        default=Client().round_trip_us,
        help_text="between a client and the pool, in µs",
    )
    write_bytes = serializers.IntegerField(
        min_value=SIZES[0],
        max_value=LARGEST_WRITE,
        default=Client().size,
        help_text="the size of the client’s sync writes, in bytes",
    )
    writers = serializers.IntegerField(
        min_value=1,
        max_value=MAX_WRITERS,
        default=Client().writers,
        help_text="how many wait for their writes at the same time",
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
    command: str = field(
        "a command for that step; for a light that is not_stated, one that prints what it needs; or empty"
    )


class NoticedRecord(Record):
    """What a client notices of the log; null where the size of its writes was never measured."""

    round_trip_us: float = field("as asked, in µs", "client.round_trip_us")
    write_bytes: int = field("as asked, in bytes", "client.size")
    writers: int = field("as asked", "client.writers")
    wait_us: float | None = field("what one sync write takes, in µs", to=rounded)
    writes_s: float | None = field("sync writes per second of one writer that waits for each", to=rounded)
    most_s: float | None = field("the same for all writers together, at most", to=rounded)


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
    noticed: NoticedRecord | None = field(
        "what a client notices; null if nothing is known of the log’s times"
    )
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
        client = Client()
        if request.content_type and not request.content_type.startswith(PlainTextParser.media_type):
            shape = LogCheckRequestSerializer(data=request.data)
            shape.is_valid(raise_exception=True)
            stated = shape.validated_data
            raw = stated["text"]
            client = Client(stated["round_trip_us"], stated["write_bytes"], stated["writers"])
        try:
            found = check_text(raw)
        except PasteTooLongError as error:
            raise TooLongProblem from error
        noticed = notice(found, client)
        return Response(LogCheckRecord.of(found, noticed=noticed and NoticedRecord.of(noticed)))
