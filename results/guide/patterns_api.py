"""The API's access patterns that a paper printed."""

from typing import Any

from rest_framework import serializers

from results.api.lists import RecordList
from results.api.rows import measured_record
from results.api.serializers import MeasuredSerializer
from results.kinds.access_pattern.kind import ACCESS_PATTERN
from results.kinds.access_pattern.shipped import PUBLISHED_ON, SOURCE, SOURCE_URL, read_shipped


class ShippedPatternSerializer(MeasuredSerializer):
    """An access pattern from a source: the figures of a result of the kind `access_pattern`, without one."""

    id = serializers.CharField(help_text="its name here")
    title = serializers.CharField(help_text="for people to read")
    published_on = serializers.CharField(help_text="year and month")
    source = serializers.CharField(help_text="who published it")  # type: ignore[assignment] # shadows an attribute of Field
    source_url = serializers.URLField(help_text="where it was published")


class AccessPatterns(RecordList):
    """What a log device was asked to do, as a paper printed it: one file system and five."""

    record = ShippedPatternSerializer
    ordering_fields = {"id": "id"}

    def get_queryset(self) -> Any:
        return [
            {
                "id": one.key,
                "title": one.title,
                "published_on": PUBLISHED_ON,
                "source": SOURCE,
                "source_url": SOURCE_URL,
                **measured_record(one.method, ACCESS_PATTERN.compute(one.payload), one.payload),
            }
            for one in read_shipped()
        ]
