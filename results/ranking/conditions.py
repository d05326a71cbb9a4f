"""How a device's ranked results were measured, for filters of device lists and for comparisons."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.db import connection, transaction

from results.core.data_version import bump_data_version
from results.core.systems import SYSTEMS
from results.kinds.conditions import FLUSH_PATH, WORDS
from results.models import Device
from results.models.device import LOCK_ORDER

# The conditions beside a device's figure, by their names in the API
_COLUMNS = {
    "sync_method": "sync_method",
    "pattern": "pattern",
    "write_cache": "write_cache_enabled",
    "volatile_cache": "has_volatile_cache",
    "kernel_write_cache": "kernel_write_cache",
    "fua": "has_fua",
}
# Their values as the API has them: words for yes and no
_CODES: Mapping[str, Mapping[Any, str]] = {
    column: {value: word if isinstance(value, bool) else value for value, word in WORDS[column].items()}
    for column in _COLUMNS.values()
} | {"write_cache_enabled": {True: "on", False: "off"}}
SHOWN: dict[str, dict[str, str]] = {
    name: {code: FLUSH_PATH.get(column, WORDS[column])[value] for value, code in _CODES[column].items()}
    for name, column in _COLUMNS.items()
}
_STEP = 1000  # devices
_SYSTEM = " ".join(
    f"WHEN strpos(lower(platform), '{sign}') > 0 THEN '{name.lower()}'" for sign, name in SYSTEMS
)


def _coded(column: str, codes: Mapping[Any, str]) -> str:
    """An expression for the code of a condition: the column itself, or a word for yes or no."""
    if True not in codes:
        return column
    return f"CASE WHEN {column} THEN '{codes[True]}' WHEN NOT {column} THEN '{codes[False]}' END"


_STATED = ", ".join(
    ["'method', method", f"'system', CASE {_SYSTEM} END"]
    + [f"'{name}', {_coded(column, _CODES[column])}" for name, column in _COLUMNS.items()]
)
_ENABLED = _coded("write_cache_enabled", WORDS["write_cache_enabled"])
# What ranked results state of each condition, the owner's statement where the text has none; only owners name an HBA
CONDITION_VALUES = {
    "platforms": "coalesce(nullif(platform, ''), told_conditions ->> 'platform')",
    "attachments": "coalesce(nullif(attachment, ''), told_conditions ->> 'attachment')",
    "hbas": "told_conditions ->> 'attachment'",
    "caches": f"coalesce({_ENABLED}, told_conditions ->> 'write_cache')",
    "versions": "version",
    "sync_methods": "sync_method",
    "contents": "data_content",
    "patterns": "pattern",
    "direct": "is_direct",
}
_ALL_VALUES = ", ".join(
    f"'{name}', jsonb_agg(DISTINCT {value}) FILTER (WHERE {value} IS NOT NULL)"
    for name, value in CONDITION_VALUES.items()
)
_OF_DEVICES = "AND device_id = ANY(%(devices)s::bigint[])"


def conditions_of(stated: Iterable[Mapping[str, str]], method: str) -> dict[str, list[str]]:
    """How the results by one method were measured: the values of each condition that any of them states."""
    found = {
        name: [condition[name] for condition in stated if condition["method"] == method and name in condition]
        for name in SHOWN
    }
    return {name: sorted(set(values)) for name, values in found.items() if values}


def conditions_text(stated: Iterable[Mapping[str, str]], method: str) -> str:
    """The same in words: "fsync or O_SYNC, random, write cache not stated"."""
    found = conditions_of(stated, method)
    words = [" or ".join(SHOWN[name][value] for value in values) for name, values in found.items()]
    return ", ".join(words if "write_cache" in found else [*words, "write cache not stated"])


def _changed(restriction: str) -> str:
    """A query of the devices whose stored columns differ from what their ranked results state.

    `conditions` has each combination once, `condition_values` each value of a condition once, by method.
    """
    return f"""
        WITH result_conditions AS MATERIALIZED (
            SELECT DISTINCT device_id, is_ranked, measured_by AS method, {", ".join(_COLUMNS.values())},
                platform, attachment, told_conditions, firmware_id, data_content, is_direct
            FROM results_result WHERE true {restriction}
        ), combined AS (
            SELECT device_id, coalesce(
                jsonb_agg(DISTINCT jsonb_strip_nulls(jsonb_build_object({_STATED}))) FILTER (WHERE is_ranked), '[]'
            ) AS conditions
            FROM result_conditions GROUP BY device_id
        ), by_method AS (
            SELECT result_conditions.device_id, method, jsonb_strip_nulls(jsonb_build_object({_ALL_VALUES})) AS stated
            FROM result_conditions LEFT JOIN results_firmware AS firmware ON firmware.id = firmware_id
            WHERE is_ranked GROUP BY result_conditions.device_id, method
        ), found AS (
            SELECT device_id, combined.conditions, coalesce(condition_values, '{{}}') AS condition_values
            FROM combined LEFT JOIN (
                SELECT device_id, jsonb_object_agg(method, stated) AS condition_values
                FROM by_method GROUP BY device_id
            ) AS for_device USING (device_id)
        )
        SELECT found.* FROM found JOIN results_device AS device ON device.id = device_id
        WHERE (device.conditions, device.condition_values) IS DISTINCT FROM (found.conditions, found.condition_values)
    """  # noqa: S608 - from our own expressions


_UPDATE = f"""
    UPDATE results_device SET conditions = changed.conditions, condition_values = changed.condition_values
    FROM ({_changed(_OF_DEVICES)}) AS changed WHERE id = device_id
"""  # noqa: S608 - as above


def update_conditions(device_ids: Collection[int]) -> None:
    """Update the conditions of these devices, whose locks the caller holds. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE, {"devices": list(device_ids)})


def update_all_conditions() -> Iterator[tuple[int, int]]:
    """Update the conditions of all devices where they changed, in steps; yield how many of how many are done."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT device_id FROM ({_changed('')}) AS changed")  # noqa: S608 - as above
        changed = [device_id for (device_id,) in cursor.fetchall()]
    for start in range(0, len(changed), _STEP):
        with transaction.atomic():
            step = Device.objects.filter(pk__in=changed[start : start + _STEP]).order_by(*LOCK_ORDER)
            update_conditions(list(step.select_for_update(no_key=True).values_list("id", flat=True)))
            bump_data_version()
        yield min(start + _STEP, len(changed)), len(changed)
