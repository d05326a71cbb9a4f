"""The boards of sustained IOPS: devices tested with the same write load, and what is shown without a place."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from results.catalogue.prices import load_shown, newest_first
from results.charts.options import VIEW_PARAMETERS, ChartOptions, chart_options
from results.core.addresses import address
from results.core.head import Social
from results.core.paging import PAGE_SIZE
from results.core.prices import Sighting
from results.core.public import public_page
from results.core.subject import DEVICE_COLUMNS, NAME_FIELDS, drive_name_from_row
from results.kinds.dates import DATE_FIELDS, date_of_run
from results.kinds.registry import KINDS
from results.kinds.result_kind import SHARED_COLUMNS
from results.kinds.series.charts import MAX_LINES, SeriesChart, draw_series, line_of
from results.kinds.series.figures import format_rate, load_in_words, price_for
from results.kinds.series.steady import VERDICTS
from results.leaderboard.query import ListedRow, ranked_rows
from results.models import Result
from results.models.device import for_device
from results.ranking.intervals import Interval
from results.ranking.live import LiveRanking, find_loads, rank_live
from results.ranking.ranked_lists import SUSTAINED, Load
from results.ranking.rows import tie_groups

TITLE = "Sustained writes"
DESCRIPTION = (
    "How many writes per second drives sustain for an hour, not just in their first minute, and how many of them "
    "a dollar buys."
)


KEY = re.compile(r"([a-z_]{1,20})-([0-9]{1,3})-([0-9]{1,10})-([a-z]{1,20})-([0-9]{1,4})")  # of a board
MAX_OTHERS = 50
_KIND = KINDS[SUSTAINED.kind]
_VALUES = (
    "public_id",
    "sync_method",
    "block_align",
    "metrics",
    "submission__source_url",
    *DATE_FIELDS,
    *(f"sustained__{name}" for name in ("verdict", "at_minute", "transfer_size", "random_percent")),
    *("sustained__queue_depth", "sustained__workers"),
    *for_device(*DEVICE_COLUMNS, "product_id"),
)
Row = Mapping[str, Any]


class SustainedBoard(NamedTuple):
    """All boards with the number of their devices, and the one that is shown with its devices, the fastest first."""

    boards: Sequence[tuple[Load, int]]
    load: Load | None
    ranked: Sequence[LiveRanking]


def find_board(key: str | None) -> SustainedBoard:
    """The board with this key, or without a key the one with the most devices. Two queries.

    Raises Http404 for one without results.
    """
    boards = [(Load(*load), count) for load, count in find_loads(SUSTAINED)]
    found = [load for load, _ in boards if key in (None, load.key)]
    if key is not None and not found:
        raise Http404("There are no results on this board.")
    return SustainedBoard(boards, *((found[0], rank_live(SUSTAINED, found[0])) if found else (None, ())))


@public_page("board", *VIEW_PARAMETERS)
def sustained(request: HttpRequest) -> HttpResponse:
    boards, load, ranked = find_board(request.GET.get("board"))
    rows = ranked_rows(ranked[:PAGE_SIZE], *_VALUES)
    prices = _prices(rows)
    context: dict[str, Any] = {
        "boards": boards,
        "board": load,
        "groups": tie_groups(
            [
                SeriesLine(row, price_for(row["device__capacity_bytes"], prices[row["device__product_id"]]))
                for row in rows
            ],
            by_rank=True,
        ),
        "page_size": PAGE_SIZE,
        "is_cut": len(ranked) > PAGE_SIZE,
        "chart": _chart(ranked[:MAX_LINES], load.label, chart_options(request)) if load else None,
        "others": [SeriesLine(row) for row in _find_others()],
        "social": Social(TITLE, DESCRIPTION, address("sustained")),
    }
    return render(request, "results/leaderboard/sustained.html", context)


@dataclass(frozen=True, slots=True)
class SeriesLine(ListedRow):
    """A device's newest series as a row of _VALUES, with its ranking and price, if any."""

    price: Sighting | None = None

    @property
    def interval(self) -> Interval:
        return Interval(self.row["low"], self.row["high"])

    @property
    def first_minute_iops(self) -> float | None:
        return cast("float | None", self.row["metrics"].get("first_minute_iops"))

    @property
    def iops_per_price(self) -> float | None:
        return self.row["score"] / float(self.price.amount) if self.price else None

    @property
    def date(self) -> str:
        return date_of_run(self.row)

    @property
    def rate(self) -> str:
        return format_rate(self.row["metrics"]["sustained_iops"], self.row)

    @property
    def load(self) -> str:
        return load_in_words(self.row)

    @property
    def state(self) -> str:
        minute = self.row["sustained__at_minute"]
        return VERDICTS.get(self.row["sustained__verdict"], f"at minute {minute}" if minute else "no series")


def _chart(ranked: Sequence[LiveRanking], title: str, options: ChartOptions) -> SeriesChart | None:
    """The newest series of these devices, overlaid. One query."""
    rows = ranked_rows(ranked, "public_id", *SHARED_COLUMNS, *_KIND.lookups, *NAME_FIELDS)
    lines = [
        line_of(
            _KIND.payload_of(row), drive_name_from_row(row).model, url=address("result", row["public_id"])
        )
        for row in rows
    ]
    return draw_series([line for line in lines if line], title, options=options)


def _find_others() -> Iterable[Row]:
    """The newest results with sustained IOPS that aren't on a board: plateaus, and figures without a series."""
    rows = Result.objects.published().filter(
        method__in=_KIND.methods,
        copy_of=None,
        sustained__is_on_board=False,
        sustained__sustained_iops__isnull=False,
    )
    return list(rows.order_by("-id").values(*_VALUES)[:MAX_OTHERS])


def _prices(rows: Iterable[Row]) -> Mapping[int | None, list[Sighting]]:
    """The shown prices by product. One query, or none."""
    ids = {row["device__product_id"] for row in rows if row["device__product_id"]}
    found: defaultdict[int | None, list[Sighting]] = defaultdict(list)
    for sighting in newest_first(load_shown(ids)) if ids else []:
        found[sighting.product_id].append(sighting)
    return found
