"""Serializers of submissions, and of requests, which refuse unknown fields."""

from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from parsers.base.device_class import DeviceClass
from results.api.parameters import refuse_unknown
from results.api.records import DescribedPoolRecord, LeftOutLinesRecord, LeftOutRecord, NoticeRecord
from results.api.result_records import ConditionsRecord, ResultRecord, RunRecord
from results.core.record import Record, Url, field
from results.kinds.told import LONGEST_ANSWER, MOST_TIMINGS, check_size
from results.models import lengths
from results.models.choices import (
    Board,
    Plp,
    State,
)
from results.ranking.tiers import TIERS

# A pattern for the schema whose matches urllib.parse can split; URLField checks more than a pattern can
ADDRESS = r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?#][!-~\u00a1-\ud7ff]*)?$"


class RankRecord(Record):
    """A device's rank in its class with this run included, and the range of places by the intervals."""

    rank: int = field("the rank by the upper end of the interval, from 1")
    first_possible: int = field("the best rank possible within the intervals")
    last_possible: int = field("the worst rank possible within the intervals")
    device_count: int = field("devices of the class on this board, including this one")
    device_class: DeviceClass = field("its class")
    board: Board = field("sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB")
    leaderboard_url: Url = field("the page of the leaderboard that the device is on")


class SubmittedResultRecord(ResultRecord):
    """A run with the rank of its device; null if it is not ranked."""

    rank: RankRecord | None = field("the rank of its device; null where it is not ranked")


class SubmissionRecord(Record):
    """The state of a paste. Its results are shown while it is published."""

    run_count: int = field("runs in the text: those in `results` and those left out")
    left_out: list[LeftOutRecord] = field("runs that aren't published")
    id: str = field("its id")
    url: Url = field("the page of its first result")
    state: State = field("its state")
    results: list[SubmittedResultRecord] = field("its runs, in the order of the text")
    notices: list[NoticeRecord] = field("the parsers' notices")
    note: str = field("the sender's note about the submission")


class ReceivedRecord(SubmissionRecord):
    """The answer to a paste."""

    left_out_lines: list[LeftOutLinesRecord] = field("lines that aren't stored")
    is_new: bool = field("false if the same text was already submitted")
    claim_token: str = field("makes its holder the owner; shown once, and empty for a member's submission")


class FoundLogRecord(Record):
    """A log device that the text describes."""

    model_name: str = field("as the device reports it")
    capacity_bytes: int | None = field("in bytes; null if not stated")


class FoundPoolRecord(DescribedPoolRecord):
    """The pool of a run, as the text or its sender describes it. Its name is never stored."""

    position: int = field("among the pools of the text, from 1")
    log_devices: list[FoundLogRecord] = field("those that the text describes")


class FoundRunRecord(RunRecord):
    """A run that was found in a text, and is not stored."""

    model_name: str = field("as the device reports it; empty for a pool")
    vendor: str = field("empty where it isn't known")
    capacity_bytes: int | None = field("bytes; null where it isn't known")
    product: str | None = field("the slug of its product in the catalogue")
    plp: Plp = field("power-loss protection, by the catalogue")
    pool: FoundPoolRecord | None = field("what it is about, if not a device")
    conditions: ConditionsRecord = field("the conditions under which it was measured")
    first_line: int | None = field("its first line, from 1")
    last_line: int | None = field("its last line")
    board: Board | None = field(
        "the board of its tier and rank; null if it lacks the figure that a board ranks by"
    )
    tier: list[str] = field(
        "the tiers that the interval of this run alone spans, best first; empty if it isn't ranked",
        choices=[(tier.key, tier.label) for tier in TIERS],
    )
    rank: RankRecord | None = field("the rank that this run alone would have")


class ParsedRecord(Record):
    """The readings of a text, and what would be published of it."""

    run_count: int = field("runs in the text: those in `runs` and those left out")
    left_out: list[LeftOutRecord] = field("runs that aren't published")
    left_out_lines: list[LeftOutLinesRecord] = field("lines that aren't stored")
    parser_version: str = field("of the parsers that read it")
    runs: list[FoundRunRecord] = field("the runs that would be published")
    notices: list[NoticeRecord] = field("the parsers' notices")
    text: str = field("the text as it would be stored and shown: only what we can read, masked")
    note: str = field("the note as it would be stored and shown")


class StrictSerializer(serializers.Serializer):
    """A request that refuses unknown fields."""

    default_error_messages = {"invalid": "Expected a JSON object, not {datatype}."}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            refuse_unknown(data, self.fields, "field")
        return super().to_internal_value(data)


class SenderSerializer(StrictSerializer):
    """Who measured it, where it was published, and whether its unit may be recognized."""

    forum_handle = serializers.CharField(
        max_length=lengths.HANDLE,
        required=False,
        allow_blank=True,
        default="",
        help_text="who measured it, or empty",
    )
    source_url = serializers.RegexField(
        ADDRESS,
        max_length=lengths.ADDRESS,
        required=False,
        allow_blank=True,
        help_text="where it was published, or empty",
    )
    keeps_unit = serializers.BooleanField(
        required=False, default=True, help_text="false: results of one unit can't be linked"
    )
    measured_on = serializers.DateField(
        required=False,
        default=None,
        help_text="the day of the run, from 2000 on and not in the future; a date in the text takes precedence",
    )
    note = serializers.CharField(
        max_length=lengths.NOTE,
        required=False,
        allow_blank=True,
        default="",
        help_text="what readers should know, public, without links",
    )


class AnswersField(serializers.DictField):
    """Answers by what they are about and by question, counted before each is checked."""

    child = serializers.DictField(child=serializers.CharField(allow_blank=True, max_length=LONGEST_ANSWER))

    def to_internal_value(self, data: Any) -> Any:
        try:
            check_size(data if isinstance(data, dict) else {})
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
        return super().to_internal_value(data)


class ToldSerializer(SenderSerializer):
    """What the sender states about runs of a pool, which no tool prints."""

    told = AnswersField(
        required=False,
        help_text="answers by what they are about: all, line-12 (the run that begins at line 12), timing-1",
    )
    timings = serializers.ListField(
        child=serializers.CharField(max_length=lengths.NOTE, allow_blank=True),
        required=False,
        max_length=MOST_TIMINGS,
        help_text="timings taken by hand, such as “installation took 5:31”",
    )


class SubmissionRequestSerializer(ToldSerializer):
    """A paste as JSON."""

    text = serializers.CharField(
        trim_whitespace=False,
        min_length=1,
        help_text="the terminal output, at most 512 KiB; 4 MiB with the samples of logs",
    )


@extend_schema_field({"type": "string", "format": "binary"})
class PartField(serializers.FileField):
    """A part of a form: a file, or its content if it has no file name."""

    def to_internal_value(self, data: Any) -> Any:
        return ContentFile(data) if isinstance(data, str) else super().to_internal_value(data)


class SubmissionUploadSerializer(SenderSerializer):
    """A paste as one or several uploaded files; a text sent with them comes first."""

    file = serializers.ListField(
        child=PartField(allow_empty_file=True),
        min_length=1,
        max_length=settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        help_text="one or more files with the tools' output",
    )
    text = serializers.CharField(
        trim_whitespace=False,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"invalid": "Expected text. Send files as `file`."},
        help_text="terminal output, placed before the files; may be empty",
    )


class OwnerConditionsSerializer(StrictSerializer):
    """Conditions that the text does not state."""

    platform = serializers.CharField(
        max_length=lengths.CONDITION, required=False, allow_blank=True, help_text="the operating system"
    )
    attachment = serializers.CharField(
        max_length=lengths.CONDITION, required=False, allow_blank=True, help_text="its driver or controller"
    )
    write_cache = serializers.CharField(
        max_length=lengths.CONDITION,
        required=False,
        allow_blank=True,
        help_text="the owner's statement about its write cache",
    )
    host = serializers.CharField(
        max_length=lengths.CONDITION,
        required=False,
        allow_blank=True,
        help_text="the machine that it was measured in",
    )


class ResultPatchSerializer(StrictSerializer):
    """The owner's additions; omitted fields are unchanged."""

    notes = serializers.CharField(
        max_length=lengths.NOTES, required=False, allow_blank=True, help_text="the owner's notes"
    )
    told_conditions = OwnerConditionsSerializer(
        required=False, help_text="the owner's statements about how it was measured"
    )


PASTE_BODIES = {
    "text/plain": {"type": "string"},
    "application/json": SubmissionRequestSerializer,
    "multipart/form-data": SubmissionUploadSerializer,
}
