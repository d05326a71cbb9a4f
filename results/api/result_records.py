"""Records of results: `result_record` in results/api/rows.py fills them."""

from datetime import date, datetime

from parsers.base.device_class import DeviceClass
from results.api.records import MeasuredRecord, NoticeRecord
from results.core.record import Record, Url, field
from results.kinds.flags import Effect
from results.models.choices import DataContent, KernelCache, Origin, Pattern, Quality, State, SubjectKind


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

    subject: SubjectKind = field("what it is about")
    device_class: DeviceClass | None = field("null for a pool")
    firmware_version: str | None = field("null if it isn't stated")
    is_complete: bool = field("every block size was measured")
    is_ranked: bool = field("it counts in the ranking")
    not_ranked_reason: str = field("empty if it counts")
    flags: list[FlagRecord] = field("reasons to doubt it")
    measured_on: date | None = field("by the text or its sender, or null")


class ResultRecord(RunRecord):
    """One benchmark run of one unit."""

    id: str = field("its id")
    url: Url = field("its page for people")
    submission: str = field("the id of the submission that it was read from")
    device: str | None = field("the device's slug; null for a pool")
    pool: str | None = field("the pool's id; null for a device")
    submitted_at: datetime | None = field("null if it was published elsewhere")
    posted_on: date | None = field("the day it was published elsewhere, or null")
    origin: Origin = field("published_elsewhere: a figure from the page at source_url, not from a text")
    source_url: str = field("where it was published, or empty")


class ConditionsRecord(Record):
    """How and on what it was measured; null or empty if the text does not state it."""

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
    percentage_used: int | None = field("used endurance, as a tool states it")
    wear_percent: int | None = field("the same, else from a SMART attribute")
    wear_source: str | None = field("the attribute that wear_percent is derived from")
    raw_wear: str | None = field("printed attributes from which no wear could be derived")
    host_bytes_written: int | None = field("what hosts had written to it, in bytes")


class AlsoPostedRecord(Record):
    """Another result of the same run."""

    id: str = field("its id")
    url: Url = field("its page for people")
    source_url: str = field("where it was published, or empty")


class ResultDetailRecord(ResultRecord):
    """A run with its conditions and the kept text that it was read from."""

    state: State = field("its state")
    state_reason: str = field("the moderator's reason, or empty")
    figure: str = field("as the source of a published figure states it; empty for others")
    precision_percent: int | None = field("how far off the latency computed from `figure` may be")
    quality: Quality | None = field(
        "quality of the source of published figures: a raw output, b table, c sentence; null for others"
    )
    forum_handle: str = field("who measured it, or empty")
    parser_version: str = field("of the parsers that read it")
    conditions: ConditionsRecord = field("the conditions under which it was measured")
    note: str = field("the sender's note about the submission")
    notes: str = field("the owner's notes")
    told_conditions: dict[str, str] = field("conditions stated by the owner, not by the text")
    also_posted: list[AlsoPostedRecord] = field("the same run in other submissions; it counts once")
    notices: list[NoticeRecord] = field("the parsers' notices")
    text: str = field("the lines that we read, masked")
