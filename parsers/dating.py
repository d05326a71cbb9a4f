"""The day on which each benchmark of a paste ran, from what the paste states.

A run's own date comes first, then smartctl's "Local Time is" for the same unit, then the nearest date of any tool's,
then `date` and prompts with date and time.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from parsers.base.dates import read_asctime
from parsers.base.readings import PairedDevice, Reading
from parsers.text.clean import lines_with

_TIME = re.compile(r":[0-9]{2}")


@dataclass(frozen=True, slots=True)
class StatedDates:
    """Dates and the lines of the paste that state them, in ascending order."""

    lines: Sequence[int]
    dates: Sequence[date]

    def nearest(self, reading: Reading) -> date | None:
        """The date nearest to the lines of a reading; the one above if two are equally near."""
        behind = bisect_right(self.lines, reading.last_line)
        near = [at for at in (behind - 1, behind) if 0 <= at < len(self.lines)]

        def distance(at: int) -> int:
            return max(reading.first_line - self.lines[at], self.lines[at] - reading.last_line, 0)

        return self.dates[min(near, key=distance)] if near else None


def date_readings(
    readings: Sequence[Reading], devices: Sequence[PairedDevice], lines: Sequence[str]
) -> list[Reading]:
    """The readings, each run with the day on which it ran, where the paste states one."""
    partners = _partners(devices)
    by_tool = _sort_dates(
        (reading.first_line, reading.measured_on) for reading in readings if reading.measured_on
    )
    by_prompt = _sort_dates(_dated_lines(lines))

    def day_of(at: int, reading: Reading) -> date | None:
        if reading.measured_on is not None:
            return reading.measured_on
        days = (readings[partner].measured_on for partner in partners.get(at, ()))
        by_partner = next(filter(None, days), None)
        return by_partner or by_tool.nearest(reading) or by_prompt.nearest(reading)

    return [
        reading if (day := day_of(at, reading)) is reading.measured_on else replace(reading, measured_on=day)
        for at, reading in enumerate(readings)
    ]


def _partners(devices: Sequence[PairedDevice]) -> dict[int, tuple[int, ...]]:
    """The indices of the smartctl readings of each run's unit."""
    return {
        run: (each.smartctl, *each.also_smartctl)
        for each in devices
        if each.smartctl is not None
        for run in (each.diskinfo, each.node_run, *each.pg_test_fsync, *each.pveperf)
        if run is not None
    }


def _sort_dates(dated: Iterator[tuple[int, date]]) -> StatedDates:
    in_order = sorted(dated)
    return StatedDates([line for line, _date in in_order], [each for _line, each in in_order])


def _dated_lines(lines: Sequence[str]) -> Iterator[tuple[int, date]]:
    """Yield the lines, from 1, that are only a date, as they are kept."""
    for at in lines_with(_TIME, "\n".join(lines)):
        found = read_asctime(lines[at])
        if found:
            yield at + 1, found
