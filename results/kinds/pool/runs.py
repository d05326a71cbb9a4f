"""Runs on the pools of a text: where each was, and under which conditions."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from parsers.base.readings import DdReading, FioReading, IozoneReading, ParsedPaste
from parsers.base.target import Target, target_of
from parsers.base.units import GIBIBYTE, bytes_of_size_option
from results.kinds.answers import LINE
from results.kinds.envelope import DescribedPool, Stated
from results.kinds.pool.models import NO_LOG, SYNC_MODES, WITH_LOG
from results.kinds.pool.pools import (
    FoundPool,
    describe_pool,
    described_logs,
    is_on_pool,
    log_name_of,
    mount_of,
    other_pool,
    pool_at,
    pools_of,
)
from results.kinds.pool.questions import LAYOUT_KEYS

ZERO, RANDOM = "/dev/zero", ("/dev/urandom", "/dev/random")
_DISCARDED = {"/dev/null", "/dev/zero"}
OMITS_BOOT = re.compile(r"\s-[a-zA-Z]*y")


@dataclass(frozen=True, slots=True)
class Paste:
    """A text with the pools that it describes, and where its runs on other pools are."""

    paste: ParsedPaste
    pools: list[FoundPool]
    mounts: tuple[str, ...]
    stated: Stated

    def run_at(self, path: str, first_line: int) -> "Where":
        return Where(path, self, LINE.format(self.paste.sent_line(first_line)), first_line)


@dataclass(frozen=True, slots=True)
class Where:
    """Where a run was, and under which name its sender answers about it."""

    path: str
    within: Paste
    answers_key: str
    line: int | None = None  # where it begins in the text

    @property
    def answers(self) -> dict[str, str]:
        return self.within.stated.answers.about(self.answers_key)

    def log_name(self, slug: str) -> str:
        """The name of the log device that its sender names."""
        return self.within.stated.device_labels.get(slug, slug)

    @property
    def found(self) -> FoundPool | None:
        """Its pool, if the text describes it."""
        at = pool_at(self.path, self.within.pools, self.answers)
        return None if at is None else self.within.pools[at]

    @property
    def pool(self) -> DescribedPool:
        within = self.within
        at = pool_at(self.path, within.pools, self.answers)
        if at is not None:
            return describe_pool(at, within.pools, within.paste, within.stated)
        mount = mount_of(self.path)
        beyond = within.mounts.index(mount) if mount in within.mounts else 0
        return other_pool(
            len(within.pools) + beyond + 1,
            within.paste,
            within.stated,
            is_only=len(within.mounts) < 2 and not within.pools,
        )


def paste_with_pools(paste: ParsedPaste, stated: Stated) -> Paste:
    """The text with its pools, as all kinds about pools number them."""
    pools = pools_of(paste)
    elsewhere = (path for path in _paths(paste, stated) if pool_at(path, pools, {}) is None)
    return Paste(paste, pools, tuple(dict.fromkeys(map(mount_of, elsewhere))), stated)


def _paths(paste: ParsedPaste, stated: Stated) -> Iterator[str]:
    """The paths of all runs, in the order of the text."""
    for reading in paste.readings:
        if isinstance(reading, DdReading) and not is_of_node(reading):
            yield path_of_dd(reading)
        elif isinstance(reading, FioReading) and is_on_pool(reading, paste, stated):
            yield reading.path or ""
        elif isinstance(reading, IozoneReading):
            yield path_of_iozone(reading)


def path_of_iozone(reading: IozoneReading) -> str:
    """The file that its command names, masked; "" for one in the folder where it ran."""
    words = (reading.command or "").split()
    return next((path for option, path in pairwise(words) if option in {"-f", "-F"}), "")


def path_of_dd(reading: DdReading) -> str:
    return (reading.input if is_of_reads(reading) else reading.output) or ""


def is_of_node(reading: DdReading) -> bool:
    """Whether dd read or wrote a device, part of one, or something built on devices other than a pool."""
    path = reading.input if is_of_reads(reading) else reading.output
    return path not in {None, ZERO, *_DISCARDED, *RANDOM} and target_of(path) not in (
        Target.FILE,
        Target.ZVOL,
    )


def is_of_reads(reading: DdReading) -> bool:
    return reading.output in _DISCARDED or (
        reading.output is None and bool(reading.input) and reading.input != ZERO
    )


def conditions_at(where: Where, pool: DescribedPool, figures: Mapping[str, Any]) -> dict[str, Any]:
    """What the sender states about the run, else the text."""
    answers = where.answers
    found = where.found
    for_text = {
        name: found.property_of(where.path, name, where.line) if found else "" for name in _PROPERTIES
    }
    size = for_text["recordsize"] or for_text["volblocksize"]
    log = answers.get("log", "") or (WITH_LOG if answers.get("log_device") else "") or _log_of_text(where)
    slug = answers.get("log_device", "") if log == WITH_LOG else ""
    memory = int(answers["arc_gib"]) * GIBIBYTE if "arc_gib" in answers else figures.get("arc_bytes")
    return {
        "log": log,
        "log_device": slug,
        "log_name": (where.log_name(slug) if slug else _log_name(where, pool)) if log == WITH_LOG else "",
        "sync_mode": for_text["sync"] if for_text["sync"] in SYNC_MODES else answers.get("sync", ""),
        "record_size": bytes_of_size_option(size)
        if size
        else int(answers["recordsize"])
        if "recordsize" in answers
        else None,
        "compression": for_text["compression"][:20] or answers.get("compression", ""),
        "access": answers.get("access", ""),
        "arc_bytes": memory,
    }


_PROPERTIES = ("sync", "recordsize", "volblocksize", "compression")


def answered_at(where: Where, pool: DescribedPool, figures: Mapping[str, Any]) -> frozenset[str]:
    """The questions that needn't be asked: what the text says itself."""
    found, within = where.found, where.within
    among_several = found is None and (bool(within.pools) or len(within.mounts) > 1)
    is_layout_known = among_several or bool(found and found.status)  # one answer can't describe several pools
    states = {
        "pool": len(within.pools) < 2 or (found is not None and "pool" not in where.answers),
        "log_device": bool(pool.logs),
        "arc_gib": bool(figures.get("arc_bytes")),
        "system": bool(pool.platform) and "system" not in within.stated.answers.about(),
        **dict.fromkeys(LAYOUT_KEYS, is_layout_known),
    }
    if found is not None:
        stated = {key: found.property_of(where.path, key, where.line) for key in _PROPERTIES}
        states |= {key: bool(stated[key]) for key in ("sync", "compression")}
        sizes = (stated[name] for name in ("recordsize", "volblocksize"))
        states["recordsize"] = any(sizes)
    return frozenset(key for key, is_known in states.items() if is_known)


def _log_of_text(where: Where) -> str:
    """Whether the table of the pool nearest to the run has a log device; "" without a table."""
    found = where.found
    if found is None or found.status is None:
        return ""
    return WITH_LOG if found.logs_at(where.line) else NO_LOG


def _log_name(where: Where, pool: DescribedPool) -> str:
    """The log devices during the run in words; those of the pool, unless the text shows that they changed."""
    found = where.found
    if found is None or len(found.statuses) < 2:
        return log_name_of(pool.logs)
    return log_name_of(described_logs(found.logs_at(where.line), where.within.paste))
