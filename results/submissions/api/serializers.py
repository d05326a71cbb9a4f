"""Serializers of requests, which refuse unknown fields."""

from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from results.api.parameters import refuse_unknown
from results.kinds.answers import LONGEST_ANSWER, MAX_TIMINGS, check_size
from results.models import lengths

# A pattern for the schema whose matches urllib.parse can split; URLField checks more than a pattern can
ADDRESS = r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?#][!-~\u00a1-\ud7ff]*)?$"


class StrictSerializer(serializers.Serializer):
    """A request that refuses unknown fields."""

    default_error_messages = {"invalid": "Expected a JSON object, not {datatype}."}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            refuse_unknown(data, self.fields, "field")
        return super().to_internal_value(data)


def optional_text(max_length: int | None, help_text: str, **options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=max_length, required=False, allow_blank=True, help_text=help_text, **options
    )


class SenderSerializer(StrictSerializer):
    """Who measured it, where it was published, and whether its unit may be recognized."""

    forum_handle = optional_text(lengths.HANDLE, "who measured it, or empty", default="")
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
    note = optional_text(lengths.NOTE, "what readers should know, public, without links", default="")


class AnswersField(serializers.DictField):
    """Answers by what they are about and by question, counted before each is checked."""

    child = serializers.DictField(child=serializers.CharField(allow_blank=True, max_length=LONGEST_ANSWER))

    def to_internal_value(self, data: Any) -> Any:
        try:
            check_size(data if isinstance(data, dict) else {})
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
        return super().to_internal_value(data)


class SenderAnswersSerializer(SenderSerializer):
    """What the sender states about runs of a pool, which no tool prints."""

    told = AnswersField(
        required=False,
        help_text="answers by what they are about: all, line-12 (the run that begins at line 12), timing-1",
    )
    timings = serializers.ListField(
        child=serializers.CharField(max_length=lengths.NOTE, allow_blank=True),
        required=False,
        max_length=MAX_TIMINGS,
        help_text="timings taken by hand, such as “installation took 5:31”",
    )


class SubmissionRequestSerializer(SenderAnswersSerializer):
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
    text = optional_text(
        None,
        "terminal output, placed before the files; may be empty",
        trim_whitespace=False,
        default="",
        error_messages={"invalid": "Expected text. Send files as `file`."},
    )


class OwnerConditionsSerializer(StrictSerializer):
    """Conditions that the text does not state."""

    platform = optional_text(lengths.CONDITION, "the operating system")
    attachment = optional_text(lengths.CONDITION, "its driver or controller")
    write_cache = optional_text(lengths.CONDITION, "the owner's statement about its write cache")
    host = optional_text(lengths.CONDITION, "the machine that it was measured in")


class ResultPatchSerializer(StrictSerializer):
    """The owner's additions; omitted fields are unchanged."""

    notes = optional_text(lengths.NOTES, "the owner's notes")
    told_conditions = OwnerConditionsSerializer(
        required=False, help_text="the owner's statements about how it was measured"
    )


PASTE_BODIES = {
    "text/plain": {"type": "string"},
    "application/json": SubmissionRequestSerializer,
    "multipart/form-data": SubmissionUploadSerializer,
}
