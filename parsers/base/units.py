"""Numbers as programs print them, their units, and the range of each figure."""

import re
from dataclasses import dataclass
from decimal import Decimal

KIBIBYTE, MEBIBYTE, GIBIBYTE = (1 << power for power in (10, 20, 30))
MEGABYTE, GIGABYTE, TERABYTE, PETABYTE = 10**6, 10**9, 10**12, 10**15
NVME_DATA_UNIT = 512_000  # bytes: the log counts thousands of 512-byte units, whatever the block size is
MICROSECONDS_A_SECOND = 1_000_000
MICROSECONDS = {"nsec": Decimal("0.001"), "usec": Decimal(1), "msec": Decimal(1000)}
PREFIXES = {prefix: power for power, prefix in enumerate(("", *"kmgtpe"))}  # of 1000 or 1024

MAX_NUMBER_DIGITS = 24  # digits; these tools print no longer ones

# One mark throughout: up to three characters, because a narrow blank read in the wrong encoding becomes three.
_GROUPED = re.compile(r"\d{1,3}(?:([^\dA-Za-z:/=%()\[\]]{1,3})\d{3}(?:\1\d{3}){0,8})?", re.ASCII)
_DECIMAL = re.compile(r"(\d{1,24})(?:[.,](\d{1,6}))?", re.ASCII)
_GROUPED_DECIMAL = re.compile(
    r"(?P<integer>\d{1,3}(?P<mark>[.,'])\d{3}(?:(?P=mark)\d{3}){0,5})(?!(?P=mark))[.,](?P<decimals>\d{1,6})",
    re.ASCII,
)
_TOO_LONG = re.compile(rf"(?:\d[\W_]?){{{MAX_NUMBER_DIGITS + 1}}}", re.ASCII)

# fio's parse.c reads "k", "kb" and "ki" as 1024 and only "kib" as 1000 (`kb_base=1024`, the default, turns SI round).
_SIZE_OPTION = re.compile(r"(?P<count>[0-9]{1,12})(?P<prefix>[kmg]?)(?P<binary>ib)?(?:b|i)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """The smallest and the largest value of a figure, in its unit."""

    smallest: int
    largest: int
    unit: str = ""

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.smallest <= value <= self.largest

    def __str__(self) -> str:
        return f"{self.smallest:,} to {self.largest:,} {self.unit}".rstrip()


BLOCK_SIZE = Limits(512, 2**20, "bytes")  # of a device, logical or physical
# more than the largest storage arrays; drives without a medium and confused bridges print garbage above it
CAPACITY = Limits(0, 10**16, "bytes")
ROTATION_RATE = Limits(0, 2**16 - 1, "rpm")  # 16 bits in the standards
TEMPERATURE = Limits(-60, 120, "degrees Celsius")
HOURS_A_YEAR = 8766
POWERED_HOURS = Limits(0, 35 * HOURS_A_YEAR, "hours (35 years)")  # longer than drives have had a counter
HOURS = Limits(0, 10**6, "hours (114 years)")  # of a standard's counter, which is read as it is printed
COUNT = Limits(0, 10**8)  # of power cycles: one every ten seconds for 30 years
PERCENTAGE = Limits(0, 255, "%")  # one byte in the standards: wear may pass 100
BYTES_WRITTEN = Limits(0, 2 * 10**18, "bytes")  # the most durable drives are rated for a third of it


def parse_grouped(text: str) -> int | None:
    """Parse an integer, perhaps in groups of three with one separator throughout."""
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= MAX_NUMBER_DIGITS else None
    match = _GROUPED.fullmatch(text)
    if match is None:
        return None
    return int(text.replace(match[1], "")) if match[1] else int(text)


def parse_decimal(text: str) -> Decimal | None:
    """Parse an ungrouped number with a point or a comma before its decimals."""
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    return Decimal(f"{match[1]}.{match[2] or 0}")


def parse_grouped_decimal(text: str) -> Decimal | None:
    """Parse a number with decimals, its integer perhaps in groups of three with another mark."""
    match = _GROUPED_DECIMAL.fullmatch(text)
    if match is None:
        return parse_decimal(text)
    return Decimal(f"{match['integer'].replace(match['mark'], '')}.{match['decimals']}")


def parse_count(text: str) -> Decimal:
    """Parse a number of a program that prints at most two decimals: three digits after a separator are a group."""
    return Decimal(parse_grouped(text) or parse_grouped_decimal(text) or 0)


def is_too_long(text: str) -> bool:
    """Whether it has a longer run of digits than any number of these tools."""
    return _TOO_LONG.search(text) is not None


def scaled(count: str | Decimal, unit: str, *, kilo: int) -> Decimal:
    """Return a number multiplied by the prefix of its unit: "k", "MiB", "Gbit", "T".

    "Ki" is always 1024; what "K" is depends on the program: `kilo`.
    """
    base = KIBIBYTE if "i" in unit.removesuffix("bit") else kilo
    factor: int = base ** PREFIXES[unit[:1].lower().strip("bi")]
    return Decimal(count) * factor


def bytes_of(count: str | Decimal, unit: str, *, kilo: int) -> int:
    """Return a size in bytes, rounded."""
    value = scaled(count, unit, kilo=kilo)
    return round(value / 8 if unit.endswith("bit") else value)


def bytes_of_size_option(text: str) -> int | None:
    """Return the bytes of an option of fio such as "4k"; None if not one size."""
    match = _SIZE_OPTION.fullmatch(text.strip())
    if match is None:
        return None
    return int(scaled(match["count"], match["prefix"], kilo=1000 if match["binary"] else KIBIBYTE))
