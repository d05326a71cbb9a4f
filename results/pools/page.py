"""The page of a pool: its layout as a diagram, its log devices, its properties and its results."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst

from results.core.addresses import address, with_query
from results.core.drive_names import DriveName
from results.core.formats import format_count, writers_label
from results.core.head import Social
from results.core.public import public_page
from results.core.subject import ROLES, describe_vdevs, subject_of_pool
from results.kinds.dates import date_of_result
from results.kinds.pool.found_sets import submissions_with_sets
from results.kinds.pool_sets import same_set_url
from results.kinds.registry import kind_of, method_label
from results.kinds.tables import Measure, measures
from results.models import Pool, Result
from results.models.pool import POOL_PROPERTIES
from results.pools.query import find_pool, results_of, same_pools

SHOWN_RESULTS = 100
SHOWN_DISKS = 12  # of a vdev; larger ones state their number
_DATA = "data"


@public_page()
def pool(request: HttpRequest, public_id: str) -> HttpResponse:
    found = find_pool(public_id)
    results = list(results_of(found)[: SHOWN_RESULTS + 1])
    subject, same = subject_of_pool(found), same_pools(found)
    context = {
        "pool": found,
        "name": subject.name,
        "diagram": _diagram(found),
        "logs": [
            (log, DriveName(log.model_name, log.capacity_bytes).model)
            for log in found.logs.order_by("model_name", "capacity_bytes")
        ],
        "no_logs": _why_no_logs(found),
        "facts": _facts(found),
        "runs": [_run(result) for result in results[:SHOWN_RESULTS]],
        "all_results_url": with_query(address("api-results"), pool=found.public_id)
        if len(results) > SHOWN_RESULTS
        else "",
        "set_url": address("compare-set", found.submission.public_id)
        if submissions_with_sets(result__submission=found.submission_id).exists()
        else "",
        "same": [(other, subject_of_pool(other).name) for other in same],
        "same_set_url": same_set_url(found) if same else "",
        "social": Social(
            subject.name,
            f"{format_count(len(results[:SHOWN_RESULTS]), 'result')} of a pool, with its logs and settings.",
            subject.url,
        ),
    }
    return render(request, "results/pools/page.html", context)


class Vdev(NamedTuple):
    """A vdev of the diagram: the disks that are drawn, and how many more it has."""

    type: str
    disks: range
    more: int


class VdevGroup(NamedTuple):
    """The vdevs of a role."""

    role: str
    vdevs: Sequence[Vdev]

    @property
    def label(self) -> str:
        return "Data" if self.role == _DATA else capfirst(ROLES.get(self.role, self.role))


class Diagram(NamedTuple):
    """A layout as pools/diagram.html draws it, and in words."""

    groups: Sequence[VdevGroup]
    text: str


def _diagram(found: Pool) -> Diagram | None:
    """None without a layout."""
    groups: dict[str, list[Vdev]] = {}
    for vdev in found.layout:
        members = vdev["members"] or 0
        drawn = Vdev(vdev["type"], range(min(members, SHOWN_DISKS)), max(0, members - SHOWN_DISKS))
        groups.setdefault(vdev["role"], []).append(drawn)
    data_first = sorted(groups.items(), key=lambda group: group[0] != _DATA)
    return Diagram([VdevGroup(*group) for group in data_first], _in_words(found)) if groups else None


def _in_words(found: Pool) -> str:
    """The layout for people who don't see the diagram: "Data: 2 mirrors of 2. Log device: mirror of 2."."""
    counts = Counter((vdev["role"], vdev["type"], vdev["members"]) for vdev in found.layout)
    parts: dict[str, list[str]] = {}
    for (role, kind, members), count in counts.items():
        parts.setdefault(role, []).append(describe_vdevs(kind, members, count))
    labels = {_DATA: "Data", **{role: capfirst(label) for role, label in ROLES.items()}}
    return " ".join(f"{labels.get(role, role)}: {', '.join(words)}." for role, words in parts.items())


def _why_no_logs(found: Pool) -> str:
    """What is known of log devices that nobody names."""
    if any(vdev["role"] == "log" for vdev in found.layout):
        return "It has one, but nobody states which model."
    return "None in this layout." if found.layout and not found.is_told else "Not stated."


def _facts(found: Pool) -> dict[str, str]:
    """The stated ones, by their labels."""
    stated = {label: found.properties.get(key, "") for key, label in POOL_PROPERTIES.items()}
    stated |= {"Operating system": found.platform, "OpenZFS": found.zfs_version}
    return {label: value for label, value in stated.items() if value}


class PoolRun(NamedTuple):
    """A result of the pool with its main figures."""

    result: Result
    method: str
    conditions: str
    figures: Sequence[Measure]
    date: str


def _run(result: Result) -> PoolRun:
    kind = kind_of(result.method)
    conditions = {
        **({"Order": result.pattern} if result.pattern else {}),
        **({"Load": writers_label(result.writers)} if result.writers else {}),
        **kind.conditions(kind.payload_of_result(result)),
    }
    return PoolRun(
        result,
        method_label(result.method),
        ", ".join(f"{label.lower()} {value}" for label, value in conditions.items() if value),
        measures(result.metrics, kind.metrics.values())[:2],
        date_of_result(result),
    )
