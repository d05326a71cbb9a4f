"""A paste as it comes in a request: plain text, JSON with a text or a finished parse, or files."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rest_framework.request import Request

from results.api.authentication import member_of
from results.api.parsing import PlainTextParser
from results.api.problems import RefusedProblem, TooLongProblem
from results.api.sent_serializers import (
    ParseRequestSerializer,
    SubmissionRequestSerializer,
    SubmissionUploadSerializer,
)
from results.ingest.digests import digest_sender
from results.ingest.finished import text_of_parse
from results.ingest.receive import PasteTooLongError, Sender, SubmissionRefusedError, check_size, join_parts
from results.network import sender_address

NOT_TAKEN = "This can't be taken as it was put together; `notices` say why."
_OF_A_PARSE = {
    "readings",
    "parser_version",
}  # by which a parse is told from a text, also one that lacks the other


@dataclass(frozen=True, slots=True)
class Sent:
    """The paste and who sent it."""

    raw: str | bytes
    sender: Sender

    @property
    def fingerprint(self) -> bytes:
        """What makes one request another than the next."""
        raw = self.raw if isinstance(self.raw, bytes) else self.raw.encode("utf-8", "surrogatepass")
        told = (self.sender.forum_handle, self.sender.source_url, self.sender.keeps_unit)
        return raw + repr(told).encode("utf-8", "surrogatepass")

    def sender_with(self, claim_seed: str) -> Sender:
        return replace(self.sender, claim_seed=claim_seed)


def read_sent(request: Request) -> Sent:
    """What a request brings; raises ValidationError, RefusedProblem and TooLongProblem."""
    owner = member_of(request)
    sender = Sender(owner=owner, sender_digest="" if owner else digest_sender(sender_address(request)))
    if request.content_type.startswith(PlainTextParser.media_type):
        # DRF gives {} for an empty body
        return Sent(request.data if isinstance(request.data, bytes) else b"", sender)
    try:
        raw, told = _read_fields(request)
    except PasteTooLongError as error:
        raise TooLongProblem from error
    except SubmissionRefusedError as error:
        raise RefusedProblem(error.notices, detail=NOT_TAKEN) from error
    about = {name: told[name] for name in ("forum_handle", "source_url", "keeps_unit")}
    return Sent(raw, replace(sender, **about))


def _read_fields(request: Request) -> tuple[str | bytes, Mapping[str, Any]]:
    is_parse = isinstance(request.data, dict) and not _OF_A_PARSE.isdisjoint(request.data)
    if request.FILES:
        told = _valid(SubmissionUploadSerializer, request)
        return join_parts([told["text"], *(one.read() for one in told["file"])]), told
    told = _valid(ParseRequestSerializer if is_parse else SubmissionRequestSerializer, request)
    check_size(told["text"])
    return (text_of_parse(told["text"], told["readings"]) if is_parse else told["text"]), told


def _valid(shape: Any, request: Request) -> Mapping[str, Any]:
    serializer = shape(data=request.data)
    serializer.is_valid(raise_exception=True)
    told: Mapping[str, Any] = serializer.validated_data
    return told
