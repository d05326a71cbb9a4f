"""Serializers of results: add a field here and to result_record in results/api/rows.py."""

from rest_framework import serializers

from results.api.serializers import CLASSES, MeasuredSerializer, NoticeSerializer
from results.core.described import DescribedSerializer
from results.kinds.flags import Effect
from results.models import Result
from results.models.choices import Origin, Quality, State, SubjectKind
from results.models.conditions import CONDITION_FIELDS, SYNC_METHODS


class FlagSerializer(serializers.Serializer):
    """A reason to doubt a run."""

    code = serializers.CharField(help_text="a stable code for programs")
    effect = serializers.ChoiceField(
        choices=[(effect.value, effect.name) for effect in Effect],
        help_text="noted: shown beside the figure; not_ranked: no rank and no recommendation; "
        "waits: not ranked until a moderator approves it",
    )
    message = serializers.CharField(help_text="for people to read")


class RunSerializer(MeasuredSerializer):
    """One benchmark run of one unit or pool."""

    subject = serializers.ChoiceField(choices=SubjectKind.choices, help_text="what it is about")
    device_class = serializers.ChoiceField(choices=CLASSES, allow_null=True, help_text="null for a pool")
    firmware_version = serializers.CharField(allow_null=True, help_text="null if it isn't stated")
    is_complete = serializers.BooleanField(help_text="every block size was measured")
    is_ranked = serializers.BooleanField(help_text="it counts in the ranking")
    not_ranked_reason = serializers.CharField(allow_blank=True, help_text="empty if it counts")
    flags = FlagSerializer(many=True, help_text="reasons to doubt it")
    measured_on = serializers.DateField(allow_null=True, help_text="by the text or its sender, or null")


class ResultSerializer(RunSerializer):
    """One benchmark run of one unit."""

    id = serializers.CharField(help_text="its id")
    url = serializers.URLField(help_text="its page for people")
    submission = serializers.CharField(help_text="the id of the submission that it was read from")
    device = serializers.CharField(allow_null=True, help_text="the device's slug; null for a pool")
    pool = serializers.CharField(allow_null=True, help_text="the pool's id; null for a device")
    submitted_at = serializers.DateTimeField(allow_null=True, help_text="null if it was published elsewhere")
    posted_on = serializers.DateField(
        allow_null=True, help_text="the day it was published elsewhere, or null"
    )
    origin = serializers.ChoiceField(
        choices=Origin.choices,
        help_text="published_elsewhere: a figure from the page at source_url, not from a text",
    )
    source_url = serializers.CharField(allow_blank=True, help_text="where it was published, or empty")


class ConditionsSerializer(DescribedSerializer):
    """How and on what it was measured; null or empty if the text does not state it."""

    sync_method = serializers.CharField(
        allow_null=True,
        help_text=f"How fio synced each write: {', '.join(SYNC_METHODS)} (it flushed nothing).",
    )
    percentage_used = serializers.IntegerField(
        allow_null=True, help_text="Used endurance in %, as a tool states it."
    )
    host_bytes_written = serializers.IntegerField(allow_null=True)

    class Meta:
        model = Result
        fields = CONDITION_FIELDS


class AlsoPostedSerializer(serializers.Serializer):
    """Another result of the same run."""

    id = serializers.CharField(help_text="its id")
    url = serializers.URLField(help_text="its page for people")
    source_url = serializers.CharField(allow_blank=True, help_text="where it was published, or empty")


class ResultDetailSerializer(ResultSerializer):
    """A run with its conditions and the kept text that it was read from."""

    state = serializers.ChoiceField(choices=State.choices, help_text="its state")
    state_reason = serializers.CharField(allow_blank=True, help_text="the moderator's reason, or empty")
    figure = serializers.CharField(
        allow_blank=True, help_text="as the source of a published figure states it; empty for others"
    )
    precision_percent = serializers.IntegerField(
        allow_null=True, help_text="how far off the latency computed from `figure` may be"
    )
    quality = serializers.ChoiceField(
        choices=Quality.choices,
        allow_null=True,
        help_text="quality of the source of published figures: a raw output, b table, c sentence; null for others",
    )
    forum_handle = serializers.CharField(allow_blank=True, help_text="who measured it, or empty")
    parser_version = serializers.CharField(allow_blank=True, help_text="of the parsers that read it")
    conditions = ConditionsSerializer(help_text="the conditions under which it was measured")
    note = serializers.CharField(allow_blank=True, help_text="the sender's note about the submission")
    notes = serializers.CharField(allow_blank=True, help_text="the owner's notes")
    told_conditions = serializers.DictField(
        child=serializers.CharField(), help_text="conditions stated by the owner, not by the text"
    )
    also_posted = AlsoPostedSerializer(
        many=True, help_text="the same run in other submissions; it counts once"
    )
    notices = NoticeSerializer(many=True, help_text="the parsers' notices")
    text = serializers.CharField(allow_blank=True, help_text="the lines that we read, masked")
