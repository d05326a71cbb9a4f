"""Reasons to doubt a run, what each does to its rank, and the words for that."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import F, Func, JSONField, Q, Value
from django.db.models.functions import JSONObject


class Effect(StrEnum):
    """What a flag does to a result."""

    NOTED = "noted"  # shown beside the figure
    NOT_RANKED = "not_ranked"  # shown, charted and compared; no rank, no recommendation
    WAITS = "waits"  # not ranked until a moderator approves it


PROTECTION_FAILED = "protection_failed"
COMPRESSED = "zeros_compressed"
ZEROS = "zeros_of_unknown_effect"
IN_MEMORY = "data_in_memory"
UNSYNCED = "not_synced"
INTERRUPTED = "interrupted"
# By effect, the stable code of each flag and when it is raised
FLAGS: dict[Effect, dict[str, str]] = {
    Effect.WAITS: {
        "exceeds_link": "Faster than the link between host and device.",
        "cached_disk": "A hard disk that acknowledges writes before its platter can have turned.",
        "cached_flash": "Flash without known power-loss protection that acknowledges writes faster than "
        "flash can be programmed.",
        "far_beyond_others": "At least 10 times faster or slower than the median of three or more other "
        "units.",
        "far_from_vouched": "At least 10 times faster or slower than results that known members, published "
        "sources or moderators vouch for, by any method.",
        "capacity_contradicts": "diskinfo and smartctl report capacities that differ by more than 1 %, with "
        "no explanation.",
        "points_disagree": "The printed throughput isn't block size divided by latency.",
        "copy_other_serial": "The same figures as an earlier result with another serial number.",
    },
    Effect.NOT_RANKED: {
        "timer_tick": "The latencies are multiples of a timer tick.",
        "not_whole_device": "A partition, slice, md device, logical volume, zvol or file was measured "
        "instead of a whole device.",
        "several_writers": "Several writers at the same time (fio's numjobs or iodepth above 1). They share "
        "the device, so this isn't how long a single write takes.",
        "flush_off": "fio flushed nothing. Such a run only shows what a flush costs, next to a run with "
        "flushes.",
        "compressed_data": "Zeros or compressible data on a device whose speed depends on compression.",
        "flush_not_sent": "fio on a raw disk on FreeBSD, where its flushes don't reach the drive; or slogprobe, "
        "if Linux counted fewer than half of its flushes.",
        "page_cache": "fio wrote through the machine's page cache (direct=0).",
        "odd_capacity": "A capacity under 100 MB.",
        "faster_than_rated": "4 KiB writes take less than half the typical random write latency the product "
        "is rated for.",
        "far_from_product": "At least 10 times faster or slower than what others measured for the same "
        "product.",
        "unknown_model": "A model we don't know, from a sender we don't know yet. It is ranked once a "
        "second sender has measured it, the model is in the catalogue, or a moderator has approved it.",
        "doubted_source": "A published figure whose source itself gives reason to doubt it.",
        "half_of_pair": "The other half of a published pair: its source measured one drive under two "
        "conditions. Only one counts.",
        "zeros_compressed": "Zeros, written to a pool that compresses: next to nothing reached its drives.",
        "data_in_memory": "A workload on a pool that the machine’s memory held, so the figure isn’t that of "
        "the drives.",
        "copy": "The same run as an earlier result. Only the earlier one counts.",
    },
    Effect.NOTED: {
        "far_from_others": "At least 3 times faster or slower than the median of three or more other units.",
        "near_copy": "Within 0.5 % of an earlier result at eight or more block sizes.",
        "capacity_does_not_fit": "Larger than any capacity we know of for this product.",
        "overprovisioned": "Part of the device was hidden from the host.",
        "write_cache": "The drive's write cache was off.",
        PROTECTION_FAILED: "The device reports that its power-loss protection has failed.",
        "easy_data": "fio wrote zeros or compressible data, which a device with compression stores faster.",
        "attachment": "Measured over USB, or over a slower link than the product supports.",
        "no_serial": "No serial number, so other results of the same unit can't be recognized.",
        "zeros_of_unknown_effect": "Zeros, written to a pool of which nobody states whether it compresses.",
        "not_synced": "A workload on a pool that ended before its data was on the drives.",
        "interrupted": "A workload on a pool that was interrupted or failed.",
        "past_the_log": "Synced writes to a file with O_DIRECT, which newer versions of OpenZFS write past the log "
        "device.",
        "different_devices": "diskinfo and smartctl in one paste are about different devices.",
    },
}
# Those that are raised because of the figure, not of how it was measured
OWN_FIGURE = frozenset(
    {
        "far_beyond_others",
        "far_from_vouched",
        "far_from_product",
        "doubted_source",
        "cached_flash",
        "cached_disk",
    }
)
EFFECTS = {code: effect for effect, meanings in FLAGS.items() for code in meanings}


@dataclass(frozen=True, slots=True)
class Flag:
    """A reason to doubt a run: a code from FLAGS and a sentence for people."""

    code: str
    message: str

    @property
    def effect(self) -> Effect:
        return EFFECTS[self.code]

    @property
    def stored(self) -> dict[str, str]:
        """The shape stored in Result.flags."""
        return {"code": self.code, "effect": self.effect.value, "message": self.message}


def stored_flags(flags: Iterable[Mapping[str, str]]) -> tuple[Flag, ...]:
    """The flags in Result.flags, except for codes of earlier versions."""
    return tuple(Flag(flag["code"], flag["message"]) for flag in flags if flag["code"] in EFFECTS)


def why_not_ranked(flags: Iterable[Flag], *, is_approved: bool) -> str:
    """The message of the first flag that keeps a result out of the ranking, or "".

    A moderator's approval overrides only the flags that wait for one.
    """
    excluding = {Effect.NOT_RANKED} if is_approved else {Effect.NOT_RANKED, Effect.WAITS}
    return next((flag.message for flag in flags if flag.effect in excluding), "")


class FlagRow(NamedTuple):
    """An effect in words, with the tone of its tag, and the message of a flag that has it."""

    label: str
    tag: str
    meaning: str
    message: str = ""


EFFECT_LABELS = {
    Effect.WAITS: FlagRow(
        "Waiting for a moderator", "warn", "Shown, but not ranked until a moderator approves it."
    ),
    Effect.NOT_RANKED: FlagRow(
        "Not ranked", "warn", "Shown, charted and compared, but never ranked or recommended."
    ),
    Effect.NOTED: FlagRow("Noted", "", "Shown beside the figures, with no other effect."),
}


def flag_rows(flags: Iterable[Mapping[str, str]]) -> list[FlagRow]:
    """Result.flags with the label and the effect of each."""
    return [EFFECT_LABELS[Effect(flag["effect"])]._replace(message=flag["message"]) for flag in flags]


def is_waiting(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> bool:
    """Whether only a moderator's decision is missing for a result to be ranked."""
    return any(flag["effect"] == Effect.WAITS and flag["message"] == not_ranked_reason for flag in flags)


RANKED, UNRANKED, WAITING = "ranked", "unranked", "waiting"
# What `include` of a list names, in the words of `ranking_state`
INCLUDED = {RANKED: "ranked", UNRANKED: "not ranked", WAITING: "waiting"}
_WAITS = Func(
    JSONObject(effect=Value(Effect.WAITS.value), message=F("not_ranked_reason")),
    function="jsonb_build_array",
    output_field=JSONField(),
)


def without_rank(include: Collection[str]) -> Q:
    """Of the results without a rank, those that are included: by `is_waiting`, waiting or simply unranked."""
    waits = Q(flags__contains=_WAITS)
    chosen = {UNRANKED: ~waits, WAITING: waits}
    return reduce(or_, (condition for key, condition in chosen.items() if key in include), Q(pk=None))


def ranking_state(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> str:
    """The state of a published result in a word or two."""
    if not not_ranked_reason:
        return "ranked"
    return "waiting" if is_waiting(not_ranked_reason, flags) else "not ranked"


def reasons_shown(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> list[str]:
    """Why a result is not ranked, then what is noted, without repetition."""
    reasons = [not_ranked_reason, *(flag["message"] for flag in flags)]
    return [reason for reason in dict.fromkeys(reasons) if reason]


# By the code of the flag that keeps a result out of the ranking: what a device needs to be ranked
_NEEDS = {
    "unknown_model": "a second result from somebody else, or a moderator’s check",
    "not_whole_device": "a run on the whole drive, without a file system",
    "several_writers": "a run with one writer",
    "flush_off": "a run with flushes",
    "flush_not_sent": "a run whose flushes reach the drive, such as one by diskinfo -wS",
    "page_cache": "a run that bypasses the page cache (direct=1)",
    "compressed_data": "a run with random data",
    "timer_tick": "a run on a machine with a finer clock",
    "odd_capacity": "a run on the whole drive, without a file system",
}
_NEEDS_APPROVAL = "a moderator’s check"
_NEEDS_ANOTHER = "another run, without what kept this one out"


def what_it_needs(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> str:
    """What would make a device with only this result ranked, in a few words."""
    if is_waiting(not_ranked_reason, flags):
        return _NEEDS_APPROVAL
    codes = [flag["code"] for flag in flags if flag["message"] == not_ranked_reason]
    return next((_NEEDS[code] for code in codes if code in _NEEDS), _NEEDS_ANOTHER)
