"""Records of runs and results, and the columns that they are made of."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, ClassVar

from parsers.base.device_class import DeviceClass
from results.api.records import MeasuredRecord, page_of
from results.core.record import Record, Row, Url, field
from results.kinds.flags import Effect
from results.kinds.registry import KINDS, kind_of
from results.kinds.result_kind import SHARED_COLUMNS
from results.models import Result
from results.models.choices import Origin, SubjectKind
from results.models.conditions import CONDITION_FIELDS, SYNC_METHODS

RESULT_FIELDS = (
    *("id", "public_id", "device_id", "device__slug", "device__device_class", "pool__public_id"),
    *("firmware__version", "method", "is_complete", "is_ranked", "not_ranked_reason", "flags", "measured_on"),
    *("submission__public_id", "submission__survey_id", "submission__posted_on", "submission__created_at"),
    *("submission__source_url", "metrics", "changed_at"),
    *(lookup for kind in KINDS.values() for lookup in kind.lookups),
    *SHARED_COLUMNS,
)


class FlagRecord(Record):
    """A reason to doubt a run."""

    code: str = field("a stable code for programs")
    effect: Effect = field(
        "noted: shown beside the figure; not_ranked: no rank and no recommendation; "
        "waits: not ranked until a moderator approves it"
    )
    message: str = field("for people to read")


class RunRecord(MeasuredRecord):
    """One benchmark run of one unit or pool."""

    subject: SubjectKind = field(
        "what it is about",
        "pool__public_id",
        to=lambda pool: SubjectKind.DEVICE if pool is None else SubjectKind.POOL,
    )
    device_class: DeviceClass | None = field("null for a pool", "device__device_class")
    firmware_version: str | None = field("null if it isn't stated", "firmware__version")
    is_complete: bool = field("every block size was measured")
    is_ranked: bool = field("it counts in the ranking")
    not_ranked_reason: str = field("empty if it counts")
    flags: list[FlagRecord] = field("reasons to doubt it", to=list)
    measured_on: date | None = field("by the text or its sender, or null")


class ResultRecord(RunRecord):
    """One benchmark run of one unit."""

    first: ClassVar[Sequence[str]] = ("id", "url", "submission", "subject", "device", "pool")

    id: str = field("its id", "public_id")
    url: Url = field("its page for people", "public_id", to=page_of("result"))
    submission: str = field("the id of the submission that it was read from", "submission__public_id")
    device: str | None = field("the device's slug; null for a pool", "device__slug")
    pool: str | None = field("the pool's id; null for a device", "pool__public_id")
    submitted_at: datetime | None = field(
        "null if it was published elsewhere",
        lambda row: None if row["submission__survey_id"] else row["submission__created_at"],
    )
    posted_on: date | None = field("the day it was published elsewhere, or null", "submission__posted_on")
    origin: Origin = field(
        "published_elsewhere: a figure from the page at source_url, not from a text",
        "submission__survey_id",
        to=lambda survey: Origin.SUBMITTED_HERE if survey is None else Origin.PUBLISHED_ELSEWHERE,
    )
    source_url: str = field("where it was published, or empty", "submission__source_url")
    changed_at: datetime = field("when any of its fields last changed, except parser_version and also_posted")

    @classmethod
    def of(cls, source: Any, /, **given: Any) -> Row:
        method = source["method"]
        measured = cls.for_run(method, source["metrics"], kind_of(method).payload_of(source))
        return {**super().of(source, **given), **measured}


class ConditionsRecord(Record):
    """How and on what it was measured; null or empty if the text does not state it."""

    table = Result
    columns = CONDITION_FIELDS
    first = CONDITION_FIELDS

    sync_method: str | None = field(
        f"How fio synced each write: {', '.join(SYNC_METHODS)} (it flushed nothing)."
    )
    percentage_used: int | None = field(
        "Used endurance in %, as a tool states it.",
        lambda row: None if row["wear_source"] else row["wear_percent"],
    )
    host_bytes_written: int | None = field(to=lambda written: None if written is None else int(written))
