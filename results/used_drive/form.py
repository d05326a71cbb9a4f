"""The form of the used-drive check: a seller's output or what the listing says, and the buyer's plans."""

import re
from decimal import Decimal

from django import forms

from parsers.base.units import GIGABYTE, PETABYTE, POWERED_HOURS, TERABYTE, parse_grouped
from parsers.text.decode import NOT_TEXT
from results.catalogue.prices import read_price
from results.core.formats import format_capacity
from results.core.forms import MAX_ECHO_LENGTH, CheckedField, NumberField
from results.core.security.rate_limits import QUERY_LIMIT

_LONGEST_VALUE = 60  # characters
_NUMBER = r"(?P<number>\d{1,9}(?:\.\d{1,3})?)"
_SIZE = re.compile(rf"{_NUMBER} ?(?:(?P<unit>[GTP])B?)?", re.IGNORECASE | re.ASCII)
_CAPACITY_IN_NAME = re.compile(rf"(?P<name>.*\S)\s+(?P<size>{_NUMBER} ?[GTP]B?)\W*", re.IGNORECASE | re.ASCII)
_BARE_NUMBER = re.compile(r"\d{2,4}", re.ASCII)
_WEAR = re.compile(
    r"(?:(?:wear|used|worn|percentage used)\W{1,3})?(?P<percent>\d{1,3}) ?(?:%|percent)?"
    r"(?: (?P<left>life left|left|remaining|health|healthy)|(?: (?:used|wear|worn)))?",
    re.IGNORECASE | re.ASCII,
)
_HOURS = re.compile(r"(?P<hours>[\d,]{1,9}) ?(?:h|hrs|hours)?", re.IGNORECASE | re.ASCII)
_UNITS = {"G": GIGABYTE, "T": TERABYTE, "P": PETABYTE}
_WHOLE = 100  # percent


class SizeField(CheckedField):
    """A size in bytes, from "400 GB", or a bare number in the field's unit."""

    def __init__(self, label: str, *, unit: str, example: str, most: int) -> None:
        super().__init__(self._read, label=label, max_length=_LONGEST_VALUE)
        self.unit, self.example, self.most = unit, example, most

    def _read(self, text: str) -> int | None:
        if not text:
            return None
        size = read_size(text, unit=self.unit)
        if size is None:
            raise _unreadable(text, self.example)
        if not GIGABYTE <= size <= self.most:
            largest = format_capacity(self.most)
            raise ValueError(f"Enter 1 GB to {largest}, not {text}. Leave it empty if you don’t know it.")
        return size


def read_wear(text: str) -> int | None:
    """The used percentage of the rated life, from "12 % used", "12 %", "12" or "88 % left"."""
    if not text:
        return None
    match = _WEAR.fullmatch(text)
    if match is None:
        raise _unreadable(text, "“12 % used”, “12 %” or “88 % left”")
    percent = int(match["percent"])
    if percent > _WHOLE:
        raise ValueError(
            f"Enter 0 to 100 %, not {percent} %. If the drive itself counts past 100 %, enter 100."
        )
    return _WHOLE - percent if match["left"] else percent


def read_hours(text: str) -> int | None:
    """Power-on hours, from "20,000 h" or "20000"."""
    if not text:
        return None
    match, most = _HOURS.fullmatch(text), POWERED_HOURS.largest
    hours = parse_grouped(match["hours"]) if match else None
    if hours is None:
        raise _unreadable(text, "20000")
    if not 1 <= hours <= most:
        raise ValueError(f"Enter 1 to {most:,}, not {hours:,}. Leave it empty if you don’t know it.")
    return hours


def _unreadable(text: str, example: str) -> ValueError:
    return ValueError(f"We couldn’t read “{text[:MAX_ECHO_LENGTH]}”. Write it like {example}.")


class UsedDriveForm(forms.Form):
    """A seller's output or what the listing says, the asking price, and the buyer's daily writes."""

    text = forms.CharField(
        label="smartctl output",
        required=False,
        strip=False,
        error_messages={"null_characters_not_allowed": NOT_TEXT},
    )
    model = forms.CharField(
        label="Model",
        required=False,
        max_length=QUERY_LIMIT,
        error_messages={"max_length": f"A name can’t be longer than {QUERY_LIMIT} characters."},
    )
    product = forms.SlugField(label="Product", required=False)  # in links, where a name is several products'
    capacity = SizeField("Capacity", unit="G", example="400 GB or 1.6 TB", most=PETABYTE)
    wear = CheckedField(read_wear, label="Wear", max_length=_LONGEST_VALUE)
    written = SizeField("Written so far", unit="T", example="100 TB", most=2000 * PETABYTE)
    hours = CheckedField(read_hours, label="Power-on hours", max_length=_LONGEST_VALUE)
    price = CheckedField(read_price, label="Asking price", max_length=_LONGEST_VALUE)
    gb_per_day = NumberField("GB written per day", most=10_000_000)

    def clean(self) -> None:
        super().clean()
        data = self.cleaned_data
        if not self.errors and not data["text"].strip() and not data["model"] and self.changed_data:
            self.add_error("model", "Fill in the model, or paste smartctl’s output above.")


def read_size(text: str, *, unit: str) -> int | None:
    """A size in bytes; `unit` (G, T or P) is that of a bare number."""
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    return int(Decimal(match["number"]) * _UNITS[(match["unit"] or unit).upper()])


def split_capacity(text: str) -> tuple[str, int | None]:
    """A name and the capacity at its end: ("P3700", 400 GB) for "P3700 400GB"."""
    match = _CAPACITY_IN_NAME.fullmatch(text)
    return (match["name"], read_size(match["size"], unit="")) if match else (text, None)


def split_number(text: str) -> tuple[str, int] | None:
    """The same for a bare number of GB at the end: ("S3710", 400 GB) for "S3710 400"."""
    name, _, number = text.rpartition(" ")
    return (name, int(number) * GIGABYTE) if name and _BARE_NUMBER.fullmatch(number) else None
