"""What somebody sends becomes a submission: read, stored and ranked in one transaction, or refused with reasons."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.db import transaction

from parsers.decode import decode
from parsers.errors import ParseError
from parsers.kinds import Notice, ParsedPaste
from parsers.paste import parse_paste
from results.catalogue.match import class_catalogue
from results.ingest.digests import digest_text
from results.ingest.judge import judge_unstored
from results.ingest.read import read_submission
from results.ingest.runs import Runs, find_runs
from results.models import Submission
from results.ranking.places import Board

NO_RUN = Notice("no_run", "There is no run in this: paste the whole output of diskinfo -wS or fio.")


class SubmissionRefusedError(Exception):
    """Nothing in what was sent can be published; `notices` say why, where, and what to do: at least one."""

    def __init__(self, notices: Sequence[Notice]) -> None:
        super().__init__("; ".join(notice.message for notice in notices))
        self.notices = tuple(notices) or (NO_RUN,)


class PasteTooLongError(Exception):
    """More than settings.PASTE_LIMIT_BYTES were sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """What is kept of who sent something: nothing that names a person unless they gave it themselves."""

    network: str = ""
    forum_handle: str = ""
    source_url: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be published: the parsed paste and the runs in it."""

    paste: ParsedPaste
    found: Runs


@dataclass(frozen=True, slots=True)
class Received:
    """The submission, whether it is a new one, and the boards that wait for a class-wide pass."""

    submission: Submission
    is_new: bool
    boards: list[Board]


def join_parts(parts: Sequence[str | bytes]) -> str | bytes:
    """One paste of several; one alone stays as it is, for the parsers know its encoding best.

    Raises SubmissionRefusedError when one of several is no text, PasteTooLongError when it is too long.
    """
    filled = [part for part in parts if part.strip()]
    if len(filled) < 2:
        return filled[0] if filled else ""
    return "\n".join(_decoded(part) for part in filled)


def _decoded(part: str | bytes) -> str:
    if _size(part) > settings.PASTE_LIMIT_BYTES:
        raise PasteTooLongError
    try:
        return decode(part)
    except ParseError as error:
        raise SubmissionRefusedError([Notice(error.code, str(error), error.line_number)]) from error


def _size(raw: str | bytes) -> int:
    return len(raw) if isinstance(raw, bytes) else len(raw.encode("utf-8", "surrogatepass"))


def preview_text(raw: str | bytes) -> Preview:
    """What `raw` says, and would be published as, without storing anything; raises PasteTooLongError."""
    paste = _read_text(raw)
    found = find_runs(paste)
    judged = tuple(judge_unstored(run, paste.warnings) for run in found.runs)
    return Preview(paste, replace(found, runs=judged))


def receive_submission(raw: str | bytes, sender: Sender) -> Received:
    """Store what `raw` says. The same text again is the same submission.

    Raises PasteTooLongError, and SubmissionRefusedError when there is no run in it.
    """
    paste = _read_text(raw)
    found = find_runs(paste)
    if not found.runs:
        raise SubmissionRefusedError([*paste.warnings, *found.notices])
    return _store(paste, digest_text(decode(raw)), sender)


def _read_text(raw: str | bytes) -> ParsedPaste:
    if _size(raw) > settings.PASTE_LIMIT_BYTES:
        raise PasteTooLongError
    return parse_paste(raw, unit_key=settings.UNIT_KEY.encode(), catalogue=class_catalogue())


@transaction.atomic
def _store(paste: ParsedPaste, text_digest: str, sender: Sender) -> Received:
    submission, is_new = Submission.objects.get_or_create(
        text_digest=text_digest,
        defaults={
            "text": paste.text,
            "unit_digests": paste.unit_digests,
            "network": sender.network,
            "forum_handle": sender.forum_handle,
            "source_url": sender.source_url,
        },
    )
    boards = read_submission(submission, paste) if is_new else []
    return Received(submission, is_new, boards)
