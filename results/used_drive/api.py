"""Looking drives up and checking their SMART in the API, with the functions of the page. Stores nothing."""

import re
from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from parsers.base.readings import Notice
from parsers.base.units import GIGABYTE, PETABYTE
from parsers.privacy.free_text import mask_free_text
from results.api.authentication import ReadByBodyThrottle
from results.api.errors import RefusedProblem, TooLongProblem
from results.api.parameters import FIELDS
from results.api.renderers import OrjsonParser, PlainTextParser
from results.api.views import Endpoint, ReadEndpoint
from results.core.record import Record, Row, field
from results.core.security.rate_limits import QUERY_LIMIT
from results.models import lengths
from results.search.products import Match
from results.submissions.api.serializers import StrictSerializer
from results.submissions.intake.receive import PasteTooLongError
from results.used_drive.check import Plan, check_drives, check_paste, read_output, why_not
from results.used_drive.drives import Listing, find_drives
from results.used_drive.form import read_size
from results.used_drive.records import KnownDriveRecord, LookedUp

MAX_DRIVES = 50
NO_DRIVE = Notice("no_drive", "We found no output of smartctl or nvme-cli here that describes a drive.")
SEVERAL_DRIVES = Notice("several_drives", "This describes several drives: send the output of one at a time.")
_PRINTED = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
_CAPACITY = r"^(?:[1-9][0-9]{9,14}|[1-9][0-9]{0,2}(?:\.[0-9]{1,3})? ?[GT]B)$"


@extend_schema_field(
    {
        "anyOf": [
            {"type": "integer", "minimum": GIGABYTE, "maximum": PETABYTE - 1},
            {"type": "string", "pattern": _CAPACITY},
        ]
    }
)
class CapacityField(serializers.Field):
    """Bytes, from a number of them or "400 GB"."""

    default_error_messages = {"invalid": "Give bytes, or a size such as 400GB or 1.6TB, from 1 GB to 999 TB."}

    def to_internal_value(self, data: Any) -> int | None:
        text = str(int(data) if isinstance(data, float) and data.is_integer() else data)
        if isinstance(data, bool) or not re.fullmatch(_CAPACITY, text):
            self.fail("invalid")
        return int(text) if text.isdecimal() else read_size(text, unit="G")


class PrintedField(serializers.RegexField):
    """A name as a drive prints it, with the identifiers in it masked before anything else."""

    default_error_messages = {"invalid": "Enter text without control characters."}

    def __init__(self, **options: Any) -> None:
        super().__init__(_PRINTED, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return mask_free_text(super().to_internal_value(data))


class LookupDriveRequestSerializer(StrictSerializer):
    """A drive to look up."""

    model = PrintedField(
        max_length=QUERY_LIMIT,
        help_text="a model name, a part number or a product's name, as smartctl prints it",
    )
    capacity = CapacityField(
        required=False, help_text="in bytes, or such as 400GB, if the model doesn't state it"
    )
    firmware = PrintedField(
        max_length=lengths.FIRMWARE, required=False, help_text="the version of its firmware"
    )


def _parameter(name: str, shape: serializers.Field) -> OpenApiParameter:
    """The same in the address of a GET, where a capacity is text, too."""
    schema: dict[str, Any] = {"type": "string", "pattern": _CAPACITY}
    if isinstance(shape, PrintedField):
        schema |= {"minLength": 1, "maxLength": shape.max_length, "pattern": _PRINTED}
    return OpenApiParameter(name, schema, required=shape.required, description=shape.help_text or "")


class LookupRequestSerializer(StrictSerializer):
    """The drives to look up."""

    drives = serializers.ListField(
        child=LookupDriveRequestSerializer(),
        min_length=1,
        max_length=MAX_DRIVES,
        help_text=f"up to {MAX_DRIVES} drives",
    )


class LookupRecord(Record):
    """The drives that were looked up."""

    results: list[KnownDriveRecord] = field("one for each drive that was sent, in the same order")


class Lookup(ReadEndpoint):
    """What is known of a drive, by its model name. Nothing is stored."""

    operation_id = "lookup"
    parser_classes = [OrjsonParser]
    query = tuple(_parameter(name, shape) for name, shape in LookupDriveRequestSerializer().fields.items())
    record = KnownDriveRecord

    def get_throttles(self) -> list[BaseThrottle]:
        return [ReadByBodyThrottle()]

    def find(self) -> Row:
        given = {name: text for name, text in self.request.query_params.items() if name != FIELDS}
        shape = LookupDriveRequestSerializer(data=given)
        shape.is_valid(raise_exception=True)
        return look_up([shape.validated_data])[0]

    @extend_schema(
        operation_id="lookup_drives", request=LookupRequestSerializer, responses={200: LookupRecord}
    )
    def post(self, request: Request) -> Response:
        """What is known of up to 50 drives, by their model names. Nothing is stored."""
        shape = LookupRequestSerializer(data=request.data)
        shape.is_valid(raise_exception=True)
        return Response({"results": self.select_fields(look_up(shape.validated_data["drives"]))})


def look_up(drives: Sequence[dict[str, Any]]) -> list[Row]:
    """The records of drives as LookupDriveRequestSerializer has validated them.

    Ten queries, and one for each name that is only similar to others.
    """
    found = find_drives(
        [
            (drive["model"], Listing(drive.get("capacity"), firmware_version=drive.get("firmware")))
            for drive in drives
        ]
    )
    checked = check_drives([each.drive for each in found], Plan(), lists_similar=False)
    return KnownDriveRecord.all_of(
        LookedUp(drive, each.match, each.may_be) for drive, each in zip(checked, found, strict=True)
    )


class JsonTextParser(PlainTextParser):
    """application/json as text: the reader process parses it, and accepts several documents."""

    media_type = "application/json"


class DriveCheck(Endpoint):
    """Checks a drive by the output of smartctl or nvme-cli. Nothing is stored."""

    parser_classes = [PlainTextParser, JsonTextParser]

    def get_throttles(self) -> list[BaseThrottle]:
        return [ReadByBodyThrottle()]

    @extend_schema(
        operation_id="check_drive",
        request={
            "text/plain": {"type": "string"},
            "application/json": {"type": "object", "additionalProperties": True},
        },
        responses={200: KnownDriveRecord},
    )
    def post(self, request: Request) -> Response:
        raw = request.data if isinstance(request.data, bytes) else b""  # DRF returns {} for an empty body
        try:
            paste = read_output(raw)
        except PasteTooLongError as error:
            raise TooLongProblem from error
        if sum(device.smartctl is not None for device in paste.devices) > 1:
            raise RefusedProblem([SEVERAL_DRIVES], detail=SEVERAL_DRIVES.message)
        found = check_paste(paste, Listing(), Plan(), lists_similar=False)
        if not found.drives:
            notices = why_not(paste, found) or [NO_DRIVE]
            raise RefusedProblem(notices, detail=notices[0].message)
        drive = found.drives[0]
        match = Match.EXACT if drive.product or drive.own else None
        return Response(KnownDriveRecord.of(LookedUp(drive, match, notices=found.notices)))
