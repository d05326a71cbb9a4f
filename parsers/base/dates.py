"""Dates as the tools and `date` print them: local dates, without time zones."""

import re
from datetime import UTC, date, datetime

OLDEST = date(2000, 1, 1)  # the tools are younger; earlier dates are from clocks that were never set
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LATEST_SECOND = 2**33  # in the year 2242; larger numbers aren't times in seconds

_MONTH = "|".join(_MONTHS)
# asctime(3) prints "Sat Jan  7 12:00:00 2023", date(1) also with AM or PM and the zone, or with the day first
_ANY_CALENDAR = (
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +"
    rf"(?:(?P<month>{_MONTH}) +(?P<day>[0-9]{{1,2}})|(?P<day2>[0-9]{{1,2}}) +(?P<month2>{_MONTH}))"
    r"(?: +(?P<year>[0-9]{4}))? +[0-9]{1,2}:[0-9]{2}:[0-9]{2}"
    r"(?: +[AP]M)?(?(year)|(?: +(?:[A-Z]{2,5}|[+-][0-9]{2,4}))? +(?P<year2>[0-9]{4}))"
)
# ISO 8601 and its relatives, with the time
_NUMERIC = r"(?P<iso>[0-9]{4}[-/][0-9]{2}[-/][0-9]{2})[T ][0-9]{2}:[0-9]{2}"
_CALENDAR = re.compile(_ANY_CALENDAR)
STAMP = re.compile(rf"(?<![\w.-])(?:{_ANY_CALENDAR}|{_NUMERIC})")


def date_of(stamp: re.Match[str]) -> date | None:
    """The date of a match of STAMP; None for one that doesn't exist or is too old."""
    if stamp["iso"]:
        year, month, day = map(int, re.split("[-/]", stamp["iso"]))
        return _plausible(year, month, day)
    return _calendar_date(stamp)


def keep_asctime(text: str) -> str | None:
    """The date and time at the start of such a text, without the zone and whatever follows; None without them."""
    match = _CALENDAR.match(text)
    return match[0] if match else None


def read_asctime(text: str) -> date | None:
    """The date at the start of the text, as asctime(3) prints it, or None."""
    match = _CALENDAR.match(text)
    return None if match is None else _calendar_date(match)


def read_time_t(seconds: object) -> date | None:
    """The date in UTC of a time in seconds since 1970, or None."""
    if isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 <= seconds < _LATEST_SECOND:
        return None
    day = datetime.fromtimestamp(seconds, UTC).date()
    return day if day >= OLDEST else None


def _calendar_date(match: re.Match[str]) -> date | None:
    month = _MONTHS.index(match["month"] or match["month2"]) + 1
    return _plausible(int(match["year"] or match["year2"]), month, int(match["day"] or match["day2"]))


def _plausible(year: int, month: int, day: int) -> date | None:
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found if found >= OLDEST else None
