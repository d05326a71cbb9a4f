"""Read the catalogue's files, each completely or not at all.

Errors name the file and the line. Multiple values of a cell are separated by " ;; ". An empty cell means "not known",
never "no".
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from parsers.base.units import GIGABYTE, PETABYTE, TERABYTE
from results.catalogue.matching.match import check_pattern
from results.catalogue.matching.patterns import Matcher
from results.models.choices import LOSES_DATA, WEAK_EVIDENCE, Plp, PlpEvidence, ProductFlag, Segment
from results.models.product import CATALOGUE_CLASSES

SEPARATOR = " ;; "
LONGEST = {
    "slug": 60,
    "vendor": 60,
    "name": 100,
    "media": 80,
    "interface": 80,
    "form_factors": 80,
    "note": 200,
}
LARGEST = "max"  # in place of a capacity, if only the endurance of the largest model is stated
FIRST_YEAR, LAST_YEAR = 1980, 2100
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?) (GB|TB|PB)")
_BYTES = {"GB": GIGABYTE, "TB": TERABYTE, "PB": PETABYTE}
_SAFE = {Plp.YES, Plp.BY_DESIGN, Plp.EXTERNAL, Plp.PARTIAL}
_Value = TypeVar("_Value")


class LineError(ValueError):
    """An invalid cell; the message names its column."""


@dataclass(frozen=True, slots=True)
class Statement:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueLine:
    """A product line, with the names of Product."""

    slug: str
    vendor: str
    name: str
    patterns: tuple[str, ...]
    example_model: str
    device_class: str
    segment: Segment
    media: str
    interface: str
    form_factors: str
    plp: Plp
    plp_statements: tuple[Statement, ...]
    endurance_dwpd: tuple[Decimal, Decimal] | None  # lowest and highest of the line
    endurance_years: int | None
    endurance_tbw: tuple[Endurance, ...]
    endurance_source_url: str
    launch_year: int | None
    flags: tuple[ProductFlag, ...]
    sources: tuple[str, ...]


_NAMES = tuple(one.name for one in fields(CatalogueLine))
COLUMNS = tuple("model_patterns" if name == "patterns" else name for name in _NAMES)
# The fields that line, product and API have in common
SINGLE = tuple(
    name
    for name in _NAMES
    if name
    not in {"vendor", "patterns", "plp_statements", "endurance_dwpd", "endurance_tbw", "flags", "sources"}
)


def read_cells(cells: Mapping[str, str]) -> CatalogueLine:
    """Read a line from its cells by column; raises LineError."""
    line = CatalogueLine(
        slug=_slug(cells["slug"]),
        vendor=_words(cells, "vendor"),
        name=_words(cells, "name"),
        patterns=_many(cells["model_patterns"], check_pattern, "model_patterns"),
        example_model=cells["example_model"],
        device_class=check_choice(cells["device_class"], dict(CATALOGUE_CLASSES), "device_class"),
        segment=Segment(check_choice(cells["segment"], Segment.values, "segment")),
        media=_words(cells, "media", may_be_empty=True),
        interface=_words(cells, "interface", may_be_empty=True),
        form_factors=_words(cells, "form_factors", may_be_empty=True),
        plp=Plp(check_choice(cells["plp"], Plp.values, "plp")),
        plp_statements=_many(cells["plp_statements"], _statement, "plp_statements"),
        endurance_dwpd=_range(cells["endurance_dwpd"]),
        endurance_years=_integer(cells["endurance_years"], "endurance_years", within=(1, 20)),
        endurance_tbw=_many(cells["endurance_tbw"], _endurance, "endurance_tbw"),
        endurance_source_url=cells["endurance_source_url"] and check_url(cells["endurance_source_url"]),
        launch_year=_integer(cells["launch_year"], "launch_year", within=(FIRST_YEAR, LAST_YEAR)),
        flags=_many(cells["flags"], _flag, "flags"),
        sources=_many(cells["sources"], check_url, "sources"),
    )
    _check_sources(line)
    _check_plp(line)
    return line


def _check_sources(line: CatalogueLine) -> None:
    if not line.sources and ProductFlag.UNSOURCED not in line.flags:
        raise LineError("sources: none; give one, or flag the line unsourced")
    has_endurance = line.endurance_dwpd or line.endurance_tbw
    if has_endurance and not line.endurance_source_url:
        raise LineError("endurance_source_url: missing, and there is a value that needs it")
    if (line.endurance_dwpd is None) != (line.endurance_years is None):
        raise LineError("endurance_years: required with endurance_dwpd, and only with it")
    if line.example_model and not any(re.search(one, line.example_model) for one in line.patterns):
        raise LineError(f"model_patterns: none matches the line's own example {line.example_model!r}")


def _check_plp(line: CatalogueLine) -> None:
    """Require a statement of the value and, for a safe value, strong evidence."""
    stated = {statement.value for statement in line.plp_statements}
    firm = {one.value for one in line.plp_statements if one.evidence not in WEAK_EVIDENCE}
    if line.plp is Plp.DISPUTED and len(firm - {Plp.UNKNOWN}) < 2:
        raise LineError("plp: disputed, but there are no two statements that contradict each other")
    if line.plp not in {Plp.DISPUTED, Plp.UNKNOWN} and line.plp not in stated:
        raise LineError(f"plp: {line.plp}, but no statement with a source says so")
    if line.plp in _SAFE and any(one.note.startswith(LOSES_DATA) for one in line.plp_statements):
        raise LineError(f"plp: {line.plp}, but a statement says that it {LOSES_DATA}; use disputed or no")
    if line.plp in _SAFE and line.plp not in firm:
        raise LineError(f"plp: {line.plp} has only weak evidence; use unknown")


def _slug(cell: str) -> str:
    if not _SLUG.fullmatch(cell) or len(cell) > LONGEST["slug"]:
        raise LineError(f"slug: {cell!r} is not lower-case letters, digits and hyphens")
    return cell


def _words(cells: Mapping[str, str], column: str, *, may_be_empty: bool = False) -> str:
    cell = cells[column]
    if not cell and may_be_empty:
        return ""
    return check_words(cell, column, LONGEST[column])


def check_words(text: str, column: str, longest: int) -> str:
    """Return `text` if it is short and stripped; raises LineError."""
    if not text:
        raise LineError(f"{column}: missing")
    if text != text.strip() or len(text) > longest:
        raise LineError(f"{column}: {text!r} is too long, or has spaces around it")
    return text


def check_choice(cell: str, known: object, column: str) -> str:
    """Return `cell` if it is one of the `known` values; raises LineError."""
    if cell not in known:  # type: ignore[operator] # a dict or a list of values
        raise LineError(f"{column}: {cell!r} is not an allowed value")
    return cell


def _many(cell: str, read: Callable[[str], _Value], column: str) -> tuple[_Value, ...]:
    values = []
    for part in cell.split(SEPARATOR) if cell else ():
        try:
            values.append(read(part))
        except ValueError as error:
            raise LineError(f"{column}: {error}") from error
    if len(set(values)) < len(values):
        raise LineError(f"{column}: the same value twice")
    return tuple(values)


def check_url(text: str) -> str:
    """Return `text` if it is the URL of a page; raises LineError."""
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise LineError(f"{text!r} is not the address of a page: {error}") from error
    is_web = parts.scheme in {"http", "https"} and parts.hostname and parts.username is None
    if not is_web or re.search(r"[\s\"<>\x00-\x1f\x7f]", text):
        raise LineError(f"{text!r} is not the address of a page")
    return text


def _statement(text: str) -> Statement:
    match text.split(" ", 3):
        case [value, evidence, url, *note]:
            known = [one for one in Plp.values if one != Plp.DISPUTED]
            return Statement(
                Plp(check_choice(value, known, "value")),
                PlpEvidence(check_choice(evidence, PlpEvidence.values, "evidence")),
                check_url(url),
                *(check_words(one, "note", LONGEST["note"]) for one in note),
            )
    raise LineError(f"{text!r} is not a value, a kind of evidence, a URL and optionally a note")


def _flag(text: str) -> ProductFlag:
    return ProductFlag(check_choice(text, ProductFlag.values, "flag"))


def _endurance(text: str) -> Endurance:
    capacity, _, written = text.partition("=")
    return Endurance(None if capacity == LARGEST else _amount(capacity), _amount(written))


def _amount(text: str) -> int:
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise LineError(f"{text!r} is not an amount such as 480 GB")
    return int(Decimal(match[1]) * _BYTES[match[2]])


def _range(cell: str) -> tuple[Decimal, Decimal] | None:
    if not cell:
        return None
    low, _, high = cell.partition("-")
    try:
        ends = Decimal(low), Decimal(high or low)
    except InvalidOperation as error:
        raise LineError(f"endurance_dwpd: {cell!r} is neither a number nor a range") from error
    if not 0 < ends[0] <= ends[1]:
        raise LineError(f"endurance_dwpd: {cell!r} is not a range of drive writes per day")
    return ends


def _integer(cell: str, column: str, *, within: tuple[int, int]) -> int | None:
    if not cell:
        return None
    if not cell.isdecimal() or not within[0] <= int(cell) <= within[1]:
        raise LineError(f"{column}: {cell!r} is not a number from {within[0]} to {within[1]}")
    return int(cell)


CATALOGUE_FILE = Path(__file__).resolve().parents[2] / "data" / "catalogue.csv"


class CatalogueError(Exception):
    """An invalid file of data that the project ships; the message names the file and the line."""


def read_catalogue(path: Path = CATALOGUE_FILE) -> list[CatalogueLine]:
    """Read the lines of the file, in order; raises CatalogueError."""
    numbered = read_lines(
        path, COLUMNS, read_cells, key=lambda line: line.slug, named=lambda line: f"slug: {line.slug!r}"
    )
    for number, message in claim_conflicts(numbered):
        raise CatalogueError(f"{path.name}, line {number}: {message}")
    return [line for _, line in numbered]


def read_lines(
    path: Path,
    columns: Sequence[str],
    read: Callable[[dict[str, str]], _Value],
    *,
    key: Callable[[_Value], object],
    named: Callable[[_Value], str],
) -> list[tuple[int, _Value]]:
    """The lines with their numbers, by a reader that raises LineError; raises CatalogueError.

    No two may have the same `key`, which `named` names.
    """
    lines, seen = [], dict[object, int]()
    for number, row in read_rows(path, columns):
        where = f"{path.name}, line {number}"
        try:
            line = read(row)
        except LineError as error:
            raise CatalogueError(f"{where}: {error}") from error
        first = seen.setdefault(key(line), number)
        if first != number:
            raise CatalogueError(f"{where}: {named(line)} is already on line {first}")
        lines.append((number, line))
    return lines


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and cells of each line; raises CatalogueError."""
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, strict=True)
        if tuple(reader.fieldnames or ()) != tuple(columns):
            raise CatalogueError(f"{path.name}, line 1: the columns are not {', '.join(columns)}")
        for row in reader:
            if None in row or None in row.values():  # how csv reports too many or too few cells
                raise CatalogueError(
                    f"{path.name}, line {reader.line_num}: there are not as many cells as columns"
                )
            yield reader.line_num, row


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
