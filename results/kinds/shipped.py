"""The lines of published figures that the project ships, and what they have in common."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Self

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice
from results.core.described import checks_of
from results.core.formats import format_block_size
from results.core.lines import (
    CatalogueError,
    FileLine,
    Stated,
    matching,
    one_of,
    read_lines,
    words,
)
from results.kinds.envelope import Run
from results.models import Result, lengths
from results.models.choices import Quality
from results.models.conditions import CONDITION_FIELDS
from results.models.product import CATALOGUE_CLASSES

POOL_IDS = "pool-"  # how the ids of sources about pools begin
NOTE = "source_note"  # the code of a notice
_UNNAMED = r"(?i:unnamed|unknown)"
_RATE = re.compile(r"(?P<about>~?)(?P<number>[0-9.,]+)k? (?:IOPS|ops/sec|[kMG]i?B/s)\b.*", re.IGNORECASE)
_SHOWN_DIGITS = 3  # of any figure
SourceUrl = Annotated[str, matching("https://.+", "a source URL, which begins with https://")]
RunColumns = Annotated[Stated, checks_of(Result, ("measured_on", "writers", *CONDITION_FIELDS))]


@dataclass(frozen=True, slots=True)
class Published:
    """What one source says: the columns of its submission, and its runs."""

    survey_id: str
    columns: Mapping[str, Any]
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedLine(FileLine):
    """A line of a source; `note` is what readers should know about it."""

    survey_id: str
    source_url: SourceUrl
    quality: Quality
    published_on: date | None
    note: str
    run_columns: RunColumns

    @classmethod
    def publish(cls, lines: Sequence[Self]) -> Published:
        """What the consecutive lines of one source say; raises ValueError."""
        raise NotImplementedError

    @property
    def submission_columns(self) -> dict[str, Any]:
        """What it says of its source, by the columns of the submission."""
        return {
            "source_url": self.source_url,
            "quality": self.quality,
            "posted_on": self.published_on,
            "measured_on": self.run_columns.get("measured_on"),
            "notices": [asdict(Notice(NOTE, self.note))] if self.note else [],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveLine(PublishedLine):
    """A figure of a known device: any other helps nobody choose one.

    `figure` is as the source states it ("345 MB/s"); `precision_percent` says how far off the latency computed from
    it may be.
    """

    model_name: Annotated[str, matching(rf"(?!{_UNNAMED})(?s:.*\S.*)", "the name of a model")]
    vendor: str
    capacity_bytes: int | None
    firmware_version: Annotated[str, "firmware"]
    device_class: Annotated[DeviceClass, one_of(list(dict(CATALOGUE_CLASSES)))]
    precision_percent: int | None
    figure: Annotated[str, words(lengths.FIGURE - len(" at 128 KiB"))]

    @property
    def for_run(self) -> dict[str, Any]:
        """The fields that a run has too."""
        names = ("model_name", "vendor", "capacity_bytes", "firmware_version", "device_class")
        return {
            "is_published": True,
            "is_complete": True,
            **{name: getattr(self, name) for name in names},
            **self.run_columns,
        }

    def published(self, run: Run, figure: str, digits: int | None = None) -> Published:
        """The source with its run; pages show that many digits of the latency."""
        columns = {
            "figure": figure,
            "precision_percent": self.precision_percent,
            "figure_digits": digits,
        }
        return Published(self.survey_id, self.submission_columns | columns, (run,))


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyLine(DriveLine):
    """A latency, computed from the figure; a result has one or more such lines."""

    block_size: int | None
    latency_us: Annotated[Decimal, matching(r"\d+(\.\d+)?", "a number of microseconds")]


def figure_of(lines: Sequence[LatencyLine], *varied: str) -> str:
    """The figure of a result with a single line, else "".

    Raises ValueError if its lines differ in anything but their figures, block sizes and what is `varied`.
    """
    first = lines[0]
    values = {name: getattr(first, name) for name in ("block_size", "figure", "latency_us", *varied)}
    if any(replace(line, **values) != first for line in lines):
        raise ValueError("its lines differ in other columns than block size and latency")
    size = f" at {format_block_size(first.block_size)}" if first.block_size else ""
    return f"{first.figure}{size}" if len(lines) == 1 else ""


def read_published(path: Path, line: type[PublishedLine]) -> list[Published]:
    """All sources of the file, in its order; raises CatalogueError, also if the lines of one aren't consecutive."""
    published: dict[str, Published] = {}
    for survey_id, group in groupby(read_lines(path, line), key=lambda numbered: numbered[1].survey_id):
        numbered = list(group)
        place = f"{path.name}, result {survey_id}"
        if survey_id in published:
            raise CatalogueError(f"{place}: its lines are not consecutive")
        try:
            published[survey_id] = line.publish([found for _, found in numbered])
        except (ValueError, KeyError, InvalidOperation) as error:
            raise CatalogueError(f"{place} at line {numbered[0][0]}: {error}") from error
    return list(published.values())


def figure_digits(figure: str) -> int | None:
    """The significant digits of a rate, from which a latency is computed; None if as many as pages show, or more.

    Zeros at the end of an approximate number ("~60000 iops") aren't significant. A latency is what the tool printed.
    """
    rate = _RATE.fullmatch(figure)
    if rate is None:
        return None
    digits = re.sub("[.,]", "", rate["number"]).lstrip("0")
    count = len(digits.rstrip("0") if rate["about"] else digits)
    return count if 0 < count < _SHOWN_DIGITS else None
