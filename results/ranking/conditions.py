"""Under which conditions the ranked runs of devices were measured, kept until their results change."""

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg

from results.models import DeviceRanking, Result
from slogdb.kept import Kept

# By what stands in the platform that smartctl prints ("x86_64-linux-6.1.0", "FreeBSD 13.1-RELEASE amd64").
_SYSTEMS = (
    ("linux", "Linux"),
    ("freebsd", "FreeBSD"),
    ("mingw", "Windows"),
    ("cygwin", "Windows"),
    ("darwin", "macOS"),
    ("solaris", "Solaris"),
    ("openbsd", "OpenBSD"),
    ("netbsd", "NetBSD"),
)
_INSTANCE = re.compile(r"\d+$")  # mps0 and mps1 are one driver
_CACHE_STATES = {True: "enabled", False: "disabled"}


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the ranked runs of a device state of how they were measured, each value once; empty where none does."""

    systems: tuple[str, ...] = ()
    write_cache: tuple[str, ...] = ()
    controllers: tuple[str, ...] = ()
    firmware_versions: tuple[str, ...] = ()


# With the state of the results that they are of.
_kept = Kept[tuple[int, str], tuple[Hashable, Conditions]]("conditions of devices")


def find_conditions(
    rankings: Iterable[DeviceRanking], states: Mapping[int, Hashable]
) -> dict[int, Conditions]:
    """By device, of the method of its row. `states` are those of the devices' results.

    One query, and none where the results of all are as they were: to read thousands takes longer than all else.
    """
    found: dict[int, Conditions] = {}
    changed: dict[int, str] = {}
    for ranking in rankings:
        device, method = ranking.device_id, ranking.method
        state, kept = _kept.get((device, method)) or (None, None)
        if kept is not None and state == states[device]:
            found[device] = kept
        else:
            changed[device] = method
    read = _read(changed) if changed else {}
    for device, method in changed.items():
        found[device] = read.get(device, Conditions())
        _kept[device, method] = states[device], found[device]
    return found


def _read(methods: Mapping[int, str]) -> dict[int, Conditions]:
    rows: Any = (
        Result.objects.filter(device_id__in=methods, is_ranked=True)
        .values("device_id", "method")
        .annotate(
            platforms=ArrayAgg("platform", distinct=True),
            attachments=ArrayAgg("attachment", distinct=True),
            caches=ArrayAgg("write_cache_enabled", distinct=True),
            versions=ArrayAgg("firmware__version", distinct=True),
        )
    )
    return {
        row["device_id"]: Conditions(
            systems=_named(_system(platform) for platform in row["platforms"]),
            write_cache=_named(_CACHE_STATES.get(state) for state in row["caches"]),
            controllers=_named(_INSTANCE.sub("", attachment) for attachment in row["attachments"]),
            firmware_versions=_named(row["versions"]),
        )
        for row in rows
        if row["method"] == methods[row["device_id"]]
    }


def _system(platform: str) -> str:
    """The operating system in a platform's text; the text itself where it is none that is known."""
    lowered = platform.lower()
    return next((name for sign, name in _SYSTEMS if sign in lowered), platform)


def _named(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))
