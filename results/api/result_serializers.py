"""Serializers of results: add a field here and to result_record in results/api/rows.py."""

from rest_framework import serializers

from results.api.serializers import CLASSES, MeasuredSerializer, NoticeSerializer
from results.kinds.flags import Effect
from results.models.choices import DataContent, KernelCache, Origin, Pattern, Quality, State, SubjectKind


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


class ConditionsSerializer(serializers.Serializer):
    """How and on what it was measured; null or empty if the text does not state it."""

    path = serializers.CharField(allow_blank=True, help_text="of the disk in the system")
    platform = serializers.CharField(allow_blank=True, help_text="the operating system")
    attachment = serializers.CharField(allow_blank=True, help_text="its driver or controller")
    sector_size = serializers.IntegerField(allow_null=True, help_text="bytes")
    write_cache_enabled = serializers.BooleanField(
        allow_null=True, help_text="whether its write cache was on"
    )
    has_volatile_cache = serializers.BooleanField(
        allow_null=True, help_text="whether the device has a volatile write cache (NVMe's VWC)"
    )
    kernel_write_cache = serializers.ChoiceField(
        choices=KernelCache.choices,
        allow_null=True,
        help_text="what the kernel believes about the cache: it sends no flush to one that writes through",
    )
    has_fua = serializers.BooleanField(allow_null=True, help_text="whether the kernel uses FUA")
    protection_fault = serializers.CharField(
        allow_null=True, help_text="a power-loss protection fault that the device reports, as printed"
    )
    sync_method = serializers.CharField(
        allow_null=True,
        help_text="how fio synced: sync, dsync, fsync or fdatasync; none if nothing was flushed",
    )
    data_content = serializers.ChoiceField(
        choices=DataContent.choices, allow_null=True, help_text="what fio wrote"
    )
    pattern = serializers.ChoiceField(
        choices=Pattern.choices, allow_null=True, help_text="the order of fio's writes"
    )
    is_direct = serializers.BooleanField(allow_null=True, help_text="whether fio bypassed the page cache")
    block_align = serializers.IntegerField(
        allow_null=True, help_text="alignment of the offsets of fio's writes, in bytes"
    )
    power_on_hours = serializers.IntegerField(allow_null=True, help_text="its power-on hours")
    percentage_used = serializers.IntegerField(
        allow_null=True, help_text="used endurance, as a tool states it"
    )
    wear_percent = serializers.IntegerField(
        allow_null=True, help_text="the same, else from a SMART attribute"
    )
    wear_source = serializers.CharField(
        allow_null=True, help_text="the attribute that wear_percent is derived from"
    )
    raw_wear = serializers.CharField(
        allow_null=True, help_text="printed attributes from which no wear could be derived"
    )
    host_bytes_written = serializers.IntegerField(
        allow_null=True, help_text="what hosts had written to it, in bytes"
    )


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
