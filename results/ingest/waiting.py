"""Bulk imports: texts are masked and stored at once, and read by workers in batches.

A worker takes a batch (results.ingest.taken) and reads it, so that no two read the same and a text that kills its
reader is known by its attempts: after a failure it is read with few others, then alone, and after ATTEMPTS it is held
with the reason.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import islice
from typing import TypeVar

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, transaction

from parsers.base.format import ParseError
from parsers.classify.rules import Catalogue
from parsers.paste import read_masked
from parsers.privacy.mask import redact
from parsers.text.decode import decode
from results.catalogue.match import class_catalogue
from results.ingest.counted import Tally
from results.ingest.digests import digest_text
from results.ingest.match import make_missing_devices
from results.ingest.read import Reading, store_readings, take_reading
from results.ingest.receive import PasteTooLongError, check_size
from results.ingest.rows import save_what_was_read
from results.ingest.taken import Batch, end_batch, keep_batch, note_failure, take_batch
from results.models import ImportBatch, Submission
from results.models.choices import State
from results.models.submission import split_notices
from results.ranking.places import Board

BATCH = 1000
RANKED = 1  # by so many results a device waits for more of the import
NO_RUN = "There is no run in it."
FAULTS = (  # of a text, or of a reader that meets it; what else is raised ends the batch, as running out of time does
    ArithmeticError,
    AssertionError,
    AttributeError,
    DatabaseError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
Done = TypeVar("Done")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One text to be brought in, and what is known of where it is from."""

    text: str | bytes
    forum_handle: str = ""
    source_url: str = ""
    sender_digest: str = ""
    posted_on: date | None = None


def store_texts(texts: Iterable[Text], batch: ImportBatch) -> int:
    """Mask and store the texts for the workers; how many are new. A text that is known is passed over.

    It can be stopped and made again at any time. What is no text, or too long, is passed over, too.
    """
    stored, rest = 0, iter(texts)
    while some := list(islice(rest, BATCH)):
        rows = {row.text_digest: row for one in some if (row := _masked(one, batch)) is not None}
        known = Submission.objects.filter(text_digest__in=rows).values_list("text_digest", flat=True)
        for digest in known:
            del rows[digest]
        stored += len(Submission.objects.bulk_create(rows.values(), ignore_conflicts=True))
    return stored


def _masked(one: Text, batch: ImportBatch) -> Submission | None:
    try:
        check_size(one.text)
        text = decode(one.text)
    except (PasteTooLongError, ParseError):
        return None
    masked = redact(text, unit_key=settings.UNIT_KEY.encode(), unit_digests={})
    return Submission(
        text=masked.text,
        text_digest=digest_text(text),
        unit_digests=masked.unit_digests,
        state=State.WAITING,
        batch=batch,
        forum_handle=one.forum_handle,
        source_url=one.source_url,
        sender_digest=one.sender_digest,
        posted_on=one.posted_on,
    )


@dataclass(frozen=True, slots=True)
class Worked:
    """What a worker did with a batch: how many it took, and the boards that wait for a class-wide pass."""

    taken: int
    boards: list[Board]


def read_waiting(*, limit: int = BATCH) -> Worked:
    """Take up to `limit` waiting texts and read them; nothing is taken when none waits or others hold them all.

    What the database refuses for a reason of its own (it went away, or two waited for each other) is given back,
    does not count as an attempt, and raises OperationalError.
    """
    batch = take_batch(limit)
    if batch is None:
        return Worked(0, [])
    try:
        boards = _read(batch)
    except OperationalError:
        if connection.errors_occurred and not connection.in_atomic_block:
            connection.close()  # it may be that of a server that went away
        end_batch(batch)
        raise
    end_batch(batch)
    return Worked(len(batch.texts), boards)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A text that was read and is not stored yet, and the kinds of the readings in it, which are counted then."""

    reading: Reading
    kinds: Sequence[str]


def _read(batch: Batch) -> list[Board]:
    """All of them in one transaction; where that fails, each by itself. What fails alone is tried again later."""
    catalogue = class_catalogue()
    attempts = (_attempt(one, partial(_take, one, catalogue)) for one in batch.texts)
    taken = [one for one in attempts if one is not None]
    try:
        return _store(batch, taken)
    except OperationalError:
        raise
    except FAULTS:
        logger.warning("%d texts are stored one by one", len(taken))
    each = [_attempt(one.reading.submission, partial(_store, batch, [one])) for one in taken]
    return sorted({board for boards in each for board in boards or ()})


def _attempt(submission: Submission, work: Callable[[], Done]) -> Done | None:
    """What `work` gives; None where it fails, with the attempt and the fault noted."""
    try:
        return work()
    except OperationalError:
        raise
    except FAULTS as fault:
        logger.exception("%s could not be read", submission.public_id)
        note_failure([submission.pk], f"The last fault was a {type(fault).__name__}.")
    return None


def _take(submission: Submission, catalogue: Catalogue) -> _Taken:
    paste = read_masked(submission.text, unit_digests=submission.unit_digests, catalogue=catalogue)
    reading = take_reading(submission, paste)
    submission.state = State.PUBLISHED if reading.runs else State.REJECTED
    submission.state_reason = "" if reading.runs else NO_RUN
    return _Taken(reading, [one.kind for one in paste.readings])


def _store(batch: Batch, taken: Sequence[_Taken]) -> list[Board]:
    """What is not stored counts nowhere: it comes again."""
    make_missing_devices([run for one in taken for run in one.reading.runs])
    boards, saved = _store_together(batch, [one.reading for one in taken])
    tally = Tally()
    for one in taken:
        if one.reading.submission.pk in saved:
            notices, _left_out = split_notices(one.reading.submission.notices)
            codes = [notice["code"] for notice in notices]
            tally.add("new" if one.reading.runs else "refused", one.kinds, codes)
    tally.tell()
    return boards


@transaction.atomic
def _store_together(batch: Batch, readings: Sequence[Reading]) -> tuple[list[Board], set[int]]:
    """Those that still wait, while the batch is ours: somebody may have taken one back, or been given all of it.

    The boards that change, and the ids of those that were stored.
    """
    with connection.cursor() as cursor:  # else the session of a killed reader may wait, with locks, for ever
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{settings.READ_TIME_LIMIT_S}s"])
    if not keep_batch(batch):
        return [], set()
    saved = save_what_was_read(reading.submission for reading in readings)
    with_runs = [reading for reading in readings if reading.runs and reading.submission.pk in saved]
    return (store_readings(with_runs, late_from=RANKED).boards if with_runs else []), saved
