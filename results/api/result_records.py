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
from results.models.choices import DataContent, KernelCache, Origin, Pattern, SubjectKind
from results.models.result import CONDITION_FIELDS

RESULT_FIELDS = (
    *("id", "public_id", "device_id", "device__slug", "device__device_class", "pool__public_id"),
    *("firmware__version", "method", "is_complete", "is_ranked", "not_ranked_reason", "flags", "measured_on"),
    *("submission__public_id", "submission__survey_id", "submission__posted_on", "submission__created_at"),
    *("submission__source_url", "metrics"),
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

    @classmethod
    def of(cls, source: Any, /, **given: Any) -> Row:
        method = source["method"]
        measured = cls.of_run(method, source["metrics"], kind_of(method).payload_of(source))
        return {**super().of(source, **given), **measured}


class ConditionsRecord(Record):
    """How and on what it was measured; null or empty if the text does not state it."""

    first = CONDITION_FIELDS

    path: str = field("of the disk in the system")
    platform: str = field("the operating system")
    attachment: str = field("its driver or controller")
    sector_size: int | None = field("bytes")
    write_cache_enabled: bool | None = field("whether its write cache was on")
    has_volatile_cache: bool | None = field("whether the device has a volatile write cache (NVMe's VWC)")
    kernel_write_cache: KernelCache | None = field(
        "what the kernel believes about the cache: it sends no flush to one that writes through"
    )
    has_fua: bool | None = field("whether the kernel uses FUA")
    protection_fault: str | None = field("a power-loss protection fault that the device reports, as printed")
    sync_method: str | None = field(
        "how fio synced: sync, dsync, fsync or fdatasync; none if nothing was flushed"
    )
    data_content: DataContent | None = field("what fio wrote")
    pattern: Pattern | None = field("the order of fio's writes")
    is_direct: bool | None = field("whether fio bypassed the page cache")
    block_align: int | None = field("alignment of the offsets of fio's writes, in bytes")
    power_on_hours: int | None = field("its power-on hours")
    percentage_used: int | None = field(
        "used endurance, as a tool states it", lambda row: None if row["wear_source"] else row["wear_percent"]
    )
    wear_percent: int | None = field("the same, else from a SMART attribute")
    wear_source: str | None = field("the attribute that wear_percent is derived from")
    raw_wear: str | None = field("printed attributes from which no wear could be derived")
    host_bytes_written: int | None = field(
        "what hosts had written to it, in bytes", to=lambda written: None if written is None else int(written)
    )
