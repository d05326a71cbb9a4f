"""Conditions in words, as pages show them."""

from collections.abc import Callable, Mapping
from typing import Any

from parsers.base.units import TERABYTE
from results.core.formats import format_block_size, format_hours
from results.models.conditions import CONDITIONS, WRITE_CONDITIONS

# Of runs that state them; the others are shown, or compared, even if not stated
WHERE_STATED = [name for name in WRITE_CONDITIONS if name not in {"write_cache_enabled", "sync_method"}]
LABELS: dict[str, str] = {name: str(field.verbose_name) for name, field in CONDITIONS.items()}
WORDS: dict[str, Mapping[Any, str]] = {name: dict(field.flatchoices) for name, field in CONDITIONS.items()}
_FORMATS: dict[str, Callable[[Any], str]] = {
    "sector_size": "{} B".format,
    "block_align": format_block_size,
    "power_on_hours": format_hours,
    "wear_percent": "{} %".format,
    "host_bytes_written": lambda written: f"{float(written) / TERABYTE:,.2f} TB",
}
# The steps of a flush on its way to the medium, as parts of a sentence
FLUSH_PATH: dict[str, Mapping[Any, str]] = {
    "has_volatile_cache": {True: "volatile cache", False: "no volatile cache"},
    "write_cache_enabled": {True: "write cache enabled", False: "write cache disabled"},
    "kernel_write_cache": {
        "write back": "the kernel sends flushes",
        "write through": "the kernel sends no flushes",
    },
    "has_fua": {True: "FUA used", False: "FUA not used"},
}


def in_words(name: str, value: Any) -> str:
    """A value of a condition; "" if it isn't stated."""
    if value in {None, ""}:
        return ""
    return str(WORDS[name].get(value) or _FORMATS.get(name, str)(value))
