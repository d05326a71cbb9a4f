"""The lines of published figures that the project ships, and what they have in common."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import InvalidOperation
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, TypeVar

from django.db.models import Model

from parsers.base.device_class import DeviceClass
from results.core.described import columns_of
from results.core.lines import CatalogueError, Line, matching, one_of, read_lines, words
from results.models import lengths
from results.models.choices import Quality
from results.models.product import CATALOGUE_CLASSES

_UNNAMED = r"(?i:unnamed|unknown)"
SourceUrl = Annotated[str, matching("https://.+", "a source URL, which begins with https://")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedLine(Line):
    """A line of a result."""

    survey_id: str
    source_url: SourceUrl
    quality: Quality

    def figures_of(self, table: type[Model]) -> dict[str, Any]:
        """What it states of a payload, by the columns of its table."""
        stated = {name: getattr(self, name) for name in columns_of(table) if name in self.described()}
        return {name: value for name, value in stated.items() if value not in {None, ""}}


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveLine(PublishedLine):
    """A figure of a known device: any other helps nobody choose one. `figure` is as the source states it."""

    model_name: Annotated[str, matching(rf"(?!{_UNNAMED})(?s:.*\S.*)", "the name of a model")]
    vendor: str
    capacity_bytes: int | None
    firmware_version: Annotated[str, "firmware"]
    device_class: Annotated[DeviceClass, one_of(list(dict(CATALOGUE_CLASSES)))]
    platform: str
    published_on: date | None
    note: str
    precision_percent: int | None
    figure: Annotated[str, words(lengths.FIGURE - len(" at 128 KiB"))]

    @property
    def of_run(self) -> dict[str, Any]:
        """The fields that a run has too."""
        names = ("model_name", "vendor", "capacity_bytes", "firmware_version", "device_class", "platform")
        return {"is_published": True, "is_complete": True, **{name: getattr(self, name) for name in names}}


AnyLine = TypeVar("AnyLine", bound=PublishedLine)


def read_results(path: Path, line: type[AnyLine]) -> Iterator[tuple[str, list[AnyLine]]]:
    """Yield each result of the file: its place, for errors, and its lines.

    Raises CatalogueError, also if the lines of a result aren't consecutive.
    """
    seen = set()
    for survey_id, group in groupby(read_lines(path, line), key=lambda one: one[1].survey_id):
        if survey_id in seen:
            raise CatalogueError(f"{path.name}, result {survey_id}: its lines are not consecutive")
        seen.add(survey_id)
        numbered = list(group)
        yield f"{path.name}, result {survey_id} at line {numbered[0][0]}", [one for _, one in numbered]


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Raise CatalogueError, which names the place, for what is wrong with it."""
    try:
        yield
    except (ValueError, KeyError, InvalidOperation) as error:
        raise CatalogueError(f"{place}: {error}") from error
