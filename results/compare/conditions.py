"""How and on what each device or result that is compared was measured, by the key of the condition."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from results.advice.comparison import Condition, Conditions, compare_conditions
from results.core.subject import describe_layout, drive_name, subject_of
from results.core.systems import system_of
from results.kinds.conditions import LABELS, WHERE_STATED, WORDS, in_words
from results.kinds.registry import method_label
from results.kinds.result_kind import ResultKind
from results.models import Device, DeviceRanking, Result
from results.models.choices import SubjectKind
from results.models.conditions import FLUSH_OFF, SYNC_METHODS

_INSTANCE = re.compile(r"([a-z][a-z_-]{1,20})\d{1,3}")  # mps0 and mps1 are one driver
_WRITE_CACHE = WORDS["write_cache_enabled"]
# By the first word of an owner's wording
_CACHE_STATES = {"on": _WRITE_CACHE[True], "off": _WRITE_CACHE[False]} | {
    state: state for state in _WRITE_CACHE.values()
}
ONE_UNIT, OTHER_UNIT = "one unit", "another unit"  # a digest of a serial number is never shown
ONE_POOL, OTHER_POOL = "one pool", "another pool, or the same one sent again"


def cache_state(stated: str) -> str:
    word = re.search("[a-z]+", stated.lower())
    return _CACHE_STATES.get(word[0], "") if word else ""


def driver_of(attachment: str) -> str:
    """The driver without its instance number; an owner's wording unchanged."""
    match = _INSTANCE.fullmatch(attachment)
    return match[1] if match else attachment


class DeviceCondition(NamedTuple):
    """A condition of a device's ranked runs: its key in Device.condition_values, and what its values mean."""

    label: str
    stored: str
    in_words: Callable[[Any], str]


DEVICE_CONDITIONS = {
    "systems": DeviceCondition("Operating system", "platforms", system_of),
    "write_cache": DeviceCondition("Write cache", "caches", cache_state),
    "sync_methods": DeviceCondition("Synced with", "sync_methods", str),
    "data_contents": DeviceCondition("Data written", "contents", partial(in_words, "data_content")),
    "patterns": DeviceCondition("Order of writes", "patterns", partial(in_words, "pattern")),
    "page_caches": DeviceCondition("Page cache", "direct", partial(in_words, "is_direct")),
    "controllers": DeviceCondition("Controller", "attachments", driver_of),
    "hbas": DeviceCondition("HBA, according to owners", "hbas", str),
    "firmware_versions": DeviceCondition("Firmware", "versions", str),
}


def device_conditions(device: Device, ranking: DeviceRanking | None) -> dict[str, tuple[str, ...]]:
    """The conditions of the device's ranked runs by the row's method: each value once, none if unknown.

    The owner's statement applies where the text states nothing. Only owners name an HBA.
    """
    stated = device.condition_values.get(ranking.method, {}) if ranking else {}
    return {
        key: tuple(sorted(set(filter(None, map(condition.in_words, stated.get(condition.stored, ()))))))
        for key, condition in DEVICE_CONDITIONS.items()
    }


def _write_cache(result: Result) -> str:
    by_text = _in_words("write_cache_enabled", result)
    return by_text or cache_state(result.told_conditions.get("write_cache", ""))


def _in_words(name: str, result: Result) -> str:
    return in_words(name, getattr(result, name))


def _sync_method(result: Result) -> str:
    return SYNC_METHODS[FLUSH_OFF] if result.sync_method == FLUSH_OFF else result.sync_method or ""


# By key the label of a condition of a result, and what its text states of it, or else its owner; "" if nothing.
# A device is named by its model, not by its line.
RESULT_CONDITIONS: Mapping[str, tuple[str, Callable[[Result], str]]] = {
    "device": ("Device", lambda run: drive_name(run.device).model if run.device else subject_of(run).name),
    "layout": (
        "Layout",
        lambda run: describe_layout(run.pool.layout) if run.pool and run.pool.layout else "",
    ),
    "method": ("Method", lambda run: method_label(run.method)),
    "firmware": ("Firmware", lambda run: run.firmware.version if run.firmware else ""),
    "write_cache": ("Write cache", _write_cache),
    "sync_method": ("Sync method", _sync_method),
    **{name: (LABELS[name], partial(_in_words, name)) for name in WHERE_STATED},
    "writers": ("Writers", lambda run: str(run.writers or 1)),
    "system": (
        "Operating system",
        lambda run: system_of(run.platform or run.told_conditions.get("platform", "")),
    ),
    "controller": ("Controller", lambda run: driver_of(run.attachment)),
    "hba": ("HBA", lambda run: run.told_conditions.get("attachment", "")),
}
_LEFT_OUT = {
    SubjectKind.DEVICE: {"layout"},
    SubjectKind.POOL: {"device", "firmware", "write_cache", "controller", "hba"},
}


def result_conditions(first: Result, second: Result, kind: ResultKind) -> Conditions:
    """What the two results state; conditions that are rare only if one of them does."""
    results = (first, second)
    shown = {key: row for key, row in RESULT_CONDITIONS.items() if key not in _LEFT_OUT[kind.subject]}
    stated = [{key: state(result) for key, (_, state) in shown.items()} for result in results]
    rows = compare_conditions(stated, {key: label for key, (label, _) in shown.items()})
    for_kind = compare_conditions([kind.conditions(kind.payload_of_result(result)) for result in results])
    stated_by_any = (row for row in rows if row.key not in WHERE_STATED or any(row.values))
    same = _same_pool(first, second) if kind.subject == SubjectKind.POOL else _same_unit(first, second)
    by_kind = (Condition(row.key.lower(), row.label, row.values) for row in for_kind)
    return Conditions([*stated_by_any, same, *by_kind])


def _same_unit(first: Result, second: Result) -> Condition:
    """Whether both are of one unit, if both state theirs."""
    if not first.unit or not second.unit:
        return Condition("unit", "Unit", ((), ()))
    return Condition("unit", "Unit", ((ONE_UNIT,), (ONE_UNIT if first.unit == second.unit else OTHER_UNIT,)))


def _same_pool(first: Result, second: Result) -> Condition:
    """Whether both are about one pool: of one submission, or by their owner's statement."""
    pools = {result.pool.same_as_id or result.pool_id for result in (first, second) if result.pool}
    return Condition("pool", "Pool", ((ONE_POOL,), (ONE_POOL if len(pools) == 1 else OTHER_POOL,)))
