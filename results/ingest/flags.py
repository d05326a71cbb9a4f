"""What can speak against a run: one table that says what each flag does, for the code and for the method page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Effect(StrEnum):
    """What a flag does to a result."""

    NOTED = "noted"  # shown beside the figure
    NOT_RANKED = "not_ranked"  # shown, charted and compared; no rank, no recommendation
    WAITS = "waits"  # not ranked until a moderator has approved it


@dataclass(frozen=True, slots=True)
class FlagKind:
    """A row of the table: a stable code, what it does, and when it is raised."""

    code: str
    effect: Effect
    meaning: str


FLAG_KINDS = (
    FlagKind("exceeds_link", Effect.WAITS, "Faster than the link between host and device."),
    FlagKind("cached_disk", Effect.WAITS, "A hard disk that answers before its platter can have turned."),
    FlagKind(
        "cached_flash",
        Effect.WAITS,
        "Flash without known power-loss protection that answers sooner than flash can be programmed.",
    ),
    FlagKind("far_beyond_others", Effect.WAITS, "10 times off three or more other units of the device."),
    FlagKind(
        "capacity_contradicts",
        Effect.WAITS,
        "diskinfo and smartctl state capacities that differ by more than 1 %, and nothing says why.",
    ),
    FlagKind("points_disagree", Effect.WAITS, "The printed throughput isn't block size divided by latency."),
    FlagKind(
        "copy_other_serial", Effect.WAITS, "The same figures as an earlier result of another serial number."
    ),
    FlagKind("timer_tick", Effect.NOT_RANKED, "The latencies are multiples of a timer's tick."),
    FlagKind(
        "not_whole_device",
        Effect.NOT_RANKED,
        "A partition, slice, md device, logical volume, zvol or file was measured instead of a whole device.",
    ),
    FlagKind("odd_capacity", Effect.NOT_RANKED, "A capacity under 100 MB."),
    FlagKind(
        "faster_than_rated",
        Effect.NOT_RANKED,
        "4 KiB in less than half the typical random write latency that the product is rated for.",
    ),
    FlagKind(
        "far_from_product", Effect.NOT_RANKED, "10 times off what other sources measured of the same product."
    ),
    FlagKind(
        "unknown_model",
        Effect.NOT_RANKED,
        "A model we don't know, from a sender we don't know yet. It is ranked once a second sender has measured "
        "one, the model is in the catalogue, or a moderator has approved it.",
    ),
    FlagKind(
        "doubted_source", Effect.NOT_RANKED, "A published figure whose own source gives reason to doubt it."
    ),
    FlagKind("copy", Effect.NOT_RANKED, "The same run as an earlier result, which counts for both."),
    FlagKind("far_from_others", Effect.NOTED, "3 times off three or more other units of the device."),
    FlagKind("near_copy", Effect.NOTED, "Within 0.5 % of an earlier result at eight or more block sizes."),
    FlagKind("capacity_does_not_fit", Effect.NOTED, "Larger than any capacity of the product we know of."),
    FlagKind("overprovisioned", Effect.NOTED, "Part of the device was hidden from the host."),
    FlagKind("write_cache", Effect.NOTED, "The drive's write cache was off."),
    FlagKind("attachment", Effect.NOTED, "Measured through USB, or over a slower link than the product has."),
    FlagKind(
        "no_serial", Effect.NOTED, "No serial number, so other results of the same unit aren't recognised."
    ),
    FlagKind(
        "different_devices", Effect.NOTED, "diskinfo and smartctl in one paste are about different devices."
    ),
)
EFFECTS = {kind.code: kind.effect for kind in FLAG_KINDS}


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that speaks against a run: a code of FLAG_KINDS, and a sentence for people."""

    code: str
    message: str

    @property
    def effect(self) -> Effect:
        return EFFECTS[self.code]

    @property
    def stored(self) -> dict[str, str]:
        """As Result.flags holds it."""
        return {"code": self.code, "effect": self.effect.value, "message": self.message}


def stored_flags(flags: Iterable[Mapping[str, str]]) -> tuple[Flag, ...]:
    """The flags that Result.flags holds; codes of earlier versions are left out."""
    return tuple(Flag(one["code"], one["message"]) for one in flags if one["code"] in EFFECTS)


def why_not_ranked(flags: Iterable[Flag], *, is_approved: bool) -> str:
    """The first flag that keeps a result out of the ranking; empty where none does.

    A moderator's approval lifts what waits for one, and nothing else.
    """
    excluding = {Effect.NOT_RANKED} if is_approved else {Effect.NOT_RANKED, Effect.WAITS}
    return next((flag.message for flag in flags if flag.effect in excluding), "")
