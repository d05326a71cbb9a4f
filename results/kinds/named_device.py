"""Devices that a sender names, by their slugs or by words of their names."""

from collections.abc import Collection, Mapping

from django.db.models import IntegerField, QuerySet, Value

from results.core.addresses import address
from results.core.drive_names import DriveName
from results.models import Device

SHOWN_MATCHES = 5
MAX_NAMES, MAX_WORDS = 20, 10
FEWEST_LETTERS = 3  # of one of the words: the index has trigrams
UNKNOWN = "Nobody has measured a device by this name yet. Leave this empty, or check the spelling."
_FIELDS = ("slug", "model_name", "capacity_bytes")


def find_devices(names: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The slugs by name of the only measured devices with that slug or name; for others, why not. One query."""
    slugs = {name: name.lower() for name in names}
    faults = {name: fault for name in names if (fault := _why_not_searched(name))}
    searched = sorted(set(names) - set(faults))[:MAX_NAMES]
    shown = Device.objects.shown()
    by_slug = shown.filter(slug__in=[slug for slug in slugs.values() if "\0" not in slug])
    found = _numbered(by_slug, -1).union(
        *(_numbered(_named(shown, name), at)[: SHOWN_MATCHES + 1] for at, name in enumerate(searched)),
        all=True,
    )
    matches: dict[int, list[tuple[str, str, int | None]]] = {}
    for at, slug, model_name, size in found:
        matches.setdefault(at, []).append((slug, model_name, size))
    known = {slug for slug, *_ in matches.get(-1, [])}
    stored = {name: slug for name, slug in slugs.items() if slug in known}
    for name in set(names) - set(stored) - set(faults):
        if name not in searched:
            faults[name] = (
                f"At most {MAX_NAMES} different names. For more, enter their slugs, which the API lists."
            )
            continue
        for_name = matches.get(searched.index(name), [])
        if len(for_name) == 1:
            stored[name] = for_name[0][0]
        else:
            faults[name] = _several(for_name) if for_name else UNKNOWN
    return stored, {name: fault for name, fault in faults.items() if name not in stored}


def _why_not_searched(name: str) -> str:
    """Why no device is searched by these words; "" if it is."""
    words = name.split()
    if "\0" in name or len(words) > MAX_WORDS:
        return UNKNOWN
    if max(map(len, words), default=0) < FEWEST_LETTERS:
        return f"Enter at least {FEWEST_LETTERS} letters of a word of its name."
    return ""


def _named(devices: QuerySet[Device], name: str) -> QuerySet[Device]:
    for word in dict.fromkeys(name.split()):
        devices = devices.filter(searched__icontains=word)
    return devices.order_by("model_name", "capacity_bytes")


def _numbered(devices: QuerySet[Device], at: int) -> QuerySet[Device, tuple[int, str, str, int | None]]:
    return devices.annotate(at=Value(at, IntegerField())).values_list("at", *_FIELDS)


def _several(found: list[tuple[str, str, int | None]]) -> str:
    listed = "; ".join(f"{slug} ({_label(name, size)})" for slug, name, size in found[:SHOWN_MATCHES])
    more = " and more" if len(found) > SHOWN_MATCHES else ""
    return f"Several devices match. Enter one of: {listed}{more}."


def device_url(slug: str) -> str:
    """The address of the device's page; "" for no device."""
    return address("device", slug) if slug else ""


def device_labels(slugs: Collection[str]) -> Mapping[str, str]:
    """The names of the devices with these slugs; a slug for which there is none is its own name. One query."""
    found = Device.objects.filter(slug__in=slugs).values_list(*_FIELDS) if slugs else ()
    return {slug: slug for slug in slugs} | {slug: _label(name, size) for slug, name, size in found}


def _label(model_name: str, capacity_bytes: int | None) -> str:
    return DriveName(model_name, capacity_bytes).model
