"""Drives of the ranking as rows of lists: their figures, with the axis that all rows share."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from textwrap import wrap
from typing import Any, NamedTuple, Protocol

from django.utils.safestring import SafeString
from django.utils.text import capfirst

from results.advice.form_factor import drawn_form, forms_of, split_forms
from results.advice.link import Chip, fastest_link
from results.charts.axes import ValueAxis, log_axis
from results.charts.glyphs import bar_lines, interval_bar, value_bar
from results.charts.plot import percent
from results.core.drive_names import DriveName
from results.core.formats import format_count, format_number, format_price, format_range
from results.core.prices import CardPrice, is_seen_fresh, seen_in_words
from results.core.subject import ListedDevice, device_from_row
from results.core.today import today
from results.kinds.metric import Metric
from results.kinds.tables import MetricCell, metric_cells
from results.models.choices import METHOD_LABELS, Badge, Board, Plp, plp_tone
from results.ranking.conditions import conditions_text
from results.ranking.leaders import Row
from results.ranking.tiers import TIERS, tier_text
from results.ranking.ties import Place, format_places


class OtherFigure(NamedTuple):
    """A drive's figure by another method than that of its row."""

    method: str
    score: float
    digits: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveRow:
    """A ranked drive, in a list as its card (templates/results/parts/card.html).

    Latencies are in µs, and `low` and `high` the ends of the interval. `tier` and `measured` are words, "" if there
    are none. `form_factors` are those of its capacity. `links` has the fastest one that it keeps up with. `facts` are
    the cells of the facts chosen, and `sorted_by` is the metric that rows are sorted by, if no column shows it.
    """

    device: ListedDevice
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
    price: CardPrice | None = None
    links: Sequence[Chip] = ()
    facts: Sequence[Any] = ()
    sorted_by: str = ""

    @property
    def url(self) -> str:
        return self.device.url

    @property
    def name(self) -> DriveName:
        return self.device.name

    @property
    def class_label(self) -> str:
        return self.device.class_label

    @property
    def plp(self) -> Badge:
        return self.device.protection

    @property
    def rank(self) -> str:
        return format_places(self.place)

    @property
    def form(self) -> str:
        """The drawing of its form factor (templates/results/parts/forms/); "" without one."""
        return drawn_form(", ".join(self.form_factors), self.device.device_class)

    @property
    def tone(self) -> str:
        """The color of its bar, a class of drives.css."""
        return plp_tone(self.plp.value)

    @property
    def has_capacitors(self) -> bool:
        return self.plp.value == Plp.YES

    @property
    def latency_us(self) -> float:
        return self.score

    @property
    def details(self) -> str:
        """How it was measured: "30.0 µs by fio, 16 units by diskinfo (write cache disabled), 2025-12-02"."""
        others = [
            f"{format_number(other.score, other.digits)} µs by {other.method}, " for other in self.others
        ]
        units = f"{format_count(self.unit_count, 'unit')} by {self.method}"
        conditions = f" ({self.measured})" if self.measured else ""
        ends = [f", {end}" for end in (self.last_measured_on, self.device.origin) if end]
        return "".join([*others, units, conditions, *ends])

    @property
    def scale(self) -> SafeString:
        """Its bar on the axis that all rows share."""
        figure = f"{format_number(self.score, self.digits)} µs"
        assumed = ", assumed spread" if self.is_assumed else ""
        return value_bar(
            *(self.low, self.score, self.high),
            axis=self.axis,
            css=self.tone,
            texts=(figure, f"{figure} ({self._interval}{assumed})"),
            is_assumed=self.is_assumed,
        )

    @property
    def interval_svg(self) -> SafeString:
        """The interval alone, for a table that has the figure in a column."""
        ends = self.low, self.score, self.high
        return interval_bar(*ends, axis=self.axis, text=self._interval, is_assumed=self.is_assumed)

    @property
    def _interval(self) -> str:
        return f"{format_range(self.low, self.high, self.digits)} µs"


class Placed(Protocol):
    """A row with its place on a board."""

    @property
    def place(self) -> Place: ...


class TieGroup(NamedTuple):
    """Consecutive rows; `is_tie` if they are statistically tied."""

    rows: Sequence[Placed]
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


APART = 0.2  # of a phone's width: the least distance of labels such as “100 µs”
APART_FROM_LAST = 0.26  # the same of the last one, which ends at the edge
TIER_LINES = 2
LETTER = 0.025  # of a phone's width: about that of a letter


class Tick(NamedTuple):
    """A label of the axis, in µs, and its place from 0 to 1; a minor one doesn't fit on a phone."""

    value: float
    share: float
    is_minor: bool

    @property
    def x(self) -> str:
        return f"{100 * self.share:.4g}%"

    @property
    def anchor(self) -> str:
        return "start" if self.share < 0.05 else "end" if self.share > 0.95 else "middle"


@dataclass(frozen=True, slots=True)
class BoardAxis:
    """The axis of all intervals, and the tiers on it."""

    scale: ValueAxis
    tiers: Sequence["TierLabel"]

    @property
    def lines_svg(self) -> SafeString:
        return bar_lines(self.scale, [tier.end for tier in self.tiers[:-1]])

    @property
    def ticks(self) -> list[Tick]:
        up, ticks = self.scale.up, self.scale.ticks
        shown = [ticks[0], ticks[-1]]
        for tick in ticks:
            is_far_from_last = up(ticks[-1]) - up(tick) >= APART_FROM_LAST
            if is_far_from_last and all(abs(up(tick) - up(other)) >= APART for other in shown):
                shown.append(tick)
        return [Tick(tick, up(tick), tick not in shown) for tick in ticks]


def board_axis(rows: Sequence[Row], limits: Sequence[float], board: str) -> BoardAxis | None:
    """None without rows."""
    axis = row_axis(rows, limits)
    if axis is None:
        return None
    return BoardAxis(axis, _tiers(axis) if board == Board.SYNC_WRITE else [])


class TierLabel(NamedTuple):
    """A tier on the axis: its lines of text, the middle of its range in percent, its end as a value.

    `css` marks one that doesn't fit on a phone.
    """

    lines: Sequence[str]
    x: str
    end: float
    css: str


def _tiers(axis: ValueAxis) -> list[TierLabel]:
    """The tiers within the axis; without text where the range is too narrow for its lines."""
    start, labels = axis.low, []
    for tier in TIERS:
        end = min(tier.below_us or axis.high, axis.high)
        if end > start:
            left, right = axis.up(start), axis.up(end)
            room = max(1, int((right - left) / LETTER))
            lines = wrap(tier.label, room, break_long_words=False)
            fits = len(lines) <= TIER_LINES and max(map(len, lines)) <= room
            css = "minor" if len(lines) > 1 or right - left < APART else ""
            labels.append(TierLabel(lines if fits else [], percent((left + right) / 2), end, css))
            start = end
    return labels


def tie_groups(rows: Collection[Placed], *, by_rank: bool) -> list[TieGroup]:
    """Rows grouped by ties; a single group if not in the ranking's order."""
    if not by_rank:
        return [TieGroup(list(rows), is_tie=False)] if rows else []
    groups = [list(group) for _, group in groupby(rows, key=lambda row: row.place.tie_group)]
    return [TieGroup(group, is_tie=len(group) > 1) for group in groups]


def _device_row(row: Row, axis: ValueAxis, shown: Sequence[Metric]) -> DriveRow:
    forms = row.get("fact_form_factors")
    return DriveRow(
        device=device_from_row(row),
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
        price=_price(row),
        links=_links(row),
    )


def _price(row: Row) -> CardPrice | None:
    if not (price := row.get("fact_latest_price")):
        return None
    seen_on = row["seen_latest_price"]
    text = format_price(price, row["price_currency"], decimals=0)
    is_old, title = not is_seen_fresh(seen_on, today()), capfirst(seen_in_words(seen_on, today()))
    return CardPrice(text, f"in {seen_on[:4]}", is_old=is_old, title=title)


def _links(row: Row) -> list[Chip]:
    """The fastest link that it keeps up with as measured, or a faster one that a claim for its capacity allows."""
    measured, claimed = (fastest_link(row.get(rate)) for rate in ("measured_mib_s", "claimed_mib_s"))
    if claimed and (measured is None or claimed.gbit_s > measured.gbit_s):
        return [Chip(f"{claimed.gbit_s}", "on-paper", f"{claimed.ethernet}: on paper")]
    return [Chip(f"{measured.gbit_s}", "carried", f"{measured.ethernet}: yes")] if measured else []
