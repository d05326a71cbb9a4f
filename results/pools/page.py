"""The page of a pool: its layout as a diagram, its log devices, its properties and its results."""

from collections import Counter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.core.addresses import address, with_query
from results.core.formats import format_count, format_device, writers_label
from results.core.head import page_social
from results.core.public import public_page
from results.core.subject import ROLES, describe_vdevs, subject_of_pool
from results.kinds.dates import date_of_result
from results.kinds.pool_io.found_sets import submissions_with_sets
from results.kinds.pool_io.stored_sets import same_set_url
from results.kinds.registry import kind_of
from results.kinds.tables import measures
from results.models import Device, Pool, Result
from results.models.pool import POOL_PROPERTIES
from results.pools.query import find_pool, log_devices_of, results_of, same_pools

SHOWN_RESULTS = 100
SHOWN_DISKS = 12  # of a vdev; larger ones state their number
_DATA = "data"


@public_page()
def pool(request: HttpRequest, public_id: str) -> HttpResponse:
    found = find_pool(public_id)
    logs, results = log_devices_of(found), list(results_of(found)[: SHOWN_RESULTS + 1])
    subject, same = subject_of_pool(found), [_other(one) for one in same_pools(found)]
    context = {
        "pool": {
            "public_id": found.public_id,
            "name": subject.name,
            "is_told": found.is_told,
            "health": found.health,
            "text_url": address("result", found.submission.public_id),
        },
        "diagram": layout_context(found),
        "logs": [_log(one) for one in logs],
        "no_logs": _why_no_logs(found),
        "facts": _facts(found),
        "rows": [_row(one) for one in results[:SHOWN_RESULTS]],
        "all_results_url": with_query(address("api-results"), pool=found.public_id)
        if len(results) > SHOWN_RESULTS
        else "",
        "set_url": _set_url(found),
        "same": same,
        "same_set_url": same_set_url(found) if same else "",
        "submit_url": address("submit"),
        **page_social(
            subject.name,
            f"{format_count(len(results[:SHOWN_RESULTS]), 'result')} of a pool, with its logs and settings.",
            subject.url,
        ),
    }
    return render(request, "results/pools/page.html", context)


def layout_context(found: Pool) -> dict[str, Any] | None:
    """The context of results/pools/diagram.html; None without a layout."""
    if not found.layout:
        return None
    groups: dict[str, list[dict[str, Any]]] = {}
    for vdev in found.layout:
        members = vdev["members"] or 0
        groups.setdefault(vdev["role"], []).append(
            {
                "type": vdev["type"],
                "disks": range(min(members, SHOWN_DISKS)),
                "more": members - SHOWN_DISKS if members > SHOWN_DISKS else 0,
            }
        )
    return {
        "groups": [
            {
                "label": "Data" if role == _DATA else ROLES.get(role, role).capitalize(),
                "role": role,
                "vdevs": vdevs,
            }
            for role, vdevs in sorted(groups.items(), key=lambda one: one[0] != _DATA)
        ],
        "text": _in_words(found),
    }


def _in_words(found: Pool) -> str:
    """The layout for people who don't see the diagram: "Data: 2 mirrors of 2. Log device: mirror of 2."."""
    counts = Counter((one["role"], one["type"], one["members"]) for one in found.layout)
    parts: dict[str, list[str]] = {}
    for (role, kind, members), count in counts.items():
        parts.setdefault(role, []).append(describe_vdevs(kind, members, count))
    labels = {_DATA: "Data", **{role: label.capitalize() for role, label in ROLES.items()}}
    return " ".join(f"{labels.get(role, role)}: {', '.join(words)}." for role, words in parts.items())


def _why_no_logs(found: Pool) -> str:
    """What is known of log devices that nobody names."""
    if any(vdev["role"] == "log" for vdev in found.layout):
        return "It has one, but nobody states which model."
    return "None in this layout." if found.layout and not found.is_told else "Not stated."


def _log(device: Device) -> dict[str, str]:
    """A log device; one that nobody has measured has no page."""
    return {
        "name": format_device(device.model_name, device.capacity_bytes),
        "url": device.get_absolute_url() if device.result_count else "",
    }


def _facts(found: Pool) -> list[dict[str, str]]:
    stated = {label: found.properties.get(key, "") for key, label in POOL_PROPERTIES.items()}
    stated |= {"Operating system": found.platform, "OpenZFS": found.zfs_version}
    return [{"label": label, "value": value} for label, value in stated.items() if value]


def _row(result: Result) -> dict[str, Any]:
    kind = kind_of(result.method)
    conditions = {
        **({"Order": result.pattern} if result.pattern else {}),
        **({"Load": writers_label(result.writers)} if result.writers else {}),
        **kind.conditions(kind.payload_of_result(result)),
    }
    return {
        "url": result.get_absolute_url(),
        "public_id": result.public_id,
        "method": kind.methods[result.method],
        "conditions": ", ".join(f"{label.lower()} {value}" for label, value in conditions.items() if value),
        "figures": measures(result.metrics, kind.metrics.values())[:2],
        "is_flagged": bool(result.flags),
        "date": date_of_result(result),
    }


def _set_url(found: Pool) -> str:
    """Its runs with and without a log device, by sync mode and threads; "" if they don't differ in these."""
    has_set = submissions_with_sets(result__submission=found.submission_id).exists()
    return address("compare-set", found.submission.public_id) if has_set else ""


def _other(found: Pool) -> dict[str, str]:
    return {
        "name": subject_of_pool(found).name,
        "url": found.get_absolute_url(),
        "sent": found.submission.created_at.date().isoformat(),
    }
