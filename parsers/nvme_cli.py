"""nvme-cli's JSON (id-ctrl, smart-log, OCP's smart-add-log) written as smartctl's, which the parsers read.

Source: nvme-print-json.c and ocp-print-json.c of nvme-cli 1.9 to 2.11.
"""

import json
import re
from itertools import islice
from typing import Any

MAX_DOCUMENTS = 50  # that are tried; a drive has three
_START = re.compile(r"^[ \t]*(?=\{)", re.MULTILINE)
_DECODER = json.JSONDecoder()
_FIRST = "json_format_version"  # smartctl's first key, by which the parsers know its documents
_HEAD = {_FIRST: [1, 0], "device": {"type": "nvme", "protocol": "NVMe"}}
_NAMES = {"mn": "model_name", "sn": "serial_number", "fr": "firmware_version"}
_SMART_LOG = {
    "critical_warning": "critical_warning",
    "avail_spare": "available_spare",
    "spare_thresh": "available_spare_threshold",
    "percent_used": "percentage_used",
    "data_units_written": "data_units_written",
    "power_cycles": "power_cycles",
    "power_on_hours": "power_on_hours",
}
_CAPACITOR_HEALTH = ("Capacitor health", "capacitor_health")  # formats 1 and 2


def as_smartctl(text: str) -> str:
    """The text with nvme-cli's documents as smartctl's at its end; those of smartctl begin with its first key."""
    parts: list[str] = []
    drives: list[dict[str, Any]] = []
    end = 0
    for start in islice(_START.finditer(text), MAX_DOCUMENTS):
        if start.end() < end:
            continue  # within the last document
        try:
            document, behind = _DECODER.raw_decode(text, start.end())
        except (ValueError, RecursionError):
            continue
        parts.append(text[end : start.end()])
        if stated := _translate(document):
            if not drives or drives[-1].keys() & stated.keys():
                drives.append({})
            drives[-1] |= stated
        elif "smartctl" in document and next(iter(document)) != _FIRST:
            parts.append(_dump({_FIRST: [1, 0], **document}))
        else:
            parts.append(text[start.end() : behind])
        end = behind
    return "\n".join(["".join([*parts, text[end:]]), *(_dump({**_HEAD, **drive}) for drive in drives)])


def _translate(document: dict[str, Any]) -> dict[str, Any]:
    """What a document of nvme-cli states, by smartctl's keys; nothing for any other."""
    if "mn" in document:
        names = {key: document[name] for name, key in _NAMES.items() if isinstance(document.get(name), str)}
        return {**names, **_counts(document, {"tnvmcap": "nvme_total_capacity"})}
    if "avail_spare" in document or "percent_used" in document:
        return {"nvme_smart_health_information_log": _counts(document, _SMART_LOG)}
    health = _counts(document, dict.fromkeys(_CAPACITOR_HEALTH, "capacitor_health"))
    return {"ocp_smart_log": health} if health else {}


def _counts(document: dict[str, Any], keys: dict[str, str]) -> dict[str, int]:
    counts = {key: _count(document.get(name)) for name, key in keys.items() if name in document}
    return {key: count for key, count in counts.items() if count is not None}


def _count(value: Any) -> int | None:
    """A count, which some versions print as a fraction, in quotes, or with its bits."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, str) and re.fullmatch("[0-9]{1,18}", value):
        return int(value)
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return int(value) if is_whole and not isinstance(value, bool) else None


def _dump(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False)
