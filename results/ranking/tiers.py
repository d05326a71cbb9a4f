"""Tiers: words for how fast a device is, by the figure of the board sync_write."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.core.formats import format_number


@dataclass(frozen=True, slots=True)
class Tier:
    """A word for latencies under `below_us`; None for the last one, which has no end."""

    key: str
    label: str
    below_us: float | None

    @property
    def range_text(self) -> str:
        """As the method page writes it: "under 30 µs"."""
        number = [tier.key for tier in TIERS].index(self.key)
        before = TIERS[number - 1].below_us if number else None
        if self.below_us is None:
            return f"{format_number(before)} µs and more"
        return f"{'' if before is None else f'{format_number(before)} to '}under {format_number(self.below_us)} µs"


TIERS = (
    Tier("excellent", "excellent", 30),
    Tier("very_good", "very good", 100),
    Tier("good", "good", 300),
    Tier("slow", "slow", 1000),
    Tier("little_gain", "helps hard disks only", None),
)
_ENDS = [tier.below_us for tier in TIERS if tier.below_us is not None]


def tiers_of(low: float, high: float) -> Sequence[Tier]:
    """The tiers that an interval of 4 KiB latencies touches, the better first."""
    first, last = (sum(latency_us >= end for end in _ENDS) for latency_us in (low, high))
    return TIERS[first : last + 1]


def tier_text(low: float, high: float) -> str:
    """In words: "excellent", "very good or excellent", "slow to very good"."""
    tiers = tiers_of(low, high)
    if len(tiers) == 1:
        return tiers[0].label
    if tiers[-1].below_us is None:
        return f"{tiers[0].label} at best, may help hard disks only"
    return f"{tiers[-1].label} {'or' if len(tiers) == 2 else 'to'} {tiers[0].label}"
