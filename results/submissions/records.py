"""Records of submissions, and of what a text would become."""

from collections.abc import Mapping, Sequence

from parsers.base.device_class import DeviceClass
from results.api.records import (
    TIER_CHOICES,
    DescribedPoolRecord,
    LeftOutLinesRecord,
    LeftOutRecord,
    NoticeRecord,
    page_of_object,
)
from results.api.result_records import ConditionsRecord, ResultRecord, RunRecord
from results.core.addresses import class_url, full_url, page_count
from results.core.record import Record, Row, Url, field
from results.models import Submission
from results.models.choices import Board, Plp, State
from results.models.submission import split_notices
from results.ranking.standing import Rank


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


class FoundRunRecord(RunRecord):
    """A run that was found in a text, and is not stored."""

    model_name: str = field("as the device reports it; empty for a pool")
    vendor: str = field("empty where it isn't known")
    capacity_bytes: int | None = field("bytes; null where it isn't known")
    product: str | None = field("the slug of its product in the catalogue")
    plp: Plp = field("power-loss protection, by the catalogue")
    pool: FoundPoolRecord | None = field("what it is about, if not a device")
    conditions: ConditionsRecord = field("the conditions under which it was measured")
    first_line: int | None = field("its first line, from 1")
    last_line: int | None = field("its last line")
    board: Board | None = field(
        "the board of its tier and rank; null if it lacks the figure that a board ranks by"
    )
    tier: list[str] = field(
        "the tiers that the interval of this run alone spans, best first; empty if it isn't ranked",
        choices=TIER_CHOICES,
    )
    rank: RankRecord | None = field("the rank that this run alone would have")


class ParsedRecord(Record):
    """The readings of a text, and what would be published of it."""

    run_count: int = field("runs in the text: those in `runs` and those left out")
    left_out: list[LeftOutRecord] = field("runs that aren't published")
    left_out_lines: list[LeftOutLinesRecord] = field("lines that aren't stored")
    parser_version: str = field("of the parsers that read it")
    runs: list[FoundRunRecord] = field("the runs that would be published")
    notices: list[NoticeRecord] = field("the parsers' notices")
    text: str = field("the text as it would be stored and shown: only what we can read, masked")
    note: str = field("the note as it would be stored and shown")
