"""The comparison table: sections of rows with a formatted cell per device."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from results.catalogue.product_facts import FACTS, ProductFact
from results.catalogue.protection import Statement, find_safety, rated_endurance
from results.compare.figures import FigureRow, Mark, metric_rows, point_rows
from results.compare.query import SPEED_CLAIMS, Compared, Unranked
from results.core.formats import (
    DASH,
    NOT_STATED,
    format_block_size,
    format_capacity,
    format_count,
    format_date,
    format_number,
    format_origin,
    format_range,
    writers_label,
)
from results.core.today import today
from results.kinds.latency_curve.metrics import CONFIDENCE_PERCENT, ranked_metric
from results.kinds.registry import method_label
from results.kinds.sustained.on_device import format_rate, load_in_words
from results.models.choices import ClaimQuantity, Method
from results.ranking.ties import format_places

_NOTHING = {NOT_STATED, DASH}
_MOST_UNRANKED = 3  # in a cell
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

    label: str
    unit: str
    cells: Sequence[Cell]
    is_alike: bool

    @property
    def is_same(self) -> bool:
        """Whether all cells are the same, with their sources."""
        first, *others = self.cells
        return all(one == first for one in others)

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
    compared: Sequence[Compared], *, baseline: str, is_throughput: bool, is_differences_only: bool
) -> list[Section]:
    """The sections with their rows, optionally without rows of equal or tied cells.

    Rows of which nothing is known are left out.
    """
    metrics = metric_rows(compared, baseline=baseline)
    points = point_rows(compared, baseline=baseline, is_throughput=is_throughput)
    speed = [
        *(_figure_row(row, compared, baseline) for row in metrics),
        *_fact_rows(_UNRANKED, compared),
    ]
    sections = [
        Section("speed", "Speed", speed),
        Section("safety", "Safety and life", _fact_rows(_SAFETY, compared)),
        Section(
            "points",
            "Point by point",
            [_figure_row(row, compared, baseline) for row in points] if len(points) > 1 else [],
            is_folded=True,
        ),
        Section("claims", "Claimed, not measured", _fact_rows(_CLAIMS, compared), is_folded=bool(metrics)),
        Section("conditions", "How it was measured", _fact_rows(_CONDITIONS, compared), is_folded=True),
        Section("device", "The device", _fact_rows([*_DEVICE, *_product_facts(compared)], compared)),
    ]
    return [
        replace(one, rows=shown)
        for one in sections
        if (shown := [row for row in one.rows if not (is_differences_only and row.is_alike)])
    ]


def same_rows(sections: Iterable[Section]) -> Section:
    """The rows that are the same for all devices, except those left out."""
    rows = [row for section in sections for row in section.rows if row.is_same and not row.is_left_out]
    return Section("same", "The same for all", rows, is_folded=True)


def _fact_rows(
    facts: Iterable[tuple[str, Callable[[Compared], Cell]]], compared: Sequence[Compared]
) -> list[Row]:
    rows = []
    for label, read in facts:
        cells = [read(one) for one in compared]
        if any(cell.text not in _NOTHING for cell in cells):
            is_alike = len({(cell.text, *cell.notes) for cell in cells}) == 1
            rows.append(Row(label, "", cells, is_alike))
    return rows


def _figure_row(row: FigureRow, compared: Sequence[Compared], baseline: str) -> Row:
    cells = [
        Cell(_figure_text(row, number, is_baseline=one.device.slug == baseline), mark=row.marks[number])
        for number, one in enumerate(compared)
    ]
    label = format_block_size(row.block_size) if row.block_size else row.label
    return Row(label, row.unit, cells, row.is_all_tied)


def _figure_text(row: FigureRow, number: int, *, is_baseline: bool) -> str:
    """The value, or the multiple of the baseline's."""
    if is_baseline or not row.times:
        return format_number(row.values[number], row.digits[number])
    times = row.times[number]
    return DASH if times is None else f"{format_number(times)}×"


def _protection(one: Compared) -> Cell:
    safety = find_safety(one.device.product)
    return Cell(
        safety.badge["label"],
        tone=safety.badge["tag"],
        notes=[safety.caveats] if safety.caveats else [],
        sources=safety.statements,
        explained=f"{safety.badge['label']}: {safety.meaning} {safety.missing}".strip(),
    )


def _endurance(one: Compared) -> Cell:
    product = one.device.product
    stated = rated_endurance(product, one.ratings, one.device.capacity_bytes) if product else None
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


def _unranked(*, is_on_device: bool) -> Callable[[Compared], Cell]:
    """Results that aren't ranked, each with where it was measured, and the reason if it was the device itself."""

    def read(one: Compared) -> Cell:
        rows = [row for row in one.unranked if (row.layer is None) == is_on_device][:_MOST_UNRANKED]
        if not rows:
            return Cell(DASH)
        text, *others = (f"{format_number(row.latency_us, row.digits)} µs" for row in rows)
        meanings = [row.reason if is_on_device else _how(row) for row in rows]
        more = [f"{other} {meaning}" for other, meaning in zip(others, meanings[1:], strict=True)]
        return Cell(text, notes=[meanings[0], *more])

    return read


def _sustained(one: Compared) -> Cell:
    """What it sustains, which is never ranked beside others that were written in another way."""
    if one.sustained is None:
        return Cell(DASH)
    text = format_rate(one.sustained["metrics"]["sustained_iops"], one.sustained)
    return Cell(text, notes=[load_in_words(one.sustained) or "conditions not stated"])


def _how(row: Unranked) -> str:
    parts = [method_label(row.method), writers_label(row.writers), format_count(row.result_count, "result")]
    return f"{row.where} ({', '.join(filter(None, parts))})"


def _claim(quantity: ClaimQuantity) -> Callable[[Compared], Cell]:
    """The claim for the capacity, else the one for the entire line."""

    def read(one: Compared) -> Cell:
        claim = next((claim for claim in one.claims if claim.quantity == quantity), None)
        if claim is None:
            return Cell(DASH)
        capacity = format_capacity(claim.capacity_bytes)
        scope = " ".join(filter(None, [claim.variant, capacity])) or "the whole line"
        source = Statement("", claim.get_stated_by_display(), "", claim.source_url)
        notes = [", ".join(filter(None, [scope, claim.note]))]
        return Cell(claim.stated, is_claim=True, notes=notes, sources=[source])

    return read


def _interval(one: Compared) -> Cell:
    if one.ranking is None:
        return Cell(DASH)
    notes = [ranked_metric(one.ranking.board).label]
    if one.ranking.assumed_spread:
        notes.append("assumed spread")
    return Cell(f"{format_range(one.ranking.low, one.ranking.high, one.ranking.digits)} µs", notes=notes)


def _rank(one: Compared) -> Cell:
    if one.place is None and one.ranking:  # by a method that isn't the main row's
        return Cell("ranked by its other tool")
    if one.place is None:
        reasons = list(dict.fromkeys(row.reason for row in one.unranked))
        unknown = (
            "Only its sustained writes are known." if one.sustained else "Nobody has measured it here yet."
        )
        return Cell("not ranked", notes=reasons[:1] or [unknown])
    return Cell(f"{format_places(one.place)} in {one.device.get_device_class_display()}")


def _count(field: str) -> Callable[[Compared], Cell]:
    return lambda one: Cell(str(getattr(one.ranking, field)) if one.ranking else "0")


def _results(one: Compared) -> Cell:
    if one.ranking is None:
        return Cell("0")
    origin = format_origin(one.device.elsewhere_count, one.device.result_count)
    return Cell(str(one.ranking.result_count), notes=[origin] if origin else [])


def _condition(field: str) -> Callable[[Compared], Cell]:
    return lambda one: Cell(", ".join(getattr(one.conditions, field)) or NOT_STATED)


def _product(field: str) -> Callable[[Compared], Cell]:
    def read(one: Compared) -> Cell:
        product = one.device.product
        return Cell((getattr(product, field) if product else "") or NOT_STATED)

    return read


def _product_facts(compared: Sequence[Compared]) -> list[tuple[str, Callable[[Compared], Cell]]]:
    """The facts that are known for any of the products, but for those that another row states."""
    facts = [fact for fact in FACTS.values() if fact.key not in _IN_OTHER_ROWS]
    known = {fact.key for fact in facts for one in compared if one.fact(fact, today()).value != DASH}
    return [(fact.label, _read_fact(fact)) for fact in facts if fact.key in known]


def _read_fact(fact: ProductFact) -> Callable[[Compared], Cell]:
    def read(one: Compared) -> Cell:
        cell = one.fact(fact, today())
        if cell.value == DASH:
            return Cell(NOT_STATED)
        return Cell(cell.value, notes=[cell.age] if cell.age else [])

    return read


def _segment(one: Compared) -> Cell:
    product = one.device.product
    return Cell(product.get_segment_display() if product else NOT_STATED)


_UNRANKED = (
    ("Through a file system", _unranked(is_on_device=False)),
    ("Measured, but not ranked", _unranked(is_on_device=True)),
    ("Sustained writes", _sustained),
)
_CLAIMS = [(quantity.label, _claim(quantity)) for quantity in SPEED_CLAIMS]
_SAFETY = (
    ("Power-loss protection", _protection),
    ("Rated endurance", _endurance),
)
_CONDITIONS = (
    (f"{CONFIDENCE_PERCENT} interval", _interval),
    ("Place", _rank),
    ("Units", _count("unit_count")),
    ("Ranked results", _results),
    (
        "Newest measurement",
        lambda one: Cell(format_date(one.ranking.last_measured_on) if one.ranking else DASH),
    ),
    ("Method", lambda one: Cell(Method(one.method).label if one.method else DASH)),
    ("Operating system", _condition("systems")),
    ("Write cache", _condition("write_cache")),
    ("Synced with", _condition("sync_methods")),
    ("Data written", _condition("data_contents")),
    ("Order of writes", _condition("patterns")),
    ("Page cache", _condition("page_caches")),
    ("Controller", _condition("controllers")),
    ("HBA, according to owners", _condition("hbas")),
    ("Firmware", _condition("firmware_versions")),
)
_DEVICE = (
    ("Class", lambda one: Cell(one.device.get_device_class_display())),
    ("Capacity", lambda one: Cell(format_capacity(one.device.capacity_bytes) or NOT_STATED)),
    ("Made for", _segment),
    ("Media", _product("media")),
    ("Interface", _product("interface")),
)
