"""The API's boards of sustained IOPS; CSV and NDJSON have the rows of one."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from results.api.lists import TableEndpoint
from results.api.records import DEVICE_FIELDS, DeviceRecord, device_of, page_of, rounded
from results.api.views import ReadEndpoint
from results.core.record import Record, Row, Url, field
from results.kinds.curve.metrics import CONFIDENCE_PERCENT
from results.leaderboard.query import ranked_rows
from results.leaderboard.sustained import KEY, find_board
from results.models.device import for_device


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

    first_place: int = field("the best place that it may have", lambda row: row["place"].first_possible)
    last_place: int = field("the worst", lambda row: row["place"].last_possible)
    sustained_iops: float = field("the median over its units, in 1/s", "score", to=rounded)
    low: float = field(
        f"the lower end of its {CONFIDENCE_PERCENT} interval, by which it is ordered", to=rounded
    )
    high: float = field("the upper end", to=rounded)
    unit_count: int = field("measured units")
    result_count: int = field("results on this board")
    newest: Url = field("the page of its newest result", "public_id", to=page_of("result"))
    device: DeviceRecord = field("the device that was measured", device_of, to=dict)


class SustainedBoardsRecord(Record):
    """All boards, and the devices of one: the one that `board` names, else the fullest."""

    boards: list[BoardRecord] = field("those with the most devices first")
    board: str | None = field("the key of the board shown; null if there is none")
    rows: list[PlacedRecord] = field("the fastest first")


class SustainedBoards(TableEndpoint, ReadEndpoint):
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
    row_record = PlacedRecord

    def answer(self, record: Row) -> HttpResponse:
        if self.is_table:
            self.count_download(record["rows"])
        return self.table([self.select_fields(record["rows"])]) if self.is_table else super().answer(record)

    def find(self) -> Row:
        key = self.request.query_params.get("board")
        if key is not None and not KEY.fullmatch(key):
            raise ValidationError({"board": ["Unknown board."]})
        boards, load, ranked = find_board(key)
        rows = ranked_rows(ranked, "public_id", *for_device(*DEVICE_FIELDS))
        listed = () if self.is_table else boards
        return {
            "boards": [BoardRecord.of(board, device_count=count) for board, count in listed],
            "board": load.key if load else None,
            "rows": PlacedRecord.all_of(rows),
        }
