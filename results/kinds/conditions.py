"""Conditions that few results state, as pages show them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from results.core.formats import format_block_size
from results.models.choices import PAGE_CACHE, DataContent, KernelCache, Pattern


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
