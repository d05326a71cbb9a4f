"""The API's access patterns that a paper printed."""

from typing import Any

from results.api.lists import RecordList
from results.api.records import MeasuredRecord
from results.core.record import Url, field
from results.guide.patterns import PATTERNS, PUBLISHED_ON, SOURCE, SOURCE_URL, read_patterns


class ShippedPatternRecord(MeasuredRecord):
    """An access pattern from a source: the figures of a result of the kind `access_pattern`, without one."""

    id: str = field("its name here", "key")
    title: str = field("for people to read")
    published_on: str = field("year and month")
    source: str = field("who published it")
    source_url: Url = field("where it was published")


class AccessPatterns(RecordList):
    """What a log device was asked to do, as a paper printed it: one file system and five."""

    record = ShippedPatternRecord
    ordering_fields = {"id": "id"}

    def get_queryset(self) -> Any:
        source = {"published_on": PUBLISHED_ON, "source": SOURCE, "source_url": SOURCE_URL}
        return [
            {
                **ShippedPatternRecord.of(pattern, **source),
                **MeasuredRecord.for_run(pattern.method, PATTERNS.compute(pattern.payload), pattern.payload),
            }
            for pattern in read_patterns()
        ]
