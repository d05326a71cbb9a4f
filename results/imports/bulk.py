"""Bulk imports: texts are read by child processes, and stored up to 1,000 in a transaction.

An import that was interrupted is run again: texts that are already stored are skipped by their digests. A text that
can't be read or stored is skipped, and reported.
"""

import atexit
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from queue import SimpleQueue
from typing import Any

from celery import shared_task
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone

from parsers.base.format import ParseError
from parsers.base.readings import ParsedPaste
from parsers.text.decode import decode
from results.catalogue.matching.devices import make_missing_devices
from results.catalogue.matching.match import class_catalogue
from results.catalogue.matching.patterns import ClassCatalogue
from results.core.read_only import WritingTask
from results.core.reader import NOT_READ, TOO_SLOW, ReaderProcess, ReadingError
from results.core.security.audit import log_action
from results.core.security.digests import digest_text
from results.models import ImportBatch, Submission
from results.models.choices import Action, State
from results.models.submission import split_notices
from results.submissions.intake.parse import parse_text
from results.submissions.intake.receive import PasteTooLongError, check_size, count_paste
from results.submissions.intake.store import (
    Reading,
    find_runs_for,
    insert_new,
    prepare_reading,
    store_readings,
)

BATCH = 1000
READERS = 2
RANKED = 1  # a device with this many ranked results is deferred during an import
NO_RUN = "It contains no run."
NOT_STORED = "It couldn’t be stored."
REASONS = {TOO_SLOW: "It takes too long to read.", NOT_READ: "It couldn’t be read."}
STATEMENT_LIMIT_S = 60
FAULTS = (  # of a text or of our own code; any other exception ends the import
    ArithmeticError,
    AssertionError,
    AttributeError,
    DatabaseError,
    LookupError,
    TypeError,
    ValueError,
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text to import, and what is known about its source; `place` names it in reports.

    A text that was kept before comes with the digest of what was sent, and with its unit digests.
    """

    text: str | bytes
    place: str = ""
    forum_handle: str = ""
    source_url: str = ""
    sender_digest: str = ""
    posted_on: date | None = None
    text_digest: str = ""
    unit_digests: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A text that couldn't be read or stored, and why."""

    text: Text
    reason: str


@dataclass(frozen=True, slots=True)
class Imported:
    """The number of texts with a run that were stored, and the texts that failed."""

    new_count: int
    skipped: Sequence[Skipped]


@dataclass(frozen=True, slots=True)
class _Read:
    """A text that is being read."""

    text: Text
    digest: str
    future: "Future[ParsedPaste]"

    @property
    def paste(self) -> ParsedPaste:
        """What was read, once it is; raises ReadingError."""
        return self.future.result()


def import_texts(
    texts: Iterable[Text], batch: ImportBatch, *, texts_a_transaction: int = BATCH
) -> Iterator[Imported]:
    """Read and store the texts, the next ones being read while some are stored; yield each transaction's outcome.

    Known texts, and input that is not text, is too long, or holds no tool's output, are skipped without a report.
    Raises OperationalError if the database fails; what was stored until then remains.
    """
    rest = iter(texts)
    with ThreadPoolExecutor(READERS) as pool:
        reading: list[_Read] = []
        while some := list(islice(rest, texts_a_transaction)):
            following = _begin_reading(some, pool)
            if reading:
                yield _store(reading, batch)
            reading = following
        if reading:
            yield _store(reading, batch)


@shared_task(base=WritingTask)
def import_kept(batch_id: int, texts: Sequence[Mapping[str, Any]]) -> None:
    """Import kept texts, the fields of Text in JSON; those that fail are listed in the log of moderators' actions."""
    batch = ImportBatch.objects.select_related("created_by").get(pk=batch_id)
    outcomes = import_texts(map(_from_json, texts), batch)
    skipped = [skip for outcome in outcomes for skip in outcome.skipped]
    if skipped:
        places = " ".join(skip.text.place for skip in skipped)
        reason = f"Not imported from “{batch.title}”, since they couldn’t be read: {places}"
        log_action(batch.created_by, Action.IMPORTED, reason=reason)


def _from_json(fields: Mapping[str, Any]) -> Text:
    day = fields["posted_on"]
    return Text(**{**fields, "posted_on": date.fromisoformat(day) if day else None})


def _begin_reading(texts: Iterable[Text], pool: ThreadPoolExecutor) -> list[_Read]:
    """Begin to read those of the texts that aren't stored yet."""
    by_digest = {digest: text for text in texts if (digest := _digest(text))}
    known = Submission.objects.filter(text_digest__in=by_digest).values_list("text_digest", flat=True)
    for digest in filter(None, known):
        del by_digest[digest]
    catalogue = class_catalogue()
    return [_Read(text, digest, pool.submit(_read, text, catalogue)) for digest, text in by_digest.items()]


def _digest(text: Text) -> str:
    """The digest of the text as it was sent; "" for what can't be imported."""
    if text.text_digest:
        return text.text_digest
    try:
        check_size(text.text)
        return digest_text(decode(text.text))
    except (PasteTooLongError, ParseError):
        return ""


_readers: SimpleQueue[ReaderProcess] = SimpleQueue()
for _reader in [ReaderProcess() for _ in range(READERS)]:
    _readers.put(_reader)
    atexit.register(_reader.stop)


def _read(text: Text, catalogue: ClassCatalogue) -> ParsedPaste:
    return parse_text(text.text, unit_digests=text.unit_digests, catalogue=catalogue, call=_call_reader)


def _call_reader(read: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Return what `read` returns in a child process; raises ReadingError."""
    reader = _readers.get()
    try:
        return reader.call(read, arguments, named, deadline_s=settings.READ_TIME_LIMIT_S)
    finally:
        _readers.put(reader)


def _store(reading: Iterable[_Read], batch: ImportBatch) -> Imported:
    """Store what was read in one transaction, or one by one if that fails."""
    found, skipped = _await(reading)
    new_count = 0
    try:
        return Imported(_store_together(found, batch), skipped)
    except OperationalError:
        raise
    except FAULTS:
        logger.warning("%d texts are stored one by one", len(found))
    for read in found:
        try:
            new_count += _store_together([read], batch)
        except OperationalError:
            raise
        except FAULTS:
            logger.exception("an imported text could not be stored")
            skipped.append(Skipped(read.text, NOT_STORED))
    return Imported(new_count, skipped)


def _await(reading: Iterable[_Read]) -> tuple[list[_Read], list[Skipped]]:
    """The texts of which something is kept, and those that couldn't be read."""
    found: list[_Read] = []
    skipped: list[Skipped] = []
    for read in reading:
        try:
            found += [read] if read.paste.text else []
        except ReadingError as error:
            skipped.append(Skipped(read.text, REASONS[error.notice]))
    return found, skipped


def _store_together(found: Sequence[_Read], batch: ImportBatch) -> int:
    """Store these texts, unless somebody else has stored them; return the number of those with a run."""
    readings = [_prepare(read, batch) for read in found]
    make_missing_devices([run for reading in readings for run in reading.runs])
    with transaction.atomic():
        # Else a killed import's session could wait forever, holding locks
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{STATEMENT_LIMIT_S}s"])
        new = {submission.pk for submission in insert_new([reading.submission for reading in readings])}
        stored = [reading for reading in readings if reading.submission.pk in new]
        with_runs = [reading for reading in stored if reading.runs]
        if with_runs:
            store_readings(with_runs, is_new=True, defer_from=RANKED)
    _count(found, stored)
    return len(with_runs)


def _prepare(found: _Read, batch: ImportBatch) -> Reading:
    text = found.text
    submission = Submission(
        text=found.paste.text,
        text_digest=found.digest,
        unit_digests=found.paste.unit_digests,
        batch=batch,
        forum_handle=text.forum_handle,
        source_url=text.source_url,
        sender_digest=text.sender_digest,
        posted_on=text.posted_on,
        created_at=timezone.now(),
    )
    reading = prepare_reading(submission, found.paste, find_runs_for(submission, found.paste))
    if not reading.runs:
        submission.state, submission.state_reason = State.REJECTED, NO_RUN
    return reading


def _count(found: Sequence[_Read], stored: Iterable[Reading]) -> None:
    """Add what was stored to the metrics."""
    pastes = {read.digest: read.paste for read in found}
    for reading in stored:
        notices, _left_out = split_notices(reading.submission.notices)
        readings = pastes[reading.submission.text_digest or ""].readings
        count_paste("new" if reading.runs else "refused", readings, [notice["code"] for notice in notices])
