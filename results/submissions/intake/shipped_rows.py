"""The rows of the CSV files of published results that the project ships."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import InvalidOperation
from itertools import groupby
from pathlib import Path

from results.core.lines import CatalogueError, read_rows

DATA = Path(__file__).resolve().parents[2] / "data"
Row = dict[str, str]


def read_results(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, int, list[Row]]]:
    """Yield the id of each result of the file, the number of its first line, and its rows.

    Raises CatalogueError, also if the lines of a result aren't consecutive.
    """
    seen = set()
    for survey_id, group in groupby(read_rows(path, columns), key=lambda one: one[1]["survey_id"]):
        if survey_id in seen:
            raise CatalogueError(f"{path.name}, result {survey_id}: its lines are not consecutive")
        seen.add(survey_id)
        numbered = list(group)
        yield survey_id, numbered[0][0], [row for _, row in numbered]


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Raise CatalogueError, which names the place, for what is wrong with it."""
    try:
        yield
    except (ValueError, KeyError, InvalidOperation) as error:
        raise CatalogueError(f"{place}: {error}") from error


def date_in(cell: str) -> date | None:
    return date.fromisoformat(cell) if cell else None


def number_in(cell: str) -> int | None:
    return int(cell) if cell else None
