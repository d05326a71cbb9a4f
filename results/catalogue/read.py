"""The catalogue's files: each is read whole or refused whole, with the file and the line in every error."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from results.catalogue.lines import COLUMNS, CatalogueLine, LineError, read_cells
from results.catalogue.patterns import Matcher

CATALOGUE_FILE = Path(__file__).resolve().parent.parent / "data" / "catalogue.csv"


class CatalogueError(Exception):
    """A catalogue that can't be used; the message names the file and the line."""


def read_catalogue(path: Path = CATALOGUE_FILE) -> list[CatalogueLine]:
    """Every line of the file, in its order; raises CatalogueError."""
    numbered = [
        (number, _line(row, f"{path.name}, line {number}")) for number, row in read_rows(path, COLUMNS)
    ]
    _refuse_twins(numbered, path.name)
    for number, message in claim_conflicts(numbered):
        raise CatalogueError(f"{path.name}, line {number}: {message}")
    return [line for _, line in numbered]


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Each line of a file with its number, as cells by column; raises CatalogueError."""
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, strict=True)
        if tuple(reader.fieldnames or ()) != tuple(columns):
            raise CatalogueError(f"{path.name}, line 1: the columns are not {', '.join(columns)}")
        for row in reader:
            if None in row or None in row.values():  # csv's sign of too many or too few cells
                raise CatalogueError(
                    f"{path.name}, line {reader.line_num}: there are not as many cells as columns"
                )
            yield reader.line_num, row


def _line(row: dict[str, str], where: str) -> CatalogueLine:
    try:
        return read_cells(row)
    except LineError as error:
        raise CatalogueError(f"{where}: {error}") from error


def _refuse_twins(numbered: Iterable[tuple[int, CatalogueLine]], file_name: str) -> None:
    seen: dict[str, int] = {}
    for number, line in numbered:
        if line.slug in seen:
            raise CatalogueError(
                f"{file_name}, line {number}: slug: {line.slug!r} stands at line {seen[line.slug]} already"
            )
        seen[line.slug] = number


def claim_conflicts(numbered: Iterable[tuple[int, CatalogueLine]]) -> list[tuple[int, str]]:
    """The lines whose patterns take the example of another, and that example."""
    by_number = list(numbered)
    matcher = Matcher((number, line.patterns) for number, line in by_number)
    slugs = {number: line.slug for number, line in by_number}
    return [
        (claimer, f"model_patterns: they take {line.example_model!r}, the example of {slugs[number]}")
        for number, line in by_number
        if line.example_model
        for claimer in matcher.owners_of(line.example_model)
        if claimer != number
    ]
