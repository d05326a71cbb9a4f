"""The API's boards of sustained IOPS."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from results.api.records import DEVICE_FIELDS, DeviceRecord, device_of, page_prefix, rounded
from results.api.views import ReadEndpoint
from results.core.record import Record, Row, Url, field
from results.models import Result
from results.models.device import of_device
from results.sustained.query import KEY, Placed, choose_board, find_boards, find_placed


class BoardRecord(Record):
    """A board: devices that were written in the same way."""

    key: str = field("for the parameter `board`")
    device_class: str = field("the class of its devices")
    random_percent: int = field("of the writes; 0 is sequential")
    transfer_size: int = field("bytes of one write")
    sync_method: str = field("of each write; none for writes that aren’t synced", "sync")
    in_flight: int = field("writes at the same time: queue depth times workers")
    device_count: int = field("devices on it")


class PlacedRecord(Record):
    """A device on a board."""

    first_place: int = field("the best place that it may have")
    last_place: int = field("the worst")
    sustained_iops: float = field("the median over its units, in 1/s", "iops", to=rounded)
    low: float = field("10 % below its slowest unit", to=rounded)
    high: float = field("10 % above its fastest unit", to=rounded)
    unit_count: int = field("measured units")
    result_count: int = field("results on this board")
    newest: Url = field("the page of its newest result")
    device: DeviceRecord = field("the device that was measured")


class SustainedBoardsRecord(Record):
    """All boards, and the devices of one: the one that `board` names, else the fullest."""

    boards: list[BoardRecord] = field("those with the most devices first")
    board: str | None = field("the key of the board shown; null if there is none")
    rows: list[PlacedRecord] = field("the fastest first")


class SustainedBoards(ReadEndpoint):
    """What devices sustain: steady series that were written in the same way, in order."""

    operation_id = "sustained"
    query = (
        OpenApiParameter(
            "board",
            {"type": "string", "pattern": f"^{KEY.pattern}$"},
            description="the key of a board; 404 if it has no devices",
        ),
    )
    record = SustainedBoardsRecord

    def find(self) -> Row:
        boards = find_boards()
        try:
            load = choose_board(self.request.query_params.get("board"), boards)
        except ValueError as error:
            raise ValidationError({"board": [str(error)]}) from error
        return {
            "boards": [BoardRecord.of(one, device_count=count) for one, count in boards],
            "board": load.key if load else None,
            "rows": _rows(find_placed(load) if load else []),
        }


def _rows(placed: list[Placed]) -> list[Row]:
    """The devices of a board. One query, or none."""
    names = of_device(*DEVICE_FIELDS)
    found = (
        Result.objects.filter(pk__in=[one.result_id for one in placed]) if placed else Result.objects.none()
    )
    rows = {row["device_id"]: row for row in found.values("device_id", "public_id", *names)}
    return [
        PlacedRecord.of(
            one,
            newest=f"{page_prefix('result')}{rows[one.device_id]['public_id']}/",
            device=device_of(rows[one.device_id]),
        )
        for one in placed
    ]
