"""Numbers formatted for people; the unit is in the column's header or beside the number, never in it."""

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from math import inf, nextafter
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

DASH = "–"
NOT_STATED = "not stated"
ELSEWHERE = "published elsewhere"  # of results that were not submitted here
# Where spreadsheets see formulas: at the start of a cell, and behind a semicolon, tab or line end, where some split
# it despite the quotes of CSV. Python and PostgreSQL read this alike.
FORMULA = r"(^|[;\t\r\n])(?=[ \"\v\f\u00a0\u3000]*[=+\-@＝＋－＠]|[\t\r])"
JSON_SEMICOLON = r"\u003b"
_FORMULA = re.compile(FORMULA)
STORED_DIGITS = 7  # significant ones, as in a `real` column
SHORT_DIGITS = 6  # of results with hundreds of figures
_MIN_SHOWN = 0.005  # rounds to 0.01
_SIZE_STEP = 1000
_CURRENCY_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_BLOCK_STEP = 1024
_GITHUB = frozenset({"github.com", "raw.githubusercontent.com"})
_LONGEST_PAGE = 50  # characters of a page's name


def round_figure(value: float, digits: int = STORED_DIGITS) -> float:
    """A figure with so many significant digits."""
    return float(f"{value:.{digits}g}")


def format_number(value: float | None, digits: int | None = None) -> str:
    """Three significant digits and no spurious ones: 9,991 / 158 / 53.8 / 4.21; a dash for None.

    `digits` are those of the figure that the value is computed from, if fewer: 700 for 683 with one digit.
    """
    if value is None:
        return DASH
    decimals = _rounding(value).decimals
    if digits is None:
        return f"{value:,.{decimals}f}"
    rounded = Decimal(f"{value:.{digits - 1}e}")  # its exponent is that of the last digit
    return f"{rounded:,.{min(decimals, max(0, -int(rounded.as_tuple().exponent)))}f}"


def format_rounded(value: float, digits: int | None = None) -> str:
    """An estimate to two digits, or to `digits` if fewer: "4,800", "98"."""
    return f"{float(f'{value:.{min(2, digits or 2)}g}'):,.0f}"


class _Rounding(NamedTuple):
    """How values from `least` on are rounded."""

    least: float
    decimals: int


_ROUNDINGS = (_Rounding(99.95, 0), _Rounding(9.995, 1), _Rounding(-inf, 2))


def _rounding(value: float) -> _Rounding:
    return next(rounding for rounding in _ROUNDINGS if value >= rounding.least)


def least_shown_as(value: float) -> float:
    """The smallest value that format_number shows like this one: 118.5 for 119.2."""
    rounding = _rounding(value)
    least = max(round(value, rounding.decimals) - 0.5 / 10**rounding.decimals, rounding.least)
    return least if format_number(least) == format_number(value) else nextafter(least, inf)


def format_positive(value: float) -> str:
    """The same for a value above zero, which is never shown as 0.00."""
    return "under 0.01" if value < _MIN_SHOWN else format_number(value)


def format_count(number: int, noun: str) -> str:
    """A count with its noun: 0 devices / 1 device / 2,972 devices."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def join_words(words: Iterable[str]) -> str:
    """As in "one, two and three"; empty for none."""
    *first, last = [*words] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def format_capacity(capacity_bytes: int | None) -> str:
    """A capacity as vendors count it, in powers of 1000: "280 GB", "1.92 TB"; empty for None."""
    if capacity_bytes is None:
        return ""
    value, unit, larger = float(capacity_bytes), "B", ["PB", "TB", "GB", "MB", "kB"]
    while value >= _SIZE_STEP and larger:
        value, unit = value / _SIZE_STEP, larger.pop()
    shown = f"{value:.0f}" if value >= 100 else f"{value:.3g}"
    return f"{shown} {unit}"


def format_memory(memory_bytes: int | None) -> str:
    """The memory of a machine, in powers of 1024: "64 GiB"; empty for None."""
    return "" if memory_bytes is None else f"{memory_bytes / _BLOCK_STEP**3:.3g} GiB"


def format_block_size(block_size: int) -> str:
    """A block size in powers of 1024: "512 B", "4 KiB", "8 MiB"; an odd one in bytes."""
    for unit, size in (("MiB", _BLOCK_STEP**2), ("KiB", _BLOCK_STEP)):
        if block_size % size == 0:
            return f"{block_size // size} {unit}"
    return f"{block_size:,} B"


def format_price(amount: Decimal, currency: str, *, decimals: int = 2) -> str:
    """An amount with its currency, without cents if there are none: "$74", "€1,299.90", "74 CHF"."""
    shown = f"{amount:,.0f}" if amount == amount.to_integral_value() else f"{amount:,.{decimals}f}"
    sign = _CURRENCY_SIGNS.get(currency)
    return f"{sign}{shown}" if sign else f"{shown} {currency}"


def format_site(url: str) -> str:
    """The site of a source, or its repository on GitHub."""
    parts = urlsplit(url)
    site = (parts.hostname or url).removeprefix("www.")
    folders = unquote(parts.path).strip("/").split("/")[:-1]
    return f"{folders[1]} on GitHub" if site in _GITHUB and len(folders) > 1 else site


def format_source(url: str) -> str:
    """The site of a source and the name of its page."""
    page = unquote(urlsplit(url).path).strip("/").rpartition("/")[2]
    return f"{format_site(url)}: {page[:_LONGEST_PAGE]}" if page else format_site(url)


def format_origin(elsewhere: int, total: int) -> str:
    """How many results weren't submitted here: "published elsewhere", "2 of 8 published elsewhere", or ""."""
    if not elsewhere:
        return ""
    return ELSEWHERE if elsewhere == total else f"{elsewhere:,} of {total:,} {ELSEWHERE}"


def format_size(size: float) -> str:
    """A computed size in powers of 1024, to three digits: "812 B", "53.2 KiB", "1.50 MiB"."""
    for unit, step in (("MiB", _BLOCK_STEP**2), ("KiB", _BLOCK_STEP)):
        if size >= step:
            return f"{format_number(size / step)} {unit}"
    return f"{format_number(size)} B"


def format_date(day: date | None) -> str:
    """An ISO date, the same for every reader; a dash for None."""
    return DASH if day is None else day.isoformat()


def writers_label(writers: int | None) -> str:
    """As in "4 writers at the same time" or "1 writer"; "" if their number isn't stated."""
    if not writers:
        return ""
    return "1 writer" if writers == 1 else f"{writers} writers at the same time"


def write_cache_label(is_enabled: bool | None) -> str:
    """The state of the write cache; "" if unknown."""
    return "" if is_enabled is None else f"write cache {'enabled' if is_enabled else 'disabled'}"


def format_range(low: float, high: float, digits: int | None = None) -> str:
    """A range: "12.3–45.6", or one number if both ends are formatted the same; `digits` as in format_number."""
    first, last = format_number(low, digits), format_number(high, digits)
    return first if first == last else f"{first}–{last}"


def format_hours(hours: int | None) -> str:
    """Power-on hours: "12,345 h"; a dash for None."""
    return DASH if hours is None else f"{hours:,} h"


_TOOL = re.compile(r"fio-[\d.]+|(?:sync|fsync|fdatasync|direct)=\w+")


def split_platform(platform: str) -> tuple[str, str]:
    """The platform, and the tool with its options, which published figures state with it.

    For example "TrueNAS SCALE, fio-3.25, fdatasync=1" in a row of the survey.
    """
    parts = [part.strip() for part in platform.split(",")]
    tool = [part for part in parts if _TOOL.fullmatch(part)]
    return ", ".join(part for part in parts if part and part not in tool), ", ".join(tool)


def defused(cell: object) -> object:
    """The cell with an apostrophe before each formula; numbers and None are unchanged."""
    return _FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell


def defused_json(text: str) -> str:
    """The same JSON without semicolons, at which spreadsheets could split a cell."""
    return text.replace(";", JSON_SEMICOLON)


def format_times(ratio: float) -> str:
    """A ratio to two digits: "0.34×", "5.6×", "18×", "1,200×"."""
    return f"{ratio:.2g}×" if ratio < 9.95 else f"{ratio:,.0f}×"


def latency_label(latency_us: float) -> str:
    """A latency in µs, ms or s, as the value of a tick: 20 µs, 5 ms."""
    if latency_us < 1000:
        return f"{latency_us:g} µs"
    if latency_us < 1_000_000:
        return f"{latency_us / 1000:g} ms"
    return f"{latency_us / 1_000_000:g} s"
