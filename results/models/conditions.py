"""How and on what a run was measured: a line for each condition, with its label, its meaning and its values in words.

The API, exports, filters, comparisons, rereads and pages read this table. results.kinds.envelope.Run has a field of
the same name, which is stored.
"""

from collections.abc import Mapping
from typing import Any

from django.db import models

from results.models import lengths
from results.models.choices import PAGE_CACHE, DataContent, KernelCache, Pattern

FLUSH_OFF = "none"  # a sync method: fio flushed nothing
SYNC_METHODS = {
    "sync": "O_SYNC",
    "dsync": "O_DSYNC",
    "fsync": "fsync",
    "fdatasync": "fdatasync",
    FLUSH_OFF: "nothing (flush off)",
}


def _text(label: str, meaning: str) -> "models.CharField[str, str]":
    return models.CharField(label, max_length=lengths.CONDITION, blank=True, help_text=meaning)


def _rare_text(label: str, meaning: str, choices: Any = None) -> "models.CharField[str | None, str | None]":
    """A text that few results have: NULL takes no bytes."""
    longest = 20 if choices else lengths.CONDITION
    return models.CharField(label, max_length=longest, choices=choices, null=True, help_text=meaning)


def _number(label: str, meaning: str) -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(label, null=True, help_text=meaning)


def _yes_or_no(
    label: str, meaning: str, words: Mapping[bool, str]
) -> "models.BooleanField[bool | None, bool | None]":
    return models.BooleanField(label, null=True, choices=words, help_text=meaning)


class SetupConditions(models.Model):
    """The machine of a run."""

    path = _text("Path", "Path of the disk in the system.")
    platform = _text("Platform", "Operating system, if the text states it.")
    attachment = _text("Attached to", "HBA, driver or interface.")
    sector_size = _number("Sector size", "Bytes of a sector.")

    class Meta:
        abstract = True


class WriteConditions(models.Model):
    """How the writes of a run reached the medium."""

    write_cache_enabled = _yes_or_no(
        "Write cache", "Whether the device’s write cache was enabled.", {True: "enabled", False: "disabled"}
    )
    has_volatile_cache = _yes_or_no(
        "Volatile cache",
        "Whether the device has a volatile write cache (NVMe’s VWC).",
        {True: "yes", False: "none"},
    )
    kernel_write_cache = _rare_text(
        "Kernel’s view of it",
        "What the kernel believes about the cache: it sends no flush to one that writes through.",
        KernelCache,
    )
    has_fua = _yes_or_no("FUA", "Whether the kernel uses FUA.", {True: "used", False: "not used"})
    protection_fault = _rare_text(
        "Protection fault", "A power-loss protection fault that the device reports, as printed."
    )
    sync_method = _rare_text(
        "Synced with", "How fio synced each write; “none” if it flushed nothing.", SYNC_METHODS
    )
    data_content = _rare_text("Data written", "What fio wrote.", DataContent)
    pattern = _rare_text("Order of writes", "The order of fio’s writes.", Pattern)
    is_direct = _yes_or_no("Page cache", "Whether fio bypassed the page cache.", PAGE_CACHE)
    block_align = _number("Aligned to", "Alignment of the offsets of fio’s writes, in bytes.")

    class Meta:
        abstract = True


class WearConditions(models.Model):
    """The state of a unit at the time of a run."""

    power_on_hours = _number("Power-on time", "Hours that the unit had been powered on.")
    wear_percent = models.PositiveSmallIntegerField(
        "Wear", null=True, help_text="Used endurance in %, as a tool states it or from a SMART attribute."
    )
    wear_source = _rare_text("Wear derived from", "The SMART attribute that wear_percent is derived from.")
    raw_wear = _rare_text(
        "Raw SMART values", "SMART attributes of wear that couldn’t be interpreted, as printed."
    )
    host_bytes_written = models.DecimalField(
        "Written by hosts",
        max_digits=24,
        decimal_places=0,
        null=True,
        help_text="Bytes that hosts wrote over the unit’s lifetime.",
    )

    class Meta:
        abstract = True


CONDITIONS = {
    field.name: field
    for group in (SetupConditions, WriteConditions, WearConditions)
    for field in group._meta.concrete_fields
}
CONDITION_FIELDS = tuple(CONDITIONS)
WRITE_CONDITIONS, WEAR_CONDITIONS = (
    tuple(field.name for field in group._meta.concrete_fields) for group in (WriteConditions, WearConditions)
)
YES_NO = {"yes": True, "no": False}  # in URLs
_IN_URLS = {value: text for text, value in YES_NO.items()}
# The conditions to filter by, which only fio results state: their URL values, and each value in words
CONDITION_FILTERS: dict[str, dict[str, str]] = {
    name: {str(_IN_URLS.get(value, value)): words for value, words in CONDITIONS[name].flatchoices}
    for name in ("sync_method", "data_content", "pattern", "is_direct")
}
