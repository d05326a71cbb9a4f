"""The page of the boards of sustained IOPS: one board, and what is shown without a place."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from parsers.base.device_class import DeviceClass
from results.catalogue.prices import Sighting, load_shown, newest_first, seen_in_words
from results.charts.options import VIEW_PARAMETERS, ChartOptions, chart_options
from results.core.addresses import PAGE_SIZE, address, drive_address, with_query
from results.core.formats import (
    format_capacity,
    format_count,
    format_device,
    format_number,
    format_price,
    format_range,
)
from results.core.head import page_social
from results.core.public import public_page
from results.core.today import today
from results.kinds.dates import date_of_run
from results.kinds.sustained.charts import MOST_LINES, chart_context, line_of
from results.kinds.sustained.on_device import format_rate, load_in_words, price_for
from results.kinds.sustained.steady import VERDICTS
from results.models.choices import plp_badge
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
    others = find_others()
    prices = _prices(rows.values())
    day = today()
    context = {
        "boards": [
            {
                "label": one.label,
                "count": format_count(count, "device"),
                "url": with_query(address("sustained"), board=one.key),
                "is_current": one == load,
            }
            for one, count in boards
        ],
        "board": load.label if load else "",
        "rows": [_placed_row(one, rows[one.device_id], prices, day) for one in shown],
        "is_cut": len(placed) > PAGE_SIZE,
        "chart": _chart(shown[:MOST_LINES], rows, load.label, chart_options(request)) if load else {},
        "others": [_other_row(row) for row in others],
        "api_url": with_query(address("api-sustained"), board=load.key) if load else address("api-sustained"),
        **page_social(TITLE, DESCRIPTION, address("sustained")),
    }
    return render(request, "results/sustained/page.html", context)


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


def _common(row: Row) -> dict[str, Any]:
    return {
        "url": drive_address(row["device__page"], row["device__slug"]),
        "result_url": address("result", row["public_id"]),
        "model_name": row["device__model_name"],
        "capacity": format_capacity(row["device__capacity_bytes"]),
        "class_label": DeviceClass(row["device__device_class"]).label,
        "plp": plp_badge(row["device__product__plp"], row["device__product__plp_statements"]),
        "first": format_number(row["metrics"].get("first_minute_iops")),
        "date": date_of_run(row),
    }


def _placed_row(one: Placed, row: Row, prices: dict[int, list[Sighting]], day: date) -> dict[str, Any]:
    places = (
        str(one.first_place) if one.first_place == one.last_place else f"{one.first_place}–{one.last_place}"
    )
    return {
        **_common(row),
        "places": places,
        "iops": format_number(one.iops),
        "range": format_range(one.low, one.high),
        "units": format_count(one.unit_count, "unit"),
        "percent": format_number(row["metrics"].get("sustained_percent")),
        "price": priced(one.iops, row, prices, day),
    }


def _other_row(row: Row) -> dict[str, Any]:
    minute = row["sustained__at_minute"]
    return {
        **_common(row),
        "rate": format_rate(row["metrics"]["sustained_iops"], row),
        "load": load_in_words(row) or "conditions not stated",
        "state": VERDICTS.get(row["sustained__verdict"], f"at minute {minute}" if minute else "no series"),
        "is_published": bool(row["submission__survey_id"]),
    }


def priced(iops: float, row: Row, prices: dict[int, list[Sighting]], day: date) -> dict[str, str] | None:
    """IOPS per dollar at the price of that capacity, and how old that is; None without a price."""
    price = price_for(row["device__capacity_bytes"], prices.get(row["device__product_id"] or 0, []))
    if price is None:
        return None
    return {
        "iops": format_number(iops / float(price.price)),
        "price": format_price(price.price, price.currency),
        "seen": seen_in_words(price.seen_on, day),
    }
