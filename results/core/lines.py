"""The CSV files of facts that the project ships: a type per file, and one way to read and to compare its lines.

A line's type is a dataclass with a field per column; msgspec converts the cells to the fields' types. A field's
annotation may have a function that checks the cell, or converts it where msgspec can't, and the name of its column if
that is another: `Annotated[str, "maker", words(60)]`. An empty cell means "not known": None where the type allows it.
A tuple's values are separated by " ;; ". A field of the type `Stated` has those of the file's other columns that are
in its annotation, with their checks: `Annotated[Stated, {"iops": positive}]`. A file may have any of these.
"""

import csv
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints
from urllib.parse import urlsplit

import msgspec

DATA = Path(__file__).resolve().parents[1] / "data"
SEPARATOR = " ;; "
Cells = Mapping[str, str]
Check = Callable[[str], object]
Stated = dict[str, Any]  # the values of optional columns, without empty ones


class LineError(ValueError):
    """An invalid line or cell; the message names the column."""


class CatalogueError(Exception):
    """An invalid file of data that the project ships; the message names the file and the line."""


def _unchecked(cell: str) -> str:
    return cell


class LineField(NamedTuple):
    """A field of a line: its column, its type, and the check of its cell; or optional columns with their checks."""

    column: str
    kind: Any
    check: Check
    optional: Mapping[str, Check]

    def checked(self, cell: Any) -> object:
        """The cell as msgspec can convert it; raises ValueError."""
        if cell == "" and NoneType in get_args(self.kind):
            return None
        if Ellipsis not in get_args(self.kind):
            return self.check(cell)
        parts = cell.split(SEPARATOR) if cell else []
        if len(set(parts)) < len(parts):
            raise LineError("the same value twice")
        return [self.check(part) for part in parts]


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of a file."""

    @classmethod
    @cache
    def described(cls) -> dict[str, LineField]:
        """The fields by name."""
        found = {}
        for name, hint in get_type_hints(cls, include_extras=True).items():
            kind, *notes = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
            column = next((note for note in notes if isinstance(note, str)), name)
            optional = next((note for note in notes if isinstance(note, dict)), {})
            found[name] = LineField(column, kind, next(filter(callable, notes), _unchecked), optional)
        return found

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The columns that the file must have."""
        fields = cls.described().values()
        return tuple(dict.fromkeys(field.column for field in fields if not field.optional))

    @classmethod
    def split(cls, cells: Cells) -> Mapping[str, Any]:  # noqa: ARG003 - of the subclasses
        """The cells of fields whose contents depend on another column."""
        return {}

    def check(self) -> None:
        """Check what depends on several cells; raises LineError."""

    def identity(self) -> tuple[Hashable, ...]:
        """What no other line of the file may have, with a name for it first; () if lines may repeat."""
        return ()


AnyLine = TypeVar("AnyLine", bound=FileLine)
Key = TypeVar("Key", bound=Hashable)


def read_lines(
    path: Path, line: type[AnyLine], check: Callable[[AnyLine], None] | None = None
) -> list[tuple[int, AnyLine]]:
    """All lines of the file with their numbers; raises CatalogueError. `check` raises LineError."""
    lines, seen = [], dict[object, int]()
    optional = [column for field in line.described().values() for column in field.optional]
    for number, cells in _read_rows(path, line.columns(), optional):
        where = f"{path.name}, line {number}"
        try:
            found = read_line(cells, line)
            if check:
                check(found)
        except LineError as error:
            raise CatalogueError(f"{where}: {error}") from error
        key = found.identity()
        if key and seen.setdefault(key, number) != number:
            raise CatalogueError(f"{where}: {key[0]} is already on line {seen[key]}")
        lines.append((number, found))
    return lines


def _read_rows(
    path: Path, columns: Collection[str], optional: Collection[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and cells of each line; raises CatalogueError."""
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, strict=True)
        names = reader.fieldnames or ()
        if len(set(names)) < len(names) or not set(columns) <= set(names) <= {*columns, *optional}:
            others = f", and any of {', '.join(optional)}" if optional else ""
            raise CatalogueError(f"{path.name}, line 1: the columns are not {', '.join(columns)}{others}")
        for row in reader:
            if None in row or None in row.values():  # how csv reports too many or too few cells
                raise CatalogueError(
                    f"{path.name}, line {reader.line_num}: there are not as many cells as columns"
                )
            yield reader.line_num, row


def read_line(cells: Cells, line: type[AnyLine]) -> AnyLine:
    """The line with these cells; raises LineError."""
    described, split = line.described(), line.split(cells)
    stated = {column for column, cell in cells.items() if cell}.difference(line.columns())
    given: dict[str, object] = {
        name: {
            column: _checked(column, cells[column], check)
            for column, check in field.optional.items()
            if column in stated
        }
        if field.optional
        else _checked(field.column, split.get(name, cells.get(field.column)), field.checked)
        for name, field in described.items()
    }
    try:
        found = msgspec.convert(given, line, strict=False)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        column = described[re.split(r"\W", path)[0]].column
        cell = repr(cells[column])
        is_choice = reason == f"Invalid enum value {cell}"
        raise LineError(
            f"{column}: {cell}{' is not an allowed value' if is_choice else f': {reason}'}"
        ) from error
    found.check()
    return found


def _checked(column: str, cell: Any, check: Callable[[Any], object]) -> object:
    try:
        return check(cell)
    except ValueError as error:
        raise LineError(f"{column}: {error}") from error


def words(longest: int, *, may_be_empty: bool = False) -> Check:
    """A check that a text is short and stripped."""

    def check(text: str) -> str:
        if not text and not may_be_empty:
            raise LineError("missing")
        if text != text.strip() or len(text) > longest:
            raise LineError(f"{text!r} is too long, or has spaces around it")
        return text

    return check


def matching(pattern: str, meaning: str) -> Check:
    """A check that all of a text matches."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text, re.ASCII):
            raise LineError(f"{text!r} is not {meaning}")
        return text

    return check


def one_of(known: Iterable[str]) -> Check:
    """A check that a text is one of these, for what isn't an enumeration."""
    return meaning({word: word for word in known})


def meaning(values: Mapping[str, object]) -> Check:
    """A check that a text is one of these keys, which returns its value."""

    def check(text: str) -> object:
        if text not in values:
            raise LineError(f"{text!r} is not one of {', '.join(filter(None, values))}")
        return values[text]

    return check


check_yes_or_no = meaning({"yes": True, "no": False})
YesOrNo = Annotated[bool | None, check_yes_or_no]


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


@dataclass(frozen=True, slots=True)
class Changes(Generic[Key]):
    """How the lines of a file differ from those that are stored, by key."""

    added: list[Key]
    changed: list[Key]
    unchanged: list[Key]
    removed: list[Key]


def compare(wanted: Mapping[Key, object], stored: Mapping[Key, object]) -> Changes[Key]:
    """Compare the values of lines with the stored ones."""
    return Changes(
        added=[key for key in wanted if key not in stored],
        changed=[key for key in wanted if key in stored and wanted[key] != stored[key]],
        unchanged=[key for key in wanted if key in stored and wanted[key] == stored[key]],
        removed=[key for key in stored if key not in wanted],
    )
