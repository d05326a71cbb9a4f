"""The shapes of what is sent; what they don't name is refused."""

from typing import Any

from rest_framework import serializers

from results.api.names import refuse_unknown
from results.models import lengths
from results.models.choices import ReportReason


class StrictSerializer(serializers.Serializer):
    """A shape with nothing beside it."""

    default_error_messages = {"invalid": "This takes a JSON object, not {datatype}."}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            refuse_unknown(data, self.fields, "field")
        return super().to_internal_value(data)


class SenderSerializer(StrictSerializer):
    """Who measured it, where it was published, and whether its unit may be recognised again."""

    forum_handle = serializers.CharField(
        max_length=lengths.HANDLE, required=False, allow_blank=True, default=""
    )
    source_url = serializers.URLField(
        max_length=lengths.ADDRESS, required=False, allow_blank=True, default=""
    )
    keeps_unit = serializers.BooleanField(
        required=False, default=True, help_text="false: nobody can tell that two results are of one unit"
    )


class SubmissionRequestSerializer(SenderSerializer):
    """A paste as JSON."""

    text = serializers.CharField(
        trim_whitespace=False, help_text="what the terminal printed, at most 512 KiB"
    )


class ParseRequestSerializer(SenderSerializer):
    """A finished parse, as `python -m parsers` prints it: its text is stored and read again."""

    parser_version = serializers.CharField(max_length=20)
    text = serializers.CharField(trim_whitespace=False, help_text="the masked text of the parse")
    readings = serializers.ListField(child=serializers.DictField(), allow_empty=False)
    devices = serializers.ListField(child=serializers.DictField(), required=False)
    warnings = serializers.ListField(child=serializers.DictField(), required=False)


class SubmissionUploadSerializer(SenderSerializer):
    """A paste as one or several uploaded files; text beside them goes first."""

    file = serializers.ListField(child=serializers.FileField(), allow_empty=False)
    text = serializers.CharField(
        trim_whitespace=False,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"invalid": "This takes text: send a file as `file`."},
    )


class ClaimRequestSerializer(StrictSerializer):
    """The token that came with the answer to a submission."""

    token = serializers.CharField(max_length=200)


class ReportRequestSerializer(StrictSerializer):
    """Why a person should look at a result."""

    reason = serializers.ChoiceField(
        choices=ReportReason.choices,
        error_messages={
            "invalid_choice": f"There is no such reason. There are: {', '.join(ReportReason.values)}."
        },
    )
    text = serializers.CharField(max_length=lengths.REPORT, required=False, allow_blank=True, default="")


class ToldSerializer(StrictSerializer):
    """What the text does not say."""

    platform = serializers.CharField(max_length=lengths.CONDITION, required=False, allow_blank=True)
    attachment = serializers.CharField(max_length=lengths.CONDITION, required=False, allow_blank=True)
    write_cache = serializers.CharField(max_length=lengths.CONDITION, required=False, allow_blank=True)
    host = serializers.CharField(max_length=lengths.CONDITION, required=False, allow_blank=True)


class ResultPatchSerializer(StrictSerializer):
    """What the owner adds; what is left out stays as it is."""

    notes = serializers.CharField(max_length=lengths.NOTES, required=False, allow_blank=True)
    told_conditions = ToldSerializer(required=False)
