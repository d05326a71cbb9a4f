"""Device classes with their boards, and what to expect of each."""

from collections import defaultdict
from dataclasses import asdict
from typing import Any

from results.api.lists import RecordList
from results.api.records import BandRecord, ClassRecord
from results.api.rows import Row, page_prefix
from results.models import ClassRanking
from results.models.choices import DEVICE_CLASSES, Board
from results.ranking.bands import SOURCE, SOURCE_URL, read_bands
from results.ranking.boards import MERGED
from results.ranking.leaders import best_by_class, count_by_class
from results.ranking.recommend import ProtectedProduct, protected_products

_FIGURES = ("method", "score", "low", "high")
_OF_METHOD = ("method", "spread", "spread_source")


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
                "recommended": {name: best[value][name] for name in _FIGURES} if value in best else None,
                "unmeasured_products": [
                    _product_record(one) for one in products.get(value, []) if not one.is_measured
                ],
            }
            for value, label in DEVICE_CLASSES.items()
        ]


class Bands(RecordList):
    """What to expect of a class according to a talk."""

    record = BandRecord
    ordering_fields = {name: name for name in ("label", "device_class", "segment", "low_us", "high_us")}

    def get_queryset(self) -> Any:
        return [{**asdict(band), "source": SOURCE, "source_url": SOURCE_URL} for band in read_bands()]


def _product_record(product: ProtectedProduct) -> Row:
    """UnmeasuredProductRecord's shape."""
    return {
        "slug": product.slug,
        "url": f"{page_prefix('product')}{product.slug}/",
        "vendor": product.vendor,
        "name": product.name,
        "plp": product.plp,
        "evidence": product.evidence,
        "evidence_url": product.evidence_url,
    }


def _boards() -> dict[str, list[Row]]:
    """The boards by class. One query per board, and one for the spreads."""
    spreads: dict[tuple[str, str], list[Row]] = defaultdict(list)
    rows = ClassRanking.objects.exclude(method=MERGED).order_by("method")
    for board, device_class, *of_method in rows.values_list("board", "device_class", *_OF_METHOD):
        spreads[board, device_class].append(dict(zip(_OF_METHOD, of_method, strict=True)))
    boards: dict[str, list[Row]] = defaultdict(list)
    for board in Board.values:
        for device_class, count in count_by_class(board).items():
            methods = spreads[board, device_class]
            boards[device_class].append({"board": board, "device_count": count, "methods": methods})
    return boards
