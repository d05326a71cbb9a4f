"""The shapes of the API: what drf-spectacular writes into the schema."""

from rest_framework import serializers

from parsers.kinds import DeviceClass
from results.ingest.flags import Effect
from results.models.catalogue_values import Plp, PlpEvidence, ProductFlag, Segment
from results.models.choices import Method, State

CLASSES = [(value.value, value.name) for value in DeviceClass]


class NoticeSerializer(serializers.Serializer):
    """What a parser had to say of a line."""

    code = serializers.CharField()
    message = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)


class DeviceSerializer(serializers.Serializer):
    """A model name at a capacity."""

    slug = serializers.CharField()
    url = serializers.URLField()
    model_name = serializers.CharField()
    vendor = serializers.CharField(allow_blank=True)
    capacity_bytes = serializers.IntegerField(allow_null=True)
    device_class = serializers.ChoiceField(choices=CLASSES)
    product = serializers.CharField(allow_null=True, help_text="the slug of the product that it is")
    plp = serializers.ChoiceField(choices=Plp.choices, help_text="power-loss protection, by the catalogue")


class PlpStatementSerializer(serializers.Serializer):
    """What one source says of power-loss protection."""

    value = serializers.ChoiceField(choices=Plp.choices)
    evidence = serializers.ChoiceField(choices=PlpEvidence.choices)
    url = serializers.URLField()


class EnduranceSerializer(serializers.Serializer):
    """How much may be written to a capacity; without one, to the largest of the line."""

    capacity_bytes = serializers.IntegerField(allow_null=True)
    written_bytes = serializers.IntegerField()


class ProductSerializer(serializers.Serializer):
    """A line of the catalogue; empty or null where nothing is known."""

    slug = serializers.CharField()
    url = serializers.URLField()
    vendor = serializers.CharField()
    name = serializers.CharField()
    device_class = serializers.ChoiceField(choices=CLASSES)
    segment = serializers.ChoiceField(choices=Segment.choices)
    media = serializers.CharField(allow_blank=True)
    interface = serializers.CharField(allow_blank=True)
    form_factors = serializers.CharField(allow_blank=True)
    plp = serializers.ChoiceField(choices=Plp.choices)
    plp_statements = PlpStatementSerializer(many=True)
    endurance_dwpd_low = serializers.FloatField(allow_null=True, help_text="drive writes a day")
    endurance_dwpd_high = serializers.FloatField(allow_null=True)
    endurance_years = serializers.IntegerField(allow_null=True)
    endurance_tbw = EnduranceSerializer(many=True)
    endurance_source_url = serializers.URLField(allow_blank=True)
    launch_year = serializers.IntegerField(allow_null=True)
    flags = serializers.ListField(child=serializers.ChoiceField(choices=ProductFlag.choices))
    sources = serializers.ListField(child=serializers.URLField())
    devices = serializers.ListField(child=serializers.CharField(), help_text="slugs")


class PointSerializer(serializers.Serializer):
    """One line of a curve."""

    block_size = serializers.IntegerField(help_text="bytes")
    latency_us = serializers.FloatField(help_text="mean time of one write and its flush")
    throughput_mib_s = serializers.FloatField()


class SpreadPointSerializer(PointSerializer):
    """One block size of a device: the median over its units and how far they lie apart."""

    lowest_us = serializers.FloatField()
    highest_us = serializers.FloatField()


class MetricsSerializer(serializers.Serializer):
    """The figures of a device or a run."""

    zil_latency_us = serializers.FloatField(
        allow_null=True, help_text="geometric mean of the latencies from 4 to 128 KiB"
    )
    latency_4k_us = serializers.FloatField(allow_null=True)
    throughput_128k_mib_s = serializers.FloatField(allow_null=True)
    peak_throughput_mib_s = serializers.FloatField(allow_null=True)


class RankingSerializer(MetricsSerializer):
    """A device's row of the ranking by one method."""

    method = serializers.ChoiceField(choices=Method.choices)
    formula_version = serializers.IntegerField()
    low_us = serializers.FloatField(help_text="lower end of the 90 % interval of the ranked latency")
    high_us = serializers.FloatField(help_text="its upper end, by which devices are ordered")
    unit_count = serializers.IntegerField()
    result_count = serializers.IntegerField()
    last_measured_on = serializers.DateField(allow_null=True)


class LeaderboardRowSerializer(RankingSerializer):
    """A row of the leaderboard: its position in the order asked for, its place by rank, and the device."""

    position = serializers.IntegerField()
    rank = serializers.IntegerField(help_text="by the upper end of the interval")
    first_possible = serializers.IntegerField(help_text="the best place that the intervals leave open")
    last_possible = serializers.IntegerField(help_text="the worst place that the intervals leave open")
    tie_group = serializers.IntegerField(help_text="none of a group is surely behind the first of it")
    device = DeviceSerializer()


class DeviceRankingSerializer(RankingSerializer):
    """A device's row of the ranking with its curve."""

    points = SpreadPointSerializer(many=True)


class DeviceDetailSerializer(DeviceSerializer):
    """A device with what was measured of it."""

    firmware_versions = serializers.ListField(child=serializers.CharField())
    rankings = DeviceRankingSerializer(many=True)
    results_url = serializers.URLField()


class FlagSerializer(serializers.Serializer):
    """Something that speaks against a run."""

    code = serializers.CharField()
    effect = serializers.ChoiceField(
        choices=[(effect.value, effect.name) for effect in Effect],
        help_text="held: kept out of the ranking until a person has looked",
    )
    message = serializers.CharField()


class ResultSerializer(MetricsSerializer):
    """One benchmark run of one unit."""

    id = serializers.CharField()
    url = serializers.URLField()
    device = serializers.CharField(help_text="the device's slug")
    device_class = serializers.ChoiceField(choices=CLASSES)
    firmware_version = serializers.CharField(allow_null=True)
    method = serializers.ChoiceField(choices=Method.choices)
    is_complete = serializers.BooleanField()
    is_ranked = serializers.BooleanField()
    not_ranked_reason = serializers.CharField(allow_blank=True)
    flags = FlagSerializer(many=True)
    measured_on = serializers.DateField(allow_null=True)
    points = PointSerializer(many=True)


class ConditionsSerializer(serializers.Serializer):
    """How and on what it was measured; null or empty where the text does not say."""

    path = serializers.CharField(allow_blank=True)
    platform = serializers.CharField(allow_blank=True)
    attachment = serializers.CharField(allow_blank=True)
    sector_size = serializers.IntegerField(allow_null=True)
    write_cache_enabled = serializers.BooleanField(allow_null=True)
    power_on_hours = serializers.IntegerField(allow_null=True)
    percentage_used = serializers.IntegerField(allow_null=True)
    host_bytes_written = serializers.IntegerField(allow_null=True)


class ResultDetailSerializer(ResultSerializer):
    """A run with its conditions and the masked text that it was read from."""

    state = serializers.ChoiceField(choices=State.choices)
    state_reason = serializers.CharField(allow_blank=True)
    source_url = serializers.CharField(allow_blank=True)
    forum_handle = serializers.CharField(allow_blank=True)
    parser_version = serializers.CharField(allow_blank=True)
    conditions = ConditionsSerializer()
    notices = NoticeSerializer(many=True)
    text = serializers.CharField(allow_blank=True)


class SubmissionRequestSerializer(serializers.Serializer):
    """A paste as JSON."""

    text = serializers.CharField(
        trim_whitespace=False, help_text="what the terminal printed, at most 512 KiB"
    )
    forum_handle = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    source_url = serializers.URLField(max_length=500, required=False, allow_blank=True, default="")


class SubmissionUploadSerializer(serializers.Serializer):
    """A paste as one or several uploaded files; text beside them goes first."""

    file = serializers.ListField(child=serializers.FileField(), allow_empty=False)
    text = serializers.CharField(trim_whitespace=False, required=False, allow_blank=True, default="")
    forum_handle = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    source_url = serializers.URLField(max_length=500, required=False, allow_blank=True, default="")


class SubmissionSerializer(serializers.Serializer):
    """What became of a paste."""

    id = serializers.CharField()
    url = serializers.URLField()
    is_new = serializers.BooleanField(help_text="false when the same text had been sent before")
    state = serializers.ChoiceField(choices=State.choices)
    results = ResultSerializer(many=True)
    notices = NoticeSerializer(many=True)


class ProblemSerializer(serializers.Serializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    notices = NoticeSerializer(many=True, required=False)
    errors = serializers.DictField(required=False)  # type: ignore[assignment] # a field that is called so
