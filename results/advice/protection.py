"""What a power cut does to writes that ZFS acknowledged, according to sources about a drive: the one definition.

ZFS acknowledges a sync write when the log device has confirmed a flush. A drive with a protected cache can confirm at
once. One without has to write everything down first: if its firmware obeys flushes it is slow and loses nothing,
and if it doesn't, it can lose what ZFS acknowledged. Only a drive that was shown to lose data is unsafe.

"Flushed data and the drives' own metadata" are all that ZFS needs, according to OpenZFS, whose list of hardware
requires it: https://openzfs.github.io/openzfs-docs/Performance%20and%20Tuning/Hardware.html
"""

from enum import StrEnum
from typing import NamedTuple


class Safety(StrEnum):
    """What is known of acknowledged writes after a power cut."""

    SAFE = "safe"  # and fast: only such drives are recommended
    ENOUGH = "enough"  # what was flushed survives, and each flush waits for the flash
    CONDITIONAL = "conditional"  # as long as a battery or a UPS lasts
    UNPROTECTED = "unprotected"  # if its firmware obeys flushes
    DISPUTED = "disputed"
    UNKNOWN = "unknown"
    UNSAFE = "unsafe"  # it was shown to lose data


class Protection(NamedTuple):
    """The protection of a drive: in a sentence without its period, and explained."""

    safety: Safety
    sentence: str
    meaning: str


# By the value of `plp`; "listed" is "partial" by OpenZFS's list, "probable" is "unknown" with indirect evidence, and
# "unsafe" any that was shown to lose data.
PROTECTIONS = {
    "yes": Protection(
        Safety.SAFE,
        "Protected: acknowledged writes survive a power cut",
        "Acknowledged writes survive power loss, according to the cited sources.",
    ),
    "by_design": Protection(
        Safety.SAFE,
        "Safe by design: no volatile cache in front of the medium",
        "No volatile cache in front of the medium, as the OpenZFS docs say of all Optane drives. We found no such "
        "statement from its maker.",
    ),
    "external": Protection(
        Safety.CONDITIONAL,
        "Protected only as long as its battery or a UPS lasts",
        "Acknowledged writes survive as long as a battery or a UPS lasts.",
    ),
    "listed": Protection(
        Safety.ENOUGH,
        "Partly protected: what was flushed survives, which is all that ZFS needs, but each flush waits for the "
        "flash",
        "Flushed writes and the drive’s tables survive a power cut, which is all that ZFS needs. What is still in "
        "its cache doesn’t, so each flush has to wait for the flash, and it is slow.",
    ),
    "partial": Protection(
        Safety.UNPROTECTED,
        "Partly protected: no source says that what was flushed survives, only what is on the flash already",
        "Data that is on the flash already survives a power cut. No source says so of what was just flushed, so "
        "treat it as unprotected.",
    ),
    "no": Protection(
        Safety.UNPROTECTED,
        "Not protected: slow if it obeys flushes, and it can lose writes if it doesn’t",
        "Nothing powers its cache in a power cut. If its firmware obeys flushes, nothing that ZFS acknowledged is "
        "lost, but it has to write to the flash or disk each time, so it is slow. If it doesn’t obey, such writes "
        "can be lost, and few people know which drives do.",
    ),
    "disputed": Protection(
        Safety.DISPUTED,
        "Sources disagree about power-loss protection: treat as unprotected until checked",
        "Some sources say that it is protected, others that it isn’t.",
    ),
    "probable": Protection(
        Safety.UNKNOWN,
        "Probably protected against power loss, but no source says so of this very model",
        "Acknowledged writes probably survive a power cut, but no source confirms it for this model. Filters count "
        "it as unknown.",
    ),
    "unknown": Protection(
        Safety.UNKNOWN,
        "No source says whether it is protected against power loss",
        "We don’t know yet whether it is protected against power loss: treat it as unprotected.",
    ),
    "unsafe": Protection(
        Safety.UNSAFE,
        "Unsafe: known to lose data in a power cut, unless its firmware was updated",
        "It was shown to lose data in a power cut. Don’t use it before you have checked that its firmware has the "
        "fix.",
    ),
}
# What a buyer has to know first of a drive that isn't safe, without a period, and its tone
HEADLINES: dict[str, tuple[str, str]] = {
    Safety.ENOUGH: (
        "Safe for ZFS, but slow: it keeps what was flushed, and each flush waits for the flash",
        "warn",
    ),
    Safety.CONDITIONAL: ("Good SLOG only as long as its battery or a UPS lasts", "warn"),
    Safety.UNPROTECTED: (
        "Not a good SLOG: slow if it obeys flushes, and it can lose writes if it doesn’t",
        "warn",
    ),
    Safety.DISPUTED: (PROTECTIONS["disputed"].sentence, "warn"),
    Safety.UNKNOWN: ("Don’t trust it as a SLOG yet: we don’t know if it is protected", "warn"),
    Safety.UNSAFE: (PROTECTIONS["unsafe"].sentence, "bad"),
}


MEANINGS = {  # for a list of the values
    **{value: protection.meaning for value, protection in PROTECTIONS.items()},
    "partial": f"{PROTECTIONS['listed'].meaning} That is so where OpenZFS lists the drive; else we treat it as "
    "unprotected.",
}
