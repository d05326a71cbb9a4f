"""Under which conditions the ranked runs of devices were measured."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Case, TextField, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce, NullIf

from results.models import DeviceRanking, Result

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
    ("truenas scale", "Linux"),
    ("truenas core", "FreeBSD"),
    ("freenas", "FreeBSD"),
)
_TOOL = re.compile(r"fio-[\d.]+|(?:sync|fsync|fdatasync|direct)=\w+")
_INSTANCE = re.compile(r"([a-z][a-z_-]{1,20})\d{1,3}")  # mps0 and mps1 are one driver
# Owners' wording, by the first word
_CACHE_STATES = {"on": "enabled", "enabled": "enabled", "off": "disabled", "disabled": "disabled"}


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the ranked runs of a device were measured, each value once; empty if none says.

    The owner's statement fills in what the text leaves open. Only owners name an HBA.
    """

    systems: tuple[str, ...] = ()
    write_cache: tuple[str, ...] = ()
    controllers: tuple[str, ...] = ()
    hbas: tuple[str, ...] = ()
    firmware_versions: tuple[str, ...] = ()


def find_conditions(rankings: Iterable[DeviceRanking]) -> dict[int, Conditions]:
    """By device, of the method of its row. One query, none without a row."""
    methods = {ranking.device_id: ranking.method for ranking in rankings}
    rows: Any = (
        Result.objects.filter(device_id__in=methods, is_ranked=True)
        .values("device_id", "method")
        .annotate(
            platforms=ArrayAgg(_text_or_owner("platform"), distinct=True),
            attachments=ArrayAgg(_text_or_owner("attachment"), distinct=True),
            hbas=ArrayAgg(_owner("attachment"), distinct=True),
            caches=ArrayAgg(
                Case(
                    When(write_cache_enabled=True, then=Value("enabled")),
                    When(write_cache_enabled=False, then=Value("disabled")),
                    default=_owner("write_cache"),
                    output_field=TextField(),
                ),
                distinct=True,
            ),
            versions=ArrayAgg("firmware__version", distinct=True),
        )
    )
    return {
        row["device_id"]: Conditions(
            systems=_named(_system(platform or "") for platform in row["platforms"]),
            write_cache=_named(map(_cache_state, row["caches"])),
            controllers=_named(_driver(attachment or "") for attachment in row["attachments"]),
            hbas=_named(row["hbas"]),
            firmware_versions=_named(row["versions"]),
        )
        for row in rows
        if row["method"] == methods[row["device_id"]]
    }


def _owner(name: str) -> KeyTextTransform:
    return KeyTextTransform(name, "told_conditions", output_field=TextField())


def _text_or_owner(name: str) -> Coalesce:
    return Coalesce(NullIf(name, Value("")), _owner(name), output_field=TextField())


def _cache_state(stated: str | None) -> str | None:
    words = re.findall(r"[a-z]+", (stated or "").lower())
    return _CACHE_STATES.get(words[0]) if words else None


def _driver(attachment: str) -> str:
    """The driver without its instance number; an owner's wording as is."""
    match = _INSTANCE.fullmatch(attachment)
    return match[1] if match else attachment


def _system(platform: str) -> str:
    """The operating system in a platform's text; the text itself where it is none that is known."""
    system, _tool = split_platform(platform)
    lowered = system.lower()
    return next((name for sign, name in _SYSTEMS if sign in lowered), system)


def split_platform(platform: str) -> tuple[str, str]:
    """The platform, and the tool with its options that published figures state next to it.

    "TrueNAS SCALE, fio-3.25, fdatasync=1" is the platform of a row of the survey.
    """
    parts = [part.strip() for part in platform.split(",")]
    tool = [part for part in parts if _TOOL.fullmatch(part)]
    return ", ".join(part for part in parts if part and part not in tool), ", ".join(tool)


def _named(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))
