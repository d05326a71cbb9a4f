"""Oddities of a drive, each a sentence, from its output and the catalogue only."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from django.db.models import TextChoices

from parsers.base.readings import SmartctlReading
from parsers.base.units import MEBIBYTE, MEGABYTE
from results.advice.link import Bus
from results.core.formats import format_capacity, format_count, format_hours
from results.models import Caveat
from results.models.fact import is_same_capacity
from results.used_drive.part_numbers import is_in_name

USUAL_BLOCK_SIZES = {512, 4096}
WORN_FROM = 80  # percent of its rated life: what is left isn't enough for a log
_USED_UP = 100
_SECONDS_AN_HOUR = 3600
# The logs round their hours up, and the counter rounds down.
_ROUNDED_HOURS = 1
# More than any drive of the interface can take, in MB/s: SATA 3, 24G SAS on both ports, PCIe 5.0 x4.
_FASTEST_MB_S = {"SATA": 600, "SAS": 4800, "NVMe": 16_000}
_SAS_PORTS = 2
_RESET = "Don’t trust it: the power-on hours look reset."
_WORD = re.compile(r"[A-Z0-9][A-Z0-9_-]*")
# Vendors that sell other makers' drives with their own firmware, as named in a drive's vendor, model or family.
_SYSTEM_MAKERS = {
    "CISCO": "Cisco",
    "CLAR": "EMC",
    "DELL": "Dell",
    "EMC": "EMC",
    "FUJITSU": "Fujitsu",
    "HP": "HP",
    "HPE": "HPE",
    "IBM": "IBM",
    "LENOVO": "Lenovo",
    "NETAPP": "NetApp",
    "ORACLE": "Oracle",
    "SUN": "Sun",
}


class Tone(StrEnum):
    """How much a finding matters, most severe first."""

    BAD = "bad"
    WARN = "warn"
    INFO = "info"


class Code(TextChoices):
    """What a finding or a verdict is about, for programs: codes are only added."""

    FAILING = "failing", "SMART says that the drive is failing"
    PROTECTION_FAILED = "protection_failed", "it reports that its power-loss protection has failed"
    SELF_TEST_FAILED = "self_test_failed", "its last self-test failed"
    SPARE_USED_UP = "spare_used_up", "its spare blocks are nearly used up"
    RATING_USED_UP = "rating_used_up", "its rated life is used up"
    WORN = "worn", "at least 80 % of its rated life is used up"
    HOURS_RESET = "hours_reset", "its power-on hours contradict its logs or what was written"
    HOURS_DOUBTFUL = "hours_doubtful", "its power-on hours may have been reset"
    SECTOR_SIZE = "sector_size", "ZFS can’t use its sectors before it is reformatted"
    FIRMWARE_BUG = "firmware_bug", "its firmware has a known bug that an update fixes"
    FIRMWARE_CHECK = "firmware_check", "some firmware has a known bug: check for an update"
    FIRMWARE_FIXED = "firmware_fixed", "its firmware has the fix for a known bug"
    FIRMWARE_NEW = "firmware_new", "nobody has submitted it with this firmware"
    OEM_FIRMWARE = "oem_firmware", "its firmware is a system maker’s"
    ODD_CAPACITY = "odd_capacity", "a capacity that we don’t know of this model"
    OVERPROVISIONED = "overprovisioned", "it shows less than its capacity"
    PROTECTION_WORKS = "protection_works", "it reports that its capacitors work"
    UNSAFE = "unsafe", "known to lose data in a power cut"
    UNPROTECTED = "unprotected", "not protected against power loss"
    EXTERNAL_POWER = "external_power", "protected only as long as a battery or a UPS lasts"
    FLUSHES_ONLY = "flushes_only", "what was flushed survives, but each flush is slow"
    PROTECTION_DISPUTED = "protection_disputed", "sources disagree about its protection"
    PROTECTION_UNKNOWN = "protection_unknown", "no source settles whether it is protected"
    SHORT_LIFE = "short_life", "what is left lasts less than five years at the buyer’s writes"
    WEAR_UNKNOWN = "wear_unknown", "it is rated, but wear and bytes written aren’t known"
    LIFE_UNKNOWN = "life_unknown", "neither its rating nor enough of its wear is known"
    EXPENSIVE = "expensive", "the asking price is high"
    OK = "ok", "no red flags"


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence about the drive; if it is bad, `headline` says in one sentence what to do."""

    tone: Tone
    code: Code
    text: str
    headline: str = ""
    source_url: str = ""


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """Known facts of such drives: the product's link, capacities, caveats, firmware of results."""

    link: Bus | None = None
    capacities: Collection[int] = ()
    caveats: Collection[Caveat] = ()
    firmware_versions: Collection[str] = ()
    result_count: int = 0


def find_oddities(drive: SmartctlReading, capacity_bytes: int | None, known: KnownFacts) -> list[Finding]:
    """Find oddities, most severe first."""
    found = [
        *_health(drive),
        *_logged_hours(drive),
        *_written_hours(drive, known.link),
        *_sectors(drive),
        *_wear(drive),  # the least of what rules a drive out
        *_capacity(drive, capacity_bytes, known.capacities),
        *_maker(drive),
        *_fixes(drive.firmware_version, known.caveats),
        *_firmware(drive.firmware_version, known),
    ]
    return sorted(found, key=lambda oddity: list(Tone).index(oddity.tone))


def _health(drive: SmartctlReading) -> Iterator[Finding]:
    if drive.health == "FAILED":
        yield Finding(
            Tone.BAD, Code.FAILING, "SMART says this drive is failing.", "Don’t buy it: it is failing."
        )
    if drive.protection_fault:
        yield Finding(
            Tone.BAD,
            Code.PROTECTION_FAILED,
            f"Its protection against power loss has failed: the drive reports {drive.protection_fault}.",
            "Don’t buy it: its protection against power loss has failed.",
        )
    elif drive.protection_evidence:
        yield Finding(
            Tone.INFO,
            Code.PROTECTION_WORKS,
            f"The capacitors of this very drive work: it reports {drive.protection_evidence}.",
        )
    if drive.failed_self_test:
        yield Finding(
            Tone.BAD,
            Code.SELF_TEST_FAILED,
            f"Its last self-test failed: {drive.failed_self_test}.",
            "Don’t buy it: its last self-test failed.",
        )
    spare, threshold = drive.available_spare, drive.available_spare_threshold
    if spare is not None and threshold is not None and spare <= threshold:
        yield Finding(
            Tone.BAD,
            Code.SPARE_USED_UP,
            f"Its spare blocks are nearly used up: {spare} % are left, and {threshold} % is the limit.",
            "Don’t buy it: its spare blocks are nearly used up.",
        )
    if drive.wear_percent is not None and drive.wear_percent >= _USED_UP:
        yield Finding(
            Tone.BAD,
            Code.RATING_USED_UP,
            f"Its rated life is used up: the drive reports {drive.wear_percent} % wear.",
            "Don’t buy it: its rated life is used up.",
        )


def _wear(drive: SmartctlReading) -> Iterator[Finding]:
    """A drive that is worn, but not used up."""
    if drive.wear_percent is not None and WORN_FROM <= drive.wear_percent < _USED_UP:
        yield Finding(
            Tone.BAD,
            Code.WORN,
            f"Most of its rated life is used up: {drive.wear_percent} % wear.",
            f"Too worn for a log: {drive.wear_percent} % of its rated life is used up.",
        )


def _logged_hours(drive: SmartctlReading) -> Iterator[Finding]:
    hours, logged = drive.power_on_hours, drive.logged_hours
    if hours is None or logged is None or logged <= hours + _ROUNDED_HOURS:
        return
    yield Finding(
        Tone.BAD,
        Code.HOURS_RESET,
        f"The counter shows {format_hours(hours)}, but one of the drive’s own logs (self-tests, errors, FARM) says"
        f" {format_hours(logged)}.",
        _RESET,
    )


def _written_hours(drive: SmartctlReading, link: Bus | None) -> Iterator[Finding]:
    """More written than the link can carry in the hours; some counters lose an hour at each power cycle."""
    hours, written, cycles = drive.power_on_hours, drive.host_bytes_written, drive.power_cycle_count
    name, bytes_s = _fastest(drive.protocol, link)
    if hours is None or written is None or written <= (hours + _ROUNDED_HOURS) * _SECONDS_AN_HOUR * bytes_s:
        return
    carried = f"{format_capacity(written)} in {format_hours(hours)} is more than {name} can carry"
    if cycles is not None and written > (hours + cycles + _ROUNDED_HOURS) * _SECONDS_AN_HOUR * bytes_s:
        with_cycles = f", even if each of its {format_count(cycles, 'power cycle')} lost an hour"
        yield Finding(Tone.BAD, Code.HOURS_RESET, f"{carried}{with_cycles if cycles else ''}.", _RESET)
    else:
        yield Finding(Tone.WARN, Code.HOURS_DOUBTFUL, f"The power-on hours may have been reset: {carried}.")


def _fastest(protocol: str | None, link: Bus | None) -> tuple[str, float]:
    """The fastest link that the drive can have, and its bytes/s: its product's, or the fastest of its protocol."""
    if link is None:
        return protocol or "", _FASTEST_MB_S.get(protocol or "", inf) * MEGABYTE
    ports = _SAS_PORTS if link.name.startswith("SAS") else 1
    return link.name, link.mib_s * MEBIBYTE * ports


def _sectors(drive: SmartctlReading) -> Iterator[Finding]:
    size = drive.logical_block_size
    if size is not None and size not in USUAL_BLOCK_SIZES:
        yield Finding(
            Tone.BAD,
            Code.SECTOR_SIZE,
            f"Sectors of {size} bytes: it comes from a storage array, and ZFS can’t use it like this. Ask the seller"
            " to reformat it to 512 bytes (sg_format --format --size=512), which takes hours and can fail.",
            f"Buy it only if it can be reformatted: ZFS can’t use its sectors of {size} bytes.",
        )


def _capacity(
    drive: SmartctlReading, capacity_bytes: int | None, capacities: Collection[int]
) -> Iterator[Finding]:
    if drive.is_overprovisioned and drive.native_capacity and drive.user_capacity:
        yield Finding(
            Tone.INFO,
            Code.OVERPROVISIONED,
            f"It shows {format_capacity(drive.user_capacity)} of its {format_capacity(drive.native_capacity)}:"
            " the rest was set aside, which is fine for a SLOG and can be undone.",
        )
    if capacity_bytes is None or not capacities:
        return
    is_known = any(is_same_capacity(capacity, capacity_bytes) for capacity in capacities)
    if not is_known and not is_in_name(drive.model_name or "", capacity_bytes):
        usual = ", ".join(format_capacity(capacity) for capacity in sorted(capacities))
        yield Finding(
            Tone.WARN,
            Code.ODD_CAPACITY,
            f"{format_capacity(capacity_bytes)} is an odd capacity for this model: we know it with {usual}. It may be"
            " custom-made for one customer, overprovisioned, or fake.",
        )


def _maker(drive: SmartctlReading) -> Iterator[Finding]:
    names = " ".join(filter(None, [drive.vendor, drive.model_name, drive.model_family])).upper()
    makers = dict.fromkeys(
        _SYSTEM_MAKERS[part]
        for word in _WORD.findall(names)
        for part in re.split("[-_0-9]+", word)
        if part in _SYSTEM_MAKERS
    )
    if makers:
        yield Finding(
            Tone.WARN,
            Code.OEM_FIRMWARE,
            f"OEM firmware from {' and '.join(makers)}: updates come from them, if at all, and it may behave"
            " differently from the retail drive.",
        )


class CaveatState(TextChoices):
    """Whether a known problem is one of this drive."""

    APPLIES = "applies", "it is: no firmware fixes it, or not this one"
    FIXED = "fixed", "its firmware has the fix"
    UNKNOWN = "unknown", "no source says so of its firmware"


def state_of(caveat: Caveat, version: str | None) -> CaveatState:
    """Whether a drive with this firmware has the problem."""
    if not caveat.fixed_in_firmware:
        return CaveatState.APPLIES
    if version and version.upper() in _words(caveat.fixed_in_firmware):
        return CaveatState.FIXED
    return (
        CaveatState.APPLIES if version and version.upper() in _words(caveat.summary) else CaveatState.UNKNOWN
    )


def _fixes(version: str | None, caveats: Iterable[Caveat]) -> Iterator[Finding]:
    for caveat in (caveat for caveat in caveats if caveat.fixed_in_firmware):
        problem, fixed_in = f"{caveat.summary.rstrip('.')}.", caveat.fixed_in_firmware
        source = {"source_url": caveat.source_url}
        match state_of(caveat, version):
            case CaveatState.FIXED:
                text = f"Its firmware {version} has the fix for a known bug. {problem}"
                yield Finding(Tone.INFO, Code.FIRMWARE_FIXED, text, **source)
            case CaveatState.APPLIES:
                text = f"Update the firmware to {fixed_in} at once: this drive has {version}. {problem}"
                headline = f"Buy it only if you can update its firmware to {fixed_in} at once."
                yield Finding(Tone.BAD, Code.FIRMWARE_BUG, text, headline, **source)
            case CaveatState.UNKNOWN:
                has = (
                    f"this drive has {version}"
                    if version
                    else "the output doesn’t say which one this drive has"
                )
                text = f"Check for a firmware update (fixed in: {fixed_in}; {has}). {problem}"
                yield Finding(Tone.WARN, Code.FIRMWARE_CHECK, text, **source)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.upper())


def _firmware(version: str | None, known: KnownFacts) -> Iterator[Finding]:
    if version and known.result_count and version not in known.firmware_versions:
        results = format_count(known.result_count, "result")
        yield Finding(
            Tone.INFO,
            Code.FIRMWARE_NEW,
            f"Nobody has submitted it with firmware {version} yet; we have {results} for this model.",
        )
