"""Records of submissions, and of what a text would become."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from parsers.base.device_class import DeviceClass
from parsers.base.readings import ParsedPaste
from results.api.records import (
    PLP_PROBABLY,
    TIER_CHOICES,
    DescribedPoolRecord,
    LeftOutLinesRecord,
    LeftOutRecord,
    NoticeRecord,
    page_of_object,
)
from results.api.result_records import ConditionsRecord, FlagRecord, ResultRecord, RunRecord
from results.catalogue.matching.devices import class_with
from results.core.addresses import class_url, full_url
from results.core.paging import page_count
from results.core.record import Record, Row, Url, field, null_if_empty
from results.kinds.envelope import Run
from results.kinds.registry import kind_of
from results.models import Device, Product, Submission
from results.models.choices import Board, Plp, State, SubjectKind
from results.models.submission import split_notices
from results.ranking.standing import Estimate, Rank
from results.ranking.tiers import tiers_of
from results.submissions.form.preview import estimate_run
from results.submissions.text.sent_lines import sent_left_out, sent_notices


class RankRecord(Record):
    """A device's rank in its class with this run included, and the range of places by the intervals."""

    first = ("board", "device_class", "device_count")

    rank: int = field("the rank by the upper end of the interval, from 1")
    first_possible: int = field("the best rank possible within the intervals")
    last_possible: int = field("the worst rank possible within the intervals")
    device_count: int = field("devices of the class on this board, including this one")
    device_class: DeviceClass = field("its class")
    board: Board = field("sync_write ranks by 4 KiB latency, zil by 4 to 128 KiB")
    leaderboard_url: Url = field(
        "the page of the leaderboard that the device is on",
        lambda rank: full_url(class_url(rank.device_class, page=page_count(rank.rank))),
    )


class SubmittedResultRecord(ResultRecord):
    """A run with the rank of its device; null if it is not ranked."""

    rank: RankRecord | None = field("the rank of its device; null where it is not ranked")


class SubmissionRecord(Record):
    """The state of a paste. Its results are shown while it is published."""

    run_count: int = field("runs in the text: those in `results` and those left out")
    left_out: list[LeftOutRecord] = field("runs that aren't published")
    id: str = field("its id", "public_id")
    url: Url = field("the page of its first result", page_of_object)
    state: State = field("its state")
    results: list[SubmittedResultRecord] = field("its runs, in the order of the text")
    notices: list[NoticeRecord] = field("the parsers' notices")
    note: str = field("the sender's note about the submission")


def submission_record(submission: Submission, rows: Sequence[Row], ranks: Mapping[int, Rank]) -> Row:
    """The submission with the results of these rows of RESULT_FIELDS, and ranks by device."""
    found = [row["is_ranked"] and ranks.get(row["device_id"]) for row in rows]
    notices, left_out = split_notices(submission.notices)
    return SubmissionRecord.of(
        submission,
        run_count=len(rows) + len(left_out),
        left_out=left_out,
        results=[
            {**ResultRecord.of(row), "rank": RankRecord.of(rank) if rank else None}
            for row, rank in zip(rows, found, strict=True)
        ],
        notices=notices,
    )


def hidden_record(record: Row) -> Row:
    """The record without the fields of published submissions."""
    return {**record, "run_count": 0, "left_out": [], "results": [], "notices": [], "note": ""}


class ReceivedRecord(SubmissionRecord):
    """The answer to a paste."""

    left_out_lines: list[LeftOutLinesRecord] = field("lines that aren't stored")
    is_new: bool = field("false if the same text was already submitted")
    claim_token: str = field("makes its holder the owner; shown once, and empty for a member's submission")


class FoundLogRecord(Record):
    """A log device that the text describes."""

    model_name: str = field("as the device reports it")
    capacity_bytes: int | None = field("in bytes; null if not stated")


class FoundPoolRecord(DescribedPoolRecord):
    """The pool of a run, as the text or its sender describes it. Its name is never stored."""

    first = ("position",)

    position: int = field("among the pools of the text, from 1")
    log_devices: list[FoundLogRecord] = field("those that the text describes", "logs")


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run that was found in a text, and is not stored; `device` is None for a run of a pool."""

    run: Run
    device: Device | None
    paste: ParsedPaste
    estimate: Estimate | None  # None if it has no rank

    @property
    def product(self) -> Product | None:
        return self.device.product if self.device else None

    @property
    def device_class(self) -> str | None:
        return class_with(self.device, self.run) if self.device else None

    @property
    def metrics(self) -> Mapping[str, float]:
        return kind_of(self.run.method).compute(self.run.payload)

    @property
    def rank(self) -> Rank | None:
        if self.estimate is None or self.device_class is None:
            return None
        place, count = self.estimate.place, self.estimate.device_count
        places = place.rank, place.first_possible, place.last_possible
        return Rank(Board.SYNC_WRITE, self.device_class, count, *places)


def _found_conditions(found: FoundRun) -> Row:
    stated = {"percentage_used": found.run.percentage_used}
    return {**stated, **ConditionsRecord.of(found.run, **stated)}


class FoundRunRecord(RunRecord):
    """A run that was found in a text, and is not stored."""

    first = (
        *("subject", "pool", "model_name", "vendor", "capacity_bytes", "device_class", "firmware_version"),
        *("product", "plp", "is_complete", "is_ranked", "not_ranked_reason", "flags", "measured_on"),
    )

    subject: SubjectKind = field(
        source=lambda found: SubjectKind.POOL if found.run.pool else SubjectKind.DEVICE
    )
    device_class: DeviceClass | None = field(source="device_class")
    firmware_version: str | None = field(source="run.firmware_version", to=null_if_empty)
    is_complete: bool = field(source="run.is_complete")
    is_ranked: bool = field(source="run.is_ranked")
    not_ranked_reason: str = field(source="run.not_ranked_reason")
    flags: list[FlagRecord] = field(source=lambda found: [flag.stored for flag in found.run.flags], to=list)
    measured_on: date | None = field(source="run.measured_on")
    model_name: str = field("as the device reports it; empty for a pool", "run.model_name")
    vendor: str = field(
        "empty where it isn't known",
        lambda found: found.product.vendor.name if found.product else found.run.vendor,
    )
    capacity_bytes: int | None = field("bytes; null where it isn't known", "run.capacity_bytes")
    product: str | None = field("the slug of its product in the catalogue", "product.slug")
    plp: Plp = field(
        "power-loss protection, by the catalogue", "product.plp", to=lambda plp: plp or Plp.UNKNOWN
    )
    plp_probably: bool = field(PLP_PROBABLY, "product.is_probably_protected", to=bool)
    pool: FoundPoolRecord | None = field("what it is about, if not a device", "run.pool")
    conditions: ConditionsRecord = field(
        "the conditions under which it was measured", _found_conditions, to=dict
    )
    first_line: int | None = field(
        "its first line, from 1", lambda found: found.paste.sent_line(found.run.first_line)
    )
    last_line: int | None = field("its last line", lambda found: found.paste.sent_line(found.run.last_line))
    board: Board | None = field(
        "the board of its tier and rank; null if it lacks the figure that a board ranks by",
        lambda found: (
            Board.SYNC_WRITE
            if kind_of(found.run.method).ranked_by.get(Board.SYNC_WRITE) in found.metrics
            else None
        ),
    )
    tier: list[str] = field(
        "the tiers that the interval of this run alone spans, best first; empty if it isn't ranked",
        lambda found: found.estimate and tiers_of(found.estimate.span.low, found.estimate.span.high),
        to=lambda tiers: [tier.key for tier in tiers or ()],
        choices=TIER_CHOICES,
    )
    rank: RankRecord | None = field("the rank that this run alone would have")

    @classmethod
    def of(cls, source: Any, /, **given: Any) -> Row:
        record = super().of(source, **given)
        ranked = {name: record.pop(name) for name in ("board", "tier", "rank")}
        run = source.run
        return {**record, **cls.for_run(str(run.method), source.metrics, run.payload), **ranked}


class ParsedRecord(Record):
    """The readings of a text, and what would be published of it."""

    run_count: int = field("runs in the text: those in `runs` and those left out", "found.count")
    left_out: list[LeftOutRecord] = field(
        "runs that aren't published", lambda preview: sent_left_out(preview.paste, preview.found.left_out)
    )
    left_out_lines: list[LeftOutLinesRecord] = field("lines that aren't stored", "paste.left_out_lines")
    parser_version: str = field("of the parsers that read it", "paste.parser_version")
    runs: list[FoundRunRecord] = field(
        "the runs that would be published",
        lambda preview: (
            FoundRun(run, device, preview.paste, estimate_run(run, device) if device else None)
            for run, device in zip(preview.found.runs, preview.devices, strict=True)
        ),
    )
    notices: list[NoticeRecord] = field(
        "the parsers' notices", lambda preview: sent_notices(preview.paste, preview.found)
    )
    text: str = field("the text as it would be stored and shown: only what we can read, masked", "paste.text")
    note: str = field("the note as it would be stored and shown")
