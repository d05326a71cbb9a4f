"""Drives of the ranking as rows of lists: their figures, with the axis that all rows share."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe

from parsers.base.device_class import DeviceClass
from results.advice.form_factor import drawn_form, forms_of, split_forms
from results.charts.axes import ValueAxis, log_axis
from results.charts.svg import interval_bar, value_bar
from results.core.addresses import drive_address
from results.core.drive_names import drive_name, part_number
from results.core.formats import format_number, format_origin, format_range
from results.kinds.metric import Metric
from results.kinds.tables import MetricCell, metric_cells
from results.models.choices import METHOD_LABELS, Board, plp_badge, plp_tone
from results.ranking.conditions import conditions_text
from results.ranking.leaders import Row
from results.ranking.tiers import tier_text
from results.ranking.ties import Place, format_places


class OtherFigure(NamedTuple):
    """A drive's figure by another method than that of its row."""

    method: str
    score: float
    digits: int | None


class SeenPrice(NamedTuple):
    """The price that pages show for a capacity, and when it was seen: a date or part of one."""

    amount: Decimal
    currency: str
    seen_on: str

    @property
    def year(self) -> str:
        return self.seen_on[:4]


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveRow:
    """A ranked drive; latencies are in µs, and `low` and `high` the ends of the interval.

    `tier`, `measured` and `origin` are words, "" if there are none. `form_factors` are those of its capacity. `facts`
    are the cells of the facts chosen, and `sorted_by` is the metric that rows are sorted by, if no column shows it.
    """

    slug: str
    url: str
    name: str
    model_name: str
    capacity_bytes: int | None
    device_class: str
    plp: dict[str, str]
    origin: str
    method: str
    others: Sequence[OtherFigure]
    place: Place
    score: float
    low: float
    high: float
    digits: int | None
    is_assumed: bool
    axis: ValueAxis
    cells: Sequence[MetricCell]
    tier: str
    measured: str
    unit_count: int
    result_count: int
    last_measured_on: date | None
    form_factors: Sequence[str] = ()
    price: SeenPrice | None = None
    facts: Sequence[Any] = ()
    sorted_by: str = ""

    @property
    def part_number(self) -> str:
        return part_number(self.name, self.model_name)

    @property
    def class_label(self) -> str:
        return DeviceClass(self.device_class).label

    @property
    def rank(self) -> str:
        return format_places(self.place)

    @property
    def form(self) -> str:
        """The drawing of its form factor (templates/results/parts/forms/); "" without one."""
        return drawn_form(", ".join(self.form_factors), self.device_class)

    @property
    def tone(self) -> str:
        """The color of its bar, a class of drives.css."""
        return plp_tone(self.plp["value"])

    @property
    def bar_svg(self) -> SafeString:
        """The bar of the list."""
        figure = f"{format_number(self.score, self.digits)} µs"
        assumed = ", assumed spread" if self.is_assumed else ""
        bar = value_bar(
            *(self.low, self.score, self.high),
            axis=self.axis,
            css=self.tone,
            texts=(figure, f"{figure} ({self._interval}{assumed})"),
            is_assumed=self.is_assumed,
        )
        return mark_safe(bar)  # noqa: S308 - results.charts escapes every text that it writes

    @property
    def interval_svg(self) -> SafeString:
        """The interval alone, for a table that has the figure in a column."""
        ends = self.low, self.score, self.high
        bar = interval_bar(*ends, axis=self.axis, text=self._interval, is_assumed=self.is_assumed)
        return mark_safe(bar)  # noqa: S308 - as above

    @property
    def _interval(self) -> str:
        return f"{format_range(self.low, self.high, self.digits)} µs"


class TieGroup(NamedTuple):
    """Consecutive rows; `is_tie` if they are statistically tied."""

    rows: Sequence[DriveRow]
    is_tie: bool


def device_rows(rows: Sequence[Row], shown: Sequence[Metric], limits: Sequence[float] = ()) -> list[DriveRow]:
    """Rows of `best_by_class` or `rank_devices` for templates, with intervals on a shared axis.

    It reaches from the least to the largest of `limits` and of the rows' ends.
    """
    axis = row_axis(rows, limits)
    return [_device_row(row, axis, shown) for row in rows] if axis else []


def row_axis(rows: Sequence[Row], limits: Sequence[float] = ()) -> ValueAxis | None:
    """The axis on which `device_rows` draws intervals; None without rows."""
    return log_axis([*limits, *(row[end] for row in rows for end in ("low", "high"))]) if rows else None


def tie_groups(rows: Collection[DriveRow], *, by_rank: bool) -> list[TieGroup]:
    """Rows grouped by ties; a single group if not in the ranking's order."""
    if not by_rank:
        return [TieGroup(list(rows), is_tie=False)] if rows else []
    groups = [list(group) for _, group in groupby(rows, key=lambda row: row.place.tie_group)]
    return [TieGroup(group, is_tie=len(group) > 1) for group in groups]


def _device_row(row: Row, axis: ValueAxis, shown: Sequence[Metric]) -> DriveRow:
    vendor, model_name = row["device__product__vendor__name"], row["device__model_name"]
    forms, price = row.get("fact_form_factors"), row.get("fact_latest_price")
    return DriveRow(
        url=drive_address(row["device__page"], row["device__slug"]),
        slug=row["device__slug"],
        name=drive_name(vendor, row["device__product__name"], model_name),
        model_name=model_name,
        capacity_bytes=row["device__capacity_bytes"],
        device_class=row["device_class"],
        plp=plp_badge(row["device__product__plp"], row["device__product__plp_statements"]),
        origin=format_origin(row["device__elsewhere_count"], row["device__result_count"]),
        method=METHOD_LABELS[row["method"]],
        others=[
            OtherFigure(METHOD_LABELS[other["method"]], other["score"], other["digits"])
            for other in row.get("others", ())
        ],
        place=row["place"],
        score=row["score"],
        low=row["low"],
        high=row["high"],
        digits=row["digits"],
        is_assumed=row["assumed_spread"],
        axis=axis,
        cells=metric_cells(row["metrics"], shown, row["digits"]),
        tier=tier_text(row["low"], row["high"]) if row["board"] == Board.SYNC_WRITE else "",
        measured=conditions_text(row["device__conditions"], row["method"]),
        unit_count=row["unit_count"],
        result_count=row["result_count"],
        last_measured_on=row["last_measured_on"],
        form_factors=forms_of(split_forms(forms), row["device__capacity_bytes"]) if forms else (),
        price=SeenPrice(price, row["price_currency"], row["seen_latest_price"]) if price else None,
    )
