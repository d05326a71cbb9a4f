"""Conditions as pages show them: those of a kind, and those that few results state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from results.core.formats import NOT_STATED, format_block_size
from results.models.choices import PAGE_CACHE, DataContent, KernelCache, Pattern


def condition_table(conditions: Mapping[str, str]) -> list[dict[str, Any]]:
    """The conditions of a kind by label, "" where not stated, as its template shows them."""
    return [
        {"label": label, "value": value or NOT_STATED, "is_stated": bool(value)}
        for label, value in conditions.items()
    ]


@dataclass(frozen=True, slots=True)
class ShownCondition:
    """A condition that few results state: its label, and its value in words, or ""."""

    label: str
    in_words: Callable[[Any], str]

    def shown(self, value: Any) -> str:
        return "" if value is None else self.in_words(value)


WHERE_STATED = {
    "has_volatile_cache": ShownCondition("Volatile cache", {True: "yes", False: "none"}.__getitem__),
    "kernel_write_cache": ShownCondition("Kernel’s view of it", lambda value: str(KernelCache(value).label)),
    "has_fua": ShownCondition("FUA", {True: "used", False: "not used"}.__getitem__),
    "protection_fault": ShownCondition("Protection fault", str),
    "data_content": ShownCondition("Data written", lambda value: str(DataContent(value).label)),
    "pattern": ShownCondition("Order of writes", lambda value: str(Pattern(value).label)),
    "is_direct": ShownCondition("Page cache", PAGE_CACHE.__getitem__),
    "block_align": ShownCondition("Aligned to", format_block_size),
}
