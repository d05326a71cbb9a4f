"""Senders of results, which results are vouched for, and which units of a device are independent.

Serial numbers are easily made up, so a unit alone proves nothing: all units of a device that come from a single
sender count as one. tests/results/ranking/test_senders.py checks that SQL and Python here give the same answers.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, NamedTuple, Protocol, TypeVar

from django.db.models import Q

# Anonymous submissions from before senders were stored, and imported posts without an author's name: they all count
# as one sender per device.
UNKNOWN_SENDER = "unknown"


class Origin(Protocol):
    """What a submission stores about its sender."""

    @property
    def owner_id(self) -> int | None: ...
    @property
    def survey_id(self) -> str | None: ...
    @property
    def source_url(self) -> str: ...
    @property
    def batch_id(self) -> int | None: ...
    @property
    def sender_digest(self) -> str: ...


class Sent(NamedTuple):
    """The same as query values: SENDER_FIELDS of a result, in this order."""

    owner_id: int | None
    survey_id: str | None
    source_url: str
    batch_id: int | None
    sender_digest: str


SENDER_FIELDS = tuple(f"submission__{name}" for name in Sent._fields)


def sender_of(origin: Origin) -> str:
    """The account, the published source, the author of an imported post, or the network on that day."""
    if origin.owner_id is not None:
        return f"account {origin.owner_id}"
    if origin.survey_id is not None:
        return f"source {origin.source_url.partition('#')[0]}"
    if not origin.sender_digest:
        return UNKNOWN_SENDER
    return f"{'network' if origin.batch_id is None else 'author'} {origin.sender_digest}"


# sender_of for a row of results_submission AS submission. The collation sorts by bytes, like Python.
SENDER_SQL = f"""
    CASE WHEN submission.owner_id IS NOT NULL THEN 'account ' || submission.owner_id
         WHEN submission.survey_id IS NOT NULL THEN 'source ' || split_part(submission.source_url, '#', 1)
         WHEN submission.sender_digest = '' THEN '{UNKNOWN_SENDER}'
         ELSE CASE WHEN submission.batch_id IS NULL THEN 'network ' ELSE 'author ' END || submission.sender_digest
    END COLLATE "C"
"""

# Someone is accountable: a member, a published source, or the moderator who imported or approved it.
VOUCHED_SQL = """
    (submission.owner_id IS NOT NULL OR submission.survey_id IS NOT NULL OR submission.batch_id IS NOT NULL
     OR submission.is_approved)
"""

# The same for a query for results.
VOUCHED = (
    Q(submission__owner__isnull=False)
    | Q(submission__survey_id__isnull=False)
    | Q(submission__batch__isnull=False)
    | Q(submission__is_approved=True)
)

# Enough by itself: published as raw output or a table, approved by a moderator, or a moderator's own.
CONFIRMED_SQL = """
    (submission.quality IN ('a', 'b') OR submission.is_approved
     OR coalesce(submission.owner_id IN (SELECT id FROM results_member WHERE is_staff), false))
"""


T = TypeVar("T")


class Measured(NamedTuple, Generic[T]):
    """The unit, the sender and a value of one ranked result, or of several."""

    unit: str | bytes  # only compared for equality
    sender: str
    value: T


def unit_of(unit: str, sender: str) -> str:
    """The unit of a result; all results of a sender without a serial number are one unit."""
    return unit or sender


def independent_units(results: Iterable[Measured[T]]) -> list[list[T]]:
    """The values of results of one device and method, by independent unit.

    A unit belongs to whichever of its senders has the fewest units of this device (the lowest name in a tie); all
    units of one sender are one independent unit. So there are never more independent units than senders.
    """
    by_unit: dict[str | bytes, list[Measured[T]]] = defaultdict(list)
    units_of: dict[str, set[str | bytes]] = defaultdict(set)
    for result in results:
        by_unit[result.unit].append(result)
        units_of[result.sender].add(result.unit)
    found: dict[str, list[T]] = defaultdict(list)
    for measured in by_unit.values():
        owner = min({one.sender for one in measured}, key=lambda sender: (len(units_of[sender]), sender))
        found[owner] += [one.value for one in measured]
    return [found[owner] for owner in sorted(found)]


# What the ranking needs to know about each submission.
SENDERS_SQL = f"""
    SELECT id AS submission_id, {SENDER_SQL} AS sender, {VOUCHED_SQL} AS is_vouched, {CONFIRMED_SQL} AS is_confirmed
    FROM results_submission AS submission
"""  # noqa: S608 - our own expressions


def measured_sql(restriction: str, *, senders: str = f"({SENDERS_SQL})") -> str:
    """A query for ranked results, each with its unit, its sender and whether it is vouched for.

    `restriction` is a condition on device_id, "" for all devices; `senders` may name a table that holds SENDERS_SQL.
    """
    return f"""
    SELECT device_id, measured_by AS method, firmware_id, measured_on, latency_us, metrics,
           CASE WHEN has_unit THEN ranking_unit ELSE convert_to(sender, 'UTF8') END AS unit,
           sender, is_vouched, is_confirmed
    FROM results_result JOIN {senders} AS sent USING (submission_id)
    WHERE is_ranked {restriction}
    """  # noqa: S608 - our own expressions


def independent_units_sql(name: str, measured: str, *, by: str = "device_id, method") -> str:
    """Common table expressions ending in `name`: the rows of `measured`, each with its independent_unit.

    `measured` has unit, sender, is_vouched and the columns `by`, whose units are counted apart. `name` also says
    whether any row of the same unit is vouched for. Windows instead of joins: PostgreSQL can't estimate how many
    rows such a join returns.
    """
    return f"""
    {name}_numbered AS (
        SELECT *, dense_rank() OVER (PARTITION BY {by}, sender ORDER BY unit) AS number FROM {measured}
    ), {name}_counted AS (
        SELECT *, max(number) OVER (PARTITION BY {by}, sender) AS unit_count FROM {name}_numbered
    ), {name} AS (
        SELECT *, bool_or(is_vouched) OVER (PARTITION BY {by}, unit) AS is_unit_vouched,
               first_value(sender) OVER (
                   PARTITION BY {by}, unit ORDER BY unit_count, sender) AS independent_unit
        FROM {name}_counted
    )
    """  # noqa: S608 - our own expressions
