"""Serializers of submissions, and of requests, which refuse unknown fields."""

from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from results.api.result_serializers import ConditionsSerializer, ResultSerializer, RunSerializer
from results.api.serializers import (
    CLASSES,
    DescribedPoolSerializer,
    LeftOutLinesSerializer,
    LeftOutSerializer,
    NoticeSerializer,
    refuse_unknown,
)
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


class RankSerializer(serializers.Serializer):
    """A device's rank in its class with this run included, and the range of places by the intervals."""

    rank = serializers.IntegerField(help_text="the rank by the upper end of the interval, from 1")
    first_possible = serializers.IntegerField(help_text="the best rank possible within the intervals")
    last_possible = serializers.IntegerField(help_text="the worst rank possible within the intervals")
    device_count = serializers.IntegerField(
        help_text="devices of the class on this board, including this one"
    )
    device_class = serializers.ChoiceField(choices=CLASSES, help_text="its class")
    board = serializers.ChoiceField(
        choices=Board.choices, help_text="sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB"
    )
    leaderboard_url = serializers.URLField(help_text="the page of the leaderboard that the device is on")


class SubmittedResultSerializer(ResultSerializer):
    """A run with the rank of its device; null if it is not ranked."""

    rank = RankSerializer(allow_null=True, help_text="the rank of its device; null where it is not ranked")


class SubmissionSerializer(serializers.Serializer):
    """The state of a paste. Its results are shown while it is published."""

    run_count = serializers.IntegerField(help_text="runs in the text: those in `results` and those left out")
    left_out = LeftOutSerializer(many=True, help_text="runs that aren't published")
    id = serializers.CharField(help_text="its id")
    url = serializers.URLField(help_text="the page of its first result")
    state = serializers.ChoiceField(choices=State.choices, help_text="its state")
    results = SubmittedResultSerializer(many=True, help_text="its runs, in the order of the text")
    notices = NoticeSerializer(many=True, help_text="the parsers' notices")
    note = serializers.CharField(allow_blank=True, help_text="the sender's note about the submission")


class ReceivedSerializer(SubmissionSerializer):
    """The answer to a paste."""

    left_out_lines = LeftOutLinesSerializer(many=True, help_text="lines that aren't stored")
    is_new = serializers.BooleanField(help_text="false if the same text was already submitted")
    claim_token = serializers.CharField(
        allow_blank=True,
        help_text="makes its holder the owner; shown once, and empty for a member's submission",
    )


class FoundLogSerializer(serializers.Serializer):
    """A log device that the text describes."""

    model_name = serializers.CharField(help_text="as the device reports it")
    capacity_bytes = serializers.IntegerField(allow_null=True, help_text="in bytes; null if not stated")


class FoundPoolSerializer(DescribedPoolSerializer):
    """The pool of a run, as the text or its sender describes it. Its name is never stored."""

    position = serializers.IntegerField(help_text="among the pools of the text, from 1")
    log_devices = FoundLogSerializer(many=True, help_text="those that the text describes")


class FoundRunSerializer(RunSerializer):
    """A run that was found in a text, and is not stored."""

    model_name = serializers.CharField(
        allow_blank=True, help_text="as the device reports it; empty for a pool"
    )
    vendor = serializers.CharField(allow_blank=True, help_text="empty where it isn't known")
    capacity_bytes = serializers.IntegerField(allow_null=True, help_text="bytes; null where it isn't known")
    product = serializers.CharField(allow_null=True, help_text="the slug of its product in the catalogue")
    plp = serializers.ChoiceField(choices=Plp.choices, help_text="power-loss protection, by the catalogue")
    pool = FoundPoolSerializer(allow_null=True, help_text="what it is about, if not a device")
    conditions = ConditionsSerializer(help_text="the conditions under which it was measured")
    first_line = serializers.IntegerField(allow_null=True, help_text="its first line, from 1")
    last_line = serializers.IntegerField(allow_null=True, help_text="its last line")
    board = serializers.ChoiceField(
        choices=Board.choices,
        allow_null=True,
        help_text="the board of its tier and rank; null if it lacks the figure that a board ranks by",
    )
    tier = serializers.ListField(
        child=serializers.ChoiceField(choices=[(tier.key, tier.label) for tier in TIERS]),
        help_text="the tiers that the interval of this run alone spans, best first; empty if it isn't ranked",
    )
    rank = RankSerializer(allow_null=True, help_text="the rank that this run alone would have")


class ParsedSerializer(serializers.Serializer):
    """The readings of a text, and what would be published of it."""

    run_count = serializers.IntegerField(help_text="runs in the text: those in `runs` and those left out")
    left_out = LeftOutSerializer(many=True, help_text="runs that aren't published")
    left_out_lines = LeftOutLinesSerializer(many=True, help_text="lines that aren't stored")
    parser_version = serializers.CharField(help_text="of the parsers that read it")
    runs = FoundRunSerializer(many=True, help_text="the runs that would be published")
    notices = NoticeSerializer(many=True, help_text="the parsers' notices")
    text = serializers.CharField(
        allow_blank=True, help_text="the text as it would be stored and shown: only what we can read, masked"
    )
    note = serializers.CharField(allow_blank=True, help_text="the note as it would be stored and shown")


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
