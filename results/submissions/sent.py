"""The content of an API request: plain text, JSON with a text or a finished parse, or files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from rest_framework.request import Request

from parsers.__main__ import LINES, as_json, as_record
from parsers.base.readings import (
    DiskinfoReading,
    FioReading,
    Notice,
    PgTestFsyncReading,
    PveperfReading,
    Reading,
    SmartctlReading,
)
from results.api.authentication import member_of
from results.api.errors import RefusedProblem, TooLongProblem
from results.api.renderers import PlainTextParser
from results.core.digests import digest_sender
from results.core.limits import sender_address
from results.kinds.registry import all_questions
from results.kinds.told import Told, clean_answers, lines_of
from results.submissions.note import NO_LINKS, LinkInNoteError, read_note
from results.submissions.parse import parse_text
from results.submissions.receive import (
    IMPOSSIBLE_DAY,
    PasteTooLongError,
    Sender,
    SubmissionRefusedError,
    check_size,
    is_possible_day,
    join_parts,
)
from results.submissions.serializers import (
    ParseRequestSerializer,
    SubmissionRequestSerializer,
    SubmissionUploadSerializer,
)

_CLOSE_ENOUGH = 1e-9  # precision that a figure may lose in JSON


def text_of_parse(text: str, readings: Sequence[Mapping[str, Any]]) -> str:
    """The text of a parse, checked against its readings.

    Raises SubmissionRefusedError if they differ, and ReadingError.
    """
    if not text.strip():
        raise SubmissionRefusedError(
            [Notice("no_text", "A parse without its text can't be read again. Send the text as well.")]
        )
    paste = parse_text(text)
    read = paste.readings
    if [one.get("kind") for one in readings] != [one.kind for one in read]:
        found = ", ".join(one.kind for one in read) or "nothing"
        message = f"The text doesn't contain the readings of the parse. It contains: {found}."
        raise SubmissionRefusedError([Notice("parse_differs", message)])
    for stated, parsed in zip(readings, read, strict=True):
        if not _agree(stated, parsed):
            message = (
                f"The figures of this {parsed.kind} reading differ from the text, which starts at this line."
            )
            raise SubmissionRefusedError(
                [Notice("parse_differs", message, paste.sent_line(parsed.first_line))]
            )
    return text


def _agree(stated: Mapping[str, Any], parsed: Reading) -> bool:
    if isinstance(parsed, DiskinfoReading):
        return _same_rows(stated.get("points"), parsed.points, ("block_size", "latency_us"))
    if isinstance(parsed, PgTestFsyncReading):
        return _same_rows(stated.get("rows"), parsed.rows, ("ops_s",))
    if isinstance(parsed, PveperfReading):
        return _same(stated.get("fsyncs_s"), parsed.fsyncs_s)
    if isinstance(parsed, FioReading):
        return _same_rows(
            stated.get("jobs"), parsed.jobs, ("block_size", "write_latency_us", "flush_latency_us")
        )
    if isinstance(parsed, SmartctlReading):
        return stated.get("model_name") == parsed.model_name
    printed = json.loads(json.dumps(as_record(parsed), default=as_json))
    return all(stated.get(name) == value for name, value in printed.items() if name not in LINES)


def _same_rows(stated: Any, parsed: Sequence[object], names: Sequence[str]) -> bool:
    if not isinstance(stated, list) or len(stated) != len(parsed):
        return False
    return all(
        isinstance(row, dict) and all(_same(row.get(name), getattr(mine, name)) for name in names)
        for row, mine in zip(stated, parsed, strict=True)
    )


def _same(stated: Any, parsed: int | Decimal | None) -> bool:
    if parsed is None or stated is None:
        return stated is parsed
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return False
    return abs(float(stated) - float(parsed)) <= _CLOSE_ENOUGH * abs(float(parsed))


UNSUPPORTED = "The parts of this request don't fit together; see `notices`."
_OF_A_PARSE = {
    "readings",
    "parser_version",
}  # distinguish a parse from a text, even if one of the two is missing


@dataclass(frozen=True, slots=True)
class Sent:
    """The paste and who sent it."""

    raw: str | bytes
    sender: Sender

    @property
    def fingerprint(self) -> bytes:
        """A fingerprint of the content, to tell different requests apart."""
        raw = self.raw if isinstance(self.raw, bytes) else self.raw.encode("utf-8", "surrogatepass")
        fields = (
            self.sender.forum_handle,
            self.sender.source_url,
            self.sender.keeps_unit,
            self.sender.measured_on,
            self.sender.note,
            self.sender.told.stored,
        )
        return raw + repr(fields).encode("utf-8", "surrogatepass")


def read_sent(request: Request) -> Sent:
    """The paste and sender of a request; raises ValidationError, RefusedProblem and TooLongProblem."""
    owner = member_of(request)
    sender = Sender(owner=owner, sender_digest="" if owner else digest_sender(sender_address(request)))
    if not request.content_type or request.content_type.startswith(PlainTextParser.media_type):
        # DRF returns {} for an empty body, and accepts no other without a content type
        return Sent(request.data if isinstance(request.data, bytes) else b"", sender)
    try:
        raw, data = _read_fields(request)
    except PasteTooLongError as error:
        raise TooLongProblem from error
    except SubmissionRefusedError as error:
        raise RefusedProblem(error.notices, detail=UNSUPPORTED) from error
    stated = ("forum_handle", "source_url", "keeps_unit", "measured_on")
    about = {name: data[name] for name in stated if name in data}
    day = about.get("measured_on")
    if day is not None and not is_possible_day(day):  # a schema can't state today's date
        raise RefusedProblem([Notice("impossible_day", IMPOSSIBLE_DAY)], detail=IMPOSSIBLE_DAY)
    try:
        about["note"] = read_note(data["note"])
    except LinkInNoteError as error:
        raise RefusedProblem([Notice("link_in_note", NO_LINKS)], detail=NO_LINKS) from error
    answers, faults = clean_answers(data.get("told", {}), all_questions())
    if faults:
        notices = [Notice("told", f"{name}, {key}: {fault}") for (name, key), fault in faults.items()]
        raise RefusedProblem(notices, detail=notices[0].message)
    about["told"] = Told(answers, lines_of("\n".join(data.get("timings", ()))))
    return Sent(raw, replace(sender, **about))


def _read_fields(request: Request) -> tuple[str | bytes, Mapping[str, Any]]:
    is_parse = isinstance(request.data, dict) and not _OF_A_PARSE.isdisjoint(request.data)
    if request.FILES or (isinstance(request.data, QueryDict) and "file" in request.data):
        data = _valid(SubmissionUploadSerializer, request)
        return join_parts([data["text"], *(one.read() for one in data["file"])]), data
    data = _valid(ParseRequestSerializer if is_parse else SubmissionRequestSerializer, request)
    check_size(data["text"])
    return (text_of_parse(data["text"], data["readings"]) if is_parse else data["text"]), data


def _valid(shape: Any, request: Request) -> Mapping[str, Any]:
    serializer = shape(data=request.data)
    serializer.is_valid(raise_exception=True)
    data: Mapping[str, Any] = serializer.validated_data
    return data
