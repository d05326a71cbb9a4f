"""Receiving submissions: read, stored and ranked in one transaction, or refused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from prometheus_client import Counter

from parsers.base.dates import OLDEST
from parsers.base.format import ParseError
from parsers.base.readings import LeftOutLines, Notice, ParsedPaste, Reading
from parsers.fio_log.read import UNNAMED_FILE, caption_of_file
from parsers.text.decode import decode
from results.catalogue.matching.devices import look_up_device
from results.core.security.digests import digest_secret, digest_text, digest_withdrawn
from results.kinds.answers import NO_ANSWERS, SenderAnswers
from results.kinds.envelope import Runs
from results.kinds.registry import find_runs, free_questions
from results.models import Device, Member, Submission
from results.models.choices import State
from results.models.submission import draw_public_id
from results.submissions.claim import draw_token
from results.submissions.intake.deferred import MANY_RESULTS
from results.submissions.intake.judge import first_state, judge_unstored
from results.submissions.intake.other_results import flag_unstored
from results.submissions.intake.parse import parse_text, without_units
from results.submissions.intake.store import insert_new, prepare_reading, store_readings
from results.submissions.note import note_beside
from results.submissions.text.sent_lines import sent_notices

NO_RUN = Notice("no_run", "We found no run. Paste the complete output of diskinfo -wS or fio.")


IMPOSSIBLE_DAY = "The day of the run can’t be in the future or before 2000."


def is_possible_day(day: date) -> bool:
    """Whether something can have been measured on that day; one more allows for time zones."""
    return OLDEST <= day <= timezone.now().date() + timedelta(days=1)


class SubmissionRefusedError(Exception):
    """Nothing in the paste can be published; `notices`, at least one, say why, where, and what to do.

    All lines are those of what was sent. `left_out_lines` are those in which nothing was recognized.
    """

    def __init__(self, notices: Sequence[Notice], left_out_lines: Sequence[LeftOutLines] = ()) -> None:
        super().__init__("; ".join(notice.message for notice in notices))
        self.notices = tuple(notices) or (NO_RUN,)
        self.left_out_lines = tuple(left_out_lines)


class PasteTooLongError(Exception):
    """The paste is longer than settings.PASTE_LIMIT_BYTES."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """What is stored about a sender: nothing that names a person unless they provided it themselves.

    Without `keeps_unit` two results of one unit can't be linked.
    """

    owner: Member | None = None
    keeps_unit: bool = True
    sender_digest: str = ""
    forum_handle: str = ""
    source_url: str = ""
    measured_on: date | None = None
    note: str = ""
    answers: SenderAnswers = NO_ANSWERS


ANONYMOUS = Sender()


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be published: the parsed paste and its runs, each with its device, stored or not."""

    paste: ParsedPaste
    found: Runs
    devices: Sequence[Device | None]  # None for a run of a pool


@dataclass(frozen=True, slots=True)
class Received:
    """The submission, whether it is new, and what was found in the text that was sent.

    `claim_token` makes its holder the owner of a new submission without one; it is available only here.
    """

    submission: Submission
    is_new: bool
    paste: ParsedPaste
    found: Runs
    claim_token: str = ""


def join_parts(parts: Sequence[str | bytes]) -> str | bytes:
    """Join several parts into one paste; a single part is unchanged, since the parsers detect its encoding.

    Raises SubmissionRefusedError if one of several is not text, PasteTooLongError if the paste is too long.
    """
    filled = [part for part in parts if part.strip()]
    if len(filled) < 2:
        return filled[0] if filled else ""
    return "\n".join(_decoded(part) for part in filled)


def parts_of_files(files: Iterable[tuple[str | None, bytes]]) -> list[str | bytes]:
    """Files as parts of a paste. If one is named like a log of fio, each part begins with a caption.

    Raises the same errors as join_parts.
    """
    filled = [(caption_of_file(name or ""), content) for name, content in files if content.strip()]
    if not any(caption for caption, _content in filled):
        return [content for _caption, content in filled]
    return [f"{caption or UNNAMED_FILE}\n{_decoded(content)}" for caption, content in filled]


def _decoded(part: str | bytes) -> str:
    check_size(part)
    try:
        return decode(part)
    except ParseError as error:
        raise SubmissionRefusedError([Notice(error.code, str(error), error.line_number)]) from error


def _size(raw: str | bytes) -> int:
    return len(raw) if isinstance(raw, bytes) else len(raw.encode("utf-8", "surrogatepass"))


def preview_text(raw: str | bytes, sender: Sender = ANONYMOUS) -> Preview:
    """A preview of publishing `raw` for that sender, without storing anything.

    Raises PasteTooLongError, ReadingError, and SubmissionRefusedError for answers about what isn't there.
    """
    paste = read_text(raw)
    _refuse_beyond(paste, sender.answers)
    found = find_runs(paste, stated_on=sender.measured_on, answers=sender.answers)
    known = Device.objects.select_related("product__vendor")
    devices = [None if run.pool else look_up_device(run, known) for run in found.runs]
    judged = tuple(
        run
        if device is None
        else flag_unstored(
            judge_unstored(run, paste.warnings, device),
            device,
            owner=sender.owner,
            sender_digest=sender.sender_digest,
        )
        for run, device in zip(found.runs, devices, strict=True)
    )
    return Preview(paste, replace(found, runs=judged), devices)


def receive_submission(raw: str | bytes, sender: Sender) -> Received:
    """Store the runs in `raw`. The same text again is the same submission, unless somebody else has withdrawn that.

    Raises PasteTooLongError, ReadingError, and SubmissionRefusedError if it contains no run, for answers about what
    isn't there, or if its sender is banned.
    """
    refuse_banned(sender.owner)
    paste = read_text(raw, keeps_unit=sender.keeps_unit)
    _refuse_beyond(paste, sender.answers)
    sender = replace(sender, answers=sender.answers.hiding(paste.identifiers, free_questions()))
    found = find_runs(paste, stated_on=sender.measured_on, answers=sender.answers)
    codes = [notice.code for notice in found.notices_with(paste.warnings)]
    if not found.runs:
        count_paste("refused", paste.readings, codes)
        raise nothing_to_publish(paste, found)
    received = _store(paste, found, digest_text(decode(raw)), sender)
    count_paste("new" if received.is_new else "known", paste.readings, codes)
    return received


def nothing_to_publish(paste: ParsedPaste, found: Runs) -> SubmissionRefusedError:
    """The refusal of a paste without a run."""
    return SubmissionRefusedError(sent_notices(paste, found), paste.left_out_lines)


def _refuse_beyond(paste: ParsedPaste, answers: SenderAnswers) -> None:
    """Raise SubmissionRefusedError for answers about lines after the last one, or timings that aren't stated."""
    last = max((*paste.source_lines[-1:], *(line.last_line for line in paste.left_out_lines[-1:])), default=0)
    if beyond := answers.beyond(last):
        message = f"There is no {beyond[0]} in what you sent, so there can’t be answers about it."
        raise SubmissionRefusedError([Notice("told", message)])


def refuse_banned(owner: Member | None) -> None:
    """Raise SubmissionRefusedError, with the reason, for a banned member."""
    if owner is not None and owner.is_banned:
        raise SubmissionRefusedError([Notice("banned", owner.why_not("submit results"))])


def check_size(raw: str | bytes) -> None:
    """Raise PasteTooLongError if the paste exceeds settings.PASTE_LIMIT_BYTES."""
    if _size(raw) > settings.PASTE_LIMIT_BYTES:
        raise PasteTooLongError


def read_text(raw: str | bytes, *, keeps_unit: bool = True) -> ParsedPaste:
    """The paste, reduced to what is kept, and parsed; raises PasteTooLongError and ReadingError."""
    check_size(raw)
    paste = parse_text(raw)
    return paste if keeps_unit else without_units(paste)


@transaction.atomic
def _store(paste: ParsedPaste, found: Runs, text_digest: str, sender: Sender) -> Received:
    token = "" if sender.owner else draw_token()
    sent = Submission(
        text_digest=text_digest,
        text=paste.text,
        unit_digests=paste.unit_digests,
        owner=sender.owner,
        keeps_unit=sender.keeps_unit,
        claim_digest=digest_secret(token) if token else "",
        sender_digest=sender.sender_digest,
        forum_handle=sender.forum_handle,
        source_url=sender.source_url,
        measured_on=sender.measured_on,
        note=note_beside(paste, sender.note),
        told=sender.answers.stored,
        created_at=timezone.now(),
        **first_state(sender.owner),
    )
    reading = prepare_reading(sent, paste, found)
    while not insert_new([sent]):  # of two concurrent ones, the second waits here
        known = Submission.objects.select_for_update(no_key=True).filter(text_digest=text_digest).first()
        if known is None:
            sent.public_id = draw_public_id()  # the same text was erased in between, or the id is taken
        elif known.state == State.WITHDRAWN and not (sender.owner and known.owner_id == sender.owner.pk):
            known.text_digest = digest_withdrawn(known.public_id)
            known.save(update_fields=["text_digest"])
        else:
            return Received(known, False, paste, found)
    store_readings([reading], is_new=True, defer_from=MANY_RESULTS)
    return Received(sent, True, paste, found, claim_token=token)


PASTES = Counter("slogdb_pastes_total", "Pastes sent to be stored: new, known or refused.", ["outcome"])
READINGS = Counter("slogdb_readings_total", "Readings found in pastes, by their parser.", ["parser"])
NOTICES = Counter("slogdb_notices_total", "The parsers' notices of pastes, by code.", ["code"])


def count_paste(outcome: str, readings: Iterable[Reading], codes: Iterable[str]) -> None:
    """Add a paste to the metrics: new, known or refused, by its parsers and the codes of its notices."""
    PASTES.labels(outcome).inc()
    for reading in readings:
        READINGS.labels(reading.kind).inc()
    for code in codes:
        NOTICES.labels(code).inc()
