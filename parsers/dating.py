"""The day on which each benchmark of a paste ran, from what the paste states.

A run's own date comes first, then smartctl's "Local Time is" for the same unit, then the nearest date of any tool's,
then `date` and prompts with date and time.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from parsers.base.dates import STAMP, date_of
from parsers.base.readings import PairedDevice, Reading
from parsers.text.clean import CleanText, lines_with

MAX_LINE_LENGTH = 300  # characters, of a prompt and its command
_TIME = re.compile(r":[0-9]{2}")
_FRAME = " \t#*=-_~[]()<>|.:'\""  # around a date on a line of its own: "--- Sat Jan  7 12:00:00 CET 2023 ---"
_CAPTION = re.compile(r"Script started on|Started(?: at| on)?|Start|Begin|Date", re.IGNORECASE)
_REST_OF_TIME = re.compile(
    r"\A(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2}|[A-Z]{2,5})\b)?"
)
_TERMINAL = re.compile(r" \[(?:TERM=|COMMAND=|<)")  # script(1) writes it behind the date
_DATE_COMMAND = re.compile(r"(?:.{0,160}[#$%>;&]\s*)?date(?: [^|;&]{1,60})?")
_COMMAND = re.compile(
    r"[^#$%>]{0,160}[#$%>]\s*(?:(?:sudo|doas|time) )*(?:\S{0,60}[/\\])?"
    r"(?:smartctl|diskinfo|fio|pg_test_fsync|pveperf|date)(?:\.exe)?(?:[ ;]|$)"
)
_IN_PROMPT = re.compile(r"[@\u327f]\[host-[0-9]{1,6}\]")  # the second sign is that of Kali
_SIGN = re.compile(r"[^#$%>]{0,120}[#$%>](?: |$)")


@dataclass(frozen=True, slots=True)
class Stated:
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
    readings: Sequence[Reading], devices: Sequence[PairedDevice], cleaned: CleanText
) -> list[Reading]:
    """The readings, each run with the day on which it ran, where the paste states one."""
    partners = _partners(devices)
    by_tool = _stated((one.first_line, one.measured_on) for one in readings if one.measured_on)
    by_prompt = _stated(_dated_lines(cleaned))

    def day_of(at: int, reading: Reading) -> date | None:
        if reading.measured_on is not None:
            return reading.measured_on
        partner = partners.get(at)
        by_partner = None if partner is None else readings[partner].measured_on
        return by_partner or by_tool.nearest(reading) or by_prompt.nearest(reading)

    return [
        reading if (day := day_of(at, reading)) is reading.measured_on else replace(reading, measured_on=day)
        for at, reading in enumerate(readings)
    ]


def _partners(devices: Sequence[PairedDevice]) -> dict[int, int]:
    """The index of the smartctl reading of each run's unit."""
    runs = (
        (run, each.smartctl)
        for each in devices
        for run in (each.diskinfo, each.fio, *each.pg_test_fsync, *each.pveperf)
    )
    return {run: smartctl for run, smartctl in runs if run is not None and smartctl is not None}


def _stated(dated: Iterator[tuple[int, date]]) -> Stated:
    in_order = sorted(dated)
    return Stated([line for line, _date in in_order], [each for _line, each in in_order])


def _dated_lines(cleaned: CleanText) -> Iterator[tuple[int, date]]:
    """Yield the lines on which `date`, script(1) or a prompt states date and time."""
    for at in lines_with(_TIME, cleaned.traced.text):
        line = cleaned.lines[at]
        stamp = STAMP.search(line, 0, MAX_LINE_LENGTH)
        found = date_of(stamp) if stamp else None
        if stamp and found and _is_from_shell(line, stamp, above=cleaned.lines[at - 1] if at else ""):
            yield cleaned.numbers[at], found


def _is_from_shell(line: str, stamp: re.Match[str], *, above: str) -> bool:
    """Whether date and time are a program's, or in front of a command.

    Any other date may be the day of a post, a build or an error.
    """
    before = line[: stamp.start()].strip(_FRAME)
    behind = _REST_OF_TIME.sub("", line[stamp.end() : MAX_LINE_LENGTH], count=1)
    if not before or _CAPTION.fullmatch(before):
        is_alone = not behind.strip(_FRAME) or _TERMINAL.match(behind) is not None
        if is_alone and (before or not stamp["iso"] or _DATE_COMMAND.fullmatch(above)):
            return True
    if _COMMAND.match(behind):
        return True
    if _IN_PROMPT.search(line) is None or line.endswith(":"):  # of mail: "On ... <a@b> wrote:"
        return False
    is_bracketed = line[stamp.start() - 1 : stamp.start()] in ("[", "(")
    return _SIGN.match(behind) is not None or (is_bracketed and not behind.strip(_FRAME))
