"""Who sent a result, which senders are vouched for, and which units of a device are independent of each other.

Serial numbers are easily invented, so a unit alone proves nothing: all units of a device that are known from one
sender only count as one. tests/results/ranking/test_senders.py holds SQL and Python here to the same answers.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple, Protocol

# Anonymous submissions from before senders were stored, and imported posts without an author's name: of each device
# all of these count as one sender's.
UNKNOWN_SENDER = "unknown"


class Origin(Protocol):
    """What a submission says of its sender."""

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
    """The same as values of a query: SENDER_FIELDS of a result, in this order."""

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


# sender_of, for a row of results_submission AS submission. Bytewise order is Python's.
SENDER_SQL = f"""
    CASE WHEN submission.owner_id IS NOT NULL THEN 'account ' || submission.owner_id
         WHEN submission.survey_id IS NOT NULL THEN 'source ' || split_part(submission.source_url, '#', 1)
         WHEN submission.sender_digest = '' THEN '{UNKNOWN_SENDER}'
         ELSE CASE WHEN submission.batch_id IS NULL THEN 'network ' ELSE 'author ' END || submission.sender_digest
    END COLLATE "C"
"""

# Somebody answers for it: a member, a published source, the moderator who imported it or the one who approved it.
VOUCHED_SQL = """
    (submission.owner_id IS NOT NULL OR submission.survey_id IS NOT NULL OR submission.batch_id IS NOT NULL
     OR submission.is_approved)
"""

# Good enough alone: published as raw output or a table, approved by a moderator, or a moderator's own.
CONFIRMED_SQL = """
    (submission.quality IN ('a', 'b') OR submission.is_approved
     OR coalesce(submission.owner_id IN (SELECT id FROM results_member WHERE is_staff), false))
"""


class Measured(NamedTuple):
    """Of one ranked result its unit, its sender and a value."""

    unit: str | bytes  # which one does not matter, only whether it is the same
    sender: str
    value: float


def unit_of(unit: str, sender: str) -> str:
    """The unit that a result is of: all results of a sender that name none are of one."""
    return unit or sender


def independent_units(results: Iterable[Measured]) -> list[list[float]]:
    """The values of results of one device and method, by independent unit.

    A unit belongs to the one of its senders who has the fewest units of this device, the lowest name where several
    have; what belongs to one sender is one independent unit. So there are never more of these than senders.
    """
    by_unit: dict[str | bytes, list[Measured]] = defaultdict(list)
    units_of: dict[str, set[str | bytes]] = defaultdict(set)
    for result in results:
        by_unit[result.unit].append(result)
        units_of[result.sender].add(result.unit)
    found: dict[str, list[float]] = defaultdict(list)
    for measured in by_unit.values():
        owner = min({one.sender for one in measured}, key=lambda sender: (len(units_of[sender]), sender))
        found[owner] += [one.value for one in measured]
    return [found[owner] for owner in sorted(found)]


# What the ranking has to know of each submission.
SENDERS_SQL = f"""
    SELECT id AS submission_id, {SENDER_SQL} AS sender, {VOUCHED_SQL} AS is_vouched, {CONFIRMED_SQL} AS is_confirmed
    FROM results_submission AS submission
"""  # noqa: S608 - our own expressions


def measured_sql(restriction: str, *, senders: str = f"({SENDERS_SQL})") -> str:
    """A query for ranked results, each with its unit, its sender and who answers for it.

    `restriction` is a condition on device_id, "" for all devices; `senders` may name a table that holds SENDERS_SQL.
    """
    return f"""
    SELECT device_id, method, measured_on, latency_us, zil_latency_us, peak_throughput_mib_s,
           CASE WHEN has_unit THEN ranking_unit ELSE convert_to(sender, 'UTF8') END AS unit,
           sender, is_vouched, is_confirmed
    FROM results_result JOIN {senders} AS sent USING (submission_id)
    WHERE is_ranked {restriction}
    """  # noqa: S608 - our own expressions


def independent_units_sql(name: str, measured: str) -> str:
    """Common table expressions that end in `name`: the rows of `measured`, each with its independent_unit.

    `measured` has device_id, method, unit, sender and is_vouched. `name` says of each row, too, whether any of its
    unit is vouched for. By windows and not by joins: PostgreSQL can't guess how many rows such a join finds.
    """
    return f"""
    {name}_numbered AS (
        SELECT *, dense_rank() OVER (PARTITION BY device_id, method, sender ORDER BY unit) AS number FROM {measured}
    ), {name}_counted AS (
        SELECT *, max(number) OVER (PARTITION BY device_id, method, sender) AS unit_count FROM {name}_numbered
    ), {name} AS (
        SELECT *, bool_or(is_vouched) OVER (PARTITION BY device_id, method, unit) AS is_unit_vouched,
               first_value(sender) OVER (
                   PARTITION BY device_id, method, unit ORDER BY unit_count, sender) AS independent_unit
        FROM {name}_counted
    )
    """  # noqa: S608 - our own expressions
