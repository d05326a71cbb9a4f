"""Bulk imports: what is kept of the texts is stored at once, and read by workers in batches.

A worker leases a batch, so that no two read the same text, and a text that kills its reader is recognized by its
attempts: after a failure it is read with few others, then alone, and after ATTEMPTS it is held with the reason. If a
reader dies, its lease expires, which is a failed attempt. A reader that was merely slow has lost its lease, and
stores nothing.
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
from parsers.paste import keep_paste
from parsers.text.decode import decode
from results.catalogue.devices import make_missing_devices
from results.catalogue.match import class_catalogue
from results.catalogue.matcher import ClassCatalogue
from results.core.digests import digest_text
from results.core.queue import enqueue
from results.models import Device, ImportBatch, Submission
from results.models.choices import State
from results.models.submission import split_notices
from results.submissions.deferred import rank_dirty_devices
from results.submissions.parse import parse_stored
from results.submissions.read import Reading, prepare_reading, save_read_submissions, store_readings
from results.submissions.receive import PasteTooLongError, Tally, check_size

BATCH = 1000
RANKED = 1  # a device with this many ranked results is deferred during an import
ATTEMPTS = 3
FEWER = 32  # each attempt leases this many times fewer texts at once: 1000, 31, 1
LEASE_MARGIN = timedelta(seconds=2)  # beyond settings.READ_TIME_LIMIT_S, when a reader is done or killed
READERS = 2  # tasks that are enqueued if texts are waiting
READ_FOR_S = 3  # then a reader enqueues its successor, so that other tasks can run
NO_RUN = "It contains no run."
POISON = f"Reading it failed {ATTEMPTS} times. A person has to look at it."
DIED = "Its reader died or ran out of time."
FAULTS = (  # faults of a text or of its reader; any other exception ends the batch, as the time limit does
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

# The oldest free texts with that many failed attempts. Uses the database's clock, which all workers share.
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
    """A text to import, and what is known about its source."""

    text: str | bytes
    forum_handle: str = ""
    source_url: str = ""
    sender_digest: str = ""
    posted_on: date | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """Texts leased to one worker until a time, which identifies the lease: no other lease of a text ends then."""

    until: datetime
    texts: Sequence[Submission]

    def held(self, texts: Iterable[Submission] | None = None) -> QuerySet[Submission]:
        """Those of `texts`, by default all, that are still waiting under this lease."""
        ids = [one.pk for one in (self.texts if texts is None else texts)]
        return Submission.objects.filter(pk__in=ids, state=State.WAITING, leased_until=self.until)


def store_texts(texts: Iterable[Text], batch: ImportBatch) -> int:
    """Store what is kept of the texts for the workers; return how many are new. Known texts are skipped.

    This can be interrupted and repeated at any time. Input that is not text, is too long, or holds no tool's output
    is skipped, too.
    """
    stored, rest = 0, iter(texts)
    while some := list(islice(rest, BATCH)):
        rows = {row.text_digest: row for one in some if (row := _kept(one, batch)) is not None}
        known = Submission.objects.filter(text_digest__in=rows).values_list("text_digest", flat=True)
        for digest in known:
            del rows[digest]
        stored += len(Submission.objects.bulk_create(rows.values(), ignore_conflicts=True))
    return stored


def _kept(one: Text, batch: ImportBatch) -> Submission | None:
    try:
        check_size(one.text)
        text = decode(one.text)
        kept = keep_paste(text, unit_key=settings.UNIT_KEY.encode())
    except (PasteTooLongError, ParseError):
        return None
    return Submission(
        text=kept.text,
        text_digest=digest_text(text),
        unit_digests=kept.unit_digests,
        state=State.WAITING,
        batch=batch,
        forum_handle=one.forum_handle,
        source_url=one.source_url,
        sender_digest=one.sender_digest,
        posted_on=one.posted_on,
    )


def lease_batch(limit: int) -> Lease | None:
    """Lease up to `limit` free texts, those with the fewest failures first; None if there are none.

    After a failed attempt few texts are leased together, then one alone. Texts that another worker is leasing are
    skipped.
    """
    expire_leases()
    for attempts in range(ATTEMPTS):
        values = {"attempts": attempts, "limit": max(1, limit // FEWER**attempts), "duration": _duration()}
        texts = list(Submission.objects.raw(_LEASE, values))
        if texts and (until := texts[0].leased_until):
            return Lease(until, sorted(texts, key=lambda one: one.pk))
    return None


def is_waiting() -> bool:
    """Whether a waiting text is free, or its lease has expired."""
    waiting = Submission.objects.filter(state=State.WAITING)
    return waiting.filter(leased_until=None).exists() or _expired().exists()


@transaction.atomic
def expire_leases() -> None:
    """End the expired leases and count a failed attempt for each text. Texts that are being stored are skipped."""
    expired = _expired().select_for_update(skip_locked=True, no_key=True)
    if ids := list(expired.values_list("pk", flat=True)):
        _note_failure(Submission.objects.filter(pk__in=ids))


def _expired() -> QuerySet[Submission]:
    """Texts whose lease has expired, or ends later than a new one would: the clock was then set back."""
    leased = Submission.objects.filter(state=State.WAITING, leased_until__isnull=False)
    return leased.filter(Q(leased_until__lt=Now()) | Q(leased_until__gt=Now() + _duration()))


def _duration() -> timedelta:
    return timedelta(seconds=settings.READ_TIME_LIMIT_S) + LEASE_MARGIN


def _note_failure(texts: QuerySet[Submission], reason: str = "") -> None:
    """End their lease and count a failed attempt; texts that failed ATTEMPTS times are held with the reason."""
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
    """Read imported texts, batch by batch, until none is waiting. Any number of these tasks may run.

    A text on which the process hangs or dies takes the process with it; the sweep enqueues the next task. At the end
    the dirty devices are ranked: they were deferred for more of the import, and no more is coming.
    """
    deadline = time.monotonic() + min(READ_FOR_S, settings.READ_TIME_LIMIT_S / 4)
    while time.monotonic() < deadline:
        if not read_batch():
            if Device.objects.dirty().exists():
                enqueue(rank_dirty_devices)
            return
    enqueue(read_texts)


def enqueue_reading(readers: int = READERS) -> None:
    """Enqueue that many reading tasks; if Redis is unavailable, the sweep does."""
    for _ in range(readers):
        enqueue(read_texts)


def read_batch(*, limit: int = BATCH) -> int:
    """Lease up to `limit` waiting texts and read them; return how many, 0 if none is free.

    After a failure of the database that no text caused (a lost connection, a deadlock), the lease is released, no
    attempt is counted, and OperationalError is raised.
    """
    lease = lease_batch(limit)
    if lease is None:
        return 0
    try:
        _read(lease)
    except OperationalError:
        if connection.errors_occurred and not connection.in_atomic_block:
            connection.close()  # the server may have gone away
        lease.held().update(leased_until=None)
        raise
    return len(lease.texts)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A text that was read but not stored yet, and the kinds of its readings, which are counted when it is stored."""

    reading: Reading
    kinds: Sequence[str]


def _read(lease: Lease) -> None:
    """Read the texts and store them in one transaction, or one by one if that fails. Failed ones are retried."""
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
    """The return value of `work`; None if it fails, with the attempt and the fault recorded."""
    try:
        return work()
    except OperationalError:
        raise
    except FAULTS as fault:
        logger.exception("%s could not be read", submission.public_id)
        _note_failure(lease.held([submission]), f"The last fault was a {type(fault).__name__}.")
    return None


def _parse(submission: Submission, catalogue: ClassCatalogue) -> _Parsed:
    paste = parse_stored(submission, catalogue)
    reading = prepare_reading(submission, paste)
    submission.state = State.PUBLISHED if reading.runs else State.REJECTED
    submission.state_reason = "" if reading.runs else NO_RUN
    return _Parsed(reading, [one.kind for one in paste.readings])


def _store(lease: Lease, parsed: Sequence[_Parsed]) -> None:
    """Store the parsed texts, and count those that were stored: the others are read again."""
    make_missing_devices([run for one in parsed for run in one.reading.runs])
    saved = _store_together(lease, [one.reading for one in parsed])
    tally = Tally()
    for one in parsed:
        if one.reading.submission.pk in saved:
            notices, _left_out = split_notices(one.reading.submission.notices)
            codes = [notice["code"] for notice in notices]
            tally.add("new" if one.reading.runs else "refused", one.kinds, codes)
    tally.publish()


@transaction.atomic
def _store_together(lease: Lease, readings: Sequence[Reading]) -> set[int]:
    """Store those still waiting under the lease, and return their ids.

    The lease may have expired, or a text may have been erased.
    """
    with connection.cursor() as cursor:  # else a killed reader's session could wait forever, holding locks
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{settings.READ_TIME_LIMIT_S}s"])
    saved = save_read_submissions((reading.submission for reading in readings), leased_until=lease.until)
    with_runs = [reading for reading in readings if reading.runs and reading.submission.pk in saved]
    if with_runs:
        store_readings(with_runs, defer_from=RANKED)
    return saved
