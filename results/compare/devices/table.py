"""The comparison table: sections of rows with a formatted cell per device."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from results.advice.comparison import Mark
from results.catalogue.product_facts import FACTS, ProductFact
from results.catalogue.protection import Statement, find_safety, rated_endurance
from results.compare.conditions import DEVICE_CONDITIONS
from results.compare.devices.figures import FigureRow, metric_rows, point_rows
from results.compare.devices.query import SPEED_CLAIMS, ComparedDevice, Unranked
from results.core.formats import (
    DASH,
    NOT_STATED,
    format_capacity,
    format_count,
    format_date,
    format_number,
    format_origin,
    format_range,
    writers_label,
)
from results.core.today import today
from results.kinds.curve.metrics import CONFIDENCE_PERCENT, ranked_metric
from results.kinds.registry import method_label
from results.kinds.series.figures import format_rate, stated_load
from results.models.choices import ClaimQuantity, Method
from results.ranking.ties import format_places

_NOTHING = {NOT_STATED, DASH}
_MAX_UNRANKED = 3  # in a cell
_ON_CARDS = {"Class", "Capacity", "Price"}
_IN_OTHER_ROWS = {"endurance_tbw", "endurance_dwpd"}  # the rated endurance, with its source


@dataclass(frozen=True, slots=True)
class Cell:
    """What is known of a device; a text with a `tone` is a tag."""

    text: str
    mark: Mark = ""
    tone: str = ""
    is_claim: bool = False
    notes: Sequence[str] = ()
    sources: Sequence[Statement] = ()
    explained: str = ""  # in a sentence, below the row


@dataclass(frozen=True, slots=True)
class Row:
    """A row; `is_alike` if its cells have the same words, or figures that are tied."""

    label: str  # with its unit
    cells: Sequence[Cell]
    is_alike: bool

    @property
    def is_same(self) -> bool:
        """Whether all cells are the same, with their sources."""
        first, *others = self.cells
        return all(cell == first for cell in others)

    @property
    def is_left_out(self) -> bool:
        """Whether the cards have it, or there are no multiples of the baseline."""
        return self.label in _ON_CARDS or all(cell.text == DASH for cell in self.cells)

    @property
    def shown(self) -> Sequence[Cell]:
        return self.cells[:1] if self.is_same else self.cells

    @property
    def explained(self) -> Sequence[str]:
        return list(dict.fromkeys(cell.explained for cell in self.cells if cell.explained))


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under a title; a folded one is closed at first."""

    id: str
    title: str
    rows: Sequence[Row]
    is_folded: bool = False

    @property
    def different(self) -> Sequence[Row]:
        return [row for row in self.rows if not (row.is_same or row.is_left_out)]

    @property
    def as_list(self) -> Sequence["Section"]:
        """For a table that has no other section."""
        return [self]


def compare_sections(
    compared: Sequence[ComparedDevice], *, baseline: str, is_throughput: bool, is_differences_only: bool
) -> list[Section]:
    """The sections with their rows, optionally without rows of equal or tied cells.

    Rows of which nothing is known are left out.
    """
    metrics = metric_rows(compared, baseline=baseline)
    points = point_rows(compared, baseline=baseline, is_throughput=is_throughput)
    speed = [*map(_figure_row, metrics), *_fact_rows(_UNRANKED, compared)]
    sections = [
        Section("speed", "Speed", speed),
        Section("safety", "Safety and life", _fact_rows(_SAFETY, compared)),
        Section(
            "points",
            "Point by point",
            list(map(_figure_row, points)) if len(points) > 1 else [],
            is_folded=True,
        ),
        Section("claims", "Claimed, not measured", _fact_rows(_CLAIMS, compared), is_folded=bool(metrics)),
        Section("conditions", "How it was measured", _fact_rows(_CONDITIONS, compared), is_folded=True),
        Section("device", "The device", _fact_rows([*_DEVICE, *_product_facts(compared)], compared)),
    ]
    return [
        replace(section, rows=shown)
        for section in sections
        if (shown := [row for row in section.rows if not (is_differences_only and row.is_alike)])
    ]


def same_rows(sections: Iterable[Section]) -> Section:
    """The rows that are the same for all devices, except those left out."""
    rows = [row for section in sections for row in section.rows if row.is_same and not row.is_left_out]
    return Section("same", "The same for all", rows, is_folded=True)


def _fact_rows(
    facts: Iterable[tuple[str, Callable[[ComparedDevice], Cell]]], compared: Sequence[ComparedDevice]
) -> list[Row]:
    rows = []
    for label, read in facts:
        cells = [read(drive) for drive in compared]
        if any(cell.text not in _NOTHING for cell in cells):
            is_alike = len({(cell.text, *cell.notes) for cell in cells}) == 1
            rows.append(Row(label, cells, is_alike))
    return rows


def _figure_row(row: FigureRow) -> Row:
    cells = [Cell(text, mark) for text, mark in zip(row.texts, row.marks, strict=True)]
    return Row(row.figure.full_label, cells, row.is_all_tied)


def _protection(drive: ComparedDevice) -> Cell:
    safety = find_safety(drive.device.product)
    return Cell(
        safety.badge.label,
        tone=safety.badge.tone,
        notes=[safety.caveats] if safety.caveats else [],
        sources=safety.statements,
        explained=f"{safety.badge.label}: {safety.meaning} {safety.missing}".strip(),
    )


def _endurance(drive: ComparedDevice) -> Cell:
    product = drive.device.product
    stated = rated_endurance(product, drive.ratings, drive.device.capacity_bytes) if product else None
    if stated is None:
        return Cell(NOT_STATED)
    written = [
        f"{row.amount} of writes ({', '.join(filter(None, [row.capacity, row.basis]))})"
        for row in stated.written
    ]
    first, *others = filter(None, [stated.drive_writes, *written])
    return Cell(
        first,
        notes=list(filter(None, [*others, stated.caveats])),
        sources=[Statement("", "Source", "", url) for url in stated.sources],
    )


def _unranked(*, is_on_device: bool) -> Callable[[ComparedDevice], Cell]:
    """Results that aren't ranked, each with where it was measured, and the reason if it was the device itself."""

    def read(drive: ComparedDevice) -> Cell:
        rows = [row for row in drive.unranked if (row.layer is None) == is_on_device][:_MAX_UNRANKED]
        if not rows:
            return Cell(DASH)
        text, *others = (f"{format_number(row.latency_us, row.digits)} µs" for row in rows)
        meanings = [row.reason if is_on_device else _how(row) for row in rows]
        more = [f"{other} {meaning}" for other, meaning in zip(others, meanings[1:], strict=True)]
        return Cell(text, notes=[meanings[0], *more])

    return read


def _sustained(drive: ComparedDevice) -> Cell:
    """What it sustains, which is never ranked beside others that were written in another way."""
    if drive.sustained is None:
        return Cell(DASH)
    text = format_rate(drive.sustained["metrics"]["sustained_iops"], drive.sustained)
    return Cell(text, notes=[stated_load(drive.sustained)])


def _how(row: Unranked) -> str:
    parts = [method_label(row.method), writers_label(row.writers), format_count(row.result_count, "result")]
    return f"{row.where} ({', '.join(filter(None, parts))})"


def _claim(quantity: ClaimQuantity) -> Callable[[ComparedDevice], Cell]:
    """The claim for the capacity, else the one for the entire line."""

    def read(drive: ComparedDevice) -> Cell:
        claim = next((claim for claim in drive.claims if claim.quantity == quantity), None)
        if claim is None:
            return Cell(DASH)
        capacity = format_capacity(claim.capacity_bytes)
        scope = " ".join(filter(None, [claim.variant, capacity])) or "the whole line"
        source = Statement("", claim.get_stated_by_display(), "", claim.source_url)
        notes = [", ".join(filter(None, [scope, claim.note]))]
        return Cell(claim.stated, is_claim=True, notes=notes, sources=[source])

    return read


def _interval(drive: ComparedDevice) -> Cell:
    if drive.ranking is None:
        return Cell(DASH)
    notes = [ranked_metric(drive.ranking.board).label]
    if drive.ranking.assumed_spread:
        notes.append("assumed spread")
    return Cell(
        f"{format_range(drive.ranking.low, drive.ranking.high, drive.ranking.digits)} µs", notes=notes
    )


def _rank(drive: ComparedDevice) -> Cell:
    if drive.place is None and drive.ranking:  # by a method that isn't the main row's
        return Cell("ranked by its other tool")
    if drive.place is None:
        reasons = list(dict.fromkeys(row.reason for row in drive.unranked))
        unknown = (
            "Only its sustained writes are known." if drive.sustained else "Nobody has measured it here yet."
        )
        return Cell("not ranked", notes=reasons[:1] or [unknown])
    return Cell(f"{format_places(drive.place)} in {drive.device.get_device_class_display()}")


def _results(drive: ComparedDevice) -> Cell:
    if drive.ranking is None:
        return Cell("0")
    origin = format_origin(drive.device.elsewhere_count, drive.device.result_count)
    return Cell(str(drive.ranking.result_count), notes=[origin] if origin else [])


def _condition(key: str) -> Callable[[ComparedDevice], Cell]:
    return lambda drive: Cell(", ".join(drive.conditions.get(key, ())) or NOT_STATED)


def _product(field: str) -> Callable[[ComparedDevice], Cell]:
    def read(drive: ComparedDevice) -> Cell:
        value = getattr(drive.device.product, field, "")
        return Cell((value() if callable(value) else value) or NOT_STATED)

    return read


def _product_facts(compared: Sequence[ComparedDevice]) -> list[tuple[str, Callable[[ComparedDevice], Cell]]]:
    """The facts that are known for any of the products, but for those that another row states."""
    facts = [fact for fact in FACTS.values() if fact.key not in _IN_OTHER_ROWS]
    known = {fact.key for fact in facts for drive in compared if drive.fact(fact, today()).value != DASH}
    return [(fact.label, _read_fact(fact)) for fact in facts if fact.key in known]


def _read_fact(fact: ProductFact) -> Callable[[ComparedDevice], Cell]:
    def read(drive: ComparedDevice) -> Cell:
        cell = drive.fact(fact, today())
        if cell.value == DASH:
            return Cell(NOT_STATED)
        return Cell(cell.value, notes=[cell.age] if cell.age else [])

    return read


_UNRANKED = (
    ("Through a file system", _unranked(is_on_device=False)),
    ("Measured, but not ranked", _unranked(is_on_device=True)),
    ("Sustained writes", _sustained),
)
_CLAIMS = [(quantity.label, _claim(quantity)) for quantity in SPEED_CLAIMS]
_SAFETY = (("Power-loss protection", _protection), ("Rated endurance", _endurance))
_CONDITIONS = (
    (f"{CONFIDENCE_PERCENT} interval", _interval),
    ("Place", _rank),
    ("Units", lambda drive: Cell(str(drive.ranking.unit_count) if drive.ranking else "0")),
    ("Ranked results", _results),
    (
        "Newest measurement",
        lambda drive: Cell(format_date(drive.ranking.last_measured_on) if drive.ranking else DASH),
    ),
    ("Method", lambda drive: Cell(Method(drive.method).label if drive.method else DASH)),
    *((condition.label, _condition(key)) for key, condition in DEVICE_CONDITIONS.items()),
)
_DEVICE = (
    ("Class", lambda drive: Cell(drive.device.get_device_class_display())),
    ("Capacity", lambda drive: Cell(format_capacity(drive.device.capacity_bytes) or NOT_STATED)),
    ("Made for", _product("get_segment_display")),
    ("Media", _product("media")),
    ("Interface", _product("interface")),
)
