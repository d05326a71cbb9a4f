"""The page of the boards of sustained IOPS: one board, and what is shown without a place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from results.catalogue.prices import Sighting, load_shown, newest_first
from results.charts.options import VIEW_PARAMETERS, ChartOptions, chart_options
from results.core.addresses import PAGE_SIZE, address, drive_address
from results.core.formats import format_device
from results.core.head import Social
from results.core.public import public_page
from results.kinds.dates import date_of_run
from results.kinds.sustained.charts import MOST_LINES, chart_context, line_of
from results.kinds.sustained.on_device import format_rate, load_in_words, price_for
from results.kinds.sustained.steady import VERDICTS
from results.models.choices import DEVICE_CLASSES, plp_badge
from results.sustained.query import (
    Placed,
    Row,
    choose_board,
    find_boards,
    find_lines,
    find_others,
    find_placed,
    rows_of,
)

TITLE = "Sustained writes"
DESCRIPTION = (
    "How many writes per second drives sustain for an hour, not just in their first minute, and how many of them "
    "a dollar buys."
)


@public_page("board", *VIEW_PARAMETERS)
def sustained(request: HttpRequest) -> HttpResponse:
    boards = find_boards()
    try:
        load = choose_board(request.GET.get("board"), boards)
    except ValueError as error:
        raise Http404(str(error)) from error
    placed = find_placed(load) if load else []
    shown = placed[:PAGE_SIZE]
    rows = rows_of(shown)
    prices = _prices(rows.values())
    context = {
        "boards": boards,
        "board": load,
        "lines": [_placed_line(device, rows[device.device_id], prices) for device in shown],
        "is_cut": len(placed) > PAGE_SIZE,
        "chart": _chart(shown[:MOST_LINES], rows, load.label, chart_options(request)) if load else {},
        "others": [SeriesLine(row) for row in find_others()],
        "social": Social(TITLE, DESCRIPTION, address("sustained")),
    }
    return render(request, "results/sustained/page.html", context)


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A device's newest series, as the columns `VALUES` of results.sustained.query; its place and price, if any."""

    row: Row
    placed: Placed | None = None
    price: Sighting | None = None

    @property
    def url(self) -> str:
        return drive_address(self.row["device__page"], self.row["device__slug"])

    @property
    def class_label(self) -> str:
        return DEVICE_CLASSES[self.row["device__device_class"]]

    @property
    def protection(self) -> Mapping[str, str]:
        return plp_badge(self.row["device__product__plp"], self.row["device__product__plp_statements"])

    @property
    def first_minute_iops(self) -> float | None:
        return cast("float | None", self.row["metrics"].get("first_minute_iops"))

    @property
    def iops_per_price(self) -> float | None:
        return self.placed.iops / float(self.price.price) if self.placed and self.price else None

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


def _placed_line(placed: Placed, row: Row, prices: Mapping[int, Sequence[Sighting]]) -> SeriesLine:
    of_product = prices.get(row["device__product_id"] or 0, [])
    return SeriesLine(row, placed, price_for(row["device__capacity_bytes"], of_product))


def _chart(
    placed: Sequence[Placed], rows: Mapping[int, Row], title: str, options: ChartOptions
) -> dict[str, Any]:
    """The newest series of the first devices over each other."""
    payloads = find_lines(placed)
    lines = []
    for one in placed:
        row = rows[one.device_id]
        name = format_device(row["device__model_name"], row["device__capacity_bytes"])
        lines.append(line_of(payloads[one.result_id], name, url=address("result", row["public_id"])))
    return chart_context([line for line in lines if line], title, options=options)


def _prices(rows: Iterable[Row]) -> dict[int, list[Sighting]]:
    """The shown prices by product. One query, or none."""
    ids = {row["device__product_id"] for row in rows if row["device__product_id"]}
    found: dict[int, list[Sighting]] = {pk: [] for pk in ids}
    for one in newest_first(load_shown(ids)) if ids else []:
        found[one.product_id].append(one)
    return found
