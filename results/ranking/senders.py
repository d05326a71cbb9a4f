"""Senders of results, which results are vouched for, and which units of a device are independent.

Serial numbers are easily made up, so a unit alone proves nothing: all units of a device that come from one person
count as one. Senders who share an account, or a network on the same day, are one person.
tests/results/ranking/test_senders.py checks that SQL and Python here give the same answers.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from results.models.choices import State
from results.models.fields import SLOT_4K
from results.models.result import ResultQuerySet

LINKS = 2  # how often accounts and networks are followed to find the senders that are one person
AGREEMENT = 2.0  # a member's result within this factor of an accountable one of the device is vouched for
# Anonymous submissions from before senders were stored, and imported posts without an author's name: they all count
# as one sender per device.
UNKNOWN_SENDER = "unknown"


class SenderOrigin(Protocol):
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


def sender_of(origin: SenderOrigin) -> str:
    """The account, the published source, the author of an imported post, or the network on that day."""
    if origin.owner_id is not None:
        return f"account {origin.owner_id}"
    if origin.survey_id is not None:
        return f"source {origin.source_url.partition('#')[0]}"
    if not origin.sender_digest:
        return UNKNOWN_SENDER
    return f"{'network' if origin.batch_id is None else 'author'} {origin.sender_digest}"


def network_of(origin: SenderOrigin) -> str:
    """The network that it was sent from on that day, for members, too; the sender if it isn't known."""
    is_known = origin.sender_digest and origin.batch_id is None
    return f"network {origin.sender_digest}" if is_known else sender_of(origin)


# sender_of for a row of results_submission AS submission. The collation sorts by bytes, like Python.
SENDER_SQL = f"""
    CASE WHEN submission.owner_id IS NOT NULL THEN 'account ' || submission.owner_id
         WHEN submission.survey_id IS NOT NULL THEN 'source ' || split_part(submission.source_url, '#', 1)
         WHEN submission.sender_digest = '' THEN '{UNKNOWN_SENDER}'
         ELSE CASE WHEN submission.batch_id IS NULL THEN 'network ' ELSE 'author ' END || submission.sender_digest
    END COLLATE "C"
"""

# network_of for such a row.
NETWORK_SQL = f"""
    CASE WHEN submission.sender_digest <> '' AND submission.batch_id IS NULL
         THEN 'network ' || submission.sender_digest ELSE {SENDER_SQL} END COLLATE "C"
"""

# The same as SubmissionQuerySet.accountable.
_KNOWN_MEMBERS_SQL = f"""
    SELECT id FROM results_member WHERE is_staff
    UNION SELECT owner_id FROM results_submission
    WHERE is_approved AND state = '{State.PUBLISHED}' AND owner_id IS NOT NULL
"""  # noqa: S608 - our own values
VOUCHED_SQL = f"""
    (submission.survey_id IS NOT NULL OR submission.batch_id IS NOT NULL OR submission.is_approved
     OR coalesce(submission.owner_id IN ({_KNOWN_MEMBERS_SQL}), false))
"""


# Enough by itself: published as raw output or a table, approved by a moderator, or a moderator's own.
CONFIRMED_SQL = """
    (submission.quality IN ('a', 'b') OR submission.is_approved
     OR coalesce(submission.owner_id IN (SELECT id FROM results_member WHERE is_staff), false))
"""


T = TypeVar("T")


class Measured(NamedTuple, Generic[T]):
    """The unit, the sender, the network and a value of one result."""

    unit: str | bytes  # only compared for equality
    sender: str
    network: str
    value: T


class Candidate(NamedTuple):
    """A result's figure, and what determines whether it counts."""

    result_id: int
    method: str
    measured: Measured[float]
    is_members: bool
    is_accountable: bool


def candidates_by_device(results: ResultQuerySet, figure: str) -> dict[int, list[Candidate]]:
    """The results by device; `figure` is the path to a positive value of each. One query."""
    rows = results.with_accountable().values_list(
        "device_id", "pk", "method", figure, "has_unit", "ranking_unit", "is_accountable", *SENDER_FIELDS
    )
    found: dict[int, list[Candidate]] = defaultdict(list)
    for device_id, key, method, value, has_unit, unit, is_accountable, *sent in rows:
        origin = Sent(*sent)
        sender = sender_of(origin)
        measured = Measured(unit if has_unit else sender, sender, network_of(origin), value)
        found[device_id].append(Candidate(key, method, measured, origin.owner_id is not None, is_accountable))
    return found


def counted(results: Sequence[Candidate], among: Sequence[Candidate] = ()) -> list[Candidate]:
    """The vouched results of a device by one method; all results if none is vouched for.

    `among` are the device's results by all methods, if there are others: members' results may agree with these, too.
    """
    sure = [result.measured.value for result in among or results if result.is_accountable]

    def is_vouched(measured: Candidate) -> bool:
        value = measured.measured.value
        agrees = any(value / AGREEMENT <= other <= value * AGREEMENT for other in sure)
        return measured.is_accountable or (measured.is_members and agrees)

    return [result for result in results if is_vouched(result)] or list(results)


def unit_of(unit: str, sender: str) -> str:
    """The unit of a result; all results of a sender without a serial number are one unit."""
    return unit or sender


def independent_units(results: Iterable[Measured[T]]) -> list[list[T]]:
    """The values of results of one device and method, by independent unit.

    A unit belongs to whichever of its senders has the fewest units of this device (the lowest name in a tie); all
    units of one person are one independent unit. So there are never more independent units than people.
    """
    measured = list(results)
    by_unit: dict[str | bytes, list[tuple[str, T]]] = defaultdict(list)
    units_of: dict[str, set[str | bytes]] = defaultdict(set)
    for result, person in zip(measured, _people(measured), strict=True):
        by_unit[result.unit].append((person, result.value))
        units_of[person].add(result.unit)
    found: dict[str, list[T]] = defaultdict(list)
    for for_unit in by_unit.values():
        owner = min({person for person, _ in for_unit}, key=lambda person: (len(units_of[person]), person))
        found[owner] += [value for _, value in for_unit]
    return [found[owner] for owner in sorted(found)]


def _people(measured: Sequence[Measured[Any]]) -> list[str]:
    """For each result, the lowest name among the senders that accounts and networks link it to in four steps.

    Whoever has enough accounts and networks for a longer chain doesn't need to share any.
    """
    people = [result.sender for result in measured]
    for _ in range(LINKS):
        for column in ("network", "sender"):
            lowest: dict[str, str] = {}
            for result, person in zip(measured, people, strict=True):
                key = getattr(result, column)
                lowest[key] = min(person, lowest.get(key, person))
            people = [lowest[getattr(result, column)] for result in measured]
    return people


# What the ranking needs to know about each submission.
SENDERS_SQL = f"""
    SELECT id AS submission_id, {SENDER_SQL} AS sender, {NETWORK_SQL} AS network, owner_id IS NOT NULL AS is_members,
           {VOUCHED_SQL} AS is_accountable, {CONFIRMED_SQL} AS is_confirmed, figure_digits
    FROM results_submission AS submission
"""  # noqa: S608 - our own expressions


def measured_sql(restriction: str, *, senders: str = f"({SENDERS_SQL})") -> str:
    """A query for ranked results, each with its unit, sender, network, digits and whether it is vouched for.

    `restriction` is a condition on device_id, "" for all devices; `senders` may name a table that holds SENDERS_SQL.
    A member's result is vouched for, too, if its 4 KiB latency is within AGREEMENT of an accountable one of the
    device, by any method. It is enough to compare it with the next higher and the next lower of these.
    """
    return f"""
    SELECT device_id, measured_by AS method, firmware_id, measured_on, latency_us, metrics,
           CASE WHEN has_unit THEN ranking_unit ELSE convert_to(sender, 'UTF8') END AS unit, sender, network,
           is_accountable OR is_members AND coalesce(
               figure <= {AGREEMENT} * max(figure) FILTER (WHERE is_accountable) OVER (
                   PARTITION BY device_id ORDER BY figure), false
           ) OR is_members AND coalesce(
               min(figure) FILTER (WHERE is_accountable) OVER (
                   PARTITION BY device_id ORDER BY figure DESC) <= {AGREEMENT} * figure, false
           ) AS is_vouched, is_accountable, is_confirmed, figure_digits
    FROM results_result JOIN {senders} AS sent USING (submission_id)
    CROSS JOIN LATERAL (SELECT latency_us[{SLOT_4K + 1}] AS figure) AS measured
    WHERE is_ranked {restriction}
    """  # noqa: S608 - our own expressions


def independent_units_sql(name: str, measured: str, *, by: str = "device_id, method") -> str:
    """Common table expressions ending in `name`: the rows of `measured`, each with its independent_unit.

    `measured` has unit, sender, network and the columns `by`, whose units are counted apart. Windows instead of
    joins: PostgreSQL can't estimate how many rows such a join returns.
    """
    person, linked = "sender", []
    for step in range(2 * LINKS):
        column = ("network", "sender")[step % 2]
        source = f"{name}_linked_{step - 1}" if step else measured
        linked.append(
            f"""{name}_linked_{step} AS (
        SELECT *, min({person}) OVER (PARTITION BY {by}, {column}) AS person_{step} FROM {source})"""  # noqa: S608 - our own expressions
        )
        person = f"person_{step}"
    return f"""
    {", ".join(linked)}, {name}_numbered AS (
        SELECT *, dense_rank() OVER (PARTITION BY {by}, {person} ORDER BY unit) AS number
        FROM {name}_linked_{2 * LINKS - 1}
    ), {name}_counted AS (
        SELECT *, max(number) OVER (PARTITION BY {by}, {person}) AS unit_count FROM {name}_numbered
    ), {name} AS (
        SELECT *, first_value({person}) OVER (
                   PARTITION BY {by}, unit ORDER BY unit_count, {person}) AS independent_unit
        FROM {name}_counted
    )
    """  # noqa: S608 - our own expressions
