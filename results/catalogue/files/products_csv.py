"""Read the catalogue's files, each completely or not at all.

Errors name the file and the line. Multiple values of a cell are separated by " ;; ". An empty cell means "not known",
never "no".
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from parsers.base.units import GIGABYTE, PETABYTE, TERABYTE
from results.catalogue.matching.match import check_pattern
from results.catalogue.matching.patterns import Matcher
from results.core.lines import (
    DATA,
    CatalogueError,
    FileLine,
    LineError,
    check_url,
    matching,
    one_of,
    read_line,
    read_lines,
    words,
)
from results.models.choices import LOSES_DATA, WEAK_EVIDENCE, Plp, PlpEvidence, ProductFlag, Segment
from results.models.product import CATALOGUE_CLASSES

CATALOGUE_FILE = DATA / "catalogue.csv"
LARGEST = "max"  # in place of a capacity, if only the endurance of the largest model is stated
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?) (GB|TB|PB)")
_BYTES = {"GB": GIGABYTE, "TB": TERABYTE, "PB": PETABYTE}
_SAFE = {Plp.YES, Plp.BY_DESIGN, Plp.EXTERNAL, Plp.PARTIAL}
_check_slug = matching(r"(?!.{61})[a-z0-9]+(?:-[a-z0-9]+)*", "lower-case letters, digits and hyphens")
_check_note = words(200)


@dataclass(frozen=True, slots=True)
class StatementCell:
    """A source's statement about power-loss protection, with our note on its scope."""

    value: Plp
    evidence: PlpEvidence
    url: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Endurance:
    """The rated writes of a capacity, or of the line's largest, in bytes."""

    capacity_bytes: int | None
    written_bytes: int


def _statement(text: str) -> dict[str, str]:
    parts = dict(zip(("value", "evidence", "url", "note"), text.split(" ", 3), strict=False))
    if "url" not in parts or parts["value"] == Plp.DISPUTED:
        raise LineError(f"{text!r} is not a value, a kind of evidence, a URL and optionally a note")
    check_url(parts["url"])
    _check_note(parts.get("note", "none"))
    return parts


def _endurance(text: str) -> dict[str, int | None]:
    capacity, _, written = text.partition("=")
    return {
        "capacity_bytes": None if capacity == LARGEST else _amount(capacity),
        "written_bytes": _amount(written),
    }


def _amount(text: str) -> int:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise LineError(f"{text!r} is not an amount such as 480 GB")
    return int(Decimal(match[1]) * _BYTES[match[2]])


def _range(cell: str) -> tuple[Decimal, Decimal]:
    low, _, high = cell.partition("-")
    try:
        ends = Decimal(low), Decimal(high or low)
    except InvalidOperation as error:
        raise LineError(f"{cell!r} is neither a number nor a range") from error
    if not 0 < ends[0] <= ends[1]:
        raise LineError(f"{cell!r} is not a range of drive writes per day")
    return ends


FewWords = Annotated[str, words(80, may_be_empty=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueLine(FileLine):
    """A product line, with the names of Product."""

    slug: Annotated[str, _check_slug]
    vendor: Annotated[str, words(60)]
    name: Annotated[str, words(100)]
    patterns: Annotated[tuple[str, ...], "model_patterns", check_pattern]
    example_model: str
    device_class: Annotated[str, one_of(dict(CATALOGUE_CLASSES))]
    segment: Segment
    media: FewWords
    interface: FewWords
    form_factors: FewWords
    plp: Plp
    plp_statements: Annotated[tuple[StatementCell, ...], _statement]
    endurance_dwpd: Annotated[tuple[Decimal, Decimal] | None, _range]  # lowest and highest of the line
    endurance_years: Annotated[int, Meta(ge=1, le=20)] | None
    endurance_tbw: Annotated[tuple[Endurance, ...], _endurance]
    endurance_source_url: Annotated[str, lambda cell: cell and check_url(cell)]
    launch_year: Annotated[int, Meta(ge=1980, le=2100)] | None
    flags: tuple[ProductFlag, ...]
    sources: Annotated[tuple[str, ...], check_url]

    def check(self) -> None:
        """Require sources, and what belongs together."""
        _check_sources(self)
        _check_plp(self)

    def identity(self) -> tuple[Any, ...]:
        """A product has one line."""
        return (f"slug: {self.slug!r}",)


COLUMNS = CatalogueLine.columns()
# The fields that line, product and API have in common
SINGLE = tuple(
    field.name
    for field in fields(CatalogueLine)
    if field.name
    not in {"vendor", "patterns", "plp_statements", "endurance_dwpd", "endurance_tbw", "flags", "sources"}
)


def read_cells(cells: Mapping[str, str]) -> CatalogueLine:
    """Read a line from its cells by column; raises LineError."""
    return read_line(cells, CatalogueLine)


def _check_sources(line: CatalogueLine) -> None:
    if not line.sources and ProductFlag.UNSOURCED not in line.flags:
        raise LineError("sources: none; give one, or flag the line unsourced")
    has_endurance = line.endurance_dwpd or line.endurance_tbw
    if has_endurance and not line.endurance_source_url:
        raise LineError("endurance_source_url: missing, and there is a value that needs it")
    if (line.endurance_dwpd is None) != (line.endurance_years is None):
        raise LineError("endurance_years: required with endurance_dwpd, and only with it")
    if line.example_model and not any(re.search(pattern, line.example_model) for pattern in line.patterns):
        raise LineError(f"model_patterns: none matches the line's own example {line.example_model!r}")


def _check_plp(line: CatalogueLine) -> None:
    """Require a statement of the value and, for a safe value, strong evidence."""
    stated = {statement.value for statement in line.plp_statements}
    firm = {statement.value for statement in line.plp_statements if statement.evidence not in WEAK_EVIDENCE}
    if line.plp is Plp.DISPUTED and len(firm - {Plp.UNKNOWN}) < 2:
        raise LineError("plp: disputed, but there are no two statements that contradict each other")
    if line.plp not in {Plp.DISPUTED, Plp.UNKNOWN} and line.plp not in stated:
        raise LineError(f"plp: {line.plp}, but no statement with a source says so")
    if line.plp in _SAFE and any(statement.note.startswith(LOSES_DATA) for statement in line.plp_statements):
        raise LineError(f"plp: {line.plp}, but a statement says that it {LOSES_DATA}; use disputed or no")
    if line.plp in _SAFE and line.plp not in firm:
        raise LineError(f"plp: {line.plp} has only weak evidence; use unknown")


def read_catalogue(path: Path = CATALOGUE_FILE) -> list[CatalogueLine]:
    """Read the lines of the file, in order; raises CatalogueError."""
    numbered = read_lines(path, CatalogueLine)
    for number, message in claim_conflicts(numbered):
        raise CatalogueError(f"{path.name}, line {number}: {message}")
    return [line for _, line in numbered]


def claim_conflicts(numbered: Iterable[tuple[int, CatalogueLine]]) -> list[tuple[int, str]]:
    """Find lines whose patterns match another line's example, with a message."""
    by_number = list(numbered)
    matcher = Matcher((number, line.patterns) for number, line in by_number)
    slugs = {number: line.slug for number, line in by_number}
    return [
        (owner, f"model_patterns: they match {line.example_model!r}, the example of {slugs[number]}")
        for number, line in by_number
        if line.example_model
        for owner in matcher.find_owners(line.example_model)
        if owner != number
    ]
