"""Device classes with their boards, and what to expect of each."""

from collections import defaultdict
from typing import Any

from parsers.base.device_class import DeviceClass
from results.api.lists import RecordList
from results.api.records import RecommendedRecord, page_of
from results.core.record import Record, Row, Url, field
from results.models import ClassRanking
from results.models.choices import DEVICE_CLASSES, Board, Method, Plp, PlpEvidence
from results.ranking.bands import SOURCE, SOURCE_URL, read_bands
from results.ranking.boards import MERGED
from results.ranking.leaders import best_by_class, count_by_class
from results.ranking.recommend import protected_products

_OF_METHOD = ("method", "spread", "spread_source")


class SpreadRecord(Record):
    """The spread between units by one method, as of the last ranking."""

    method: Method = field("how it was measured")
    spread: float = field("between units of one device: standard deviation of the natural logarithm")
    spread_source: str = field("what the spread was estimated from", choices=["class", "all", "guess"])


class ClassBoardRecord(Record):
    """A class on one board; `methods` is empty before the first ranking."""

    board: Board = field("sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB")
    device_count: int = field("the number of devices on the board")
    methods: list[SpreadRecord] = field("the figures by each method")


class UnmeasuredProductRecord(Record):
    """A protected product without a published result."""

    slug: str = field("its name in URLs")
    url: Url = field("its page for people", "slug", to=page_of("product"))
    vendor: str = field("who makes it")
    name: str = field("the name of the product")
    plp: Plp = field("power-loss protection")
    evidence: PlpEvidence = field("the strongest source for it")
    evidence_url: Url = field("the source of the evidence")


class ClassRecord(Record):
    """A device class with its boards, best choice and unmeasured products."""

    device_class: DeviceClass = field("its class")
    label: str = field("for people to read")
    boards: list[ClassBoardRecord] = field("its boards")
    recommended_device: str | None = field("the slug of the best protected choice; null if there is none")
    recommended: RecommendedRecord | None = field("null if it isn't recommended")
    unmeasured_products: list[UnmeasuredProductRecord] = field("protected ones without a result")


class BandRecord(Record):
    """The latency that a talk gives for a kind of device; null without one."""

    label: str = field("for people to read")
    device_class: DeviceClass = field("its class")
    segment: str = field("the market that it is made for")
    low_us: float | None = field("in µs, or null")
    high_us: float | None = field("in µs, or null")
    representative: str = field("a representative device, or empty")
    note: str = field("what else the talk says, or empty")
    source: str = field("the source of the figures")
    source_url: Url = field("where it was published, or empty")


class Classes(RecordList):
    """All device classes with their number of devices by board, and the spreads by method."""

    record = ClassRecord
    ordering_fields = {"device_class": "device_class", "label": "label"}

    def get_queryset(self) -> Any:
        boards = _boards()
        best = {row["device_class"]: row for row in best_by_class()}
        products = protected_products()
        return [
            {
                "device_class": value,
                "label": label,
                "boards": boards[value],
                "recommended_device": best[value]["device__slug"] if value in best else None,
                "recommended": RecommendedRecord.of(best[value]) if value in best else None,
                "unmeasured_products": [
                    UnmeasuredProductRecord.of(product)
                    for product in products.get(value, [])
                    if not product.is_measured
                ],
            }
            for value, label in DEVICE_CLASSES.items()
        ]


class Bands(RecordList):
    """What to expect of a class according to a talk."""

    record = BandRecord
    ordering_fields = {name: name for name in ("label", "device_class", "segment", "low_us", "high_us")}

    def get_queryset(self) -> Any:
        return [BandRecord.of(band, source=SOURCE, source_url=SOURCE_URL) for band in read_bands()]


def _boards() -> dict[str, list[Row]]:
    """The boards by class. One query per board, and one for the spreads."""
    spreads: dict[tuple[str, str], list[Row]] = defaultdict(list)
    rows = ClassRanking.objects.exclude(method=MERGED).order_by("method")
    for board, device_class, *for_method in rows.values_list("board", "device_class", *_OF_METHOD):
        spreads[board, device_class].append(dict(zip(_OF_METHOD, for_method, strict=True)))
    boards: dict[str, list[Row]] = defaultdict(list)
    for board in Board.values:
        for device_class, count in count_by_class(board).items():
            methods = spreads[board, device_class]
            boards[device_class].append({"board": board, "device_count": count, "methods": methods})
    return boards
