"""Bulk imports: texts are masked and stored at once, and read by workers in batches.

A worker leases a batch, so that no two read the same text and one that kills its reader is known by its attempts:
after a failure it is read with few others, then alone, and after ATTEMPTS it is held with the reason. A lease whose
reader died runs out, which is a failed attempt. A reader that was merely slow has lost its lease, and stores nothing.
"""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from itertools import islice
from typing import TypeVar

from celery import shared_task
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Concat, Now, NullIf

from parsers.base.format import ParseError
from parsers.classify.rules import Catalogue
from parsers.paste import read_masked
from parsers.privacy.mask import redact
from parsers.text.decode import decode
from results.catalogue.devices import make_missing_devices
from results.catalogue.match import class_catalogue
from results.core.digests import digest_text
from results.core.queue import enqueue
from results.models import Device, ImportBatch, Submission
from results.models.choices import State
from results.models.submission import split_notices
from results.submissions.deferred import rank_dirty_devices
from results.submissions.read import Reading, save_what_was_read, store_readings, take_reading
from results.submissions.receive import PasteTooLongError, Tally, check_size

BATCH = 1000
RANKED = 1  # by so many results a device waits for more of the import
ATTEMPTS = 3
FEWER = 32  # times fewer texts are leased at once with each attempt: 1000, 31, 1
LEASE_MARGIN = timedelta(seconds=2)  # beyond settings.READ_TIME_LIMIT_S, by which a reader is done or killed
READERS = 2  # tasks that are enqueued where texts wait
READ_FOR_S = 3  # then a reader enqueues the next one, so that other tasks get their turn
NO_RUN = "There is no run in it."
POISON = f"Reading it failed {ATTEMPTS} times; a person has to look at it."
DIED = "Its reader died or ran out of time."
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

# The oldest free texts of so many failed attempts. By the database's time, one for all workers.
_LEASE = f"""
    WITH free AS MATERIALIZED (
        SELECT id FROM results_submission
        WHERE state = '{State.WAITING}' AND leased_until IS NULL AND read_attempts = %(attempts)s
        ORDER BY id LIMIT %(limit)s FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE results_submission AS submission SET leased_until = statement_timestamp() + %(duration)s
    FROM free WHERE submission.id = free.id RETURNING submission.*
"""  # noqa: S608 - our own state

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One text to be brought in, and what is known of where it is from."""

    text: str | bytes
    forum_handle: str = ""
    source_url: str = ""
    sender_digest: str = ""
    posted_on: date | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """Texts that one worker may read until a moment, which names the lease: no other lease of a text ends then."""

    until: datetime
    texts: Sequence[Submission]

    def held(self, texts: Iterable[Submission] | None = None) -> QuerySet[Submission]:
        """Those of the texts, or of these, that still wait under this lease."""
        ids = [one.pk for one in (self.texts if texts is None else texts)]
        return Submission.objects.filter(pk__in=ids, state=State.WAITING, leased_until=self.until)


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


def lease_batch(limit: int) -> Lease | None:
    """Lease up to `limit` texts that nobody reads, those that failed least; None where there is none.

    After a failed attempt few are leased together, then one alone. What another worker is leasing is skipped.
    """
    expire_leases()
    for attempts in range(ATTEMPTS):
        values = {"attempts": attempts, "limit": max(1, limit // FEWER**attempts), "duration": _duration()}
        texts = list(Submission.objects.raw(_LEASE, values))
        if texts and (until := texts[0].leased_until):
            return Lease(until, sorted(texts, key=lambda one: one.pk))
    return None


def is_waiting() -> bool:
    """Whether a text waits that nobody reads, or any more."""
    waiting = Submission.objects.filter(state=State.WAITING)
    return waiting.filter(leased_until=None).exists() or _expired().exists()


@transaction.atomic
def expire_leases() -> None:
    """End the leases that have run out; each of their texts has failed once more. What is being stored is skipped."""
    expired = _expired().select_for_update(skip_locked=True, no_key=True)
    if ids := list(expired.values_list("pk", flat=True)):
        _note_failure(Submission.objects.filter(pk__in=ids))


def _expired() -> QuerySet[Submission]:
    """A lease that ends later than a new one would was given before the clock was set back."""
    leased = Submission.objects.filter(state=State.WAITING, leased_until__isnull=False)
    return leased.filter(Q(leased_until__lt=Now()) | Q(leased_until__gt=Now() + _duration()))


def _duration() -> timedelta:
    return timedelta(seconds=settings.READ_TIME_LIMIT_S) + LEASE_MARGIN


def _note_failure(texts: QuerySet[Submission], reason: str = "") -> None:
    """End their lease and count one more attempt; what failed ATTEMPTS times is held with the reason."""
    reasons = Value(reason) if reason else Coalesce(NullIf("state_reason", Value("")), Value(DIED))
    is_last = Q(read_attempts__gte=ATTEMPTS - 1)
    texts.update(
        leased_until=None,
        read_attempts=F("read_attempts") + 1,
        state=Case(When(is_last, then=Value(State.HELD)), default=F("state")),
        state_reason=Case(
            When(is_last, then=Concat(Value(f"{POISON} "), reasons)),
            default=Value(reason) if reason else F("state_reason"),
        ),
    )


@shared_task(time_limit=settings.READ_TIME_LIMIT_S)
def read_texts() -> None:
    """Read what bulk imports brought, batch by batch, until nothing waits. Any number of these may run.

    A text on which the process hangs or dies takes the process with it; the sweep starts the next one. At the end the
    devices are ranked that are dirty: they are deferred for more of the import to come, and no more comes.
    """
    deadline = time.monotonic() + min(READ_FOR_S, settings.READ_TIME_LIMIT_S / 4)
    while time.monotonic() < deadline:
        if not read_batch():
            if Device.objects.dirty().exists():
                enqueue(rank_dirty_devices)
            return
    enqueue(read_texts)


def enqueue_reading(readers: int = READERS) -> None:
    """Have so many workers read what waits; with Redis away the sweep does."""
    for _ in range(readers):
        enqueue(read_texts)


def read_batch(*, limit: int = BATCH) -> int:
    """Lease up to `limit` waiting texts and read them; how many, none where none waits or others read them all.

    What the database refuses for a reason of its own (it went away, or two waited for each other) is given back,
    does not count as an attempt, and raises OperationalError.
    """
    lease = lease_batch(limit)
    if lease is None:
        return 0
    try:
        _read(lease)
    except OperationalError:
        if connection.errors_occurred and not connection.in_atomic_block:
            connection.close()  # it may be that of a server that went away
        lease.held().update(leased_until=None)
        raise
    return len(lease.texts)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A text that was read and is not stored yet, and the kinds of the readings in it, which are counted then."""

    reading: Reading
    kinds: Sequence[str]


def _read(lease: Lease) -> None:
    """All of them in one transaction; where that fails, each by itself. What fails alone is tried again later."""
    catalogue = class_catalogue()
    attempts = (_attempt(lease, one, partial(_parse, one, catalogue)) for one in lease.texts)
    parsed = [one for one in attempts if one is not None]
    try:
        _store(lease, parsed)
    except OperationalError:
        raise
    except FAULTS:
        logger.warning("%d texts are stored one by one", len(parsed))
        for one in parsed:
            _attempt(lease, one.reading.submission, partial(_store, lease, [one]))


def _attempt(lease: Lease, submission: Submission, work: Callable[[], Done]) -> Done | None:
    """What `work` gives; None where it fails, with the attempt and the fault noted."""
    try:
        return work()
    except OperationalError:
        raise
    except FAULTS as fault:
        logger.exception("%s could not be read", submission.public_id)
        _note_failure(lease.held([submission]), f"The last fault was a {type(fault).__name__}.")
    return None


def _parse(submission: Submission, catalogue: Catalogue) -> _Parsed:
    paste = read_masked(submission.text, unit_digests=submission.unit_digests, catalogue=catalogue)
    reading = take_reading(submission, paste)
    submission.state = State.PUBLISHED if reading.runs else State.REJECTED
    submission.state_reason = "" if reading.runs else NO_RUN
    return _Parsed(reading, [one.kind for one in paste.readings])


def _store(lease: Lease, parsed: Sequence[_Parsed]) -> None:
    """What is not stored counts nowhere: it comes again."""
    make_missing_devices([run for one in parsed for run in one.reading.runs])
    saved = _store_together(lease, [one.reading for one in parsed])
    tally = Tally()
    for one in parsed:
        if one.reading.submission.pk in saved:
            notices, _left_out = split_notices(one.reading.submission.notices)
            codes = [notice["code"] for notice in notices]
            tally.add("new" if one.reading.runs else "refused", one.kinds, codes)
    tally.tell()


@transaction.atomic
def _store_together(lease: Lease, readings: Sequence[Reading]) -> set[int]:
    """Those that still wait under the lease: it may have run out, or somebody may have erased one.

    The ids of those that were stored.
    """
    with connection.cursor() as cursor:  # else the session of a killed reader may wait, with locks, for ever
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{settings.READ_TIME_LIMIT_S}s"])
    saved = save_what_was_read((reading.submission for reading in readings), leased_until=lease.until)
    with_runs = [reading for reading in readings if reading.runs and reading.submission.pk in saved]
    if with_runs:
        store_readings(with_runs, defer_from=RANKED)
    return saved
